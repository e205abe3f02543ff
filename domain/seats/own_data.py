"""The seats of a person, for the export of their account, and what of them its deletion erases."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Select, delete, select, update
from sqlalchemy.orm import Session

from domain.seats import holding
from domain.tables import Contract, Organisation, Product, Seat, SeatEvent, SeatRequest

ExportedTable = Select[*tuple[Any, ...]]


def seats(learner_id: int) -> ExportedTable:
    columns = (
        Organisation.name.label("organisation"),
        Product.name.label("course"),
        Seat.state,
        Seat.assigned_at.label("assignedAt"),
        Seat.started_at.label("startedAt"),
        Seat.last_active_at.label("lastActiveAt"),
        Seat.confirmed_at.label("stillNeededAt"),
        Seat.paused_until.label("pausedUntil"),
        Seat.grace_until.label("goesBackAt"),
    )
    query = select(*columns).select_from(Seat).join(Contract, Contract.id == Seat.contract_id)
    query = query.join(Organisation, Organisation.id == Contract.organisation_id)
    query = query.outerjoin(Product, Product.id == Seat.product_id)
    return query.where(Seat.learner_id == learner_id).order_by(Seat.id)


def events(learner_id: int) -> ExportedTable:
    columns = (SeatEvent.occurred_at.label("at"), SeatEvent.kind, SeatEvent.reason)
    return select(*columns).where(SeatEvent.learner_id == learner_id).order_by(SeatEvent.id)


def requests(learner_id: int) -> ExportedTable:
    columns = (Product.name.label("course"), SeatRequest.state, SeatRequest.requested_at.label("requestedAt"))
    query = select(*columns).select_from(SeatRequest).join(Product, Product.id == SeatRequest.product_id)
    return query.where(SeatRequest.learner_id == learner_id).order_by(SeatRequest.id)


# Name in the export -> its statement.
EXPORTED: Mapping[str, Callable[[int], ExportedTable]] = {
    "seats": seats,
    "seatEvents": events,
    "seatRequests": requests,
}


def erase(session: Session, learner_id: int, at: datetime) -> None:
    """Seats are free for others, requests go, and events name nobody."""
    holding.release_of_learner(session, learner_id, at)
    session.execute(delete(SeatRequest).where(SeatRequest.learner_id == learner_id))
    events_of = update(SeatEvent).where(SeatEvent.learner_id == learner_id).values(learner_id=None, reason="")
    session.execute(events_of, execution_options={"synchronize_session": False})
    spent = update(Seat).where(Seat.learner_id == learner_id).values(learner_id=None, holder_key=None)
    session.execute(spent, execution_options={"synchronize_session": False})
