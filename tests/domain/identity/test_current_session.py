"""What the browser of a signed-in person is told."""

from datetime import timedelta

import pytest

from domain.account import current_session
from domain.identity import learners, sessions
from domain.identity.learners import Identity
from domain.learning import grants
from domain.learning.enrolments import MAX_OWNED
from domain.learning.grants import GrantSource
from tests.support import factories
from tests.support.factories import NOON


@pytest.fixture
def opened(session):
    ada = learners.create(session, Identity("https://id.example", "ada", "Ada", "ada@example.test"), NOON)
    return ada, sessions.open_session(session, ada.id, NOON)


def own(session, learner_id: int, *product_ids: int) -> None:
    grants.grant(session, learner_id, product_ids, GrantSource("order", 1), NOON)


@pytest.mark.each_database
def test_a_session_tells_areas_organisations_and_owned_products(session, opened):
    ada, tokens = opened
    category = factories.category(session)
    vat, payroll = (factories.course(session, category.id, slug).id for slug in ("vat", "payroll"))
    own(session, ada.id, vat)
    own(session, learners.create(session, Identity("https://id.example", "grace"), NOON).id, payroll)
    factories.staff(session, ada.id, "marketer")
    for slug, state in (("northwind", "approved"), ("waiting", "submitted")):
        factories.member(session, ada.id, factories.organisation(session, slug, slug.title(), state=state).id)
    current = current_session.by_tokens(session, tokens.token, tokens.cookie_secret, NOON)
    assert (current.email, current.roles, current.areas) == (
        "ada@example.test",
        ("marketer", "member"),
        ("learner", "admin"),
    )
    assert [(found.slug, found.name) for found in current.organisations] == [("northwind", "Northwind")]
    assert (current.owned, current.auth.learner_id, current.at) == ((vat,), ada.id, NOON)


def test_half_a_pair_and_an_ended_session_tell_nothing(session, opened):
    _, tokens = opened
    pairs = {
        "another cookie": (tokens.token, tokens.token, NOON),
        "another token": (tokens.cookie_secret, tokens.cookie_secret, NOON),
        "ended": (tokens.token, tokens.cookie_secret, NOON + timedelta(minutes=45)),
    }
    found = {name: current_session.by_tokens(session, *pair) for name, pair in pairs.items()}
    assert found == dict.fromkeys(pairs)


def test_the_newest_owned_products_are_told(session, opened, monkeypatch):
    ada, tokens = opened
    monkeypatch.setattr("domain.learning.enrolments.MAX_OWNED", 2)
    category = factories.category(session)
    ids = [factories.course(session, category.id, f"course-{number}").id for number in range(3)]
    own(session, ada.id, *ids)
    current = current_session.by_tokens(session, tokens.token, tokens.cookie_secret, NOON)
    assert current.owned == (ids[2], ids[1])
    assert MAX_OWNED == 2000
