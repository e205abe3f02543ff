"""Titles and descriptions: truncated at a word, and never shared by two products."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import delete, select

from domain.catalogue import search_snippets
from domain.catalogue.search_snippets import SnippetSource, plain_text, truncate, width
from domain.publishing import categories as publishing_categories
from domain.publishing import snippet_store
from domain.publishing import writer as publishing_writer
from domain.publishing.records import CourseRecord, ItemRecord
from domain.tables import SearchSnippet
from tests.support.factories import NOON

LATER = NOON + timedelta(days=1)
COURSE = CourseRecord(
    slug="vat", name="VAT", subtitle="All of it.", category="tax", list_price=Decimal("9"), duration_min=90, level="all"
)


@pytest.fixture(autouse=True)
def tax_category(session):
    publishing_categories.put_category(session, "tax", "Tax")


@pytest.mark.parametrize(
    ("text", "max_width", "expected"),
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
def test_texts_are_truncated_at_a_word(text, max_width, expected):
    assert truncate(text, max_width) == expected
    assert width(truncate(text, max_width)) <= max_width


@pytest.mark.each_database
def test_combining_marks_do_not_fill_the_column():
    assert len(truncate("a" + "\u0301" * 5000, 60)) <= 180


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("# Title\n\nSome *fine* **words** and `code`.", "Title Some fine words and code."),
        ("- one\n- [two](https://x.example)\n1. three", "one two three"),
        ("```\ncode\n```\nsnake_case \\*stays\\*", "snake_case *stays*"),
    ],
)
def test_markdown_becomes_one_line(markdown, expected):
    assert plain_text(markdown) == expected


def test_a_short_description_continues_with_the_text():
    source = SnippetSource("VAT", "All of it", "You learn to file a return.", (), "1")
    assert next(search_snippets.descriptions(source, "VAT")) == "All of it. You learn to file a return."


def put(session, *records):
    result = publishing_writer.put_courses(session, list(records), NOON)
    return [search_snippets.of_product(session, key) for key in result.ids]


def titles(session, *records):
    return [snippet.title for snippet in put(session, *records)]


def test_a_unique_name_is_the_title(session):
    assert put(session, COURSE) == [search_snippets.Snippet("VAT", "All of it.")]


@pytest.mark.each_database
def test_repeated_names_are_distinguished_by_traits(session):
    publishing_categories.put_category(session, "law", "Law")
    same = [replace(COURSE, slug=slug) for slug in "abcdefg"]
    same[2] = replace(same[2], category="law")
    traits = ["Tax", "Law", "All levels", "1.5 hours", "2026"]
    page_titles = titles(session, *same)
    number = max(session.scalars(select(SearchSnippet.product_id)))
    assert page_titles == ["VAT", *(f"VAT ({trait})" for trait in traits), f"VAT (No. {number})"]


def test_long_names_with_the_same_beginning_get_distinct_titles(session):
    long = "The complete guide to value added tax for companies that sell abroad"
    page_titles = titles(
        session, replace(COURSE, name=f"{long}, part one"), replace(COURSE, slug="b", name=f"{long}, part two")
    )
    assert page_titles == [
        "The complete guide to value added tax for companies that…",
        "The complete guide to value added tax for companies… (Tax)",
    ]


def test_a_repeated_description_begins_with_the_title(session):
    snippets = put(session, COURSE, replace(COURSE, slug="b", name="Customs"))
    assert [snippet.description for snippet in snippets] == ["All of it.", "Customs: All of it."]


def test_courses_and_items_share_no_title(session):
    publishing_writer.put_course(session, COURSE, NOON)
    item = ItemRecord(slug="vat", name="VAT", subtitle="To read.", category="tax", list_price=Decimal("9"), sku="V")
    key = publishing_writer.put_item(session, item, NOON)
    assert search_snippets.of_product(session, key).title == "VAT (Equipment)"


def test_a_title_stays_when_something_else_changes(session):
    first, second = COURSE, replace(COURSE, slug="b")
    titles(session, first, second)
    result = publishing_writer.put_courses(session, [second], NOON)
    assert result.unchanged == 1
    publishing_writer.put_courses(session, [replace(first, name="Renamed")], LATER)
    publishing_writer.put_courses(session, [replace(second, enrolled=9)], LATER)
    assert search_snippets.of_product(session, result.ids[0]).title == "VAT (Tax)"


def test_a_new_name_is_a_new_title(session):
    publishing_writer.put_course(session, COURSE, NOON)
    key = publishing_writer.put_course(session, replace(COURSE, name="Customs"), LATER)
    assert search_snippets.of_product(session, key).title == "Customs"


@pytest.mark.each_database
def test_two_products_may_swap_their_names(session):
    first, second = COURSE, replace(COURSE, slug="b", name="Customs")
    publishing_writer.put_courses(session, [first, second], NOON)
    page_titles = titles(session, replace(first, name="Customs"), replace(second, name="VAT"))
    assert len(set(page_titles)) == 2


def test_missing_snippets_are_created_again(session):
    result = publishing_writer.put_courses(session, [COURSE, replace(COURSE, slug="b")], NOON)
    before = [search_snippets.of_product(session, key) for key in result.ids]
    session.execute(delete(SearchSnippet))
    assert snippet_store.fill_missing_snippets(session) == 2
    assert [search_snippets.of_product(session, key) for key in result.ids] == before
    assert snippet_store.fill_missing_snippets(session) == 0
