"""What is read of camt.053."""

from dataclasses import replace
from datetime import date

import pytest

from domain.bank_transfers import camt, files
from domain.bank_transfers.statements import MAX_BYTES, StatementRefused, keys_of
from tests.domain.bank_transfers.camt_files import IBAN, Booked, detail, transaction_amount
from tests.domain.bank_transfers.camt_files import camt as written

USD = transaction_amount("43.50", "USD")


def read(*entries: Booked, **about: str):
    return camt.read(written(*entries, **about)).entries


@pytest.mark.parametrize("version", ["02", "08", "13"])
@pytest.mark.parametrize("status", ["<Sts><Cd>BOOK</Cd></Sts>", "<Sts>BOOK</Sts>"])
def test_a_credit_is_read_in_each_version(version, status):
    entry = Booked("75.00", status=status, number="2026-7", details=detail("Invoice  7", "RF18 ABCD"))
    statement = camt.read(written(entry, version=version))
    assert (statement.account, statement.skipped) == (IBAN, 0)
    [found] = statement.entries
    assert (found.kind, found.booked_on, found.amount_minor, found.currency) == (
        "credit",
        date(2026, 1, 12),
        7_500,
        "EUR",
    )
    assert (found.text, found.payer, found.bank_id, found.doubt) == (
        "RF18 ABCD Invoice 7",
        "Northwind",
        "2026-7",
        "",
    )


@pytest.mark.parametrize(
    ("amount", "currency", "minor"),
    [("43.5", "EUR", 4_350), ("4350", "JPY", 4_350), ("10.005", "KWD", 10_005), ("0.01", "USD", 1), ("7", "EUR", 700)],
)
def test_amounts_are_exact_in_currencies_of_none_two_and_three_decimals(amount, currency, minor):
    assert read(Booked(amount, currency))[0].amount_minor == minor


@pytest.mark.parametrize(
    ("amount", "currency"),
    [("10.005", "EUR"), ("1.5", "JPY"), ("-5", "EUR"), ("NaN", "EUR"), ("", "EUR"), ("5", "XXZ")],
)
def test_what_is_no_amount_of_its_currency_refuses_the_file(amount, currency):
    with pytest.raises(StatementRefused):
        read(Booked(amount, currency))


@pytest.mark.parametrize(
    ("direction", "is_reversal", "kind"),
    [
        ("CRDT", False, "credit"),
        ("DBIT", False, "debit"),
        ("DBIT", True, "credit_reversed"),
        ("CRDT", True, "debit_reversed"),
    ],
)
def test_debits_and_reversals_are_no_credits(direction, is_reversal, kind):
    assert read(Booked("5", direction=direction, is_reversal=is_reversal))[0].kind == kind


def test_what_is_not_booked_yet_is_counted_and_not_read():
    statement = camt.read(written(Booked("5"), Booked("6", status="<Sts><Cd>PDNG</Cd></Sts>")))
    assert ([entry.amount_minor for entry in statement.entries], statement.skipped) == ([500], 1)


def test_a_booking_of_many_is_read_one_by_one():
    parts = [detail(f"Order {n}", amounts=transaction_amount(f"{n}.50", "EUR")) for n in (1, 2)]
    found = read(Booked("4.00", number="B1", details="".join(parts)))
    assert [(entry.amount_minor, entry.text, entry.bank_id, entry.doubt) for entry in found] == [
        (150, "Order 1", "B1/1", ""),
        (250, "Order 2", "B1/2", ""),
    ]


def test_details_that_sum_to_another_amount_are_not_trusted():
    parts = [detail(amounts=transaction_amount("1.50", "EUR")), detail(amounts=transaction_amount("2.00", "EUR"))]
    [found] = read(Booked("4.00", details="".join(parts)))
    assert (found.amount_minor, found.doubt) == (400, "sum")
    [other] = read(Booked("4.00", details=detail("7", amounts=transaction_amount("3.00", "EUR"))))
    assert (other.amount_minor, other.doubt, other.instructed) == (400, "sum", "3.00 EUR")


def test_a_detail_in_another_currency_leaves_the_amount_in_doubt():
    [found] = read(Booked("40.00", details=detail("7", amounts=USD)))
    assert (found.amount_minor, found.currency, found.doubt, found.instructed) == (
        4_000,
        "EUR",
        "currency",
        "43.50 USD",
    )


def test_the_same_entry_has_the_same_key_in_every_file_and_equal_ones_differ():
    one, other = Booked("5", details=detail("Coffee")), Booked("5", details=detail("Tea"), number="9")
    first = keys_of(camt.read(written(one, one, other)))
    again = keys_of(camt.read(written(other, one, one, version="02")))
    assert len(set(first)) == 3
    assert set(first) == set(again)
    assert keys_of(camt.read(written(replace(one, day="2026-01-13"))))[0] not in first
    assert keys_of(camt.read(written(one, iban="")))[0] not in first


@pytest.mark.parametrize(
    "before", ["<!DOCTYPE Document>", '<!DOCTYPE Document [<!ENTITY name "value">]>', '<!DOCTYPE d SYSTEM "d.dtd">']
)
def test_a_document_type_is_refused_before_anything_is_read(before):
    with pytest.raises(StatementRefused, match="document type"):
        camt.read(written(Booked("5"), before=before))


def test_without_the_guard_a_document_type_would_be_read(monkeypatch):
    """The negative control."""
    from xml.etree import ElementTree

    monkeypatch.setattr(
        "defusedxml.ElementTree.fromstring", lambda content, forbid_dtd: ElementTree.fromstring(content)
    )
    assert len(camt.read(written(Booked("5"), before="<!DOCTYPE Document>")).entries) == 1


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<",
        b"<html></html>",
        b"<Document xmlns='urn:iso:std:iso:20022:tech:xsd:pain.001.001.03'/>",
        b"name;amount\n1;2",
        b"\xff\xfe<",
        written(),
        written(Booked("5", day="today")),
        written(Booked("5", direction="")),
    ],
)
def test_what_is_no_statement_says_so(content):
    with pytest.raises(StatementRefused):
        files.read_content(content)


def test_statements_of_several_accounts_are_not_mixed():
    two = written(Booked("5")).replace(
        b"</Stmt>", b"</Stmt><Stmt><Acct><Id><IBAN>GB82WEST12345698765432</IBAN></Id></Acct></Stmt>"
    )
    with pytest.raises(StatementRefused, match="several accounts"):
        camt.read(two)


def test_a_large_file_is_not_read(tmp_path):
    path = tmp_path / "statement"
    path.write_bytes(b"<" + b" " * MAX_BYTES)
    with pytest.raises(StatementRefused, match="4 MiB"):
        files.read_statement(path)
    with pytest.raises(StatementRefused, match="expired"):
        files.read_statement(tmp_path / "other")
