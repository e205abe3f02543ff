"""Titles and descriptions: cut where a word ends, and never shared by two products."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import delete, select

from domain import page_texts, publishing
from domain.page_texts import Facts, cut, plain, width
from domain.publishing import CourseRecord, ItemRecord, texts
from domain.tables import PageText
from tests.factories import NOON

LATER = NOON + timedelta(days=1)
COURSE = CourseRecord(
    slug="vat", name="VAT", subtitle="All of it.", category="tax", list_price=Decimal("9"), duration_min=90, level="all"
)


@pytest.fixture(autouse=True)
def shelf(session):
    publishing.put_category(session, "tax", "Tax")


@pytest.mark.parametrize(
    ("text", "room", "expected"),
    [
        ("short enough", 12, "short enough"),
        ("one two three", 12, "one two…"),
        ("one two, three", 11, "one two…"),
        ("one two & three", 12, "one two…"),
        ("one two three", 8, "one two…"),
        ("  many   spaces ", 20, "many spaces"),
        ("Donaudampfschifffahrt", 10, "Donaudamp…"),
        ("付加価値税の基本", 10, "付加価値…"),
        ("Café Crème brûlée", 11, "Café Crème…"),
        ("Cafe\u0301 Cre\u0300me tarte", 11, "Cafe\u0301 Cre\u0300me…"),
    ],
)
def test_texts_are_cut_at_a_word(text, room, expected):
    assert cut(text, room) == expected
    assert width(cut(text, room)) <= room


def test_marks_without_width_do_not_fill_the_column():
    assert len(cut("a" + "\u0301" * 5000, 60)) <= 180


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("# Title\n\nSome *fine* **words** and `code`.", "Title Some fine words and code."),
        ("- one\n- [two](https://x.example)\n1. three", "one two three"),
        ("```\ncode\n```\nsnake_case \\*stays\\*", "snake_case *stays*"),
    ],
)
def test_markdown_becomes_one_line(markdown, expected):
    assert plain(markdown) == expected


def test_a_short_description_is_filled_up_from_the_text():
    facts = Facts("VAT", "All of it", "You learn to file a return.", (), "1")
    assert next(page_texts.descriptions(facts, "VAT")) == "All of it. You learn to file a return."


def put(session, *records):
    written = publishing.put_courses(session, list(records), NOON)
    return [page_texts.of_product(session, key) for key in written.ids]


def titles(session, *records):
    return [found.title for found in put(session, *records)]


def test_a_name_of_its_own_is_the_title(session):
    assert put(session, COURSE) == [page_texts.Texts("VAT", "All of it.")]


def test_repeated_names_are_told_apart_by_what_they_are(session):
    publishing.put_category(session, "law", "Law")
    same = [replace(COURSE, slug=slug) for slug in "abcdefg"]
    same[2] = replace(same[2], category="law")
    traits = ["Tax", "Law", "All levels", "1.5 hours", "2026"]
    found = titles(session, *same)
    number = max(session.scalars(select(PageText.product_id)))
    assert found == ["VAT", *(f"VAT ({trait})" for trait in traits), f"VAT (No. {number})"]


def test_long_names_that_begin_alike_are_told_apart(session):
    long = "The complete guide to value added tax for companies that sell abroad"
    found = titles(
        session, replace(COURSE, name=f"{long}, part one"), replace(COURSE, slug="b", name=f"{long}, part two")
    )
    assert found == [
        "The complete guide to value added tax for companies that…",
        "The complete guide to value added tax for companies… (Tax)",
    ]


def test_the_same_words_of_two_courses_get_their_titles_in_front(session):
    found = put(session, COURSE, replace(COURSE, slug="b", name="Customs"))
    assert [one.description for one in found] == ["All of it.", "Customs: All of it."]


def test_courses_and_items_share_no_title(session):
    publishing.put_course(session, COURSE, NOON)
    item = ItemRecord(slug="vat", name="VAT", subtitle="To read.", category="tax", list_price=Decimal("9"), sku="V")
    key = publishing.put_item(session, item, NOON)
    assert page_texts.of_product(session, key).title == "VAT (Equipment)"


def test_a_title_stays_when_something_else_changes(session):
    first, second = COURSE, replace(COURSE, slug="b")
    titles(session, first, second)
    written = publishing.put_courses(session, [second], NOON)
    assert written.same == 1
    publishing.put_courses(session, [replace(first, name="Renamed")], LATER)
    publishing.put_courses(session, [replace(second, enrolled=9)], LATER)
    assert page_texts.of_product(session, written.ids[0]).title == "VAT (Tax)"


def test_a_new_name_is_a_new_title(session):
    publishing.put_course(session, COURSE, NOON)
    key = publishing.put_course(session, replace(COURSE, name="Customs"), LATER)
    assert page_texts.of_product(session, key).title == "Customs"


def test_names_may_change_places(session):
    one, two = COURSE, replace(COURSE, slug="b", name="Customs")
    publishing.put_courses(session, [one, two], NOON)
    found = titles(session, replace(one, name="Customs"), replace(two, name="VAT"))
    assert len(set(found)) == 2


def test_texts_of_products_from_before_are_made_up_for(session):
    written = publishing.put_courses(session, [COURSE, replace(COURSE, slug="b")], NOON)
    before = [page_texts.of_product(session, key) for key in written.ids]
    session.execute(delete(PageText))
    assert texts.complete(session) == 2
    assert [page_texts.of_product(session, key) for key in written.ids] == before
    assert texts.complete(session) == 0
