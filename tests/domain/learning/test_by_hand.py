"""A course that staff or a command complete for a learner."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from domain.audit import recording
from domain.errors import InvalidInput, NotFound
from domain.learning import by_hand, recount
from domain.permissions import SystemActor
from domain.tables import Certificate, Enrolment, Learner
from tests.domain.learning import quiz_world
from tests.domain.learning.quiz_world import World
from tests.support.factories import NOON

LATER = NOON + timedelta(days=1)
REASON = "Exam taken on paper"


@pytest.fixture
def world(session) -> World:
    return quiz_world.fill(session)


def enrolment(world: World) -> Enrolment:
    return world.session.scalars(select(Enrolment)).one()


def recorded(world: World, complete, *args, **kwargs):
    return recording.run(world.session, SystemActor("command", NOON), complete, *args, **kwargs)


def test_staff_complete_a_course_once_with_a_reason(world):
    for reason, at in ((f" {REASON} ", NOON), ("Again", LATER)):
        about = {"staff_id": 9, "reason": reason, "at": at}
        assert recorded(world, by_hand.complete, world.learner_id, world.course_id, **about) == NOON
    row = enrolment(world)
    assert (row.completed_at, row.completed_by, row.completion_reason) == (NOON, 9, REASON)
    assert [issued.completed_at for issued in world.session.scalars(select(Certificate))] == [NOON]
    recount.recount_enrolment(world.session, row, LATER)
    assert (row.completed_at, row.done_lessons) == (NOON, 0)


REFUSED = {
    "no reason": ("s-ada", "vat-basics", " ", InvalidInput),
    "a long reason": ("s-ada", "vat-basics", "x" * 501, InvalidInput),
    "nobody": ("s-nobody", "vat-basics", REASON, NotFound),
    "no course": ("s-ada", "nothing", REASON, NotFound),
    "not theirs": ("s-grace", "vat-basics", REASON, NotFound),
}


@pytest.mark.parametrize(("number", "slug", "reason", "error"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_completed_is_refused_and_nothing_changes(world, number, slug, reason, error):
    world.session.get_one(Learner, world.learner_id).student_number = "s-ada"
    world.session.add(Learner(student_number="s-grace", issuer="i", subject="grace", created_at=NOON))
    with pytest.raises(error):
        recorded(world, by_hand.complete_for_student, number, slug, reason, NOON)
    assert enrolment(world).completed_at is None


@pytest.mark.each_database
def test_a_command_completes_for_a_student_number_in_any_case(world):
    world.session.get_one(Learner, world.learner_id).student_number = "s-7kq2-m9xd"
    done = recorded(world, by_hand.complete_for_student, " S-7KQ2-M9XD", "vat-basics", REASON, LATER)
    row = enrolment(world)
    assert (done, row.completed_at, row.completed_by, row.completion_reason) == (LATER, LATER, None, REASON)
