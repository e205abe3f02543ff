"""What the rules of fairness ask for, once a day: safe at any time and twice. Each contract is a transaction."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from contracts.payloads import SeatEventItem
from contracts.tasks import OutboxKind
from domain.outbox import queue as outbox_queue
from domain.seats import activity, fairness, holding, requests, seat_rows
from domain.seats.fairness import Action, Complete, EndNotice, HeldSeat, Notice, Reclaim, ReclaimTerms, Remind, Serve
from domain.seats.seat_rows import Cause, EventKind
from domain.tables import Contract, Seat, SeatEvent

# In words for the holder.
RULE_TEXTS: Mapping[str, str] = {
    "not_started": "It was not started within {start} days, and somebody waits for a seat.",
    "idle": "Nothing was done for {idle} days, nor in the 14 days after our notice, and somebody waits for a seat.",
}


def contracts_to_run(session: Session, at: datetime) -> list[int]:
    """Contracts that run."""
    is_open = or_(Contract.ends_at.is_(None), Contract.ends_at > at)
    query = select(Contract.id).where(Contract.starts_at <= at, is_open)
    return list(session.scalars(query.order_by(Contract.id)))


def run_contract(session: Session, contract_id: int, at: datetime) -> int:
    """Do for one contract what its rules ask for at that time. Returns the number of actions."""
    contract = seat_rows.lock_contract(session, contract_id)
    if not seat_rows.is_running(contract, at):
        return 0
    served = requests.serve(session, contract, at)
    seats = seat_rows.lock_seats(session, contract_id, Seat.state == "active")
    held = activity.held_seats(session, contract, seats)
    _note_activity(seats, held)
    planned = fairness.actions(held, 0, requests.waiting_of(session, contract_id), terms_of(contract), at)
    by_id = {seat.id: seat for seat in seats}
    done = sum(_carry_out(session, contract, by_id, action, at) for action in planned)
    session.flush()
    return served + done + requests.serve(session, contract, at)


def terms_of(contract: Contract) -> ReclaimTerms:
    return ReclaimTerms(contract.start_days, contract.idle_days, contract.frees_completed)


def _note_activity(seats: Sequence[Seat], held: Sequence[HeldSeat]) -> None:
    for seat, facts in zip(seats, held, strict=True):
        if (seat.started_at, seat.last_active_at) != (facts.started_at, facts.last_active_at):
            seat_rows.change(seat, started_at=facts.started_at, last_active_at=facts.last_active_at)


def _carry_out(session: Session, contract: Contract, seats: Mapping[int, Seat], action: Action, at: datetime) -> bool:
    """Whether it was one of a seat: requests are served afterwards."""
    if isinstance(action, Serve):
        return False
    _RUNS[type(action)](session, contract, seats[action.seat_id], action, at)
    return True


def _complete(session: Session, _contract: Contract, seat: Seat, action: Complete, at: datetime) -> None:
    if action.is_freed:
        holding.free(session, seat, "freed", Cause(at))
        return
    seat_rows.change(seat, state="spent", notified_at=None, grace_until=None)
    seat_rows.add_event(session, seat, "spent", Cause(at), learner_id=seat.learner_id)


def _remind(session: Session, _contract: Contract, seat: Seat, _action: Remind, at: datetime) -> None:
    event = _tell(session, seat, "reminded", OutboxKind.SEAT_REMINDER, at)
    seat_rows.change(seat, reminder_id=event.id)


def _notice(session: Session, _contract: Contract, seat: Seat, action: Notice, at: datetime) -> None:
    seat_rows.change(seat, notified_at=at, grace_until=action.until)
    _tell(session, seat, "noticed", OutboxKind.SEAT_NOTICE, at)


def _end_notice(_session: Session, _contract: Contract, seat: Seat, _action: EndNotice, _at: datetime) -> None:
    seat_rows.change(seat, notified_at=None, grace_until=None)


def _reclaim(session: Session, contract: Contract, seat: Seat, action: Reclaim, at: datetime) -> None:
    text = RULE_TEXTS[action.rule].format(start=contract.start_days, idle=contract.idle_days)
    holding.free(session, seat, "reclaimed", Cause(at, reason=text))


_RUNS: Mapping[type, Callable[..., Any]] = {
    Complete: _complete,
    Remind: _remind,
    Notice: _notice,
    EndNotice: _end_notice,
    Reclaim: _reclaim,
}


def _tell(session: Session, seat: Seat, event_kind: EventKind, mail: OutboxKind, at: datetime) -> SeatEvent:
    event = seat_rows.add_event(session, seat, event_kind, Cause(at), learner_id=seat.learner_id)
    outbox_queue.enqueue(session, mail, SeatEventItem(event_id=event.id), at)
    return event
