"""Which rows are the same product, and what their addresses are made of."""

import pytest

from domain.catalogue_import import validate as import_validate
from domain.catalogue_import import write as import_writing
from domain.catalogue_import.columns import ColumnRules
from domain.tables import Product
from tests.domain.catalogue_import.reading import read
from tests.support.factories import NOON
from tests.support.shops import USD

ALL = {"category": "Computing", "list_price": "49"}


def slugs_of(tmp_path, rows, **rules):
    return [record.slug for record in read(tmp_path, rows, constants=ALL, **rules).records]


def test_titles_that_share_a_latin_word_are_products_of_their_own(tmp_path):
    titles = ["Orbit の基礎", "Orbit の応用", "أساسيات Orbit", "Основи Orbit", "Orbit", "Orbit: 初級", "Orbit: בסיס"]
    assert slugs_of(tmp_path, [{"title": title} for title in titles]) == [
        *("orbit-の基礎", "orbit-の応用", "أساسيات-orbit", "основи-orbit", "orbit", "orbit-初級", "orbit-בסיס"),
    ]


ADDRESSES = {
    "endings that say nothing": ("https://learn.example/{}/preview", ["n1_cs13", "n1_cs47"], ["law", "tax"]),
    "scripts with a number": ("http://learn.example/course/view.php?id={}", ["7", "8"], ["law", "tax"]),
    "keys of open courses": ("https://learn.example/courses/course-v1:{}+2026/about", ["A", "B"], ["law", "tax"]),
    "names in two lists": ("https://learn.example/{}/first-steps?ref=x", ["learn", "tracks"], ["first-steps"] * 2),
    "the address of the site alone": ("https://{}.example/", ["a", "b"], ["law", "tax"]),
    "no scheme": ("www.learn.example/course/{}/?couponCode=SPRING", ["aa", "bb"], ["aa", "bb"]),
}


@pytest.mark.parametrize(("form", "parts", "slugs"), ADDRESSES.values(), ids=ADDRESSES)
def test_an_address_is_the_identity_where_there_is_no_id(tmp_path, form, parts, slugs):
    rows = [{"title": title, "url": form.format(part)} for title, part in zip(("Law", "Tax"), parts, strict=True)]
    assert slugs_of(tmp_path, rows) == slugs


@pytest.mark.each_database
def test_two_addresses_that_end_alike_get_two_pages_once(database, tmp_path):
    path = tmp_path / "file.csv"
    path.write_text("title,url\nLaw,https://a.example/learn/law?q=1\nLaw,https://a.example/tracks/law\n")
    plan = import_validate.check(path, "courses", USD, ColumnRules(constants=ALL))
    results = [import_writing.write_plan(plan, database.write_session, NOON) for _ in range(2)]
    assert [(result.added, result.changed, result.unchanged) for result in results] == [(2, 0, 0), (0, 0, 2)]
    with database.read_session() as session:
        assert {row.source_id: row.slug for row in session.query(Product)} == {
            "a.example/learn/law": "law",
            "a.example/tracks/law": "law-tracks",
        }


def test_a_product_imported_by_its_slug_before_is_found_by_its_address(database, tmp_path):
    path = tmp_path / "file.csv"
    for text in ("slug,title\nlaw,Law\n", "url,title\nhttps://a.example/learn/law,Law\n"):
        path.write_text(text)
        plan = import_validate.check(path, "courses", USD, ColumnRules(constants=ALL))
        result = import_writing.write_plan(plan, database.write_session, NOON)
    assert (result.added, result.changed) == (0, 1)
    with database.read_session() as session:
        assert [(row.slug, row.source_id) for row in session.query(Product)] == [("law", "a.example/learn/law")]


def test_one_title_of_two_providers_is_two_courses(tmp_path):
    rows = [{"title": "Law", "provider": "North"}, {"title": "Law", "provider": "South"}]
    assert [record.source_id for record in read(tmp_path, rows, constants=ALL).records] == ["law@north", "law@south"]


def test_stock_numbers_tell_items_of_one_name_apart(tmp_path):
    rows = [{"sku": "L-1", "title": "Law"}, {"sku": "L-2", "title": "Law"}]
    found = read(tmp_path, rows, "items", constants=ALL)
    assert [(record.source_id, record.sku) for record in found.records] == [("L-1", "L-1"), ("L-2", "L-2")]


REPEATS = {
    "the same row": (
        [{"id": "1", "title": "Law"}] * 2,
        {"repeats": "element 2: 1 again, first on line 1"},
    ),
    "an id with other values": (
        [{"id": "1", "title": "Law", "level": "beginner"}, {"id": "1", "title": "Law", "level": "advanced"}],
        {"repeats": "element 2: 1 again with other values, first on line 1"},
    ),
    "an id of two titles": (
        [{"id": "1", "title": "Law"}, {"id": "1", "title": "Tax"}],
        {"bad": "element 2: 1 is also the identity of line 1, whose name is another"},
    ),
    "a title with other values and nothing else": (
        [{"title": "Law", "level": "beginner"}, {"title": "Law", "level": "advanced"}],
        {
            "bad": "element 2: has the name of line 1 and other values, and nothing tells the two apart: "
            "map a column that does to source_id"
        },
    ),
}


@pytest.mark.parametrize(("rows", "told"), REPEATS.values(), ids=REPEATS)
def test_a_second_row_of_a_product_is_told_with_the_reason(tmp_path, rows, told):
    found = read(tmp_path, rows, constants=ALL)
    assert len(found.records) == 1
    assert {name: list(getattr(found, name).values()) for name in ("bad", "repeats")} == {
        "bad": [],
        "repeats": [],
        **{name: [reason] for name, reason in told.items()},
    }


def test_ids_that_a_spreadsheet_broke_are_no_identity(tmp_path):
    rows = [{"id": "#NAME?", "slug": slug, "name": slug.title()} for slug in ("law", "tax")]
    found = read(tmp_path, rows, constants=ALL)
    assert [(record.source_id, record.slug) for record in found.records] == [(None, "law"), (None, "tax")]
    assert "#NAME? is no id but an error of a spreadsheet" in found.doubts[1]
