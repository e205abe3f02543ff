"""An organisation with a contract of two courses, its members, and seats."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import select

from domain.audit import recording
from domain.learning import grants
from domain.seats import numbers, seat_rows
from domain.tables import Enrolment, Outbox, Seat, SeatEvent
from tests.support import factories
from tests.support.factories import NOON

DAY = timedelta(days=1)
# The end of contracts: a day of NOON's year.
END = NOON + timedelta(days=300)


@dataclass(frozen=True)
class World:
    """Ids of the rows; `courses` are those of the contract."""

    organisation: int
    contract: int
    courses: tuple[int, int]
    members: tuple[int, ...]


def build(session, seats: int | None = 2, members: int = 3, **about) -> World:
    """A contract with so many free seats, for so many members. `about`: of the contract."""
    category = factories.category(session).id
    courses = tuple(factories.course(session, category, slug).id for slug in ("vat", "payroll"))
    organisation = factories.organisation(session).id
    facts = {"seat_kind": "course", "ends_at": END, "starts_at": NOON - DAY, **about}
    contract = factories.contract(session, organisation, *courses, seats=seats, **facts)
    if seats is not None:
        numbers.set_number(session, contract, seats, NOON)
    people = tuple(factories.learner(session, f"Member {number}").id for number in range(members))
    for person in people:
        factories.member(session, person, organisation)
    return World(organisation, contract.id, courses, people)


def recorded(session, fn, *args, **options):
    """As `Database.write_as` runs it."""
    return recording.run(session, factories.actor(1, "finance"), fn, *args, **options)


def states(session, contract_id: int) -> list[tuple[int, str, int | None]]:
    """(number, state, holder) of every seat."""
    query = select(Seat.number, Seat.state, Seat.learner_id).where(Seat.contract_id == contract_id)
    return [tuple(row) for row in session.execute(query.order_by(Seat.number))]


def has_access(session, learner: int, course: int, at: datetime = NOON) -> bool:
    return grants.owned_ids(session, learner, [course], at) == {course}


def events(session) -> list[tuple[str, int | None]]:
    return [tuple(row) for row in session.execute(select(SeatEvent.kind, SeatEvent.learner_id).order_by(SeatEvent.id))]


def mails(session) -> list[str]:
    """The kinds of the mails about seats."""
    kinds = session.scalars(select(Outbox.kind).where(Outbox.kind.startswith("mail.seat")).order_by(Outbox.id))
    return [kind.partition(".")[2] for kind in kinds]


def study(session, learner: int, course: int, at: datetime) -> None:
    """The learner did something in the course."""
    row = session.scalars(
        select(Enrolment).where(Enrolment.learner_id == learner, Enrolment.product_id == course)
    ).one()
    row.started_at, row.last_active_at = row.started_at or at, at
    session.flush()


def accept_reminders(session) -> None:
    """The mail server has taken every reminder that is on its way."""
    for seat in session.scalars(select(Seat).where(Seat.reminder_id.is_not(None))):
        seat_rows.change(seat, reminders=seat.reminders + 1, reminder_id=None)
    session.flush()
