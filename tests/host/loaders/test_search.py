"""/search through the whole application: results, facets, sorts, pages, help, and nothing that a query can break."""

import pytest

from domain.errors import ServiceUnavailable
from tests.host.site import SHARED
from tests.host.small_shop import HOSTILE, PLAIN

pytestmark = SHARED

VAT = "/course-details?course=vat-basics"


async def props(site, path):
    return (await site.data(path))["props"]


async def test_the_page_is_rendered_on_the_server_and_not_indexable(site):
    document = await site.document("/search?q=vat")
    assert (document.status, document.is_rendered, document.state["page"]) == (200, True, "search")
    assert (document.title, document.canonical) == ("Search: vat | Meridian Learning", None)
    assert (document.meta("robots"), document.headers["X-Robots-Tag"]) == ("noindex, follow", "noindex")
    assert [card["href"] for card in document.state["props"]["cards"]] == [VAT]


@pytest.mark.parametrize(
    ("query", "answer", "total"),
    [
        ("q=vat", "exact", 1),
        ("q=baiscs+vat", "corrected", 1),
        ("q=vat+qwrtz", "partial", 1),
        ("q=qwrtz", "none", 0),
        ("q=", "empty", 0),
        ("q=%20%09%00", "empty", 0),
        ("", "empty", 0),
        ("q=%25", "none", 0),
        ("q=%FF%FE", "none", 0),
        ("q=course&level=beginner", "exact", PLAIN),
    ],
)
async def test_a_query_returns_the_expected_answer_and_results(site, query, answer, total):
    answered = await props(site, f"/search?{query}")
    assert (answered["answer"], answered["total"]) == (answer, total)


async def test_a_corrected_query_can_be_searched_as_typed(site):
    mended = await props(site, "/search?q=basisc")
    assert (mended["normalisedQuery"], mended["exactHref"]) == ("basics", "/search?q=basisc&exact=1")
    typed = await props(site, mended["exactHref"])
    assert (typed["answer"], typed["unknown"], typed["exactHref"]) == ("none", ["basisc"], None)


async def test_facets_sorts_and_pages_are_parameters_beside_the_query(site):
    page = await props(site, "/search?q=course&category=data")
    (data,) = [facet for facet in page["facets"] if facet["name"] == "category"]
    (chosen,) = [option for option in data["options"] if option["selected"]]
    assert (chosen["href"], chosen["count"], chosen["nofollow"]) == ("/search?q=course", PLAIN, True)
    assert page["active"] == [{"label": "Data", "href": "/search?q=course"}]
    assert page["clearHref"] == "/search?q=course"
    sorts = {entry["value"]: (entry["href"], entry["selected"]) for entry in page["sort"]}
    assert sorts["relevance"] == ("/search?q=course&category=data", True)
    assert sorts["newest"] == ("/search?q=course&category=data&sort=newest", False)
    assert page["pagination"]["next"] == "/search?q=course&category=data&page=2"


async def test_pages_hold_each_result_once_and_none_follow_the_last_page(site):
    pages = [await props(site, f"/search?q=course&page={number}") for number in (1, 2)]
    assert [len(page["cards"]) for page in pages] == [24, pages[0]["total"] - 24]
    assert len({card["id"] for page in pages for card in page["cards"]}) == pages[0]["total"]
    for number in ("3", "0", "x", "-1"):
        assert (await site.get(f"/search?q=course&page={number}")).status == 404


async def test_a_sort_of_the_shop_sorts_the_results(site):
    cards = (await props(site, "/search?q=course&sort=price-high"))["cards"]
    prices = [card["price"] for card in cards]
    assert prices == sorted(prices, reverse=True)


async def test_filters_without_results_keep_the_facets(site):
    page = await props(site, "/search?q=vat&kind=book")
    assert (page["answer"], page["total"], page["cards"]) == ("exact", 0, [])
    assert any(facet["options"] for facet in page["facets"])


async def test_a_search_without_results_offers_help(site):
    page = await props(site, "/search?q=qwrtz")
    assert (page["unknown"], page["courses"][0]["href"]) == (["qwrtz"], VAT)


async def test_a_long_query_is_cut(site):
    page = await props(site, f"/search?q={'x' * 300}")
    assert page["query"] == "x" * 200


async def test_a_hostile_query_stays_text(site, plain_site):
    for entry in (site, plain_site):
        document = await entry.document("/search?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E%27%26")
        assert document.state["props"]["query"] == "\"><script>alert(1)</script>'&"
        assert not [text for about, text in document.scripts if "alert" in text and about.get("id") != "state"]
        assert "<script>alert" not in document.html


async def test_the_plain_page_is_a_form_with_its_results(plain_site):
    document = await plain_site.document("/search?q=tax+tables")
    assert document.all("form", action="/search", method="get")
    assert document.all("input", name="q")[0]["value"] == "tax tables"
    assert f"/shop-details/{plain_site.id_of('tax-tables')}" in document.links


async def test_a_hostile_name_is_found(site):
    (card,) = (await props(site, "/search?q=alert+sons"))["cards"]
    assert card["name"] == HOSTILE


@pytest.mark.asyncio(loop_scope="function")
async def test_without_the_database_a_search_is_503_with_retry_after(own_site, monkeypatch):
    async def away(*_about, **_more):
        raise ServiceUnavailable("The site is temporarily unavailable.")

    monkeypatch.setattr(own_site.db, "read", away)
    document = await own_site.document("/search?q=vat")
    assert (document.status, document.title, document.is_rendered) == (503, "Error Page", True)
    assert (document.meta("robots"), document.headers["Retry-After"]) == ("noindex, follow", "5")
    answer = await own_site.get("/api/search/suggest?q=vat")
    assert (answer.status, answer.headers["Retry-After"]) == (503, "5")
    assert (await answer.json())["title"] == "The site is temporarily unavailable"
