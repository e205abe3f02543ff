"""The structured form of invoices and credit notes: right by schema and rules of EN 16931, exact to the cent, and in a
PDF that is a PDF/A-3 by its structure."""

import copy
import importlib.resources
from collections.abc import Callable, Iterator
from decimal import Decimal
from io import BytesIO
from typing import Any

import pytest
from facturx import get_xml_from_pdf
from lxml import etree
from pypdf import PdfReader
from saxonche import PySaxonProcessor
from sqlalchemy import select

from domain.documents import e_invoice
from domain.documents.erasure import erase_old
from domain.documents.issuer import Issuer
from domain.money import currency
from domain.tables import Document
from host.documents import factur_x
from host.documents.files import _render
from host.documents.pdf import render
from tests.host.documents_pdf.orders_of_businesses import AUSTIN, BRANDT, PARIS, SELLER, Sale, bodies
from tests.support.factories import NOON

# The rules that factur-x 7.8 brings with it, as a style sheet.
RULES = "xsd_and_schematron/facturx-en16931/FACTUR-X_EN16931.xslt"
SVRL = {"svrl": "http://purl.oclc.org/dsdl/svrl"}
NAMES = {
    "ram": "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100",
    "rsm": "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100",
}
Broken = Callable[[bytes], list[str]]


@pytest.fixture(scope="module")
def broken_rules() -> Iterator[Broken]:
    """The rules of the standard that an XML breaks, in words, by the official style sheet, without any network."""
    with PySaxonProcessor(license=False) as processor:
        sheet = importlib.resources.files("facturx").joinpath(RULES)
        rules = processor.new_xslt30_processor().compile_stylesheet(stylesheet_file=str(sheet))

        def broken(xml: bytes) -> list[str]:
            report = rules.transform_to_string(xdm_node=processor.parse_xml(xml_text=xml.decode()))
            found = etree.fromstring(report.encode()).iterfind(".//svrl:failed-assert/svrl:text", SVRL)
            return ["".join(text.itertext()).strip() for text in found]

        yield broken


def texts(xml: bytes, path: str) -> list[str]:
    return [node.text for node in etree.fromstring(xml).iterfind(f".//{path}", NAMES)]


def amounts(xml: bytes, body: Any) -> dict[str, int]:
    """The totals of the XML in minor units."""
    totals = "ram:SpecifiedTradeSettlementHeaderMonetarySummation/ram:"
    found = {}
    for name in ("LineTotalAmount", "TaxBasisTotalAmount", "TaxTotalAmount", "GrandTotalAmount", "DuePayableAmount"):
        (text,) = texts(xml, totals + name)
        found[name] = int(Decimal(text).scaleb(currency(body["currency"]).exponent))
    return found


def line_sums(xml: bytes) -> list[tuple[Decimal, Decimal]]:
    """The net amount of each line, and what follows from its price, quantity and changes."""
    sums = []
    for line in etree.fromstring(xml).iterfind(".//ram:IncludedSupplyChainTradeLineItem", NAMES):

        def value(path: str, line: Any = line, default: str = "") -> Decimal:
            return Decimal(line.findtext(f".//{path}", default, NAMES))

        price = value("ram:NetPriceProductTradePrice/ram:ChargeAmount") * value("ram:BilledQuantity")
        price /= value("ram:NetPriceProductTradePrice/ram:BasisQuantity", default="1")
        for change in line.iterfind(".//ram:SpecifiedTradeAllowanceCharge", NAMES):
            is_charge = "true" in "".join(change.itertext())
            price += Decimal(change.findtext("ram:ActualAmount", "", NAMES)) * (1 if is_charge else -1)
        sums.append((value("ram:LineTotalAmount"), price))
    return sums


GB = {**BRANDT, "country": "GB", "city": "London", "postal_code": "SW1Y 4LB", "vat_id": ""}
SALES = {
    "two rates, added to the price": Sale({"course": 1, "book": 3}, number="PO 4711", back={2: 1}),
    "two rates, in the price": Sale({"course": 1, "book": 3}, mode="inclusive", back={1: 1, 2: 2}),
    "a sale price and a code, added": Sale({"course": 1, "book": 7}, reduced=("book", "course"), code=15, back={2: 3}),
    "a sale price and a code, in the price": Sale(
        {"course": 1, "book": 7}, mode="inclusive", reduced=("book", "course"), code=15, back={2: 3}
    ),
    "all of it for nothing": Sale({"course": 1, "book": 1}, mode="inclusive", code=100),
    "a voucher without tax beside a course with tax": Sale({"course": 1, "voucher": 2}, back={2: 1}),
    "not subject to tax, price without tax": Sale({"course": 1, "voucher": 1}, AUSTIN, back={1: 1}),
    "not subject to tax, from a price with tax": Sale(
        {"course": 1}, AUSTIN, mode="inclusive", reduced=("course",), back={1: 1}
    ),
    "a rate of nothing": Sale({"course": 1}, GB, back={1: 1}),
    "reverse charge": Sale({"course": 1, "bundle": 1}, PARIS, reduced=("course",), back={1: 1}),
    "reverse charge, from a price with tax": Sale({"course": 1, "book": 3}, PARIS, mode="inclusive", code=10),
    "yen": Sale({"course": 1, "book": 3}, mode="inclusive", currency="JPY", code=7, back={2: 1}),
    "dinars of three decimals": Sale({"course": 1, "book": 3}, mode="inclusive", currency="KWD", code=7, back={2: 1}),
    "dollars": Sale({"course": 1, "book": 11}, mode="inclusive", currency="USD", code=13, back={2: 5}),
}


@pytest.mark.parametrize("sale", SALES.values(), ids=SALES)
def test_documents_are_right_by_schema_and_rules_and_exact_to_the_cent(session, broken_rules, sale):
    found = bodies(session, sale)
    assert [body["kind"] for body in found] == (["invoice", "credit_note"] if sale.back else ["invoice"])
    for body in found:
        xml = factur_x.xml_of(body)
        assert broken_rules(xml) == []
        assert texts(xml, "ram:GuidelineSpecifiedDocumentContextParameter/ram:ID") == ["urn:cen.eu:en16931:2017"]
        is_invoice = body["kind"] == "invoice"
        assert amounts(xml, body) == {
            "LineTotalAmount": body["net_minor"],
            "TaxBasisTotalAmount": body["net_minor"],
            "TaxTotalAmount": body["tax_minor"],
            "GrandTotalAmount": body["total_minor"],
            "DuePayableAmount": 0 if is_invoice else body["total_minor"],
        }
        assert [wanted for wanted, made in line_sums(xml) if wanted != made] == []
        has_changes = is_invoice and bool(sale.reduced or sale.code)
        assert bool(texts(xml, "ram:SpecifiedTradeAllowanceCharge/ram:ActualAmount")) is has_changes


CATEGORIES = {
    "two rates, added to the price": [("S", "19"), ("S", "7")],
    "a voucher without tax beside a course with tax": [("S", "19"), ("E", "0")],
    "not subject to tax, price without tax": [("O", None)],
    "a rate of nothing": [("Z", "0")],
    "reverse charge": [("AE", "0")],
}


@pytest.mark.parametrize(("name", "categories"), CATEGORIES.items(), ids=CATEGORIES)
def test_each_tax_has_its_category(session, name, categories):
    xml = factur_x.xml_of(bodies(session, SALES[name])[0])
    rows = etree.fromstring(xml).iterfind(".//ram:ApplicableHeaderTradeSettlement/ram:ApplicableTradeTax", NAMES)
    found = [
        (row.findtext("ram:CategoryCode", None, NAMES), row.findtext("ram:RateApplicablePercent", None, NAMES))
        for row in rows
    ]
    assert found == categories


def test_an_invoice_and_its_credit_note_name_buyer_order_number_and_one_another(session):
    invoice, note = (factur_x.xml_of(body) for body in bodies(session, SALES["two rates, added to the price"]))
    assert texts(invoice, "rsm:ExchangedDocument/ram:TypeCode") + texts(note, "rsm:ExchangedDocument/ram:TypeCode") == [
        "380",
        "381",
    ]
    assert texts(invoice, "ram:BuyerOrderReferencedDocument/ram:IssuerAssignedID") == ["PO 4711"]
    assert texts(note, "ram:InvoiceReferencedDocument/ram:IssuerAssignedID") == ["ML-2026-000001"]
    assert texts(invoice, "ram:InvoiceReferencedDocument/ram:IssuerAssignedID") == []
    assert texts(invoice, "ram:BuyerTradeParty/ram:Name") == ["Brandt & Söhne <Verlag>"]
    assert texts(invoice, "ram:BuyerTradeParty/ram:SpecifiedTaxRegistration/ram:ID") == ["DE129274202"]
    assert texts(invoice, "ram:ShipToTradeParty/ram:PostalTradeAddress/ram:CountryID") == ["DE"]


PRIVATE = {"name": "Ada", "country": "DE"}
WITHOUT = {
    "a private person": Sale({"course": 1}, PRIVATE),
    "a seller without a VAT id": Sale({"course": 1}, issuer=Issuer("Meridian", country="DE")),
    "a VAT id without a country": Sale({"course": 1}, issuer=Issuer("Meridian", vat_id="136695976", country="DE")),
    "a seller of no known country": Sale({"course": 1}, issuer=Issuer("Meridian", vat_id="DE136695976")),
    "two taxes on one line": Sale({"course": 1}, {**BRANDT, "country": "CA", "country_area": "QC", "vat_id": ""}),
}


@pytest.mark.parametrize("sale", WITHOUT.values(), ids=WITHOUT)
def test_other_documents_are_a_pdf_alone(session, sale):
    (body,) = bodies(session, sale)
    assert "structured" not in body
    assert PdfReader(BytesIO(_render(body, ""))).attachments == {}


def wrong_cents() -> Iterator[tuple[str, Callable[[Any], None]]]:
    yield "a line", lambda body: body["lines"][0].update(net_minor=body["lines"][0]["net_minor"] + 1)
    yield "the tax of a rate", lambda body: body["taxes"][0].update(tax_minor=body["taxes"][0]["tax_minor"] - 1)
    yield "the total", lambda body: body.update(total_minor=body["total_minor"] + 1)

    def shift(body: Any) -> None:
        """All sums agree, and the tax is that of no rate."""
        line, rate = body["lines"][0], body["taxes"][0]
        for row, name in ((line, "tax_minor"), (line["taxes"][0], "minor"), (rate, "tax_minor"), (body, "tax_minor")):
            row[name] += 50
        line["total_minor"] += 50
        body["total_minor"] += 50

    yield "half a unit of tax, which the rules let pass", shift


@pytest.mark.parametrize("change", [pytest.param(change, id=name) for name, change in wrong_cents()])
def test_a_wrong_cent_makes_no_structured_invoice_and_the_pdf_stays(session, change, caplog):
    (body, _) = bodies(session, SALES["two rates, added to the price"])
    wrong = copy.deepcopy(body)
    change(wrong)
    with pytest.raises(e_invoice.NotExpressible):
        factur_x.xml_of(wrong)
    assert _render(wrong, "") == render(wrong)
    assert "document ML-2026-000001 has no structured form" in caplog.text


def test_the_rules_alone_would_let_half_a_unit_of_tax_pass(session, broken_rules, monkeypatch):
    """The negative control: without the check of ours nothing is found."""
    (body, _) = bodies(session, SALES["two rates, added to the price"])
    dict(wrong_cents())["half a unit of tax, which the rules let pass"](body)
    monkeypatch.setattr(e_invoice, "check_sums", lambda _body: None)
    assert broken_rules(factur_x.xml_of(body)) == []


def test_the_rules_find_a_missing_seller(session, broken_rules):
    """The negative control of the rules."""
    xml = factur_x.xml_of(bodies(session, SALES["reverse charge"])[0])
    broken = broken_rules(xml.replace(b"DE136695976", b"").replace(b'<ram:ID schemeID="VA"></ram:ID>', b""))
    assert any("BR-AE-02" in text for text in broken)


def test_the_pdf_of_a_business_has_the_invoice_in_it_and_what_a_pdf_a_3_needs(session):
    (body, _) = bodies(session, SALES["two rates, added to the price"])
    file = _render(body, "")
    assert file.startswith(b"%PDF-1.7\n%")
    assert file == _render(body, "")
    name, xml = get_xml_from_pdf(file)
    assert (name, xml) == ("factur-x.xml", factur_x.xml_of(body))
    reader = PdfReader(BytesIO(file))
    root = reader.trailer["/Root"]
    assert [row.get_object()["/AFRelationship"] for row in root["/AF"]] == ["/Alternative"]
    (intent,) = root["/OutputIntents"]
    assert intent["/S"] == "/GTS_PDFA1"
    assert intent["/DestOutputProfile"].get_object()["/N"] == 3
    about = root["/Metadata"].get_object().get_data().decode()
    for wanted in ("<pdfaid:part>3<", "<pdfaid:conformance>B<", "<fx:ConformanceLevel>EN 16931<", "factur-x.xml"):
        assert wanted in about
    etree.fromstring(about.partition("?>")[2].rpartition("<?")[0].strip())
    assert len({bytes(part.original_bytes) for part in reader.trailer["/ID"]}) == 1
    for page in reader.pages:
        for font in page["/Resources"]["/Font"].values():
            assert "/FontFile2" in font.get_object()["/FontDescriptor"]
    assert "Brandt & Söhne <Verlag>" in reader.pages[0].extract_text()


def test_an_erased_document_has_no_structured_form_left(session):
    bodies(session, SALES["two rates, added to the price"])
    erase_old(session, NOON.replace(year=NOON.year + 1))
    for body in session.scalars(select(Document.body)):
        assert "structured" not in body
        assert "Brandt" not in str(body)
    assert SELLER.name
