"""A product is published only with all that its page needs; otherwise it is a draft, with the reasons."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from domain.errors import Refused
from domain.publishing import categories as publishing_categories
from domain.publishing import prices as publishing_prices
from domain.publishing import writer as publishing_writer
from domain.publishing.records import CourseRecord, ItemRecord, LessonRecord, SectionRecord
from domain.tables import Product
from tests.support.factories import NOON
from tests.support.shops import USD

COURSE = CourseRecord(
    slug="vat", name="VAT", subtitle="All of it.", category="tax", list_price=Decimal("9"), duration_min=60
)
ITEM = ItemRecord(slug="book", name="Book", subtitle="To read.", category="tax", list_price=Decimal("9"), sku="B")


@pytest.fixture(autouse=True)
def tax_category(session):
    publishing_categories.put_category(session, "tax", "Tax")


def status(session, key):
    return session.get(Product, key).status


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"name": "  "}, "it has no name"),
        ({"subtitle": "", "description": " "}, "it has no subtitle and no description"),
        ({"duration_min": None}, "it has neither a duration nor timed lessons"),
        ({"duration_min": 0}, "it has neither a duration nor timed lessons"),
        ({"image": "/a.png", "image_width": 0}, "it has no picture with a width and a height"),
        ({"list_price": Decimal("12.345")}, "its price has more than two decimals"),
    ],
)
def test_a_course_that_lacks_something_is_a_draft(session, changes, reason):
    result = publishing_writer.put_courses(session, [COURSE, replace(COURSE, slug="b", **changes)], NOON)
    assert result.kept_as_draft == {1: (reason,)}
    assert [status(session, key) for key in result.ids] == ["published", "draft"]
    assert session.get(Product, result.ids[1]).published_at is None


def test_the_duration_may_come_from_timed_lessons(session):
    outline = (SectionRecord("All", (LessonRecord("One", 20),)),)
    result = publishing_writer.put_courses(session, [replace(COURSE, duration_min=None, outline=outline)], NOON)
    assert result.kept_as_draft == {}


@pytest.mark.parametrize("changes", [{"list_price": Decimal(0)}, {"sale_price": Decimal(0)}])
def test_an_item_must_cost_something(session, changes):
    result = publishing_writer.put_items(session, [replace(ITEM, **changes)], NOON)
    assert result.kept_as_draft == {0: ("a shop item must cost something",)}


def test_a_course_may_be_free(session):
    assert publishing_writer.put_courses(session, [replace(COURSE, list_price=Decimal(0))], NOON).kept_as_draft == {}


def test_every_missing_requirement_is_reported(session):
    result = publishing_writer.put_courses(session, [replace(COURSE, subtitle="", duration_min=None)], NOON)
    assert len(result.kept_as_draft[0]) == 2


@pytest.mark.parametrize("wanted", ["draft", "scheduled", "retired"])
def test_other_statuses_need_no_requirements(session, wanted):
    result = publishing_writer.put_courses(session, [replace(COURSE, duration_min=None, status=wanted)], NOON)
    assert (result.kept_as_draft, status(session, result.ids[0])) == ({}, wanted)


def test_a_repeat_reports_the_reasons_again_and_changes_nothing(session):
    publishing_writer.put_courses(session, [replace(COURSE, duration_min=None)], NOON)
    result = publishing_writer.put_courses(session, [replace(COURSE, duration_min=None)], NOON + timedelta(days=1))
    assert (result.unchanged, list(result.kept_as_draft)) == (1, [0])


@pytest.mark.each_database
def test_a_draft_is_published_when_nothing_is_missing_any_more(session):
    key = publishing_writer.put_course(session, replace(COURSE, duration_min=None), NOON)
    publishing_writer.put_course(session, COURSE, NOON)
    assert (status(session, key), session.get(Product, key).published_at) == ("published", NOON)


def test_the_price_of_an_item_cannot_become_zero(session):
    key = publishing_writer.put_item(session, ITEM, NOON)
    with pytest.raises(Refused, match="must cost something"):
        publishing_prices.change_price(session, "book", Decimal(0), None, NOON, USD)
    assert session.get(Product, key).list_price == Decimal("9")
