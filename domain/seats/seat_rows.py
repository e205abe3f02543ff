"""Contracts and seats as the functions of this package lock and change them: the contract, then its seats by number."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, Protocol, cast

from sqlalchemy import ColumnElement, Table, select, update
from sqlalchemy.orm import Session

from domain.database.database import affected_rows
from domain.errors import NotFound, Refused
from domain.learning.grants import GrantSource
from domain.tables import Contract, Seat, SeatEvent

# How long members may still read what they learnt after the contract has ended.
ACCESS_AFTER_END = timedelta(days=14)
MAX_REASON_LENGTH = 500
EventKind = Literal[
    "assigned",
    "reserved",
    "reminded",
    "noticed",
    "confirmed",
    "paused",
    "resumed",
    "returned",
    "reclaimed",
    "spent",
    "freed",
    "removed",
]
UNKNOWN_CONTRACT, UNKNOWN_SEAT = "There is no such contract.", "There is no such seat."
NOT_RUNNING = "This contract does not run at the moment."
# A seat without a holder: what is known of the one before leaves with them.
NOBODY: dict[str, Any] = {
    **dict.fromkeys(("holder_key", "learner_id", "invitation_id", "product_id")),
    **dict.fromkeys(("assigned_at", "started_at", "last_active_at", "reminder_id", "notified_at")),
    **dict.fromkeys(("grace_until", "confirmed_at", "paused_until")),
    "reminders": 0,
}
_SEATS = cast("Table", Seat.__table__)


@dataclass(frozen=True)
class Cause:
    """When a seat changes, who does it (None: the rules), and why, as its holder reads it."""

    at: datetime
    actor_id: int | None = None
    reason: str = ""


class NoFreeSeat(Refused):
    """Every seat of the contract has a holder."""

    def __init__(self, text: str = "No seat of this contract is free."):
        super().__init__(text)


def lock_contract(session: Session, contract_id: int) -> Contract:
    """Lock the contract with its newest values; nobody else changes its seats until the transaction ends. Raises
    NotFound."""
    query = select(Contract).where(Contract.id == contract_id).with_for_update()
    contract = session.scalar(query.execution_options(populate_existing=True))
    if contract is None:
        raise NotFound(UNKNOWN_CONTRACT)
    return contract


class ContractTerm(Protocol):
    """What tells whether a contract runs and is paid, of a row or a view of it."""

    @property
    def starts_at(self) -> datetime: ...
    @property
    def ends_at(self) -> datetime | None: ...
    @property
    def term_days(self) -> int | None: ...


def is_running(contract: ContractTerm, at: datetime) -> bool:
    return contract.starts_at <= at and (contract.ends_at is None or at < contract.ends_at)


def is_unpaid(contract: ContractTerm) -> bool:
    """The organisation made it with an order that was not paid: until then it ends when it begins."""
    return contract.term_days is not None and contract.ends_at == contract.starts_at


def require_running(contract: Contract, at: datetime) -> None:
    """Raises Refused."""
    if not is_running(contract, at):
        raise Refused(NOT_RUNNING)


def until_of(contract: Contract) -> datetime | None:
    """When access by its seats ends; None for a contract without an end."""
    return None if contract.ends_at is None else contract.ends_at + ACCESS_AFTER_END


def source_of(seat: Seat) -> GrantSource:
    return GrantSource("seat", seat.id)


def holder_key(learner_id: int, product_id: int | None) -> str:
    return _key("learner", learner_id, product_id)


def invitation_key(invitation_id: int, product_id: int | None) -> str:
    return _key("invitation", invitation_id, product_id)


def _key(kind: str, number: int, product_id: int | None) -> str:
    """`product_id`: of a seat for one course."""
    return f"{kind}:{number}" if product_id is None else f"{kind}:{number}:{product_id}"


def lock_seats(session: Session, contract_id: int, *conditions: ColumnElement[bool]) -> Sequence[Seat]:
    """The seats of a locked contract that meet the conditions, locked by number with their newest values."""
    query = select(Seat).where(Seat.contract_id == contract_id, *conditions).order_by(Seat.number).with_for_update()
    return session.scalars(query.execution_options(populate_existing=True)).all()


def take_free(session: Session, contract: Contract, at: datetime, **holder: Any) -> Seat | None:
    """Give the free seat with the lowest number to a holder; None: none is free. A contract without a number of seats
    has one more each time. The contract is locked."""
    query = select(Seat).where(Seat.contract_id == contract.id, Seat.state == "free").order_by(Seat.number).limit(1)
    free = session.scalar(query.with_for_update().execution_options(populate_existing=True))
    if free is not None:
        return take(session, free, at, **holder)
    if contract.seats is not None:
        return None
    seat = Seat(contract_id=contract.id, number=last_number(session, contract.id) + 1, assigned_at=at, **holder)
    session.add(seat)
    session.flush()
    return seat


def take(session: Session, seat: Seat, at: datetime, **holder: Any) -> Seat | None:
    """Give one free seat to a holder; None: it is not free any more. The condition of the UPDATE holds whatever was
    read before."""
    is_unchanged = (Seat.id == seat.id, Seat.state == "free", Seat.version == seat.version)
    values = {**NOBODY, **holder, "assigned_at": at, "version": seat.version + 1}
    session.flush()
    if affected_rows(session, update(_SEATS).where(*is_unchanged).values(values)) != 1:
        return None
    session.refresh(seat)
    return seat


def last_number(session: Session, contract_id: int) -> int:
    """The last number of a seat of a locked contract; 0 without seats. Locking reads the newest row, which MariaDB's
    snapshot may lack."""
    query = select(Seat.number).where(Seat.contract_id == contract_id).order_by(Seat.number.desc()).limit(1)
    return session.scalar(query.with_for_update()) or 0


def empty(seat: Seat, state: Literal["free", "removed"] = "free") -> None:
    """Take the holder off a locked seat."""
    for name, value in NOBODY.items():
        setattr(seat, name, value)
    seat.state, seat.version = state, seat.version + 1


def change(seat: Seat, **values: Any) -> None:
    for name, value in values.items():
        setattr(seat, name, value)
    seat.version += 1


def add_event(
    session: Session, seat: Seat, kind: EventKind, cause: Cause, *, learner_id: int | None = None
) -> SeatEvent:
    """What happened to a seat. `learner_id`: who has it or had it."""
    about = {"learner_id": learner_id, "actor_id": cause.actor_id, "reason": cause.reason[:MAX_REASON_LENGTH]}
    event = SeatEvent(seat_id=seat.id, occurred_at=cause.at, kind=kind, **about)
    session.add(event)
    session.flush()
    return event
