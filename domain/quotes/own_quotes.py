"""The quotes that a person asked for: for the export of their account, and what is erased of them."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Select, or_, select
from sqlalchemy.orm import Session

from domain.documents import erasure
from domain.documents.body import digest_of
from domain.quotes import lapsing
from domain.tables import Order, Organisation, SeatQuote

ExportedTable = Select[*tuple[Any, ...]]
BATCH = 100


def quotes(learner_id: int) -> ExportedTable:
    columns = (
        SeatQuote.number,
        Organisation.name.label("organisation"),
        SeatQuote.state,
        SeatQuote.name.label("seats"),
        SeatQuote.quantity,
        SeatQuote.currency,
        SeatQuote.unit_minor.label("unit"),
        SeatQuote.tax_minor.label("tax"),
        SeatQuote.total_minor.label("total"),
        SeatQuote.billing,
        SeatQuote.purchase_order.label("purchaseOrder"),
        SeatQuote.issued_at.label("issuedAt"),
        SeatQuote.valid_until.label("validUntil"),
    )
    query = select(*columns).join(Organisation, Organisation.id == SeatQuote.organisation_id)
    return query.where(SeatQuote.learner_id == learner_id).order_by(SeatQuote.id)


# Name in the export -> its statement.
EXPORTED: Mapping[str, Callable[[int], ExportedTable]] = {"quotes": quotes}


def erase(session: Session, learner_id: int, at: datetime) -> None:
    """Quotes that led to no paid order name nobody any more, and open ones are withdrawn; the others stay as long as
    the documents of their orders. The learner is locked."""
    query = select(SeatQuote).outerjoin(Order, Order.id == SeatQuote.order_id).where(SeatQuote.learner_id == learner_id)
    query = query.where(Order.paid_at.is_(None), SeatQuote.erased_at.is_(None)).with_for_update(of=SeatQuote)
    for quote in session.scalars(query.execution_options(populate_existing=True)).all():
        if quote.state == "open":
            lapsing.end(quote, at)
        _erase(quote, at)
    session.flush()


def erase_old(session: Session, before: datetime, at: datetime) -> int:
    """Erase at most BATCH quotes that were made before that time and whose orders, if any, were erased. Returns their
    number."""
    is_old = (SeatQuote.issued_at < before, SeatQuote.erased_at.is_(None))
    is_over = or_(SeatQuote.order_id.is_(None), Order.email_key == "")
    query = select(SeatQuote).outerjoin(Order, Order.id == SeatQuote.order_id).where(*is_old, is_over)
    query = query.order_by(SeatQuote.id).limit(BATCH).with_for_update(of=SeatQuote)
    old = session.scalars(query.execution_options(populate_existing=True)).all()
    for quote in old:
        _erase(quote, at)
    session.flush()
    return len(old)


def _erase(quote: SeatQuote, at: datetime) -> None:
    quote.billing, quote.purchase_order = erasure.country_of(quote.billing), ""
    quote.quote = erasure.without_vat_id(quote.quote)
    quote.body = erasure.without_person(quote.body)
    quote.digest, quote.erased_at = digest_of(quote.body), at
