"""What was typed at the checkout is kept for a day, and for its learner alone."""

from datetime import timedelta

import pytest

from domain.checkout import drafts
from tests.support import factories
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database

DAY, SECOND = timedelta(days=1), timedelta(seconds=1)
ADA = {"billing.name": "Ada"}


def test_a_draft_is_kept_for_a_day_after_its_last_change(session):
    ada, grace = factories.learner(session), factories.learner(session, "Grace")
    drafts.store(session, ada.id, ADA, NOON, rendered={"total": 5})
    drafts.store(session, ada.id, {"billing.name": "Ada L"}, NOON + SECOND)
    draft = drafts.read(session, ada.id, NOON + DAY)
    assert draft == drafts.Draft({"billing.name": "Ada L"}, {"total": 5}, NOON + SECOND)
    assert drafts.read(session, grace.id, NOON) is None
    assert drafts.read(session, ada.id, NOON + SECOND + DAY) is None


def test_a_stored_form_replaces_what_the_last_one_showed(session):
    ada = factories.learner(session)
    drafts.store(session, ada.id, ADA, NOON, rendered={"total": 5})
    drafts.store(session, ada.id, ADA, NOON, rendered={"total": 6})
    assert drafts.read(session, ada.id, NOON) == drafts.Draft(ADA, {"total": 6}, NOON)


def test_a_removed_draft_is_gone_and_others_stay(session):
    ada, grace = factories.learner(session), factories.learner(session, "Grace")
    for learner in (ada, grace):
        drafts.store(session, learner.id, ADA, NOON)
    drafts.remove(session, ada.id)
    assert drafts.read(session, ada.id, NOON) is None
    assert drafts.read(session, grace.id, NOON) is not None


def test_only_expired_drafts_are_deleted(session):
    ada, grace = factories.learner(session), factories.learner(session, "Grace")
    drafts.store(session, ada.id, ADA, NOON)
    drafts.store(session, grace.id, ADA, NOON + SECOND)
    assert drafts.delete_expired(session, NOON + DAY) == 1
    assert drafts.read(session, grace.id, NOON + SECOND) is not None
