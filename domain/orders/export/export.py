"""Writes an export row by row, and compares documents with money meanwhile."""

from collections.abc import Callable
from typing import Literal, get_args

from sqlalchemy.orm import Session

from domain.orders.export import export_rows
from domain.orders.export.agreement import BooksAgreement
from domain.orders.export.export_rows import Cells, TaxSums
from domain.orders.export.pages import document_pages
from domain.orders.export.period import Period

Kind = Literal["documents", "payments", "tax"]
KINDS: tuple[Kind, ...] = get_args(Kind)


def export(session: Session, kind: Kind, period: Period, write: Callable[[Cells], object]) -> BooksAgreement:
    """Call `write` with the header and then with each row, in a session that reads one state. The agreement is that of
    all documents of the period, whatever the kind."""
    agreement, sums = BooksAgreement(), TaxSums()
    write(
        {
            "documents": export_rows.DOCUMENTS_HEADER,
            "payments": export_rows.PAYMENTS_HEADER,
            "tax": export_rows.TAX_HEADER,
        }[kind]
    )
    for page in document_pages(session, period):
        agreement.add_page(session, page)
        for document in page:
            if kind == "documents":
                for row in export_rows.document_rows(document):
                    write(row)
            elif kind == "tax":
                sums.add(document)
    for row in export_rows.payment_rows(session, period) if kind == "payments" else sums.rows():
        write(row)
    agreement.finish(session, period)
    return agreement
