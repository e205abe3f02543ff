"""Every table of learning that refers to a learner: its words are in the export of their account, and go with it."""

import json

import pytest
from sqlalchemy import func, select

from domain.account.anonymise import anonymise_account
from domain.account.export import export
from domain.audit import recording
from domain.learning import by_hand, notes
from domain.learning.gifts import storing as gift_storing
from domain.learning.gifts.storing import StaffGift
from domain.learning.notes import NewNote
from domain.learning.reviews import moderation, writing
from domain.learning.reviews.texts import ReviewDraft
from domain.orders.settings import Context
from domain.permissions import SystemActor
from domain.tables import Base, Learner, learning, lessons
from tests.domain.learning import quiz_world
from tests.domain.learning.quiz_world import WRONG, World
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import USD

NAME, EMAIL = "Aurelia Quennell", "aurelia@example.test"
NOTE, REASON, REPORT, GIFT = "word-of-a-note", "word-of-a-completion", "word-of-a-report", "word-of-a-gift"
# Stars and text of a review stay, without the name.
REVIEW = "word-of-a-review"
WORDS = {NAME, EMAIL, NOTE, REASON, REPORT, GIFT, REVIEW, "Aurelia Q."}
# What the shop keeps of the person who left.
KEPT = {REVIEW}


def is_of_learning(mapper) -> bool:
    return mapper.class_.__module__ in (learning.__name__, lessons.__name__) or mapper.local_table.name.startswith(
        "review"
    )


def personal_tables() -> dict[str, object]:
    """By name, those with a row for each learner, directly or by their enrolment."""
    people = {"learners", "enrolments"}
    return {
        mapper.local_table.name: mapper.local_table
        for mapper in Base.registry.mappers
        if is_of_learning(mapper) and people & {key.column.table.name for key in mapper.local_table.foreign_keys}
    }


def dump(session) -> str:
    """Everything in the database, as text, but for the log of what staff did, which nobody changes."""
    session.flush()
    tables = [table for table in Base.metadata.sorted_tables if not table.name.startswith("audit")]
    return repr([session.execute(table.select()).all() for table in tables])


@pytest.fixture
def world(session) -> World:
    """Somebody with a row in every one of these tables."""
    world = quiz_world.fill(session)
    learner = session.get_one(Learner, world.learner_id)
    learner.name, learner.email = NAME, EMAIL
    world.send(WRONG)
    notes.put(session, learner.id, world.lesson("One").id, NewNote(NOTE, 0), NOON)
    about = {"staff_id": 9, "reason": REASON, "at": NOON}
    recording.run(session, SystemActor("command", NOON), by_hand.complete, learner.id, world.course_id, **about)
    writing.put(session, learner.id, world.course_id, ReviewDraft(4, REVIEW), NOON)
    foreign = factories.review(session, world.course_id)
    moderation.report(session, foreign.id, learner.id, REPORT, NOON)
    other = factories.course(session, factories.category(session, "pay").id, "payroll").id
    gift_storing.give_by_staff(
        session, learner, StaffGift(factories.learner(session, "Sara Staff").id, other, GIFT), NOON
    )
    return world


def test_every_table_is_tried(world):
    tables = personal_tables()
    counts = {name: world.session.scalar(select(func.count()).select_from(table)) for name, table in tables.items()}
    assert {name for name, count in counts.items() if not count} == set()
    assert {"enrolments", "lesson_progress", "certificates", "review_reports", "gifts"} <= counts.keys()


def test_every_word_is_in_the_export(world):
    text = json.dumps(export(world.session, world.learner_id, NOON, USD))
    assert {word for word in WORDS if word not in text} == set()


@pytest.mark.each_database
def test_no_word_is_left_where_the_account_was_deleted(world):
    assert {word for word in WORDS if word not in dump(world.session)} == set()
    anonymise_account(world.session, world.learner_id, EMAIL, Context(NOON))
    world.session.expire_all()
    assert {word for word in WORDS if word in dump(world.session)} == KEPT


def test_who_keeps_their_certificates_keeps_the_name_on_them_alone(world):
    anonymise_account(world.session, world.learner_id, EMAIL, Context(NOON), keep_certificates=True)
    world.session.expire_all()
    text = dump(world.session)
    assert {word for word in WORDS if word in text} == {*KEPT, NAME}
    assert text.count(NAME) == 1
