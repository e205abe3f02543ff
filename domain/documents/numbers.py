"""Numbers of documents, without gaps: a rollback returns the number, because the counter is part of the transaction."""

from dataclasses import dataclass
from typing import Literal

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from domain.database.database import affected_rows, insert_ignoring
from domain.tables import DocumentCounter

Kind = Literal["invoice", "credit_note"]
# Between the prefix and the year.
LETTER: dict[Kind, str] = {"invoice": "", "credit_note": "C"}


@dataclass(frozen=True)
class DocumentNumber:
    """`text` is printed; `seq` counts the documents of a kind in a year."""

    text: str
    seq: int


def next_number(session: Session, kind: Kind, year: int, prefix: str) -> DocumentNumber:
    """`{prefix}2026-000001`, of credit notes `{prefix}C2026-000001`. `year`: in UTC.

    The counter stays locked until the transaction ends, and others wait for it: take a number as late as possible.
    """
    insert_ignoring(session, DocumentCounter, [{"kind": kind, "year": year, "last": 0}])
    is_counter = (DocumentCounter.kind == kind, DocumentCounter.year == year)
    affected_rows(session, update(DocumentCounter).where(*is_counter).values(last=DocumentCounter.last + 1))
    seq = session.scalars(select(DocumentCounter.last).where(*is_counter).with_for_update()).one()
    return DocumentNumber(f"{prefix}{LETTER[kind]}{year}-{seq:06}", seq)
