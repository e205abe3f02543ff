"""A slice of a recount takes as many statements however many it completes, and each of them gets a certificate."""

import pytest
from sqlalchemy import select

from domain.learning import grants, progress, recount, rules
from domain.learning.completion import CompletionRule
from domain.learning.grants import GrantSource
from domain.learning.progress_merge import ProgressChange
from domain.tables import Certificate, CompletionRuleRow, Enrolment, Learner, Outbox
from tests.domain.learning import quiz_world
from tests.domain.learning.quiz_world import World
from tests.support import factories
from tests.support.factories import NOON
from tests.support.statements import counted

MAILS = "mail.certificate_issued"


@pytest.fixture
def world(session) -> World:
    return quiz_world.fill(session)


def nearly_done(world: World, number: int) -> None:
    """So many learners whom a rule of half the lessons completes."""
    lesson = world.lesson("One").id
    for place in range(number):
        learner = factories.learner(world.session, f"Learner {place}", email="").id
        grants.grant(world.session, learner, [world.course_id], GrantSource("gift", place + 1), NOON)
        progress.record(world.session, learner, [ProgressChange(lesson, NOON, True)], NOON)
    rules.put_rule(world.session, world.course_id, CompletionRule(required_percent=50, quizzes="none"), NOON)
    world.session.flush()


def statements(world: World, learners: int, after_id: int = 0) -> int:
    with counted(world.session) as executed:
        done = recount.recount(world.session, world.course_id, after_id, NOON, limit=learners)
    assert done.completed == learners
    return len(executed)


def test_completing_many_takes_as_many_statements_as_completing_two(world):
    world.session.delete(world.session.scalars(select(Enrolment)).one())
    nearly_done(world, 8)
    ids = list(world.session.scalars(select(Enrolment.id).order_by(Enrolment.id)))
    two = statements(world, 2)
    assert statements(world, 6, ids[1]) == two
    assert two < 20


@pytest.mark.each_database
def test_each_of_a_slice_gets_a_certificate_of_their_own_and_a_mail(world):
    nearly_done(world, 3)
    world.session.scalars(select(Learner).where(Learner.name == "Learner 1")).one().name = " "
    for _ in range(2):
        recount.recount(world.session, world.course_id, 0, NOON)
    rows = world.session.scalars(select(Certificate).order_by(Certificate.id)).all()
    assert [(row.holder_name, row.number) for row in rows] == [("Learner 0", 1), ("Learner 2", 1)]
    assert [row.status_index for row in rows] == [row.id for row in rows]
    assert len({row.code for row in rows}) == 2
    enrolments = {row.learner_id: row.id for row in world.session.scalars(select(Enrolment))}
    assert [row.enrolment_id for row in rows] == [enrolments[row.learner_id] for row in rows]
    mails = world.session.scalars(select(Outbox.body).where(Outbox.kind == MAILS).order_by(Outbox.id))
    assert [mail["certificate_id"] for mail in mails] == [row.id for row in rows]


@pytest.mark.parametrize(
    ("limit", "took_s", "next_limit"), [(10, 0.01, 20), (10, 0.02, 10), (10, 0.05, 5), (50, 0.001, 50), (5, 9.0, 5)]
)
def test_the_next_slice_is_as_large_as_the_time_of_this_one_allows(world, limit, took_s, next_limit):
    times = iter((0.0, took_s))
    done = recount.recount(world.session, world.course_id, 0, NOON, limit, clock=lambda: next(times))
    assert done.next_limit == next_limit


def test_a_rule_without_certificate_completes_and_issues_none(world):
    nearly_done(world, 2)
    world.session.get_one(CompletionRuleRow, world.course_id).has_certificate = False
    assert recount.recount(world.session, world.course_id, 0, NOON).completed == 2
    assert world.session.scalars(select(Certificate)).all() == []
