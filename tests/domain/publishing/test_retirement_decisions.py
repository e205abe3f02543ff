"""What staff decide about the pages of retired products, on both databases."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from domain.audit import recording
from domain.catalogue import listing as catalogue_listing
from domain.errors import InvalidInput, NotFound, Refused
from domain.publishing import writer as publishing_writer
from domain.publishing.editing import publication
from domain.publishing.editing.stored_course import Edit, NewerVersion, stored_course
from domain.publishing.retirement.decisions import RetirementDecision, decide
from domain.tables import AuditEvent
from tests.support import factories
from tests.support.factories import NOON

BEFORE = NOON - timedelta(days=400)
UNDECIDED = ("auto", "", None, 1)


@pytest.fixture
def tax(session):
    return factories.category(session).id


@pytest.fixture
def editor(session):
    return factories.actor(factories.learner(session).id, "editor", at=NOON)


@pytest.fixture
def old(session, tax):
    return factories.course(session, tax, "old", status="retired", retired_at=BEFORE, updated_at=BEFORE)


@pytest.fixture
def successor(session, tax):
    return factories.course(session, tax, "new")


def decided(session, editor, product, *decision, version=None):
    recording.run(session, editor, decide, Edit(editor, product.id, version), RetirementDecision(*decision))
    return state(session, product)


def state(session, product):
    session.flush()
    session.refresh(product)
    return product.retirement_choice, product.retirement_reason, product.successor_id, product.version


@pytest.mark.each_database
def test_a_decision_is_stored_recorded_and_seen_by_caches(session, editor, old):
    number = catalogue_listing.version(session)
    assert decided(session, editor, old, "gone", " The law changed ") == ("gone", "The law changed", None, 2)
    assert (catalogue_listing.version(session), old.updated_at, old.retired_at) == (number + 1, NOON, BEFORE)
    event = session.scalars(select(AuditEvent)).one()
    assert (event.action, event.subject_id, event.reason) == ("course.decide_page", str(old.id), "The law changed")
    assert (event.before, event.after) == ({"page": "auto"}, {"page": "gone"})


def test_a_redirect_may_name_its_successor(session, editor, old, successor):
    assert decided(session, editor, old, "redirect", "Replaced", "new") == ("redirect", "Replaced", successor.id, 2)
    event = session.scalars(select(AuditEvent)).one()
    assert event.after == {"page": "redirect", "successor_id": successor.id}


def test_leaving_it_to_the_rule_again_needs_no_reason_and_keeps_the_successor(session, editor, old, successor):
    decided(session, editor, old, "redirect", "Replaced", "new")
    assert decided(session, editor, old, "auto", "") == ("auto", "", successor.id, 3)


def test_deciding_the_same_again_changes_and_records_nothing(session, editor, old):
    decided(session, editor, old, "landing", "A classic")
    assert decided(session, editor, old, "landing", "A classic") == ("landing", "A classic", None, 2)
    assert len(session.scalars(select(AuditEvent.id)).all()) == 1


@pytest.mark.parametrize(
    ("decision", "field"),
    [
        (("gone", "  "), "reason"),
        (("redirect", "Replaced"), "successor"),
        (("redirect", "Replaced", ""), "successor"),
        (("redirect", "Replaced", "unknown"), "successor"),
        (("redirect", "Replaced", "old"), "successor"),
        (("landing", "A classic", "draft"), "successor"),
    ],
)
def test_what_a_decision_lacks_is_said_at_its_field(session, editor, old, decision, field):
    factories.course(session, old.category_id, "draft", status="draft")
    with pytest.raises(InvalidInput) as refusal:
        decided(session, editor, old, *decision)
    session.expire(old)
    assert ([*refusal.value.errors], state(session, old)) == ([field], UNDECIDED)


def test_the_page_of_an_item_redirects_or_is_gone(session, editor, tax):
    item = factories.item(session, tax, "old-book", status="retired", retired_at=BEFORE)
    with pytest.raises(Refused, match="A retired item has no landing page"):
        decided(session, editor, item, "landing", "A classic")
    assert decided(session, editor, item, "gone", "Out of print")[0] == "gone"


def test_what_is_on_sale_unknown_or_changed_meanwhile_is_refused(session, editor, old, successor):
    with pytest.raises(Refused, match="Only the page of a retired course"):
        decided(session, editor, successor, "gone", "x")
    with pytest.raises(NotFound):
        recording.run(session, editor, decide, Edit(editor, 999_999), RetirementDecision("gone", "x"))
    with pytest.raises(NewerVersion):
        decided(session, editor, old, "gone", "x", version=7)
    assert state(session, old) == UNDECIDED


def test_one_without_a_time_of_retirement_seems_no_younger_for_a_decision(session, editor, old):
    old.retired_at = None
    decided(session, editor, old, "landing", "A classic")
    assert (old.retired_at, old.updated_at) == (BEFORE, NOON)


def test_an_import_keeps_a_decision_as_long_as_the_product_stays_retired(session, editor, old):
    decided(session, editor, old, "gone", "The law changed")
    record = stored_course(session, old.id).record
    publishing_writer.put_course(session, record, NOON)
    assert state(session, old)[:2] == ("gone", "The law changed")


def test_who_publishes_and_retires_again_decides_anew(session, editor, old):
    decided(session, editor, old, "gone", "The law changed")
    recording.run(session, editor, publication.publish, Edit(editor, old.id), None)
    assert state(session, old)[:2] == ("auto", "")
    recording.run(session, editor, publication.retire, Edit(editor, old.id), "", "Out of date")
    assert state(session, old)[:2] == ("auto", "")
