"""A retired course: a landing page while people visit it, longer when it has a successor, then gone."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from domain.catalogue import redirects, retirement
from domain.tables import RetiredPageVisit
from domain.visits import visits
from tests.support import factories
from tests.support.factories import NOON

DAY = timedelta(days=1)
OLD = NOON - 400 * DAY


@pytest.mark.parametrize(
    ("last_active_at", "has_successor", "expected"),
    [
        (NOON, False, "landing"),
        (NOON - 365 * DAY + timedelta(seconds=1), False, "landing"),
        (NOON - 365 * DAY, False, "gone"),
        (NOON - 365 * DAY, True, "unlisted"),
        (NOON - 364 * DAY, True, "landing"),
    ],
)
def test_the_status_of_a_retired_course(last_active_at, has_successor, expected):
    assert retirement.retirement_status(last_active_at, has_successor, NOON) == expected


def visit(slug, at=NOON, **changes):
    url = f"/course-details?course={slug}&utm_source=x"
    row = visits.NewVisit(event_id=f"{slug}-{at.isoformat()}", at=at.isoformat(), page="course-details", url=url)
    return row.as_dict() | changes


@pytest.fixture(autouse=True)
def nothing_recorded():
    retirement.clear_recorded()


@pytest.fixture
def old(session):
    """A retired course whose page is still shown."""
    tax = factories.category(session)
    course = factories.course(session, tax.id, "old", status="retired", retired_at=NOON - 300 * DAY)
    factories.course(session, tax.id, "live")
    return course


def recorded_visits(session):
    session.expire_all()
    return {
        row.product_id: row.last_at
        for row in session.execute(select(RetiredPageVisit.product_id, RetiredPageVisit.last_at))
    }


def test_a_visit_to_a_retired_course_is_recorded_and_one_to_a_live_course_is_not(session, old):
    visits.store_visits(session, [visit("old"), visit("live"), visit("unknown")], NOON)
    assert recorded_visits(session) == {old.id: NOON}
    assert retirement.last_activity(session, old) == NOON


def test_a_course_is_recorded_once_a_day(session, old):
    visits.store_visits(session, [visit("old")], NOON)
    visits.store_visits(session, [visit("old", NOON + DAY / 2)], NOON)
    assert recorded_visits(session) == {old.id: NOON}
    visits.store_visits(session, [visit("old", NOON + 2 * DAY), visit("old", NOON + DAY)], NOON)
    assert recorded_visits(session) == {old.id: NOON + 2 * DAY}


def test_a_course_is_looked_up_once_a_day(session, old, monkeypatch):
    lookups = []
    monkeypatch.setattr(retirement, "_record", lambda _session, latest: lookups.append(set(latest)))
    for at in (NOON, NOON, NOON + DAY):
        visits.store_visits(session, [visit("old", at), visit("live", at)], NOON)
    assert lookups == [{"old", "live"}] * 2


@pytest.mark.parametrize(
    ("url", "slug"),
    [
        ("/course-details?course=vat", "vat"),
        ("/course-details?utm_source=x&course=%E4%BB%98&x=1", "付"),
        ("/course-details?x=1", ""),
        ("/course-details", ""),
    ],
)
def test_the_slug_is_read_from_the_url(url, slug):
    assert retirement._slug_in(url) == slug


def test_visits_of_crawlers_are_not_recorded(session, old):
    visits.store_visits(session, [visit("old", visitor_class="crawler"), visit("old", visitor_class="suspected")], NOON)
    assert recorded_visits(session) == {}


def test_visits_to_a_course_that_is_gone_are_not_recorded(session, old):
    old.retired_at = OLD
    session.flush()
    visits.store_visits(session, [visit("old")], NOON)
    assert recorded_visits(session) == {}


def test_the_successor_is_the_first_published_product_of_the_chain(session):
    tax = factories.category(session)
    last = factories.course(session, tax.id, "last")
    middle = factories.course(session, tax.id, "middle", status="retired", successor_id=last.id)
    first = factories.course(session, tax.id, "first", status="retired", successor_id=middle.id)
    assert redirects.successor(session, first) == redirects.RedirectTarget(last.id, "course", "last")
    assert redirects.successor(session, last) is None


def test_a_cycle_of_successors_has_no_successor(session):
    tax = factories.category(session)
    first = factories.course(session, tax.id, "one", status="retired")
    second = factories.course(session, tax.id, "two", status="retired", successor_id=first.id)
    first.successor_id = second.id
    session.flush()
    assert redirects.successor(session, first) is None
