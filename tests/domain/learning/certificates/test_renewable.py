"""From when a learner's certificate can be renewed: said where passing the quizzes again really gives another one."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from domain.learning import grants
from domain.learning.certificates import certificate_views as certificate_reading
from domain.learning.certificates import revoking
from domain.learning.grants import GrantSource
from domain.tables import CompletionRuleRow, Enrolment, Lesson
from tests.domain.learning import quiz_world
from tests.domain.learning.certificates.conftest import put_rule
from tests.domain.learning.quiz_world import RIGHT, World
from tests.support import factories
from tests.support.factories import NOON

END = NOON + timedelta(days=365)
FROM = END - timedelta(days=90)


@pytest.fixture
def world(session) -> World:
    """Whose certificate of a course with a required quiz ends after a year."""
    world = quiz_world.fill(session)
    put_rule(session, world.course_id, valid_months=12)
    enrolment = session.scalars(select(Enrolment)).one()
    enrolment.completed_at = NOON
    factories.certificate(session, enrolment, expires_at=END)
    return world


def renewable(world: World, at=NOON) -> list:
    own = certificate_reading.of_learner(world.session, world.learner_id, at)
    return [view.renewable_from for view in own.issued]


@pytest.mark.each_database
def test_it_is_renewed_from_ninety_days_before_its_end_on(world):
    assert renewable(world) == [FROM]
    world.send(RIGHT, at=FROM)
    own = certificate_reading.of_learner(world.session, world.learner_id, FROM).issued
    next_from = own[0].expires_at - timedelta(days=90)
    assert [(view.number, view.renewable_from) for view in own] == [(2, next_from), (1, None)]
    newest = certificate_reading.of_enrolment(world.session, world.learner_id, world.course_id, FROM)
    assert (newest.number, newest.renewable_from) == (2, next_from)


def change_rule(**values):
    def change(world: World) -> None:
        row = world.session.scalars(select(CompletionRuleRow)).one()
        for name, value in values.items():
            setattr(row, name, value)

    return change


def withdraw_quiz(world: World) -> None:
    world.session.scalars(select(Lesson).where(Lesson.title == "Test")).one().withdrawn_at = NOON


def end_access(world: World) -> None:
    grants.end(world.session, GrantSource("order", 1), NOON, "refund")


def revoke(world: World) -> None:
    revoking.revoke(world.session, "c", "fraud", NOON)


CASES = {
    "no quiz counts": change_rule(quizzes="none"),
    "certificates have no end now": change_rule(valid_months=None),
    "there is no certificate now": change_rule(has_certificate=False),
    "the quiz was withdrawn": withdraw_quiz,
    "access is over": end_access,
    "it was revoked": revoke,
}


@pytest.mark.parametrize("change", CASES.values(), ids=CASES)
def test_nothing_is_promised_that_does_not_come(world, change):
    change(world)
    world.session.flush()
    assert renewable(world) == [None]
