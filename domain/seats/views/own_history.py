"""What happened to the seats that a learner has or had, as they read it: the same events as their managers see."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.tables import Contract, Learner, Organisation, Seat, SeatEvent

# The newest; the export of an account has all of them.
MAX_EVENTS = 30


class OwnSeatEvent(NamedTuple):
    """`number`: of the seat within its contract. `actor`: the name of who did it; None for the learner, for the rules,
    and for a deleted account. `reason` may be ""."""

    id: int
    occurred_at: datetime
    kind: str
    organisation: str
    number: int
    actor: str | None
    reason: str


def own_history(session: Session, learner_id: int) -> tuple[OwnSeatEvent, ...]:
    """The newest first."""
    is_other = SeatEvent.actor_id != learner_id
    query = (
        select(*(SeatEvent.id, SeatEvent.occurred_at, SeatEvent.kind, Organisation.name))
        .add_columns(Seat.number, Learner.name, SeatEvent.reason)
        .join(Seat, Seat.id == SeatEvent.seat_id)
        .join(Contract, Contract.id == Seat.contract_id)
        .join(Organisation, Organisation.id == Contract.organisation_id)
        .outerjoin(Learner, (Learner.id == SeatEvent.actor_id) & is_other)
        .where(SeatEvent.learner_id == learner_id)
        .order_by(SeatEvent.id.desc())
        .limit(MAX_EVENTS)
    )
    return tuple(OwnSeatEvent._make(row) for row in session.execute(query))
