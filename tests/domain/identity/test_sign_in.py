"""Signing in to an area: what the session says, which organisation it is for, and what is recorded of staff."""

from datetime import timedelta

import pytest

from domain.account import current_session
from domain.identity import learners, sessions
from domain.identity.learners import Identity
from domain.identity.sessions import ProviderTokens
from domain.identity.sign_in import SignIn, has_second_factor, sign_in
from domain.permissions import Area
from domain.staff import listing as staff_listing
from domain.tables import LearnerSession
from tests.support import factories
from tests.support.factories import NOON

ADA = Identity("https://id.example", "ada", "Ada", "ada@example.test")
BEFORE = NOON - timedelta(minutes=20)


@pytest.fixture
def ada(session) -> int:
    return learners.create(session, ADA, NOON).id


def enter(session, area: Area):
    tokens = ProviderTokens(methods=("pwd", "email", "mfa"), authenticated_at=BEFORE)
    return sign_in(session, SignIn(ADA, area, tokens, request_id="r", ip_network="192.0.2.0/24"), NOON)


def belongs(session, learner_id: int, slug: str, role: str, state: str = "approved") -> int:
    organisation = factories.organisation(session, slug, state=state)
    factories.member(session, learner_id, organisation.id, role=role)
    return organisation.id


@pytest.mark.each_database
def test_a_session_says_how_and_when_its_person_signed_in(session, ada):
    entered = enter(session, "learner")
    row = session.get_one(LearnerSession, entered.session.id)
    assert (row.amr, row.authenticated_at, row.organisation_id, entered.roles) == ("pwd email mfa", BEFORE, None, ())
    auth = sessions.authenticated(session, entered.session.token, entered.session.cookie_secret, NOON)
    assert auth == sessions.by_id(session, row.id)
    assert auth.authenticated_at == BEFORE


def test_who_manages_one_organisation_is_in_it_and_of_several_in_none(session, ada):
    belongs(session, ada, "waiting", "owner", "submitted")
    belongs(session, ada, "school", "member")
    northwind = belongs(session, ada, "northwind", "manager")
    first = enter(session, "organisation")
    assert (sessions.by_id(session, first.session.id).organisation_id, first.roles) == (northwind, ("manager",))
    harbour = belongs(session, ada, "harbour", "owner")
    second = enter(session, "organisation")
    assert (sessions.by_id(session, second.session.id).organisation_id, second.roles) == (None, ())
    sessions.choose_organisation(session, second.session.id, harbour)
    pair = second.session.token, second.session.cookie_secret
    current = current_session.by_tokens(session, *pair, NOON)
    assert (current.area_roles, current.roles) == (("owner",), ("applicant", "manager", "member", "owner"))


def test_a_sign_in_of_staff_is_recorded(session, ada):
    factories.staff(session, ada, "editor", "finance")
    assert enter(session, "admin").roles == ("editor", "finance")
    member = staff_listing.member(session, ada)
    assert (member.last_sign_in, member.amr) == (NOON, ("pwd", "email", "mfa"))


@pytest.mark.parametrize(
    ("methods", "is_enough"),
    [((), False), (("pwd",), False), (("pwd", "pwd"), False), (("pwd", "sms"), True), (("mfa",), True)],
)
def test_two_factors_are_two_methods_or_what_the_provider_calls_so(methods, is_enough):
    assert has_second_factor(methods) is is_enough
