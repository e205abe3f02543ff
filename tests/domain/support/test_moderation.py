"""Moderators show and hide reviews; each decision is recorded once."""

import pytest

from domain.audit.recording import Subject
from domain.errors import InvalidInput
from domain.staff.recorded_events import subject_entries
from domain.support import moderation
from tests.support import factories
from tests.support.factories import NOON


@pytest.fixture
def world(database):
    with database.write_session() as session:
        learner = factories.learner(session).id
        category = factories.category(session)
        course = factories.course(session, category.id, "vat-basics").id
        review = factories.review(session, course, 5, state="pending").id
        return database, factories.actor(learner), review


def decisions(world) -> list[tuple[str, str]]:
    with world[0].read_session() as session:
        return [(event.action, event.reason) for event in subject_entries(session, Subject("review", world[2]))]


def state(world) -> str:
    with world[0].read_session() as session:
        return moderation.review(session, world[2])[0].state


@pytest.mark.each_database
def test_publishing_twice_is_one_decision(world):
    database, actor, review = world
    for _ in range(2):
        database.write_as_sync(actor, moderation.publish, review, NOON)
    assert (state(world), decisions(world)) == ("published", [("review.publish", "")])


def test_hiding_says_why(world):
    database, actor, review = world
    database.write_as_sync(actor, moderation.hide, review, "Names a person", NOON)
    assert (state(world), decisions(world)) == ("hidden", [("review.hide", "Names a person")])


def test_hiding_without_a_reason_changes_nothing(world):
    database, actor, review = world
    with pytest.raises(InvalidInput):
        database.write_as_sync(actor, moderation.hide, review, "", NOON)
    assert (state(world), decisions(world)) == ("pending", [])
