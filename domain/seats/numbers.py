"""How many seats a contract has: `contracts.seats` is the number of its rows that were not removed."""

from datetime import datetime

from sqlalchemy import ColumnElement, func, insert, select
from sqlalchemy.orm import Session

from domain.errors import Refused
from domain.seats import requests, seat_rows
from domain.tables import Contract, Seat

MAX_SEATS = 100_000


def set_number(session: Session, contract: Contract, number: int | None, at: datetime) -> None:
    """Make rows, or remove free ones, until a locked contract has this number; None: as many as its members need. Who
    waits gets what is new. Raises Refused when more seats have a holder."""
    if number is not None:
        has = _count(session, contract.id, Seat.state != "removed")
        if number > has:
            add(session, contract, number - has)
        elif number < has:
            remove_free(session, contract, has - number, at)
    contract.seats = number
    session.flush()
    requests.serve(session, contract, at)


def add(session: Session, contract: Contract, count: int, *, order_line_id: int | None = None) -> None:
    """Free seats more, of a locked contract."""
    last = seat_rows.last_number(session, contract.id)
    about = {"contract_id": contract.id, "order_line_id": order_line_id}
    if count:
        session.execute(insert(Seat), [{**about, "number": last + step} for step in range(1, count + 1)])


def remove_free(
    session: Session, contract: Contract, count: int, at: datetime, *, order_line_id: int | None = None
) -> list[Seat]:
    """Remove free seats of a locked contract, and return them: first those of a paid line if it is given, then the
    highest numbers. Raises Refused when fewer are free: then none is removed."""
    free = list(seat_rows.lock_seats(session, contract.id, Seat.state == "free"))
    if len(free) < count:
        raise Refused(
            f"Only {len(free)} of the seats that would go are free. Take back or release others first."
            if free
            else "None of the seats is free. Release some first."
        )
    free.sort(key=lambda seat: (order_line_id is None or seat.order_line_id != order_line_id, -seat.number))
    for seat in free[:count]:
        seat_rows.empty(seat, "removed")
        seat_rows.add_event(session, seat, "removed", seat_rows.Cause(at))
    session.flush()
    return free[:count]


def free_count(session: Session, contract_id: int) -> int:
    query = select(func.count()).where(Seat.contract_id == contract_id, Seat.state == "free")
    return session.scalar(query) or 0


def _count(session: Session, contract_id: int, condition: ColumnElement[bool]) -> int:
    """How many seats of a locked contract meet the condition. Locking reads the newest rows, which MariaDB's snapshot
    may lack."""
    session.flush()
    query = select(Seat.id).where(Seat.contract_id == contract_id, condition).with_for_update()
    return len(session.scalars(query).all())
