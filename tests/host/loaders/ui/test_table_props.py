"""A table declared over the products: its state in the URL, and the props that its loader makes. SQLite and MariaDB."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import NamedTuple

import pytest
from multidict import MultiDict
from sqlalchemy import select

from domain.database import list_page
from domain.database.list_page import ListSource, read_list_page
from domain.tables import DeadLetter, Product
from host.loaders.ui import table_cells as cells
from host.loaders.ui.table_props import table_props
from host.loaders.ui.table_query import parse
from host.loaders.ui.table_spec import TableSpec, choice, day, search
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import USD

PRODUCTS = Product.__table__.c
LETTERS = DeadLetter.__table__.c
PATH = "/admin/courses"
EMPTY = {"title": "No courses yet", "text": "Courses appear here.", "action": None}


class Row(NamedTuple):
    id: int
    name: str
    level: str | None
    published_at: datetime | None
    list_price: Decimal
    rating: float | None


PRODUCT_LIST = ListSource(
    rows=select(*(PRODUCTS[name] for name in Row._fields)).where(PRODUCTS.status == "published"),
    make=Row._make,
    key=PRODUCTS.id,
    sorts={"published": PRODUCTS.published_at, "popularity": PRODUCTS.popularity},
    filters={
        "level": lambda value: PRODUCTS.level == value,
        "name": lambda value: PRODUCTS.name.startswith(value, autoescape=True),
        "since": lambda value: PRODUCTS.published_at >= datetime.fromisoformat(value).replace(tzinfo=UTC),
    },
    equal=frozenset({"status"}),
)
COURSES = TableSpec(
    caption="Courses",
    source=PRODUCT_LIST,
    columns=(
        cells.link("name", "Name", lambda row: (row.name, f"{PATH}/{row.id}")),
        cells.badge("level", "Level", lambda row: (row.level, "info") if row.level else None),
        cells.time("published", "Published", lambda row: row.published_at, sortable=True),
        cells.amount("price", "Price", lambda row: row.list_price, USD),
        cells.count("popularity", "Popularity", lambda row: 7, sortable=True, hidden=True),
        cells.progress("rating", "Rating", lambda row: row.rating and row.rating / 5),
    ),
    filters=(
        choice("level", "Level", {"beginner": "Beginner", "advanced": "Advanced"}),
        search("name", "Name begins with"),
        day("since", "Published since"),
    ),
    default_sort="-published",
    page_size=2,
    bulk_actions=({"id": "retire", "label": "Retire", "isDangerous": True},),
    empty=EMPTY,
)


@pytest.fixture
def products(session):
    category = factories.category(session)
    for number, level in enumerate(("beginner", "advanced", None)):
        at = NOON.replace(day=number + 1)
        factories.product(session, category.id, f"course-{number}", level=level, published_at=at, rating=4.5)


@pytest.fixture
def props(session):
    """The props of the table for a query, given as pairs."""

    def load(*query, spec=COURSES):
        state = parse(spec, MultiDict(query))
        page = read_list_page(session, spec.source, state.list_query(spec.page_size))
        return table_props(spec, state, page, PATH)

    return load


def shown(table):
    return [row["cells"][0]["text"] for row in table["rows"]]


def test_a_row_has_a_cell_for_each_shown_column(products, props):
    row = props(("level", "advanced"))["rows"][0]
    assert row["cells"] == [
        {"kind": "link", "text": "Course 1", "href": f"{PATH}/{row['id']}"},
        {"kind": "badge", "text": "advanced", "tone": "info"},
        {"kind": "time", "at": NOON + timedelta(days=1)},
        {"kind": "money", "minor": 10000},
        {"kind": "progress", "percent": 90},
    ]


def test_a_value_that_a_row_does_not_have_is_null(products, props):
    assert props()["rows"][0]["cells"][1] is None


def test_headers_lead_to_the_other_direction_and_to_the_first_page(products, props):
    columns = {column["key"]: column["sort"] for column in props(("page", "2"), ("columns", "popularity"))["columns"]}
    assert columns["name"] is None
    assert columns["popularity"]["direction"] is None
    assert columns["popularity"]["href"] == f"{PATH}?sort=-popularity&columns=name&columns=popularity"
    (published,) = [column["sort"] for column in props(("page", "2"))["columns"] if column["key"] == "published"]
    assert published == {"direction": "descending", "href": f"{PATH}?sort=published"}


@pytest.mark.each_database
def test_pages_keep_sort_filters_and_columns(products, props):
    table = props(("columns", "price"), ("since", "2026-03-01"), ("sort", "published"), ("page", "2"))
    first = f"{PATH}?since=2026-03-01&sort=published&columns=name&columns=price"
    assert shown(table) == ["Course 2"]
    assert table["pagination"]["previous"] == first
    assert table["csvHref"] == first.replace(PATH, f"/csv{PATH}")
    assert [entry["number"] for entry in table["pagination"]["entries"]] == [1, 2]


def test_another_file_has_the_columns_that_are_not_shown_too(products, props):
    keys = [entry["key"] for entry in props()["columnChoices"]]
    everything = [("columns", key) for key in keys]
    assert props(*everything)["csvAllHref"] is None
    chosen = props(("since", "2026-03-01"), ("columns", "price"))["csvAllHref"]
    assert chosen == f"/csv{PATH}?since=2026-03-01&" + "&".join(f"columns={key}" for key in ["name", *keys])


def test_each_active_filter_leads_to_the_list_without_it(products, props):
    table = props(("level", "advanced"), ("name", "Course"), ("sort", "published"))
    assert table["activeFilters"] == [
        {"label": "Level: Advanced", "href": f"{PATH}?name=Course&sort=published"},
        {"label": "Name begins with: Course", "href": f"{PATH}?level=advanced&sort=published"},
    ]
    assert table["clearHref"] == f"{PATH}?sort=published"
    assert [(entry["name"], entry["value"]) for entry in table["filters"]] == [
        ("level", "advanced"),
        ("name", "Course"),
        ("since", ""),
    ]


@pytest.mark.parametrize(
    ("pair", "label"),
    [
        (("level", "expert"), "Level"),
        (("since", "yesterday"), "Published since"),
        (("sort", "price"), "Sort"),
        (("columns", "weight"), "Column"),
        (("page", "0"), "Page"),
        (("page", "-1"), "Page"),
        (("page", "²"), "Page"),
        (("page", "9" * 30), "Page"),
        (("page", "3"), "Page"),
    ],
)
def test_a_value_that_the_table_does_not_know_is_left_out_and_said(products, props, pair, label):
    table = props(pair)
    assert table["ignored"] == [{"label": label, "value": pair[1]}]
    assert table["activeFilters"] == []
    assert table["total"] == {"count": 3, "isMore": False}


def test_untouched_fields_of_the_form_and_defaults_leave_no_trace(products, props):
    query = [("level", ""), ("name", " "), ("since", ""), ("sort", "-published"), ("page", "1")]
    table = props(*query, *(("columns", key) for key in COURSES.default_columns))
    assert table["ignored"] == []
    assert table["clearHref"] == PATH
    assert shown(table) == ["Course 2", "Course 1"]


def test_columns_come_in_the_order_of_the_table_with_the_first_one(products, props):
    table = props(("columns", "price"), ("columns", "level"))
    assert [column["key"] for column in table["columns"]] == ["name", "level", "price"]
    chosen = [choice["key"] for choice in table["columnChoices"] if choice["selected"]]
    assert chosen == ["level", "price"]


def test_the_choice_of_order_names_both_directions(products, props):
    labels = [entry["label"] for entry in props()["sorts"]]
    assert labels == [
        "Published, oldest first",
        "Published, newest first",
        "Popularity, lowest first",
        "Popularity, highest first",
    ]
    assert [entry["value"] for entry in props()["sorts"] if entry["selected"]] == ["-published"]


@pytest.mark.each_database
def test_more_rows_than_are_counted_are_said_to_be_more(products, props, monkeypatch):
    monkeypatch.setattr(list_page, "MAX_COUNT", 2)
    table = props()
    assert table["total"] == {"count": 2, "isMore": True}
    assert table["pagination"]["next"] is None


LETTER_LIST = TableSpec(
    caption="Dead letters",
    source=ListSource(
        rows=select(LETTERS.task), make=tuple, key=LETTERS.id, filters={"task": LETTERS.task.__eq__}, only_grows=True
    ),
    columns=(cells.text("task", "Task", lambda row: row[0]),),
    filters=(search("task", "Task"),),
    page_size=2,
    has_csv=False,
    empty=EMPTY,
)


@pytest.mark.each_database
def test_a_list_that_only_grows_has_links_to_older_rows_and_back(session, props):
    letters = [DeadLetter(failed_at=NOON, task=f"task {number}", body={}, error="no") for number in range(5)]
    session.add_all(letters)
    session.flush()
    first = props(spec=LETTER_LIST)
    assert (shown(first), first["pagination"], first["csvHref"]) == (["task 4", "task 3"], None, None)
    assert first["older"] == {"newest": None, "older": f"{PATH}?before={letters[3].id}"}
    last = props(("before", str(letters[1].id)), spec=LETTER_LIST)
    assert (shown(last), last["older"]) == (["task 0"], {"newest": PATH, "older": None})
    assert props(("before", "x"), spec=LETTER_LIST)["ignored"] == [{"label": "Older than", "value": "x"}]


def test_a_table_names_the_parameters_for_the_row_of_its_page():
    assert COURSES.parameters == ("level", "name", "since", "sort", "columns", "page")
    assert LETTER_LIST.parameters == ("task", "sort", "columns", "before")


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"columns": ()}, "key of its own"),
        ({"columns": (*COURSES.columns, COURSES.columns[0])}, "key of its own"),
        ({"columns": COURSES.columns[:3]}, "sorts of the source"),
        ({"columns": COURSES.columns[4:] + COURSES.columns[2:3]}, "first column is hidden"),
        ({"filters": ()}, "filters are not"),
        ({"filters": (*COURSES.filters, search("page", "Page"))}, "name that is taken"),
        ({"default_sort": "-price"}, "no such default sort"),
    ],
)
def test_a_table_that_does_not_fit_its_source_fails_at_start(changes, problem):
    with pytest.raises(ValueError, match=problem):
        replace(COURSES, **changes)
