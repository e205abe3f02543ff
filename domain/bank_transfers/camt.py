"""Reads camt.053 (ISO 20022), the statement of an account as XML.

The amount of a detail counts only in the currency of its entry: of a transfer in another currency the entry has what
was booked, and a person decides about it.
"""

from collections.abc import Iterator
from datetime import date
from xml.etree.ElementTree import Element, ParseError

from domain.bank_transfers.account import account_number
from domain.bank_transfers.statements import (
    MAX_NAME,
    AmountDoubt,
    EntryKind,
    Statement,
    StatementEntry,
    StatementRefused,
    checked,
    minor_of,
    number_or_none,
    one_line,
)
from domain.typed_values import read_day

NAMESPACE = "urn:iso:std:iso:20022:tech:xsd:camt.053."
NO_STATEMENT = "This is no camt.053 statement. Ask your bank for “camt.053”, or unpack its ZIP first."
UNSAFE = "This XML has a document type, which no statement of a bank has. It was not read."
BOOKED = "BOOK"
_KINDS: dict[tuple[str, bool], EntryKind] = {
    ("CRDT", False): "credit",
    ("DBIT", False): "debit",
    # The bank takes back money that came.
    ("DBIT", True): "credit_reversed",
    ("CRDT", True): "debit_reversed",
}


def looks_like_camt(content: bytes) -> bool:
    return content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


def read(content: bytes) -> Statement:
    """Raises StatementRefused. The parser refuses document types, and with them entities that grow."""
    # Neither host nor workers load it at start.
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        root: Element = fromstring(content, forbid_dtd=True)
    except DefusedXmlException:
        raise StatementRefused(UNSAFE) from None
    except (ParseError, ValueError, LookupError):
        raise StatementRefused(NO_STATEMENT) from None
    namespace = root.tag.partition("}")[0].removeprefix("{")
    if not namespace.startswith(NAMESPACE):
        raise StatementRefused(NO_STATEMENT)
    _strip(root)
    entries: list[StatementEntry] = []
    accounts, skipped = set(), 0
    for statement in root.iterfind("BkToCstmrStmt/Stmt"):
        accounts.add(account_number(_text(statement, "Acct/Id/IBAN") or _text(statement, "Acct/Id/Othr/Id")))
        for entry in statement.iterfind("Ntry"):
            if (_text(entry, "Sts/Cd") or _text(entry, "Sts")) != BOOKED:
                skipped += 1
                continue
            entries += _entries(entry)
    if len(accounts) > 1:
        raise StatementRefused("This file has statements of several accounts. Send one of each.")
    return checked(Statement(accounts.pop() if accounts else "", tuple(entries), skipped))


def _strip(root: Element) -> None:
    """Names without their namespace, which differs by the version alone."""
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]


def _text(element: Element, path: str) -> str:
    return (element.findtext(path) or "").strip()


def _entries(entry: Element) -> Iterator[StatementEntry]:
    """One for each detail, when their amounts are in the entry's currency and sum to its own; else one for all."""
    amount, kind = _amount(entry, "Amt"), _kind(entry)
    if amount is None or kind is None:
        raise StatementRefused("This file has an entry without an amount, or without a direction.")
    minor, currency = amount
    booked_on = _day(entry)
    number = number_or_none(_text(entry, "AcctSvcrRef"))
    details = list(entry.iterfind("NtryDtls/TxDtls"))
    others = [text for detail in details if (text := _other_amount(detail, currency))]

    def made(
        amount_minor: int, detail: Element | None, bank_id: str, doubt: AmountDoubt = "", said: str = ""
    ) -> StatementEntry:
        text, payer = _words(entry, detail)
        return StatementEntry(kind, booked_on, amount_minor, currency, text, payer, bank_id, doubt, said)

    if others or len(details) <= 1:
        detail = details[0] if len(details) == 1 else None
        own = None if detail is None or others else _detail_minor(detail, currency)
        bank_id = number or ("" if detail is None else _number(detail))
        if others:
            yield made(minor, detail, bank_id, "currency", one_line(", ".join(others), MAX_NAME))
        elif own is not None and own != minor:
            yield made(minor, detail, bank_id, "sum", _written(detail))
        else:
            yield made(minor, detail, bank_id)
        return
    parts = [_detail_minor(detail, currency) for detail in details]
    direction = _text(entry, "CdtDbtInd")
    is_same = all(_text(detail, "CdtDbtInd") in ("", direction) for detail in details)
    if not is_same or None in parts or sum(part or 0 for part in parts) != minor:
        yield made(minor, None, number, "sum")
        return
    for index, (detail, part) in enumerate(zip(details, parts, strict=True), 1):
        yield made(part or 0, detail, _number(detail) or (f"{number}/{index}" if number else ""))


def _kind(entry: Element) -> EntryKind | None:
    return _KINDS.get((_text(entry, "CdtDbtInd"), _text(entry, "RvslInd") in ("true", "1")))


def _amount(element: Element, path: str) -> tuple[int, str] | None:
    found = element.find(path)
    if found is None:
        return None
    currency = found.get("Ccy", "")
    return minor_of((found.text or "").strip(), currency), currency


def _other_amount(detail: Element, currency: str) -> str:
    """An amount of a detail in another currency than that of its entry, as it is written; "" for none."""
    for path in ("AmtDtls/TxAmt/Amt", "AmtDtls/InstdAmt/Amt", "Amt"):
        found = detail.find(path)
        if found is not None and found.get("Ccy", currency) != currency:
            return one_line(f"{(found.text or '').strip()} {found.get('Ccy', '')}", 40)
    return ""


def _detail_minor(detail: Element, currency: str) -> int | None:
    """In the entry's currency; None for a detail without an amount."""
    for path in ("AmtDtls/TxAmt/Amt", "Amt"):
        found = _amount(detail, path)
        if found is not None and found[1] == currency:
            return found[0]
    return None


def _written(detail: Element | None) -> str:
    for path in ("AmtDtls/TxAmt/Amt", "Amt"):
        found = None if detail is None else detail.find(path)
        if found is not None:
            return one_line(f"{(found.text or '').strip()} {found.get('Ccy', '')}", 40)
    return ""


def _number(detail: Element) -> str:
    return number_or_none(_text(detail, "Refs/AcctSvcrRef")) or number_or_none(_text(detail, "Refs/TxId"))


def _words(entry: Element, detail: Element | None) -> tuple[str, str]:
    """What the payer wrote, and their name. A creditor reference has its own field, but payers write it into any."""
    if detail is None:
        return one_line(_text(entry, "AddtlNtryInf")), ""
    structured = [row.text or "" for row in detail.iterfind("RmtInf/Strd/CdtrRefInf/Ref")]
    texts = [row.text or "" for row in detail.iterfind("RmtInf/Ustrd")]
    end_to_end = number_or_none(_text(detail, "Refs/EndToEndId"))
    more = [_text(detail, "AddtlTxInf"), _text(entry, "AddtlNtryInf")]
    payer = _text(detail, "RltdPties/Dbtr/Nm") or _text(detail, "RltdPties/Dbtr/Pty/Nm")
    # Lines of a text are cut anywhere: a reference may go on in the next one, so that they follow each other directly.
    text = " ".join(filter(None, (*structured, *texts, end_to_end, *more)))
    return one_line(text), one_line(payer, MAX_NAME)


def _day(entry: Element) -> date:
    text = _text(entry, "BookgDt/Dt") or _text(entry, "BookgDt/DtTm") or _text(entry, "ValDt/Dt")
    try:
        return read_day(text[:10])
    except ValueError:
        raise StatementRefused("This file has an entry without a day.") from None
