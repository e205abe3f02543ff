"""Statements of the bank as they are read: entries with what matters of them."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from domain import money
from domain.display_text import count_text
from domain.errors import Refused
from domain.typed_values import read_decimal

# credit: money came. debit: money went. credit_reversed: money that came was taken back by its bank.
EntryKind = Literal["credit", "debit", "credit_reversed", "debit_reversed"]
# Why an amount is not trusted. currency: the details have another one. sum: the details sum to something else.
AmountDoubt = Literal["", "currency", "sum"]
MAX_ENTRIES = 5_000
MAX_BYTES = 4 * 2**20
# Above it no amount is one; in minor units.
MAX_MINOR = 10**15
MAX_TEXT, MAX_NAME, MAX_ID = 1_000, 140, 140
# What banks write where there is no number.
NO_NUMBERS = ("", "NONREF", "NOTPROVIDED", "NOT PROVIDED", "NONE", "N/A")
EMPTY = "This file has no entries that are booked."


@dataclass(frozen=True)
class StatementEntry:
    """`amount_minor` as it is booked on the account. `text`: what the payer wrote. `bank_id`: the bank's number of the
    entry, "" without one. `doubt`: why the amount is not trusted, and `instructed`: what the details say instead."""

    kind: EntryKind
    booked_on: date
    amount_minor: int
    currency: str
    text: str = ""
    payer: str = ""
    bank_id: str = ""
    doubt: AmountDoubt = ""
    instructed: str = ""


@dataclass(frozen=True)
class Statement:
    """`account`: its number, "" where the file names none. `skipped`: entries that are not booked yet."""

    account: str
    entries: tuple[StatementEntry, ...]
    skipped: int = 0


class StatementRefused(Refused):
    """The file is no statement that can be read. The text says why."""


def minor_of(text: str, currency: str) -> int:
    """An amount in minor units. Raises StatementRefused for one that is none, or too fine for its currency."""
    try:
        exponent = money.currency(currency).exponent
    except money.UnknownCurrency:
        refusal = f"The file has amounts in {currency[:10]}, which is no currency that we know."
        raise StatementRefused(refusal) from None
    try:
        minor: Decimal | None = read_decimal(text).scaleb(exponent)
    except ValueError:
        minor = None
    if minor is None or minor != minor.to_integral_value() or not 0 <= minor <= MAX_MINOR:
        raise StatementRefused(f"The file has an amount that is none: {text[:30]} {currency}.")
    return int(minor)


def one_line(text: str | None, most: int = MAX_TEXT) -> str:
    return " ".join((text or "").split())[:most]


def number_or_none(text: str | None) -> str:
    """A bank's number, "" for what banks write where there is none."""
    number = one_line(text, MAX_ID)
    return "" if number.upper() in NO_NUMBERS else number


def checked(statement: Statement) -> Statement:
    """Raises StatementRefused for one without entries, or with too many."""
    if not statement.entries:
        raise StatementRefused(EMPTY)
    if len(statement.entries) > MAX_ENTRIES:
        raise StatementRefused(f"This file has more than {count_text(MAX_ENTRIES)} entries. Send shorter statements.")
    return statement


def keys_of(statement: Statement) -> Sequence[str]:
    """What an entry is known by, in the order of the entries, 64 digits each: the same entry has the same key in every
    file. Equal entries of one day are told apart by their number: a statement has whole days."""
    counted: Counter[str] = Counter()
    keys = []
    for entry in statement.entries:
        about = [statement.account, entry.kind, entry.booked_on.isoformat(), str(entry.amount_minor), entry.currency]
        # A number alone is not trusted: some banks count anew each year.
        about += ["id", entry.bank_id] if entry.bank_id else ["text", entry.text, entry.payer]
        basis = "\n".join(about)
        counted[basis] += 1
        keys.append(hashlib.sha256(f"{basis}\n{counted[basis]}".encode()).hexdigest())
    return keys
