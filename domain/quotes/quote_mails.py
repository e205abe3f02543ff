"""Mails about quotes, to whoever asked for one, as long as they are an owner."""

from urllib.parse import quote as quoted

from sqlalchemy import select
from sqlalchemy.orm import Session

from contracts.payloads import QuoteItem, decode
from contracts.tasks import OutboxKind
from domain import money
from domain.display_text import day_text, money_text
from domain.mail import ExampleCase, Mail, MailSite, Values, mail
from domain.outbox.leases import Lease
from domain.quotes import quote_states
from domain.tables import Learner, Membership, Order, Organisation, SeatQuote


def _example(case: ExampleCase) -> Values:
    quote = {
        "number": "Q2031-000042",
        "person": case.name,
        "organisation": "Harbour Shipping",
        "seats": f"Seats: {case.course}",
        "quantity": 1 if case.is_bare else 12,
        "total": case.amount(9_900 if case.is_bare else 118_800),
        "until": case.day(30),
        "link": f"{case.site.origin}/organization-login?returnTo=/organization/quotes/1",
    }
    return {"quote": quote}


@mail(
    "Owner of the organisation",
    {
        OutboxKind.QUOTE_ISSUED: "An organisation has a new quote.",
        OutboxKind.QUOTE_ENDS: "A quote ends in three days.",
    },
    example=_example,
)
def about_quote(session: Session, lease: Lease, site: MailSite) -> Mail | None:
    """None when it is not open any more, or nobody owns the organisation who could read it."""
    quote = session.get(SeatQuote, decode(QuoteItem, lease.body).quote_id)
    if quote is None or not _is_open(session, quote, lease):
        return None
    owns = (Membership.organisation_id == quote.organisation_id, Membership.role == "owner")
    person = select(Learner).join(Membership, Membership.learner_id == Learner.id).where(*owns)
    learner = session.scalar(person.where(Learner.id == quote.learner_id, Membership.ended_at.is_(None)))
    if learner is None:
        return None
    page = f"/organization/quotes/{quote.id}"
    values = {
        "number": quote.number,
        "person": " ".join(learner.name.split()),
        "organisation": session.get_one(Organisation, quote.organisation_id).name,
        "seats": quote.name,
        "quantity": quote.quantity,
        "total": money_text(quote.total_minor, money.currency(quote.currency), site.locale),
        "until": day_text(quote_states.last_day(quote.valid_until), site.locale),
        # No secret: whoever follows the link signs in.
        "link": f"{site.origin}/organization-login?returnTo={quoted(page, safe='/')}",
    }
    return Mail(learner.email, {"quote": values})


def _is_open(session: Session, quote: SeatQuote, lease: Lease) -> bool:
    """When the mail was written: of one that waited longer, the reader learns the state on its page."""
    state = session.scalar(select(Order.state).where(Order.id == quote.order_id)) if quote.order_id else None
    return quote_states.state_now(quote, state, lease.created_at) == "open"
