"""A retired course: a landing page while people come to it, for its successor's sake a while longer, then gone."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from domain import addresses, retirement, visits
from domain.tables import Entrance
from tests import factories
from tests.factories import NOON

DAY = timedelta(days=1)
OLD = NOON - 400 * DAY


@pytest.mark.parametrize(
    ("last_life", "has_successor", "expected"),
    [
        (NOON, False, "landing"),
        (NOON - 365 * DAY + timedelta(seconds=1), False, "landing"),
        (NOON - 365 * DAY, False, "gone"),
        (NOON - 365 * DAY, True, "unlisted"),
        (NOON - 364 * DAY, True, "landing"),
    ],
)
def test_what_a_retired_course_is(last_life, has_successor, expected):
    assert retirement.standing(last_life, has_successor, NOON) == expected


def visit(slug, at=NOON, **about):
    url = f"/course-details?course={slug}&utm_source=x"
    row = visits.Row(event_id=f"{slug}-{at.isoformat()}", at=at.isoformat(), page="course-details", url=url)
    return row.as_dict() | about


@pytest.fixture(autouse=True)
def nothing_asked():
    retirement.forget_asked()


@pytest.fixture
def old(session):
    """A course that was retired more than a year ago, but for eleven months of visits."""
    tax = factories.category(session)
    made = factories.course(session, tax.id, "old", status="retired", retired_at=NOON - 300 * DAY)
    factories.course(session, tax.id, "live")
    return made


def entrances(session):
    session.expire_all()
    return {row.product_id: row.last_at for row in session.execute(select(Entrance.product_id, Entrance.last_at))}


def test_a_visit_to_a_retired_course_is_remembered_and_one_to_a_live_course_is_not(session, old):
    visits.store(session, [visit("old"), visit("live"), visit("unknown")], NOON)
    assert entrances(session) == {old.id: NOON}
    assert retirement.last_life(session, old) == NOON


def test_a_course_is_remembered_once_a_day(session, old):
    visits.store(session, [visit("old")], NOON)
    visits.store(session, [visit("old", NOON + DAY / 2)], NOON)
    assert entrances(session) == {old.id: NOON}
    visits.store(session, [visit("old", NOON + 2 * DAY), visit("old", NOON + DAY)], NOON)
    assert entrances(session) == {old.id: NOON + 2 * DAY}


def test_a_course_is_asked_about_once_a_day(session, old, monkeypatch):
    asked = []
    monkeypatch.setattr(retirement, "_note", lambda _session, latest: asked.append(set(latest)))
    for at in (NOON, NOON, NOON + DAY):
        visits.store(session, [visit("old", at), visit("live", at)], NOON)
    assert asked == [{"old", "live"}] * 2


@pytest.mark.parametrize(
    ("url", "slug"),
    [
        ("/course-details?course=vat", "vat"),
        ("/course-details?utm_source=x&course=%E4%BB%98&x=1", "付"),
        ("/course-details?x=1", ""),
        ("/course-details", ""),
    ],
)
def test_a_slug_is_read_from_an_address(url, slug):
    assert retirement._slug_in(url) == slug


def test_a_crawler_keeps_no_course_alive(session, old):
    visits.store(session, [visit("old", visitor_class="crawler"), visit("old", visitor_class="suspected")], NOON)
    assert entrances(session) == {}


def test_a_course_that_is_gone_does_not_come_back_through_its_error_page(session, old):
    old.retired_at = OLD
    session.flush()
    visits.store(session, [visit("old")], NOON)
    assert entrances(session) == {}


def test_a_successor_is_the_first_that_is_sold(session):
    tax = factories.category(session)
    last = factories.course(session, tax.id, "last")
    middle = factories.course(session, tax.id, "middle", status="retired", successor_id=last.id)
    first = factories.course(session, tax.id, "first", status="retired", successor_id=middle.id)
    assert addresses.successor(session, first) == addresses.Address(last.id, "course", "last")
    assert addresses.successor(session, last) is None


def test_successors_in_a_circle_lead_nowhere(session):
    tax = factories.category(session)
    one = factories.course(session, tax.id, "one", status="retired")
    two = factories.course(session, tax.id, "two", status="retired", successor_id=one.id)
    one.successor_id = two.id
    session.flush()
    assert addresses.successor(session, one) is None
