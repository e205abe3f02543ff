"""Writes an export row by row, and compares documents with money meanwhile."""

from collections.abc import Callable
from typing import Literal, get_args

from sqlalchemy.orm import Session

from domain.orders.export import rows
from domain.orders.export.agreement import Agreement
from domain.orders.export.pages import document_pages
from domain.orders.export.period import Period
from domain.orders.export.rows import Cells, TaxSums

Kind = Literal["documents", "payments", "tax"]
KINDS: tuple[Kind, ...] = get_args(Kind)


def export(session: Session, kind: Kind, period: Period, write: Callable[[Cells], object]) -> Agreement:
    """Call `write` with the header and then with each row, in a session that reads one state. The agreement is that of
    all documents of the period, whatever the kind."""
    agreement, sums = Agreement(), TaxSums()
    write({"documents": rows.DOCUMENTS_HEADER, "payments": rows.PAYMENTS_HEADER, "tax": rows.TAX_HEADER}[kind])
    for page in document_pages(session, period):
        agreement.add_page(session, page)
        for document in page:
            if kind == "documents":
                for row in rows.document_rows(document):
                    write(row)
            elif kind == "tax":
                sums.add(document)
    for row in rows.payment_rows(session, period) if kind == "payments" else sums.rows():
        write(row)
    agreement.finish(session, period)
    return agreement
