"""Refusals are recorded, and of whoever tries again and again no more than tells it."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import func, select

from domain.audit.recording import Subject
from domain.audit.refusals import MAX_REFUSALS, record_refusal
from domain.tables import AuditEvent
from tests.support import factories
from tests.support.factories import NOON

PAGE = Subject("page", "admin-learners")


@pytest.fixture
def actors(database):
    with database.write_session() as session:
        people = [factories.learner(session, name, email=f"{name}@example.test").id for name in ("ada", "eve")]
    return database, [factories.actor(person, "marketer", at=NOON) for person in people]


def refuse(database, actor) -> bool:
    return database.write_as_sync(actor, record_refusal, "page.refuse", PAGE, {"permission": "learners.read"}, actor)


@pytest.mark.each_database
def test_of_one_person_no_more_are_recorded_within_an_hour_than_the_limit(actors):
    database, (ada, eve) = actors
    assert [refuse(database, ada) for _ in range(MAX_REFUSALS + 2)] == [True] * MAX_REFUSALS + [False] * 2
    assert refuse(database, eve)
    assert refuse(database, replace(ada, at=NOON + timedelta(hours=1, seconds=1)))
    with database.read_session() as session:
        assert session.scalar(select(func.count()).select_from(AuditEvent)) == MAX_REFUSALS + 2
        event = session.scalars(select(AuditEvent).order_by(AuditEvent.number)).first()
    assert (event.actor_id, event.action, event.after) == (
        ada.learner_id,
        "page.refuse",
        {"permission": "learners.read"},
    )
