"""Numbers of documents, without gaps: a rollback returns the number, because the counter is part of the transaction."""

from dataclasses import dataclass
from typing import Literal, cast

from sqlalchemy import Table, bindparam, select, update
from sqlalchemy.orm import Session

from domain.database.database import insert_ignoring
from domain.database.prepared_change import PreparedChange
from domain.database.prepared_select import PreparedSelect, first_number
from domain.tables import DocumentCounter

Kind = Literal["invoice", "credit_note", "quote"]
# Between the prefix and the year.
LETTER: dict[Kind, str] = {"invoice": "", "credit_note": "C", "quote": "Q"}
_counters = DocumentCounter.__table__.c
_IS_COUNTER = (_counters.kind == bindparam("of_kind"), _counters.year == bindparam("of_year"))
_COUNT = PreparedChange(
    update(cast("Table", DocumentCounter.__table__)).where(*_IS_COUNTER).values({_counters.last: _counters.last + 1})
)
_KNOWN = PreparedSelect(select(_counters.last).where(*_IS_COUNTER), first_number)
_LAST = PreparedSelect(select(_counters.last).where(*_IS_COUNTER).with_for_update(), first_number)


@dataclass(frozen=True)
class DocumentNumber:
    """`text` is printed; `seq` counts the documents of a kind in a year."""

    text: str
    seq: int


def next_number(session: Session, kind: Kind, year: int, prefix: str) -> DocumentNumber:
    """`{prefix}2026-000001`, of credit notes `{prefix}C2026-000001`, of quotes `{prefix}Q2026-000001`. `year`: in UTC.

    The counter stays locked until the transaction ends, and others wait for it: take a number as late as possible.
    """
    about = {"of_kind": kind, "of_year": year}
    # A counter is never deleted.
    if not _KNOWN.all(session, **about):
        insert_ignoring(session, DocumentCounter, [{"kind": kind, "year": year, "last": 0}])
    _COUNT.run(session, **about)
    [seq] = _LAST.all(session, **about)
    return DocumentNumber(f"{prefix}{LETTER[kind]}{year}-{seq:06}", seq)
