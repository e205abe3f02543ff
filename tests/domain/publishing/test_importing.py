"""What an import may change of products that are stored: prices and states with their rules and events, as by staff."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import select

from domain.audit import recording
from domain.permissions import SystemActor
from domain.publishing import writer as publishing_writer
from domain.publishing.importing import PRICE_STAYS, Importer
from domain.publishing.records import CourseRecord
from domain.tables import AuditEvent, PriceChange, Product
from tests.domain.publishing.test_publish_rules import COURSE
from tests.support import factories
from tests.support.factories import NOON

LATER = NOON + timedelta(days=1)
EDITOR, FINANCE = factories.actor(7, "editor"), factories.actor(7, "editor", "finance")
COMMAND = SystemActor("command", LATER)


@pytest.fixture
def put(session):
    """Imports a record as this actor; the result of the batch."""
    factories.category(session, COURSE.category)
    publishing_writer.put_course(session, COURSE, NOON)

    def run(actor, **changes):
        record = replace(COURSE, **changes)
        return recording.run(session, actor, publishing_writer.put_courses, [record], LATER, Importer(actor))

    return run


def stored(session) -> Product:
    return session.scalars(select(Product).where(Product.slug == COURSE.slug)).one()


def events(session):
    query = select(AuditEvent).order_by(AuditEvent.number)
    return [(event.action, event.before, event.after) for event in session.scalars(query)]


def set_state(session, state):
    publishing_writer.put_course(session, replace(COURSE, status=state), NOON)


def test_an_editor_changes_no_price_of_what_is_on_sale_and_the_rest_of_the_row(session, put):
    result = put(EDITOR, list_price=Decimal(1), subtitle="New words", sale_price=Decimal("0.50"))
    assert result.withheld == {0: (PRICE_STAYS,)}
    assert (stored(session).list_price, stored(session).sale_price) == (COURSE.list_price, None)
    assert (stored(session).subtitle, result.changed, events(session)) == ("New words", 1, [])
    assert session.scalars(select(PriceChange)).all() == []


def test_an_editor_prices_a_draft(session, put):
    set_state(session, "draft")
    result = put(EDITOR, list_price=Decimal(1), status="draft")
    assert (result.withheld, stored(session).list_price) == ({}, Decimal(1))


@pytest.mark.parametrize("actor", [FINANCE, COMMAND], ids=["prices.write", "a command"])
def test_whoever_may_changes_the_price_with_its_history_and_an_event(session, put, actor):
    assert put(actor, list_price=Decimal(1)).withheld == {}
    assert stored(session).list_price == Decimal(1)
    [(action, before, after)] = events(session)
    assert (action, Decimal(before["list_price"]), Decimal(after["list_price"])) == (
        "price.change",
        COURSE.list_price,
        Decimal(1),
    )
    changes = session.scalars(select(PriceChange).order_by(PriceChange.starts_at)).all()
    assert [change.list_price for change in changes] == [COURSE.list_price, Decimal(1)]


STATES = {
    ("published", "retired"): ("retired", ["course.retire"]),
    ("published", "draft"): ("published", []),
    ("retired", "published"): ("retired", []),
    ("scheduled", "published"): ("scheduled", []),
    ("draft", "published"): ("published", ["course.publish"]),
}


@pytest.mark.parametrize(("before", "wanted"), STATES)
def test_a_state_that_staff_decided_stays(session, put, before, wanted):
    set_state(session, before)
    result = put(FINANCE, status=wanted)
    state, actions = STATES[before, wanted]
    assert (stored(session).status, [action for action, *_ in events(session)]) == (state, actions)
    assert bool(result.withheld) is (state == before)


def test_the_time_of_a_planned_publication_stays(session, put):
    publishing_writer.put_course(session, replace(COURSE, status="scheduled", published_at=LATER), NOON)
    put(FINANCE, status="published", published_at=NOON)
    assert (stored(session).status, stored(session).published_at) == ("scheduled", LATER)


def test_the_comparison_before_an_import_says_what_stays(session, put):
    [change] = publishing_writer.compare(session, [replace(COURSE, list_price=Decimal(1))], LATER, Importer(EDITOR))
    assert (change.withheld, change.differs) == ((PRICE_STAYS,), False)


def test_a_record_of_staff_or_seed_is_not_limited(session, put):
    """A negative control: without an importer the same record changes price and state."""
    set_state(session, "retired")
    record: CourseRecord = replace(COURSE, list_price=Decimal(1))
    publishing_writer.put_course(session, record, LATER)
    assert (stored(session).list_price, stored(session).status) == (Decimal(1), "published")
