"""Invoices and credit notes: what their bodies say, that they are issued once, and that their sums are exact."""

from datetime import UTC, datetime

import pytest

from domain.documents import credit_notes, invoices
from domain.documents.body import digest_of
from domain.documents.issuer import Issuer
from domain.documents.postal_lines import postal_lines
from domain.documents.readable_documents import documents_of, readable_document
from domain.documents.tax_sums import LineTax, part_of, percent_text, sums_by_rate
from domain.money import currency
from domain.orders import events
from domain.permissions import Tenant
from domain.tables import Document, Payment, Refund, RefundLine
from tests.support import factories, order_rows
from tests.support.factories import NOON

ISSUER = Issuer("Meridian Learning Ltd", ("1 High Street", "Dublin"), "IE6388047V", "ML-")
VAT = {"label": "VAT", "percent": "19.000", "minor": 1_597, "rate_id": 3}
BERLIN = {"name": "Jörg Müller", "street_address": "Weg 1", "postal_code": "10115", "city": "Berlin", "country": "DE"}


@pytest.fixture
def ada(session) -> int:
    return factories.learner(session, student_number="s-77").id


@pytest.fixture
def order(session, ada):
    """A course of 100.00 with 20 off, tax included, in two units, and delivery without tax. Its first payment was of a
    wrong amount; the second settled it."""
    amounts = {"total_minor": 10_500, "tax_minor": 1_597, "tax_kind": "standard", "price_mode": "inclusive"}
    row = order_rows.order(session, ada, billing=BERLIN, **amounts)
    steps = [
        {"step": "list", "name": "List price", "change_minor": 0, "total_minor": 12_000},
        {"step": "sale", "name": "Sale", "change_minor": -2_000, "total_minor": 10_000},
        {"step": "tax", "name": "VAT", "change_minor": 0, "total_minor": 10_000},
    ]
    prices = {"list_minor": 6_000, "unit_minor": 5_000, "net_minor": 8_403, "tax_minor": 1_597, "total_minor": 10_000}
    order_rows.order_line(session, row.id, name="Tax tables", quantity=2, steps=steps, taxes=[VAT], **prices)
    order_rows.order_line(session, row.id, 2, kind="delivery", name="Post", unit_minor=500)
    times = {"created_at": NOON, "paid_at": NOON}
    for number, method, amount in ((1, "Visa 0005", 10_499), (2, "Visa 4242", 10_500)):
        payment = {"gateway": "stripe", "amount_minor": amount, "currency": "USD", "key": f"k-{number}"}
        session.add(Payment(order_id=row.id, number=number, state="paid", method=method, **payment, **times))
    events.append(session, row, "settle", events.GATEWAY, NOON, {"payment": 2})
    return row


def refund(session, order, number: int, *parts: tuple[int, int, int, int]) -> Refund:
    """Store a refund of parts (line's number, quantity, amount, tax)."""
    lines = {line.number: line.id for line in session.query(order_rows.OrderLine).filter_by(order_id=order.id)}
    sums = {"amount_minor": sum(part[2] for part in parts), "tax_minor": sum(part[3] for part in parts)}
    about = {"state": "sent", "reason": "request", "note": "", "actor": "learner", "key": f"{order.code}-r{number}"}
    row = Refund(order_id=order.id, number=number, requested_at=NOON, changed_at=NOON, **about, **sums)
    session.add(row)
    session.flush()
    for line, quantity, amount, tax in parts:
        amounts = {"quantity": quantity, "amount_minor": amount, "tax_minor": tax}
        session.add(RefundLine(refund_id=row.id, line_id=lines[line], **amounts))
    session.flush()
    return row


@pytest.mark.each_database
def test_an_invoice_has_lines_steps_sums_by_rate_and_the_payment(session, order):
    document = invoices.issue(session, order, NOON, ISSUER)
    body = document.body
    assert (document.number, body["number"], body["buyer"]["number"]) == ("ML-2026-000001", "ML-2026-000001", "S-77")
    assert body["buyer"]["address"] == ["Jörg Müller", "Weg 1", "10115 BERLIN", "GERMANY"]
    tables, post = body["lines"]
    assert (tables["unit_minor"], tables["quantity"], tables["total_minor"]) == (6_000, 2, 10_000)
    assert tables["steps"] == [{"name": "Sale", "change_minor": -2_000}]
    assert (post["name"], post["taxes"]) == ("Delivery: Post", [])
    assert body["taxes"] == [
        {"label": "VAT", "percent": "19", "net_minor": 8_403, "tax_minor": 1_597},
        {"label": "No tax", "percent": "0", "net_minor": 500, "tax_minor": 0},
    ]
    assert (body["net_minor"], body["tax_minor"], body["total_minor"]) == (8_903, 1_597, 10_500)
    assert body["payment"] == {"method": "Visa 4242", "paid_on": "2026-03-01"}
    assert (document.digest, body["notes"]) == (digest_of(body), [])


@pytest.mark.each_database
def test_a_document_is_issued_once(session, order):
    first = invoices.issue(session, order, NOON, ISSUER)
    session.expire_all()
    assert invoices.issue(session, order, NOON, ISSUER).id == first.id
    back = refund(session, order, 1, (1, 1, 5_000, 798))
    notes = [credit_notes.issue(session, back, NOON, ISSUER).id for _ in range(2)]
    assert notes[0] == notes[1]
    assert [row.number for row in documents_of(session, order.id)] == ["ML-2026-000001", "ML-C2026-000001"]


def test_credit_notes_of_parts_sum_to_the_invoice(session, order):
    invoice = invoices.issue(session, order, NOON, ISSUER).body
    parts = [(1, 1, 5_000, 799)], [(1, 1, 5_000, 798), (2, 1, 500, 0)]
    notes = [
        credit_notes.issue(session, refund(session, order, number, *lines), NOON, ISSUER).body
        for number, lines in enumerate(parts, start=1)
    ]
    assert [note["invoice"]["number"] for note in notes] == [invoice["number"]] * 2
    for name in ("net_minor", "tax_minor", "total_minor"):
        assert sum(note[name] for note in notes) == invoice[name]
    assert [row["tax_minor"] for note in notes for row in note["taxes"]] == [799, 798, 0]


def test_a_refund_of_what_was_never_invoiced_has_no_credit_note(session, order):
    assert credit_notes.issue(session, refund(session, order, 1, (1, 1, 5_000, 798)), NOON, ISSUER) is None
    invoices.issue(session, order, NOON, ISSUER)
    assert credit_notes.issue(session, refund(session, order, 2), NOON, ISSUER) is None


def test_reverse_charge_is_printed_with_both_ids(session, ada):
    billing = {**BERLIN, "company_name": "Müller GmbH", "vat_id": "DE136695976"}
    row = order_rows.order(session, ada, billing=billing, tax_kind="reverse_charge", total_minor=10_000)
    order_rows.order_line(session, row.id)
    body = invoices.issue(session, row, NOON, ISSUER).body
    (note,) = body["notes"]
    assert "Reverse charge" in note
    assert ISSUER.vat_id in note
    assert "DE136695976" in note
    assert body["taxes"][0]["label"] == "Reverse charge"


def test_an_order_of_nothing_has_an_invoice_without_payment(session, ada):
    row = order_rows.order(session, ada)
    order_rows.order_line(session, row.id, unit_minor=0)
    body = invoices.issue(session, row, NOON, ISSUER).body
    assert (body["total_minor"], body["payment"]) == (0, None)


def test_the_year_of_a_number_is_in_utc(session, order):
    document = invoices.issue(session, order, datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC), ISSUER)
    assert (document.year, document.seq) == (2026, 1)


def test_steps_that_do_not_sum_to_the_amount_are_not_printed(session, ada):
    row = order_rows.order(session, ada, total_minor=9_000)
    steps = [{"step": "sale", "name": "Sale", "change_minor": -500, "total_minor": 9_500}]
    order_rows.order_line(session, row.id, steps=steps, list_minor=10_000, unit_minor=9_000)
    (line,) = invoices.issue(session, row, NOON, ISSUER).body["lines"]
    assert (line["unit_minor"], line["steps"]) == (9_000, [])


def test_only_the_owner_of_the_order_finds_its_documents(session, order, ada):
    number = invoices.issue(session, order, NOON, ISSUER).number
    eve = factories.learner(session, "Eve").id
    assert readable_document(session, ada, None, order.code.lower(), number).number == number
    # An order in nobody's name but hers.
    acme = Tenant(factories.organisation(session, "acme").id)
    wrong = [
        *((eve, None, order.code, number), (eve, acme, order.code, number)),
        *((ada, None, "BADECUFIGOHAKELIMONA", number), (ada, None, order.code, f"{number}9")),
    ]
    assert [readable_document(session, *who) for who in wrong] == [None] * 4


def test_who_reads_the_purchases_of_an_organisation_finds_the_documents_of_its_orders_alone(session, order, ada):
    acme, other = (Tenant(factories.organisation(session, name).id) for name in ("acme", "other"))
    order.organisation_id = acme.organisation_id
    number = invoices.issue(session, order, NOON, ISSUER).number
    eve = factories.learner(session, "Eve").id
    found = [readable_document(session, eve, tenant, order.code, number) for tenant in (acme, other, None)]
    assert [row and row.number for row in found] == [number, None, None]


GST_QST = (LineTax("GST", "5", 500), LineTax("QST", "9.975", 998))


def test_the_tax_of_parts_sums_to_each_rate():
    parts = [part_of(GST_QST, before, 1, currency("CAD")) for before in range(1_498)]
    assert [sum(part[rate].minor for part in parts) for rate in (0, 1)] == [500, 998]
    assert min(tax.minor for part in parts for tax in part) == 0


def test_a_line_with_two_rates_counts_for_both():
    sums = sums_by_rate([(10_000, GST_QST), (0, ())], "No tax")
    assert [(row.label, row.net_minor, row.tax_minor) for row in sums] == [
        ("GST", 10_000, 500),
        ("QST", 10_000, 998),
        ("No tax", 0, 0),
    ]


@pytest.mark.parametrize(
    ("value", "text"), [("19.000", "19"), ("9.975", "9.975"), (20, "20"), ("0", "0"), ("7.50", "7.5")]
)
def test_percents_have_no_trailing_zeros(value, text):
    assert percent_text(value) == text


ADDRESSES = {
    "name and country alone": ({"name": "A. Q.", "country": "KW"}, ["A. Q.", "KUWAIT"]),
    "an area without a city": ({"name": "Bo", "country_area": "CA", "country": "US"}, ["Bo", "CA", "UNITED STATES"]),
    "Japan": (
        {"name": "山田太郎", "postal_code": "154-0023", "country_area": "東京都", "street_address": "若林1-2-3"}
        | {"country": "JP"},
        ["〒154-0023", "東京都", "若林1-2-3", "山田太郎", "JAPAN"],
    ),
    "Japan without a postal code": ({"name": "山田太郎", "country": "JP"}, ["山田太郎", "JAPAN"]),
}


@pytest.mark.parametrize("case", ADDRESSES)
def test_an_address_is_printed_as_in_its_country(case):
    address, lines = ADDRESSES[case]
    assert postal_lines(address) == lines


@pytest.mark.each_database
def test_a_body_that_was_changed_has_another_digest(session, order):
    document = invoices.issue(session, order, NOON, ISSUER)
    session.flush()
    session.expire_all()
    stored = session.get_one(Document, document.id)
    assert digest_of(stored.body) == stored.digest
    assert digest_of({**stored.body, "total_minor": 1}) != stored.digest
