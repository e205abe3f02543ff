"""Nothing goes live without what its page needs; what lacks something is kept as a draft, and why is said."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from domain import publishing
from domain.errors import Refused
from domain.publishing import CourseRecord, ItemRecord
from domain.tables import Product
from tests.factories import NOON

COURSE = CourseRecord(
    slug="vat", name="VAT", subtitle="All of it.", category="tax", list_price=Decimal("9"), duration_min=60
)
ITEM = ItemRecord(slug="book", name="Book", subtitle="To read.", category="tax", list_price=Decimal("9"), sku="B")


@pytest.fixture(autouse=True)
def shelf(session):
    publishing.put_category(session, "tax", "Tax")


def status(session, key):
    return session.get(Product, key).status


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"name": "  "}, "it has no name"),
        ({"subtitle": "", "description": " "}, "nothing describes it"),
        ({"duration_min": None}, "nothing says how long it takes: no duration and no timed lessons"),
        ({"duration_min": 0}, "nothing says how long it takes: no duration and no timed lessons"),
        ({"image": "/a.png", "image_width": 0}, "it has no picture with a width and a height"),
    ],
)
def test_a_course_that_lacks_something_is_a_draft(session, changes, reason):
    written = publishing.put_courses(session, [COURSE, replace(COURSE, slug="b", **changes)], NOON)
    assert written.held_back == {1: (reason,)}
    assert [status(session, key) for key in written.ids] == ["published", "draft"]
    assert session.get(Product, written.ids[1]).published_at is None


def test_timed_lessons_say_how_long_a_course_takes(session):
    sections = [{"title": "All", "lessons": [{"title": "One", "minutes": 20}]}]
    written = publishing.put_courses(session, [replace(COURSE, duration_min=None, sections=sections)], NOON)
    assert written.held_back == {}


@pytest.mark.parametrize("changes", [{"list_price": Decimal(0)}, {"sale_price": Decimal(0)}])
def test_an_item_must_cost_something(session, changes):
    written = publishing.put_items(session, [replace(ITEM, **changes)], NOON)
    assert written.held_back == {0: ("a shop item must cost something",)}


def test_a_course_may_be_free(session):
    assert publishing.put_courses(session, [replace(COURSE, list_price=Decimal(0))], NOON).held_back == {}


def test_everything_lacking_is_named(session):
    written = publishing.put_courses(session, [replace(COURSE, subtitle="", duration_min=None)], NOON)
    assert len(written.held_back[0]) == 2


@pytest.mark.parametrize("wanted", ["draft", "scheduled", "retired"])
def test_only_going_live_is_held_back(session, wanted):
    written = publishing.put_courses(session, [replace(COURSE, duration_min=None, status=wanted)], NOON)
    assert (written.held_back, status(session, written.ids[0])) == ({}, wanted)


def test_a_repeat_says_it_again_and_changes_nothing(session):
    publishing.put_courses(session, [replace(COURSE, duration_min=None)], NOON)
    written = publishing.put_courses(session, [replace(COURSE, duration_min=None)], NOON + timedelta(days=1))
    assert (written.same, list(written.held_back)) == (1, [0])


def test_what_was_lacking_and_comes_goes_live(session):
    key = publishing.put_course(session, replace(COURSE, duration_min=None), NOON)
    publishing.put_course(session, COURSE, NOON)
    assert (status(session, key), session.get(Product, key).published_at) == ("published", NOON)


def test_no_price_of_an_item_becomes_nothing(session):
    key = publishing.put_item(session, ITEM, NOON)
    with pytest.raises(Refused, match="must cost something"):
        publishing.change_price(session, "book", Decimal(0), None, NOON)
    assert session.get(Product, key).list_price == Decimal("9")
