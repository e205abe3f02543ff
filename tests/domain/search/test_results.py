"""Order, facets, sorts, pages and limits of a search, and what is offered when there are few or no results."""

from decimal import Decimal

import pytest
from sqlalchemy import select

from domain.catalogue import facet_cells
from domain.catalogue import listing as catalogue_listing
from domain.catalogue.listing import FACETS, PAGE_SIZE, SORTS, ShopQuery
from domain.search import index as search_index
from domain.search import suggestions
from domain.search.facet_index import facet_index_of
from domain.search.facets import tally
from domain.search.postings import MAX_POSTINGS, PostingReader
from domain.search.tokenizer import query_of
from domain.search.vocabulary import MAX_CONTINUATIONS, terms_of
from domain.tables import Product
from tests.domain.search.demo_shop import find, names
from tests.support import factories
from tests.support.factories import NOON

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
    """Published courses of one category, each from its columns."""
    tax = factories.category(session)
    created = [
        factories.course(
            session, tax.id, f"course-{number}", **{"subtitle": "", "detail": {"description": ""}, **about}
        )
        for number, about in enumerate(courses, start=1)
    ]
    search_index.index_products(session, [course.id for course in created])


def named(*names_of_courses):
    return [{"name": name} for name in names_of_courses]


def test_the_whole_name_comes_before_a_phrase_in_it_and_that_before_loose_words(session):
    courses = ["Ethics and tax audit", "A guide to tax ethics", "Tax ethics", "Tax for ethics people", "Tax ethics now"]
    fill(session, *({"name": name, "popularity": 5 - at} for at, name in enumerate(courses)))
    assert names(find(session, "tax ethics")) == [courses[index] for index in (2, 1, 4, 0, 3)]


def test_a_name_that_begins_and_ends_with_a_word_is_not_the_whole_name(session):
    fill(session, *named("Javascript for users of Javascript", "Spring for Java", "Java"))
    assert names(find(session, "java")) == ["Java", "Spring for Java", "Javascript for users of Javascript"]


def test_the_name_outweighs_everything_else(session):
    everywhere = {"description": "audit", "outcomes": ["audit"], "sections": [{"title": "audit", "lessons": []}]}
    fill(session, {"name": "Law", "subtitle": "audit", "popularity": 9, "detail": everywhere}, {"name": "Audit"})
    assert names(find(session, "audit")) == ["Audit", "Law"]


def test_ties_are_ordered_by_the_number_of_learners(session):
    fill(
        session,
        *(
            {"name": f"Audit {letter}", "popularity": chosen}
            for letter, chosen in zip("abcd", (7, 9000, 0, 9001), strict=True)
        ),
    )
    assert names(find(session, "audit")) == ["Audit d", "Audit b", "Audit a", "Audit c"]


@pytest.mark.each_database
def test_pages_of_ties_neither_repeat_nor_omit_products(session):
    fill(session, *({"name": "Audit", "popularity": number // 7} for number in range(2 * PAGE_SIZE + 5)))
    pages = [[row.id for row in find(session, "audit", page=page).rows] for page in (1, 2, 3, 4)]
    everything = [row for page in pages for row in page]
    popular = list(session.scalars(select(Product.id).order_by(Product.popularity.desc(), Product.id.desc())))
    assert ([len(page) for page in pages], everything) == ([PAGE_SIZE, PAGE_SIZE, 5, 0], popular)


@pytest.mark.parametrize("query", FILTERS, ids=str)
def test_facets_of_all_products_are_those_of_the_shop(demo, query):
    ids = demo.scalars(select(Product.id).where(Product.status == "published")).all()
    index = facet_index_of(demo, ids, query.price_scale, NOON)
    assert tally(index, ids, query) == facet_cells.facet_counts(demo, query, NOON)


@pytest.mark.parametrize("query", FILTERS[1:], ids=str)
def test_filters_narrow_the_results_and_their_count(demo, query):
    chosen = {facet: query.selected(facet) for facet in FACETS}
    unfiltered, result = find(demo, "excel tax vat data", page=1), find(demo, "excel tax vat data", **chosen)
    expected = [row.name for row in catalogue_listing.card_page(demo, query, NOON)[1]]
    assert (result.everything, result.total) == (unfiltered.everything, len(result.rows))
    assert set(names(result)) <= set(expected)


@pytest.mark.parametrize("sort", SORTS)
def test_sorts_are_those_of_the_shop(demo, sort):
    ids = [row.id for row in find(demo, "tax", sort=sort).rows]
    listed = [catalogue_listing.card_page(demo, ShopQuery(sort=sort, page=page), NOON)[1] for page in range(1, 5)]
    order = [row.id for page in listed for row in page]
    assert ids == sorted(ids, key=order.index)
    assert set(ids) == {row.id for row in find(demo, "tax").rows}


@pytest.mark.each_database
def test_no_word_reads_more_postings_than_allowed_and_the_best_are_among_them(session):
    fill(session, *({"name": f"Audit of law {number}", "popularity": number * 100} for number in range(40)))
    reader = PostingReader(session, max_postings=10)
    terms = terms_of(session, query_of("audit law"))
    hits = reader.all_of(terms)
    assert (reader.read, reader.is_truncated) == ({"audit": 10, "law": 10}, True)
    best = session.scalars(select(Product.id).order_by(Product.popularity.desc()).limit(10)).all()
    assert set(hits["audit"]) == set(hits["law"]) == set(best)


@pytest.mark.each_database
def test_a_rare_word_finds_its_product_though_the_other_word_is_everywhere(session):
    fill(session, *named(*(f"Audit {number}" for number in range(30)), "Audit of zebras"))
    reader = PostingReader(session, max_postings=5)
    hits = reader.all_of(terms_of(session, query_of("audit zebras")))
    assert (len(hits["audit"]), reader.read, reader.is_truncated) == (1, {"zebras": 1, "audit": 1}, False)


@pytest.mark.each_database
def test_a_beginning_finds_a_rare_word_in_products_with_the_other_words(session):
    often = [name for number in range(MAX_CONTINUATIONS + 2) for name in 2 * [f"Bo{number}x"]]
    fill(session, *named(*often, "Border of Spain", "Border"))
    result = find(session, "spain bo")
    assert (result.answer, names(result)) == ("exact", ["Border of Spain"])
    assert max(result.read.values()) <= MAX_POSTINGS
    assert [suggestion.text for suggestion in suggestions.suggest(session, "spain bo")] == ["Border of Spain"]


def test_another_spelling_is_offered_when_there_are_few_results(session):
    fill(session, *named("Formal writing", *(f"Format {number}" for number in range(8)), "Formut"))
    result = find(session, "formut")
    assert (result.answer, result.did_you_mean) == ("exact", "format")
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
def test_one_edit_is_corrected_from_four_letters_two_from_eight(session, typed, meant):
    fill(session, *named("Audit", "Consolidation", "VAT", "IFRS15", "Web 3"))
    result = find(session, typed)
    assert (result.answer, result.normalised_query) == (("corrected", meant) if meant else (result.answer, typed))


def test_the_most_similar_word_is_chosen_then_the_most_frequent(session):
    fill(session, *named("Taxing", "Talking", "Talking again", "Tasking"))
    assert find(session, "taking").normalised_query == "talking"


def test_only_the_last_word_may_be_incomplete(session):
    fill(session, *named("Consolidation of groups"))
    assert [find(session, typed).answer for typed in ("groups conso", "conso ", "conso groups")] == [
        "exact",
        "none",
        "partial",
    ]
    assert Decimal(find(session, "conso").total) == 1
