"""Order, facets, sorts, pages and limits of a search, and what is offered when there is little or nothing."""

from decimal import Decimal

import pytest
from sqlalchemy import select

from domain import catalogue, search
from domain.catalogue import FACETS, PAGE_SIZE, SORTS, ShopQuery
from domain.search.facets import tally
from domain.search.reading import MOST_POSTINGS, Reader
from domain.search.tokens import query_of
from domain.search.vocabulary import MOST_CONTINUATIONS, terms_of
from domain.tables import Product
from tests import factories
from tests.domain.searching import find, names
from tests.factories import NOON

FILTERS = [
    ShopQuery(),
    ShopQuery(category=("tax",)),
    ShopQuery(category=("data", "tax"), level=("beginner",)),
    ShopQuery(price=("free", "under-50"), kind=("course",)),
    ShopQuery(language=("de", "en"), duration=("2h-5h",), level=("intermediate",)),
    ShopQuery(kind=("book", "voucher")),
    ShopQuery(category=("unknown",)),
]


def fill(session, *courses):
    """Published courses of one category, each given as its columns."""
    tax = factories.category(session)
    made = [
        factories.course(
            session, tax.id, f"course-{number}", **{"subtitle": "", "detail": {"description": ""}, **about}
        )
        for number, about in enumerate(courses, start=1)
    ]
    search.index_products(session, [course.id for course in made])


def named(*given):
    return [{"name": name} for name in given]


def test_the_whole_name_comes_before_a_phrase_in_it_and_that_before_loose_words(session):
    given = ["Ethics and tax audit", "A guide to tax ethics", "Tax ethics", "Tax for ethics people", "Tax ethics now"]
    fill(session, *({"name": name, "popularity": 5 - at} for at, name in enumerate(given)))
    assert names(find(session, "tax ethics")) == [given[2], given[1], given[4], given[0], given[3]]


def test_a_name_that_begins_and_ends_with_a_word_is_more_than_the_word(session):
    fill(session, *named("Javascript for users of Javascript", "Spring for Java", "Java"))
    assert names(find(session, "java")) == ["Java", "Spring for Java", "Javascript for users of Javascript"]


def test_the_name_outweighs_everything_else(session):
    everywhere = {"description": "audit", "outcomes": ["audit"], "sections": [{"title": "audit", "lessons": []}]}
    fill(session, {"name": "Law", "subtitle": "audit", "popularity": 9, "detail": everywhere}, {"name": "Audit"})
    assert names(find(session, "audit")) == ["Audit", "Law"]


def test_among_equals_the_one_that_more_learners_chose_comes_first(session):
    fill(
        session,
        *(
            {"name": f"Audit {letter}", "popularity": chosen}
            for letter, chosen in zip("abcd", (7, 9000, 0, 9001), strict=True)
        ),
    )
    assert names(find(session, "audit")) == ["Audit d", "Audit b", "Audit a", "Audit c"]


def test_pages_of_equals_neither_repeat_nor_leave_out(session):
    fill(session, *({"name": "Audit", "popularity": number // 7} for number in range(2 * PAGE_SIZE + 5)))
    pages = [[row.id for row in find(session, "audit", page=page).rows] for page in (1, 2, 3, 4)]
    everything = [row for page in pages for row in page]
    popular = list(session.scalars(select(Product.id).order_by(Product.popularity.desc(), Product.id.desc())))
    assert ([len(page) for page in pages], everything) == ([PAGE_SIZE, PAGE_SIZE, 5, 0], popular)


@pytest.mark.parametrize("query", FILTERS, ids=str)
def test_facets_of_everything_are_those_of_the_shop(demo, query):
    ids = demo.scalars(select(Product.id).where(Product.status == "published")).all()
    assert tally(demo, ids, query, NOON) == catalogue.facet_counts(demo, query, NOON)


@pytest.mark.parametrize("query", FILTERS[1:], ids=str)
def test_filters_narrow_the_results_and_their_count(demo, query):
    chosen = {facet: query.chosen(facet) for facet in FACETS}
    alone, found = find(demo, "excel tax vat data", page=1), find(demo, "excel tax vat data", **chosen)
    kept = [row.name for row in catalogue.card_page(demo, query, NOON)[1]]
    assert (found.everything, found.total) == (alone.everything, len(found.rows))
    assert set(names(found)) <= set(kept)


@pytest.mark.parametrize("sort", SORTS)
def test_sorts_are_those_of_the_shop(demo, sort):
    found = [row.id for row in find(demo, "tax", sort=sort).rows]
    listed = [catalogue.card_page(demo, ShopQuery(sort=sort, page=page), NOON)[1] for page in range(1, 5)]
    order = [row.id for page in listed for row in page]
    assert found == sorted(found, key=order.index)
    assert set(found) == {row.id for row in find(demo, "tax").rows}


def test_no_word_reads_more_postings_than_allowed_and_the_best_are_among_them(session):
    fill(session, *({"name": f"Audit of law {number}", "popularity": number * 100} for number in range(40)))
    reader = Reader(session, most=10)
    terms = terms_of(session, query_of("audit law"))
    found = reader.all_of(terms)
    assert (reader.read, reader.is_cut) == ({"audit": 10, "law": 10}, True)
    best = session.scalars(select(Product.id).order_by(Product.popularity.desc()).limit(10)).all()
    assert set(found["audit"]) == set(found["law"]) == set(best)


def test_a_rare_word_finds_its_product_though_the_other_word_is_everywhere(session):
    fill(session, *named(*(f"Audit {number}" for number in range(30)), "Audit of zebras"))
    reader = Reader(session, most=5)
    found = reader.all_of(terms_of(session, query_of("audit zebras")))
    assert (len(found["audit"]), reader.read, reader.is_cut) == (1, {"zebras": 1, "audit": 1}, False)


def test_a_beginning_finds_a_rare_word_beside_the_others_that_are_asked_for(session):
    often = [name for number in range(MOST_CONTINUATIONS + 2) for name in 2 * [f"Bo{number}x"]]
    fill(session, *named(*often, "Border of Spain", "Border"))
    found = find(session, "spain bo")
    assert (found.answer, names(found)) == ("exact", ["Border of Spain"])
    assert max(found.read.values()) <= MOST_POSTINGS
    assert [one.text for one in search.suggest(session, "spain bo")] == ["Border of Spain"]


def test_another_spelling_is_offered_when_there_is_little(session):
    fill(session, *named("Formal writing", *(f"Format {number}" for number in range(8)), "Formut"))
    found = find(session, "formut")
    assert (found.answer, found.did_you_mean) == ("exact", "format")
    assert find(session, "format").did_you_mean is None
    assert find(session, "formut", as_typed=True).did_you_mean is None


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("audti", "audit"),
        ("adit", "audit"),
        ("auddit", "audit"),
        ("aubit", "audit"),
        ("consolidatoin", "consolidation"),
        ("cnsolidtion", "consolidation"),
        ("konsolidazion", "consolidation"),
        ("vatt", "vat"),
        ("vta", None),
        ("va", None),
        ("ault", None),
        ("konzolidazion", None),
        ("ifrs51", None),
        ("audit2", None),
        ("web3", "web 3"),
    ],
)
def test_slips_are_forgiven_one_from_four_letters_two_from_eight(session, typed, meant):
    fill(session, *named("Audit", "Consolidation", "VAT", "IFRS15", "Web 3"))
    found = find(session, typed)
    assert (found.answer, found.understood) == (("corrected", meant) if meant else (found.answer, typed))


def test_the_nearest_word_is_meant_then_the_most_frequent(session):
    fill(session, *named("Taxing", "Talking", "Talking again", "Tasking"))
    assert find(session, "taking").understood == "talking"


def test_the_last_word_may_be_a_beginning_and_others_may_not(session):
    fill(session, *named("Consolidation of groups"))
    assert [find(session, typed).answer for typed in ("groups conso", "conso ", "conso groups")] == [
        "exact",
        "none",
        "partial",
    ]
    assert Decimal(find(session, "conso").total) == 1
