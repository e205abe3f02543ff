"""Learners and their sign-ins: two halves that only count together."""

import re
from datetime import timedelta

import pytest
from sqlalchemy import select

from domain import learners, sessions
from domain.learners import Identity
from domain.sessions import SignedIn
from domain.tables import Learner, LearnerSession
from tests import factories
from tests.factories import NOON

ADA = Identity("https://id.example", "ada", "Ada Lovelace", "ada@example.test")


def test_a_learner_is_made_at_the_first_sign_in_and_known_at_the_next(session):
    first = learners.made(session, ADA, NOON)
    assert learners.made(session, ADA, NOON).id == first.id
    assert re.fullmatch(r"s-[2-9a-z]{4}-[2-9a-z]{4}", first.student_number)
    assert len(session.scalars(select(Learner)).all()) == 1


@pytest.mark.parametrize(
    ("name", "shown"),
    [("Ada Lovelace", "Ada L."), ("Ada", "Ada"), ("Ada King Lovelace", "Ada L."), ("", ""), ("田中 太郎", "田中 太.")],
)
def test_others_see_first_name_and_initial(session, name, shown):
    factories.learner(session, name, subject="somebody", student_number="s-1234-abcd")
    assert learners.masked_name(session, " S-1234-ABCD ") == shown


def test_a_number_that_nobody_has_has_no_name(session):
    assert [learners.masked_name(session, text) for text in ("s-0000-0000", "", "%", "\x00")] == [""] * 4


@pytest.fixture
def opened(session):
    return sessions.open_session(session, factories.learner(session).id, NOON)


def test_both_halves_sign_in_for_45_minutes(session, opened):
    until = NOON + timedelta(minutes=45)
    at_last = until - timedelta(microseconds=1)
    who = sessions.signed_in(session, opened.handle, opened.half, at_last)
    assert who == SignedIn(opened.learner_id, "learner", session.scalars(select(LearnerSession.id)).one(), until)
    assert sessions.signed_in(session, opened.handle, opened.half, until) is None
    assert sessions.by_half(session, opened.half, until) is None


def test_halves_of_two_sign_ins_do_not_fit(session, opened):
    other = sessions.open_session(session, opened.learner_id, NOON)
    assert sessions.signed_in(session, opened.handle, other.half, NOON) is None
    assert sessions.signed_in(session, opened.half, opened.handle, NOON) is None


@pytest.mark.parametrize("wrong", ["", "x", "ä", "\ud800", "'; DROP TABLE sessions; --"])
def test_anything_else_signs_nobody_in(session, opened, wrong):
    assert sessions.signed_in(session, wrong, opened.half, NOON) is None
    assert sessions.signed_in(session, opened.handle, wrong, NOON) is None
    assert sessions.by_half(session, wrong, NOON) is None


def test_a_revoked_sign_in_is_over_at_once(session, opened):
    sessions.revoke(session, opened.handle, NOON)
    assert sessions.signed_in(session, opened.handle, opened.half, NOON) is None
    assert sessions.by_half(session, opened.half, NOON) is None


def test_who_reads_the_records_cannot_sign_in_with_them(session, opened):
    (row,) = session.scalars(select(LearnerSession))
    assert {opened.handle, opened.half}.isdisjoint({row.handle, row.half})
    assert sessions.signed_in(session, row.handle, row.half, NOON) is None


def test_what_is_over_is_forgotten(session, opened):
    sessions.forget_expired(session, NOON + timedelta(minutes=44))
    assert session.scalar(select(LearnerSession.id)) is not None
    sessions.forget_expired(session, NOON + timedelta(minutes=45))
    assert session.scalar(select(LearnerSession.id)) is None
