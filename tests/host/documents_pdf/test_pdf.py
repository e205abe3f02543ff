"""PDF files of documents: all that is frozen is printed, escaped, and equal bodies give equal bytes."""

import hashlib
import json
import subprocess
import sys
from io import BytesIO

import pytest
from pypdf import PdfReader

from config.settings import ROOT
from domain.money import currency
from host.documents import fonts, texts
from host.documents.amounts import amount_text, date_text
from host.documents.pdf import LOGO_PIXELS, render
from host.images.fonts import Typeface
from host.images.logo import logo_picture
from tests.host.documents_pdf.bodies import GERMAN, invoice, line

BOOK = {
    "sku": "ml-bk-1",
    "quantity": 2,
    "unit_minor": 3_000,
    "steps": [{"name": "Spring sale", "change_minor": -2_000}],
    "net_minor": 3_738,
    "tax_minor": 262,
    "total_minor": 4_000,
    "taxes": [{"label": "VAT", "percent": "7", "minor": 262}],
}
CREDIT = {"kind": "credit_note", "number": "ML-C2026-000007", "invoice": {"number": "ML-1", "issued_on": "2026-02-01"}}


def pages(body) -> list[str]:
    """The text of every page, with single spaces."""
    return [" ".join(page.extract_text().split()) for page in PdfReader(BytesIO(render(body))).pages]


def test_an_invoice_prints_seller_customer_lines_rates_and_total():
    (text,) = pages(invoice(line(), line("Tax <b>tables</b> & more", **BOOK)))
    for printed in (
        "Invoice",
        "ML-2026-000042",
        "1 March 2026",
        "28 February 2026",
        "BADECUFIGOHAKELIMONU",
        "Jörg Müller",
        "Weiß & Söhne <Verlag> GmbH",
        "Tax <b>tables</b> & more",
        "ML-BK-1",
        "Spring sale \N{MINUS SIGN}20.00",
        "VAT 19% on 84.03",
        "VAT 7% on 37.38",
        "EUR 140.00",
        "Paid on 1 March 2026 with Visa 4242",
        "Merrion House",
        "VAT id IE6388047V",
        "Page 1 of 1",
    ):
        assert printed in text, printed


OTHERS = {
    "reverse charge": (
        {
            "price_mode": "exclusive",
            "notes": ["Reverse charge: ids"],
            "buyer": {**GERMAN, "vat_id": "DE136695976"},
            "taxes": [{"label": "Reverse charge", "percent": "0", "net_minor": 10_000, "tax_minor": 0}],
        },
        ["Reverse charge: ids", "VAT id DE136695976", "Reverse charge on 100.00", "Amount, net"],
    ),
    "yen": ({"currency": "JPY", "exponent": 0, "total_minor": 14_800}, ["JPY 14,800"]),
    "dinar": ({"currency": "KWD", "exponent": 3, "total_minor": 31_230}, ["KWD 31.230"]),
    "in German form": (
        {"locale": "de-DE", "total_minor": 123_456, "issued_on": "2026-03-05"},
        ["1.234,56", "5. März", "VAT 19 % on"],
    ),
    "a purchase order": ({"purchase_order": "PO <4711>"}, ["Your order number PO <4711>"]),
    "free": ({"payment": None}, ["Nothing is to be paid."]),
    "delivery": ({"delivery": ["Jörg Müller", "10969 BERLIN"]}, ["Delivery to: Jörg Müller, 10969 BERLIN"]),
    "credit note": (CREDIT, ["Credit note", "ML-1 of 1 February 2026", "Total credited"]),
    "money that came back": (
        {**CREDIT, "total_minor": -2_000, "reverses": [{"number": "ML-C2026-000006", "issued_on": "2026-02-03"}]},
        [
            *("Reversal of a credit note", "EUR \N{MINUS SIGN}20.00", "ML-1 of 1 February 2026"),
            "Reverses credit note ML-C2026-000006 of 3 February 2026",
        ],
    ),
    "money of two parts that came back": (
        {
            **CREDIT,
            "total_minor": -2_000,
            "reverses": [CREDIT["invoice"], {"number": "ML-2", "issued_on": "2026-02-03"}],
        },
        ["Reverses credit notes ML-1 of 1 February 2026, ML-2 of 3 February 2026"],
    ),
}


@pytest.mark.parametrize("case", OTHERS)
def test_other_documents_print_what_they_need(case):
    about, printed = OTHERS[case]
    (text,) = pages(invoice(**about))
    assert [part for part in printed if part not in text] == []


def test_units_that_came_back_have_the_sign_of_amounts():
    (text,) = pages(invoice(line(quantity=-2, unit_minor=None), **CREDIT))
    assert "\N{MINUS SIGN}2 " in text


def test_sixty_lines_take_several_numbered_pages_with_repeated_heads():
    found = pages(invoice(*[line(f"Course {number}") for number in range(60)]))
    assert len(found) == 3
    for number, text in enumerate(found, start=1):
        assert f"Page {number} of 3" in text
        assert "Description" in text
    assert "Course 0 " in found[0]
    assert "Course 59 " in found[-1]
    assert "EUR 6,000.00" in found[-1]


def test_totals_are_never_alone_on_a_page():
    """Whatever the number of lines: some of these fill the first page to where the totals just do not fit."""
    two_pages = [found for count in range(10, 25) if len(found := pages(invoice(*lines_of(count)))) == 2]
    assert [found for found in two_pages if "Course " not in found[1] or "Total" not in found[1]] == []
    # There is one whose lines would all fit on the first page.
    assert any(found[1].count("Course ") == 1 for found in two_pages)


def lines_of(count: int) -> list:
    return [line(f"Course {number}") for number in range(count)]


LOGO = "/static/images/logo.svg"


def test_the_shops_logo_is_printed_on_every_page():
    logo = logo_picture(LOGO, LOGO_PIXELS)
    content = render(invoice(*lines_of(60)), logo)
    assert [len(page.images) for page in PdfReader(BytesIO(content)).pages] == [1, 1, 1]
    assert render(invoice(*lines_of(60)), logo) == content
    assert len(render(invoice(), logo)) < 60_000


@pytest.mark.parametrize(
    "address", ["https://cdn.example/logo.svg", "/static/none.svg", "/../setup.cfg", "/static/css/base.css"]
)
def test_a_logo_that_is_no_picture_of_this_site_is_left_out(address):
    assert logo_picture(address, LOGO_PIXELS) is None


def test_names_of_any_length_stay_on_the_page():
    name = "Donaudampfschifffahrt" * 8
    body = invoice(line(name), buyer={**GERMAN, "address": [name, "von und zu " * 20]})
    (text,) = pages(body)
    assert text.count("Donaudampf") >= 16 or "Donaudampfschifffahrt" in text.replace(" ", "")


def test_equal_bodies_give_equal_bytes_in_another_process_after_other_documents():
    body = invoice(line("Łódź naïve"))
    program = (
        "import hashlib, json, sys; from host.documents.pdf import render; bodies = json.load(sys.stdin); "
        "print([hashlib.sha256(render(body)).hexdigest() for body in bodies][-1])"
    )
    source = json.dumps([invoice(), body])
    done = subprocess.run(
        [sys.executable, "-c", program], input=source, capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout.strip() == hashlib.sha256(render(body)).hexdigest()
    assert done.stderr == ""


@pytest.fixture
def inter_alone(monkeypatch):
    """A machine without other fonts."""
    monkeypatch.setattr("host.images.fonts._machine_fonts", lambda: iter(()))
    texts._can_print.cache_clear()


def test_a_japanese_name_and_course_are_printed_on_a_machine_without_fonts(inter_alone):
    body = invoice(line("英文財務諸表データ"), buyer={**GERMAN, "address": ["山田太郎", "JAPAN"]})
    (text,) = pages(body)
    note = texts.name_note(("山田太郎", "JAPAN"), 1)
    assert ("山田太郎" in text, "英文財務諸表データ" in text, note) == (True, True, "")


def test_a_name_that_no_font_can_print_becomes_the_customers_number(inter_alone):
    buyer = {**GERMAN, "address": ["홍길동", "KOREA"]}
    body = invoice(line("재무제표", sku="ml-co-7"), buyer=buyer)
    (text,) = pages(body)
    assert texts.name_note(("홍길동", "KOREA"), 1) == texts.NAME_REPLACED
    assert texts.name_note(("홍길동", "KOREA"), 0) == texts.name_note(("Łódź", "Ελλάς"), 1) == ""
    assert "Customer S-1042 KOREA" in text
    assert "Item 1 ML-CO-7" in text


def test_a_font_that_cannot_be_embedded_is_not_used(monkeypatch):
    """PostScript outlines, as in many fonts of East Asian scripts."""
    monkeypatch.setattr("host.documents.fonts._register", lambda name, _path, _index: name == fonts.REGULAR)
    monkeypatch.setattr("host.documents.fonts.registered_name", lambda face: None)
    assert fonts.typeface_for(["Ж漢"]).missing("漢") == {"漢"}


def test_markup_is_escaped_and_only_some_scripts_are_shaped():
    assert fonts.markup("<b>&", Typeface([*fonts.typeface_for([]).faces])) == "&lt;b&gt;&amp;"
    assert [fonts.needs_shaping(text) for text in ("Zoë Łódź", "Ж漢字", "محمد", "हिन्दी")] == [False, False, True, True]


AMOUNTS = [
    (0, "USD", "en-US", "0.00"),
    (5, "USD", "en-US", "0.05"),
    (123_456_789, "USD", "en-US", "1,234,567.89"),
    (-1_230, "USD", "en-US", "\N{MINUS SIGN}12.30"),
    (-123_456, "EUR", "de-DE", "\N{MINUS SIGN}1.234,56"),
    (14_800, "JPY", "ja-JP", "14,800"),
    (5, "KWD", "en-US", "0.005"),
]


@pytest.mark.parametrize(("minor", "code", "locale", "text"), AMOUNTS)
def test_amounts_have_the_decimals_of_their_currency(minor, code, locale, text):
    assert amount_text(minor, currency(code), locale) == text


def test_dates_name_their_month():
    assert date_text("2026-03-01") == "1 March 2026"
    assert date_text("2026-03-01", "en-US") == "March 1, 2026"
