"""Seats in the export of an account, and after its deletion."""

from datetime import UTC

import pytest
from sqlalchemy import select

from domain.account.anonymise import anonymise_account
from domain.account.export import export
from domain.orders.settings import Context, OrderSettings
from domain.seats import requests
from domain.seats.assign import assign
from domain.tables import Learner, SeatEvent
from tests.domain.seats.world import build, has_access, states
from tests.support.factories import NOON
from tests.support.shops import USD

pytestmark = pytest.mark.each_database


def test_seats_are_exported_and_free_for_others_once_the_account_is_deleted(session):
    world = build(session, seats=1)
    ada, grace, _ = world.members
    assign(session, world.contract, ada, world.courses[:1], NOON)
    requests.ask(session, grace, world.courses[0], NOON)
    data = export(session, ada, NOON, USD)
    assert [(row["organisation"], row["course"], row["state"]) for row in data["seats"]] == [
        ("Northwind", "Vat", "active")
    ]
    assert data["seatEvents"] == [
        {"at": NOON.astimezone(UTC).isoformat().replace("+00:00", "Z"), "kind": "assigned", "reason": ""}
    ]
    assert len(export(session, grace, NOON, USD)["seatRequests"]) == 1
    email = session.get_one(Learner, ada).email
    anonymise_account(session, ada, email, Context(NOON, OrderSettings()))
    assert states(session, world.contract) == [(1, "active", grace)]
    assert has_access(session, grace, world.courses[0])
    assert ada not in session.scalars(select(SeatEvent.learner_id)).all()
