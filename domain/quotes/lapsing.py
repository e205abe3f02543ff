"""How quotes end without an order: they are withdrawn, or their time passes, of which a mail reminds."""

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from contracts.payloads import QuoteItem
from contracts.tasks import OutboxKind
from domain.audit import recording
from domain.audit.recording import Subject
from domain.errors import Refused
from domain.outbox import queue as outbox_queue
from domain.permissions import Tenant
from domain.quotes import quote_states
from domain.quotes.quote_states import IS_WAITING
from domain.tables import Order, SeatQuote

REMIND_BEFORE = timedelta(days=3)
# Whoever has just got a quote of few days needs no mail about its end.
NOT_WITHIN = timedelta(days=1)
BATCH = 100
NOT_OPEN = "Only a quote that is open can be withdrawn."


def withdraw(session: Session, tenant: Tenant | None, quote_id: int, at: datetime, reason: str = "") -> None:
    """`tenant` None: staff withdraw any. For `Database.write_as`. Raises NotFound, and Refused for one that is not
    open."""
    quote, order = quote_states.lock_quote(session, tenant, quote_id)
    if quote_states.state_now(quote, None if order is None else order.state, at) != "open":
        raise Refused(NOT_OPEN)
    end(quote, at)
    session.flush()
    subject, before, after = Subject("quote", quote.id), {"state": "open"}, {"state": "withdrawn"}
    owner = quote.organisation_id
    recording.record(
        session, "quote.withdraw", subject, before=before, after=after, reason=reason, organisation_id=owner
    )


def end(quote: SeatQuote, at: datetime) -> None:
    """Nobody accepts this quote any more. It is locked."""
    quote.state, quote.ended_at = "withdrawn", at


def remind_due(session: Session, at: datetime) -> int:
    """Have whoever asked be reminded of quotes that end soon, each once; at most BATCH. Returns their number."""
    is_soon = (SeatQuote.valid_until > at, SeatQuote.valid_until <= at + REMIND_BEFORE)
    is_new = (SeatQuote.reminded_at.is_(None), SeatQuote.issued_at <= at - NOT_WITHIN)
    query = select(SeatQuote).outerjoin(Order, Order.id == SeatQuote.order_id).where(IS_WAITING, *is_soon, *is_new)
    query = query.order_by(SeatQuote.id).limit(BATCH).with_for_update(of=SeatQuote)
    due = session.scalars(query.execution_options(populate_existing=True)).all()
    for quote in due:
        quote.reminded_at = at
        outbox_queue.enqueue(session, OutboxKind.QUOTE_ENDS, QuoteItem(quote_id=quote.id), at)
    session.flush()
    return len(due)
