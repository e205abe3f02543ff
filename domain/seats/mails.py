"""Mails to the holder of a seat."""

from datetime import datetime
from urllib.parse import quote

from sqlalchemy import select
from sqlalchemy.orm import Session

from contracts.payloads import SeatEventItem, decode
from contracts.tasks import OutboxKind
from domain.display_text import day_text
from domain.learning.addresses import DASHBOARD, begin_href
from domain.mail import ExampleCase, Mail, MailSite, Values, mail
from domain.outbox.leases import Lease
from domain.seats import activity, fairness, seat_rows
from domain.tables import Contract, Enrolment, EnrolmentGrant, Learner, Organisation, Product, Seat, SeatEvent

# To whoever has not begun.
OF_BEGINNERS = frozenset({OutboxKind.SEAT_ASSIGNED, OutboxKind.SEAT_REMINDER})


def record_reminder(session: Session, lease: Lease, _at: datetime) -> None:
    """A reminder counts from now on."""
    event_id = decode(SeatEventItem, lease.body).event_id
    seat = session.scalar(select(Seat).where(Seat.reminder_id == event_id).with_for_update())
    if seat is not None:
        seat_rows.change(seat, reminders=seat.reminders + 1, reminder_id=None)


def _example(case: ExampleCase) -> Values:
    seat = {
        "holder": case.name,
        "organisation": "Harbour Shipping",
        "courses": [] if case.is_bare else [case.course, "Statistics"],
        "reason": "" if case.is_bare else "The contract has ended.",
        "until": case.day(30),
        "link": f"{case.site.origin}/user-dashboard",
    }
    return {"seat": seat}


@mail(
    "Holder of the seat",
    {
        OutboxKind.SEAT_ASSIGNED: "An organisation gives somebody a seat.",
        OutboxKind.SEAT_NOTICE: "An idle seat goes back soon.",
        OutboxKind.SEAT_ENDED: "A seat has ended.",
    },
    example=_example,
)
@mail(
    "Holder of the seat",
    {OutboxKind.SEAT_REMINDER: "A seat is not used yet."},
    example=_example,
    on_accepted=record_reminder,
)
def _to_holder(session: Session, lease: Lease, site: MailSite) -> Mail | None:
    """None when the seat or its holder is gone, or what it says has passed."""
    event = session.get(SeatEvent, decode(SeatEventItem, lease.body).event_id)
    learner = None if event is None or event.learner_id is None else session.get(Learner, event.learner_id)
    if event is None or learner is None:
        return None
    seat = session.get_one(Seat, event.seat_id)
    kind, contract = OutboxKind(lease.kind), session.get_one(Contract, seat.contract_id)
    if kind != OutboxKind.SEAT_ENDED and not _is_current(seat, event, kind):
        return None
    courses = _courses(session, seat.id, learner.id)
    page = begin_href(list(courses)) if kind in OF_BEGINNERS else DASHBOARD
    values = {
        "holder": " ".join(learner.name.split()),
        "organisation": session.get_one(Organisation, contract.organisation_id).name,
        "courses": list(courses.values()),
        "reason": event.reason,
        "until": _until(session, contract, seat, kind, site.locale),
        # No secret: whoever follows the link signs in.
        "link": f"{site.origin}/login?returnTo={quote(page, safe='/')}",
    }
    return Mail(learner.email, {"seat": values})


def _is_current(seat: Seat, event: SeatEvent, kind: OutboxKind) -> bool:
    if seat.learner_id != event.learner_id:
        return False
    return kind != OutboxKind.SEAT_NOTICE or seat.grace_until is not None


def _courses(session: Session, seat_id: int, learner_id: int) -> dict[str, str]:
    """Slug -> name of all that the seat opened to this learner, also after it ended."""
    is_of_seat = (EnrolmentGrant.source == "seat", EnrolmentGrant.source_id == seat_id)
    query = (
        select(Product.slug, Product.name)
        .join(Enrolment, Enrolment.product_id == Product.id)
        .join(EnrolmentGrant, EnrolmentGrant.enrolment_id == Enrolment.id)
        .where(*is_of_seat, Enrolment.learner_id == learner_id)
    )
    return {row.slug: row.name for row in session.execute(query.order_by(Product.name))}


def _until(session: Session, contract: Contract, seat: Seat, kind: OutboxKind, locale: str) -> str:
    """The day that the mail names, "" for none."""
    at: datetime | None = None
    if kind == OutboxKind.SEAT_ASSIGNED:
        at = seat_rows.until_of(contract)
    elif kind == OutboxKind.SEAT_NOTICE:
        at = seat.grace_until
    elif kind == OutboxKind.SEAT_REMINDER:
        [held] = activity.held_seats(session, contract, [seat])
        at = fairness.goes_back_at(held, fairness.ReclaimTerms(contract.start_days, contract.idle_days))
    return "" if at is None else day_text(at, locale)
