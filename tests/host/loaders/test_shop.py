"""/shop: facets, sorts and pages as plain links; which lists search engines may keep, and under which address."""

import pytest

from tests.host.site import ORIGIN, SHARED
from tests.host.small_shop import PUBLISHED

pytestmark = SHARED

INDEX, NOINDEX = "index, follow", "noindex, follow"


def facet_options(document, name):
    (facet,) = [entry for entry in document.state["props"]["facets"] if entry["name"] == name]
    return {option["value"]: option for option in facet["options"]}


@pytest.mark.parametrize(
    ("query", "canonical", "robots"),
    [
        ("", "/shop", INDEX),
        ("?page=1", "/shop", INDEX),
        ("?page=2", "/shop?page=2", INDEX),
        ("?utm_source=news", "/shop", INDEX),
        ("?category=data", "/shop?category=data", INDEX),
        ("?category=data&page=2", "/shop?category=data&page=2", INDEX),
        ("?category=law", "/shop?category=law", NOINDEX),
        ("?category=data&category=tax", "/shop", NOINDEX),
        ("?category=nowhere", "/shop", INDEX),
        ("?sort=rating", "/shop", NOINDEX),
        ("?sort=rating&page=2", "/shop?page=2", NOINDEX),
        ("?sort=upside-down", "/shop", INDEX),
        ("?level=beginner", "/shop", NOINDEX),
        ("?level=beginner&page=2", "/shop", NOINDEX),
        ("?category=data&level=beginner", "/shop?category=data", NOINDEX),
        ("?category=data&sort=newest", "/shop?category=data", NOINDEX),
        ("?kind=book", "/shop", NOINDEX),
        ("?price=free", "/shop", NOINDEX),
    ],
)
async def test_a_list_has_one_canonical_url(site, query, canonical, robots):
    document = await site.document("/shop" + query)
    assert (document.canonical, document.meta("robots")) == (ORIGIN + canonical, robots)
    assert document.headers.get("X-Robots-Tag") == (None if robots == INDEX else "noindex")


async def test_the_first_page_holds_24_cards_and_links_to_the_second(plain_site):
    document = await plain_site.document("/shop")
    props = document.state["props"]
    assert (props["total"], props["page"], props["pages"], len(props["cards"])) == (PUBLISHED, 1, 2, 24)
    for card in props["cards"]:
        assert card["href"] in document.links
    assert props["pagination"] == {
        "previous": None,
        "next": "/shop?page=2",
        "entries": [{"number": 1, "href": None}, {"number": 2, "href": "/shop?page=2"}],
    }
    assert "/shop?page=2" in document.links


async def test_the_last_page_links_back_to_the_first_without_a_number(site):
    props = (await site.document("/shop?page=2")).state["props"]
    links = props["pagination"]
    assert (len(props["cards"]), links["previous"], links["next"]) == (PUBLISHED - 24, "/shop", None)


async def test_filters_survive_paging_and_sorting(site):
    props = (await site.document("/shop?category=data&sort=price-low")).state["props"]
    assert props["pagination"]["next"] == "/shop?category=data&sort=price-low&page=2"
    hrefs = {option["value"]: (option["href"], option["selected"]) for option in props["sort"]}
    assert hrefs == {
        "popular": ("/shop?category=data", False),
        "newest": ("/shop?category=data&sort=newest", False),
        "rating": ("/shop?category=data&sort=rating", False),
        "price-low": ("/shop?category=data&sort=price-low", True),
        "price-high": ("/shop?category=data&sort=price-high", False),
    }
    assert props["clearHref"] == "/shop?sort=price-low"


async def test_a_facet_shows_the_number_of_results_of_its_link(site):
    document = await site.document("/shop?category=data")
    assert {value: option["count"] for value, option in facet_options(document, "category").items()} == {
        "tax": 4,
        "data": 26,
        "law": 2,
    }
    law = facet_options(document, "category")["law"]
    assert (law["href"], law["selected"]) == ("/shop?category=data&category=law", False)
    after = await site.document(law["href"])
    assert after.state["props"]["total"] == 26 + 2


async def test_the_link_of_a_selected_value_removes_it(site):
    document = await site.document("/shop?category=data&price=under-50&page=2")
    chosen = facet_options(document, "price")["under-50"]
    assert (chosen["selected"], chosen["href"]) == (True, "/shop?category=data")
    assert [selected["href"] for selected in document.state["props"]["active"]] == [
        "/shop?price=under-50",
        "/shop?category=data",
    ]


async def test_a_value_without_results_is_omitted_unless_selected(site):
    document = await site.document("/shop?category=tax&level=advanced")
    assert list(facet_options(document, "level")) == ["beginner", "advanced"]
    assert facet_options(document, "level")["advanced"]["count"] == 0


async def test_links_to_lists_that_are_not_indexable_are_nofollow(site):
    document = await site.document("/shop")
    assert {value: option["nofollow"] for value, option in facet_options(document, "category").items()} == {
        "tax": False,
        "data": False,
        # Two courses are too few for a page of its own.
        "law": True,
    }
    assert all(entry["nofollow"] for entry in facet_options(document, "price").values())


@pytest.mark.parametrize(
    "query",
    [
        "?price=under-50&category=data",
        "?category=data&category=data&price=under-50",
        "?category=data&price=under-50&colour=red",
        "?category=data&price=under-50&price=cheap&page=1",
    ],
)
async def test_equal_queries_have_the_same_links_in_any_spelling(site, query):
    props = (await site.document("/shop" + query)).state["props"]
    assert props["pagination"]["next"] == "/shop?category=data&price=under-50&page=2"


async def test_filters_without_results_give_a_page_with_help(site):
    document = await site.document("/shop?category=law&kind=book")
    props = document.state["props"]
    assert (document.status, props["total"], props["cards"]) == (404, 0, [])
    assert (document.meta("robots"), props["clearHref"]) == (NOINDEX, "/shop")
    assert [selected["label"] for selected in props["active"]] == ["Law", "Book"]


async def test_cards_show_the_current_price_and_the_list_price(site):
    cards = {card["name"]: card for card in (await site.document("/shop")).state["props"]["cards"]}
    assert (cards["VAT basics"]["price"], cards["VAT basics"]["listPrice"]) == (8000, 10000)
    assert (cards["Course 01"]["price"], cards["Course 01"]["listPrice"]) == (100, 100)


@pytest.mark.parametrize("slug", ["draft-course", "coming-course", "old-course", "ended-item"])
async def test_products_that_are_not_for_sale_are_on_no_list(site, slug):
    listed = [
        card["href"] for page in (1, 2) for card in (await site.document(f"/shop?page={page}")).state["props"]["cards"]
    ]
    assert len(listed) == len(set(listed)) == PUBLISHED
    assert not any(href.endswith((slug, f"/{site.id_of(slug)}")) for href in listed)


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("", "Courses and shop | Meridian Learning"),
        ("?page=2", "Courses and shop, page 2 | Meridian Learning"),
        ("?category=law", "Law courses and materials | Meridian Learning"),
        ("?category=data&page=2", "Data courses and materials, page 2 | Meridian Learning"),
        ("?category=data&category=law", "Courses and shop | Meridian Learning"),
    ],
)
async def test_each_list_has_its_own_title(site, query, title):
    assert (await site.document("/shop" + query)).title == title
