"""Learners and their sessions: a token and a cookie that are valid only together."""

import re
from datetime import timedelta

import pytest
from sqlalchemy import select

from domain.identity import learners, sessions
from domain.identity.learners import Identity
from domain.identity.sessions import AuthSession
from domain.tables import Learner, LearnerSession
from tests.support import factories
from tests.support.factories import NOON

ADA = Identity("https://id.example", "ada", "Ada Lovelace", "ada@example.test")


@pytest.mark.each_database
def test_a_learner_is_created_at_the_first_sign_in_and_found_at_the_next(session):
    first = learners.create(session, ADA, NOON)
    assert learners.create(session, ADA, NOON).id == first.id
    assert re.fullmatch(r"s-[2-9a-z]{4}-[2-9a-z]{4}", first.student_number)
    assert len(session.scalars(select(Learner)).all()) == 1


@pytest.mark.parametrize(
    ("name", "shown"),
    [("Ada Lovelace", "Ada L."), ("Ada", "Ada"), ("Ada King Lovelace", "Ada L."), ("", ""), ("田中 太郎", "田中 太.")],
)
def test_others_see_first_name_and_initial(session, name, shown):
    factories.learner(session, name, subject="somebody", student_number="s-1234-abcd")
    assert learners.public_name(session, " S-1234-ABCD ") == shown


def test_an_unknown_student_number_has_no_name(session):
    assert [learners.public_name(session, text) for text in ("s-0000-0000", "", "%", "\x00")] == [""] * 4


@pytest.fixture
def opened(session):
    return sessions.open_session(session, factories.learner(session).id, NOON)


@pytest.mark.each_database
def test_token_and_cookie_are_valid_for_45_minutes(session, opened):
    until = NOON + timedelta(minutes=45)
    at_last = until - timedelta(microseconds=1)
    auth_session = sessions.authenticated(session, opened.token, opened.cookie_secret, at_last)
    assert auth_session == AuthSession(
        opened.learner_id, "learner", session.scalars(select(LearnerSession.id)).one(), until, NOON
    )
    assert sessions.authenticated(session, opened.token, opened.cookie_secret, until) is None
    assert sessions.by_cookie(session, opened.cookie_secret, until) is None


def test_token_and_cookie_of_different_sessions_are_refused(session, opened):
    other = sessions.open_session(session, opened.learner_id, NOON)
    assert sessions.authenticated(session, opened.token, other.cookie_secret, NOON) is None
    assert sessions.authenticated(session, opened.cookie_secret, opened.token, NOON) is None


@pytest.mark.each_database
@pytest.mark.parametrize("wrong", ["", "x", "ä", "\ud800", "'; DROP TABLE sessions; --"])
def test_other_secrets_are_refused(session, opened, wrong):
    assert sessions.authenticated(session, wrong, opened.cookie_secret, NOON) is None
    assert sessions.authenticated(session, opened.token, wrong, NOON) is None
    assert sessions.by_cookie(session, wrong, NOON) is None


def test_a_revoked_session_ends_at_once(session, opened):
    sessions.revoke(session, opened.token, NOON)
    assert sessions.authenticated(session, opened.token, opened.cookie_secret, NOON) is None
    assert sessions.by_cookie(session, opened.cookie_secret, NOON) is None


def test_the_database_has_no_secrets_to_sign_in_with(session, opened):
    (row,) = session.scalars(select(LearnerSession))
    assert {opened.token, opened.cookie_secret}.isdisjoint({row.token_digest, row.cookie_digest})
    assert sessions.authenticated(session, row.token_digest, row.cookie_digest, NOON) is None


@pytest.mark.each_database
def test_expired_sessions_are_deleted(session, opened):
    sessions.delete_expired(session, NOON + timedelta(minutes=44))
    assert session.scalar(select(LearnerSession.id)) is not None
    sessions.delete_expired(session, NOON + timedelta(minutes=45))
    assert session.scalar(select(LearnerSession.id)) is None
