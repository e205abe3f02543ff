"""Seats for people who join by code or by the domain of their address, where the contract says so."""

from datetime import datetime

from sqlalchemy.orm import Session

from domain.seats import covered, requests, seat_rows
from domain.seats.assign import assign_locked
from domain.seats.seat_rows import Cause, NoFreeSeat
from domain.tables import Contract


def opened_courses(session: Session, contract: Contract) -> list[int]:
    """The courses that a seat of somebody who joins opens: those that the contract names."""
    return covered.named_courses(session, contract.id) if contract.joining_gives_seat else []


def give_seat(session: Session, contract_id: int, learner_id: int, at: datetime) -> None:
    """A seat for somebody who has just joined, if their contract gives one; while none is free they wait for one."""
    contract = seat_rows.lock_contract(session, contract_id)
    if not contract.joining_gives_seat:
        return
    courses = opened_courses(session, contract)
    try:
        assign_locked(session, contract, learner_id, courses, Cause(at))
    except NoFreeSeat:
        for course_id in courses[:1]:
            requests.ask(session, learner_id, course_id, at)
