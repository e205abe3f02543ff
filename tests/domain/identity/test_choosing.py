"""Which organisations a person may choose, and what choosing one leaves."""

import pytest

from domain.audit import recording
from domain.errors import NotFound
from domain.identity import choosing, sessions
from domain.tables import LearnerSession
from tests.support import factories
from tests.support.factories import NOON


def world(session):
    """A person who manages "alpha", is a member of "beta", has left "gamma" and owns the undecided "delta"."""
    ada = factories.learner(session)
    rows = {slug: factories.organisation(session, slug, slug.title()) for slug in ("alpha", "beta", "gamma", "omega")}
    rows["delta"] = factories.organisation(session, "delta", "Delta", state="submitted")
    factories.member(session, ada.id, rows["alpha"].id, role="manager")
    factories.member(session, ada.id, rows["beta"].id)
    factories.member(session, ada.id, rows["gamma"].id, role="owner", ended_at=NOON)
    factories.member(session, ada.id, rows["delta"].id, role="owner")
    opened = sessions.open_session(session, ada.id, NOON, "organisation")
    return ada, sessions.by_id(session, opened.id), {slug: row.id for slug, row in rows.items()}


def enter(session, auth, slug):
    actor = factories.actor(auth.learner_id, area="organisation")
    return recording.run(session, actor, choosing.enter, auth, slug)


def chosen(session, auth):
    return session.get_one(LearnerSession, auth.session_id, populate_existing=True).organisation_id


def test_only_approved_organisations_that_one_manages_now_can_be_chosen(session):
    ada, _, _ = world(session)
    assert [own.slug for own in choosing.choices(session, ada.id)] == ["alpha"]


@pytest.mark.each_database
def test_entering_is_of_this_session(session):
    _, auth, ids = world(session)
    assert enter(session, auth, "alpha").id == ids["alpha"]
    assert chosen(session, auth) == ids["alpha"]


@pytest.mark.parametrize("slug", ["beta", "gamma", "delta", "omega", "unknown", "ALPHA"])
def test_every_other_organisation_is_unknown_and_nothing_changes(session, slug):
    _, auth, _ = world(session)
    with pytest.raises(NotFound, match=choosing.UNKNOWN):
        enter(session, auth, slug)
    assert chosen(session, auth) is None
