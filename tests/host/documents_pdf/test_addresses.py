"""Addresses on documents whose fonts lack the letters of a country: no line goes without a word."""

from io import BytesIO

import pytest
from pypdf import PdfReader

from domain.documents.postal_lines import other_lines, postal_lines
from host.documents.pdf import render
from host.documents.texts import NO_LETTERS
from tests.host.documents_pdf.bodies import GERMAN, SELLER, invoice


@pytest.fixture(autouse=True)
def _image_fonts(monkeypatch):
    """The fonts of the image alone: Inter and Noto Sans JP."""
    monkeypatch.setattr("host.images.fonts._machine_fonts", lambda: iter(()))


def address(country: str, area: str, street: str, **more: str) -> dict[str, str]:
    return {"name": "Ada Lovelace", "country": country, "country_area": area, "street_address": street, **more}


# name -> (address, what the document says of the customer)
PRINTED = {
    "Dubai": (
        address("AE", "إمارة دبيّ", "1 Sheikh Zayed Road"),
        "Ada Lovelace 1 Sheikh Zayed Road Dubai UNITED ARAB EMIRATES",
    ),
    "Seoul": (
        address("KR", "서울특별시", "12 Teheran-ro", city="Gangnam-gu", postal_code="06236"),
        "Ada Lovelace 12 Teheran-ro Gangnam-gu Seoul 06236 SOUTH KOREA",
    ),
    "Busan": (
        address("KR", "부산광역시", "12 Marine City 1-ro", city="Haeundae-gu", postal_code="48094"),
        "Ada Lovelace 12 Marine City 1-ro Haeundae-gu Busan 48094 SOUTH KOREA",
    ),
    "Bangkok": (
        address("TH", "กรุงเทพมหานคร", "1 Silom Road", city="Bang Rak", postal_code="10500"),
        "Ada Lovelace 1 Silom Road Bang Rak Bangkok 10500 THAILAND",
    ),
    "a street in letters that no font has": (
        address("TH", "กรุงเทพมหานคร", "1 ถนนสีลม", city="Bang Rak", postal_code="10500"),
        f"Customer S-1042 Ada Lovelace {NO_LETTERS} Bang Rak Bangkok 10500 THAILAND",
    ),
    "a street in Japanese, which has a font": (
        address("JP", "東京都", "千代田区丸の内1-1", postal_code="100-0005"),
        "〒100-0005 東京都 千代田区丸の内1-1 Ada Lovelace JAPAN",
    ),
}


def text_of(**about) -> str:
    (page,) = PdfReader(BytesIO(render(invoice(**about)))).pages
    return " ".join(page.extract_text().split())


@pytest.mark.parametrize("case", PRINTED)
def test_an_invoice_and_its_delivery_have_every_line_in_letters_of_its_fonts(case):
    of, printed = PRINTED[case]
    lines, latin = postal_lines(of), other_lines(of)
    text = text_of(buyer={**GERMAN, "address": lines, "latin": latin}, delivery=lines, delivery_latin=latin)
    assert f"Billed to {printed}" in text
    delivered = printed.removeprefix("Customer S-1042 ")
    assert delivered in text.partition("Delivery to: ")[2].replace(", ", " ")


def test_a_line_of_the_sellers_address_that_cannot_be_printed_is_named():
    text = text_of(seller={**SELLER, "address": ["1 ถนนสีลม", "Bangkok 10500"]})
    assert f"{SELLER['name']} · {NO_LETTERS} · Bangkok 10500" in text
