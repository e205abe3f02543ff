"""Invitations that nobody answered are closed by the clock, however many, and their seats go to whoever waits."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from adapters import periodic
from adapters.periodic import Means
from contracts.tasks import Task
from domain.database.database import Database
from domain.seats import requests
from domain.seats.invitations import reserve
from domain.tables import Invitation
from domain.visits.raw.local_days import DayRules
from domain.visits.retention.periods import Periods
from host.jobs.inline_periodic import InlinePeriodic
from tests.domain.seats.world import build, states
from workers import periodic as tasks

# One transaction closes 100.
OLD = 101


def run_tasks(_database: Database) -> None:
    tasks.run(Task.DELETE_EXPIRED_CARTS)
    tasks.run(Task.APPLY_SEAT_RULES)


def run_host_without_broker(database: Database) -> None:
    InlinePeriodic(Means(database, Path(), 7, 30, 10, DayRules(), Periods(), 5))._run_due()


@pytest.mark.parametrize("does_work", [run_tasks, run_host_without_broker])
def test_seats_of_old_invitations_go_to_whoever_waits(database, monkeypatch, does_work):
    monkeypatch.setattr(tasks, "database", lambda: database)
    # However long the first transaction took, the second follows in this run.
    monkeypatch.setattr(periodic, "REPEAT_S", 600.0)
    now = datetime.now(UTC)
    sent_at = now - timedelta(days=14)
    with database.write_session() as session:
        world = build(session, seats=1, starts_at=now - timedelta(days=30), ends_at=None)
        facts = {"contract_id": world.contract, "product_ids": [], "sent_at": sent_at, "expires_at": now}
        rows = [
            Invitation(organisation_id=world.organisation, email_key=f"p{number}@example.test", **facts)
            for number in range(OLD)
        ]
        session.add_all(rows)
        session.flush()
        reserve(session, world.contract, rows[-1].id, world.courses[:1], sent_at)
        requests.ask(session, world.members[0], world.courses[0], now - timedelta(days=1))
        assert states(session, world.contract) == [(1, "reserved", None)]
    does_work(database)
    with database.read_session() as session:
        closed = select(func.count(Invitation.id)).where(Invitation.state == "expired")
        assert session.scalars(closed).one() == OLD
        assert states(session, world.contract) == [(1, "active", world.members[0])]
