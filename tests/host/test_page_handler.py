"""Every row of routes.json through the whole application: status, robots, canonical."""

import asyncio

import pytest
from aiohttp import ClientPayloadError

from domain.routes import table
from tests.host.pages import PAGES, replace_loader
from tests.host.site import ORIGIN, SHARED
from tests.support.waiting import DEADLINE_S

pytestmark = SHARED

# What search engines may keep: address to ask for -> canonical address.
SERVED = {
    "home": ("/", "/"),
    "about": ("/about", "/about"),
    "contact": ("/contact", "/contact"),
    "course-details": ("/course-details?course=vat-basics", "/course-details?course=vat-basics"),
    "refund-grievance-policy": ("/refund-grievance-policy", "/refund-grievance-policy"),
    "shop": ("/shop", "/shop"),
    "shop-details": ("/shop-details/{item}", "/shop-details/{item}"),
}
WHOOPS = "Whoops, this is embarassing. Looks like the page you were looking for wasn't found."


async def test_every_page_that_search_engines_may_keep_has_an_address_here():
    assert {page.id for page in table() if page.indexable} == {*SERVED}


@pytest.mark.parametrize("page", SERVED)
async def test_a_served_page_may_be_kept_under_its_canonical_address(site, page):
    path, canonical = (text.format(item=site.id_of("tax-tables")) for text in SERVED[page])
    found = await site.document(path)
    assert (found.status, found.is_rendered, found.state["page"]) == (200, True, page)
    assert (found.meta("robots"), found.headers.get("X-Robots-Tag")) == ("index, follow", None)
    assert (found.canonical, found.meta("og:url")) == (ORIGIN + canonical, ORIGIN + canonical)


async def test_the_error_page_has_the_words_of_the_specification(plain_site):
    found = await plain_site.document("/nothing/here?secret=1")
    assert (found.status, found.title) == (404, "Error Page")
    for words in ("404", "Page not found: /nothing/here", WHOOPS, "Back to Home"):
        assert words in found.words
    assert found.all("a", href="/")


async def test_the_error_page_suggests_courses_that_are_published(site):
    found = await site.document("/nothing")
    suggested = [card["href"] for card in found.state["props"]["suggestions"]]
    assert suggested[0] == "/course-details?course=vat-basics"
    assert len(suggested) == 4


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/course-details", 404),
        ("/course-details?course=", 404),
        ("/course-details?course=unknown", 404),
        ("/course-details?course=draft-course", 404),
        ("/course-details?course=coming-course", 404),
        ("/course-details?course=" + "x" * 3000, 404),
        ("/course-details?id=", 404),
        ("/course-details?id=0", 404),
        ("/course-details?id=-1", 404),
        ("/course-details?id=9999999999999999", 404),
        ("/course-details?course=old-course", 200),
        ("/course-details?course=ended-course", 200),
        ("/shop-details/0", 404),
        ("/shop-details/abc", 404),
        ("/shop-details/1.5", 404),
        ("/shop-details/%D9%A3", 404),
        ("/shop-details/99999999999999999999", 404),
        ("/shop?page=1", 200),
        ("/shop?page=2", 200),
        ("/shop?page=3", 404),
        ("/shop?page=0", 404),
        ("/shop?page=-1", 404),
        ("/shop?page=1e3", 404),
        ("/shop?page=%D9%A3", 404),
        ("/shop?page=9999999", 404),
        ("/shop?page=", 404),
        ("/shop?category=nowhere", 200),
        ("/shop?category=tax&level=advanced", 404),
    ],
)
async def test_status_is_settled_by_what_the_records_hold(site, path, status):
    found = await site.document(path)
    assert (found.status, found.state["status"]) == (status, status)


async def test_what_was_sold_once_is_gone_or_has_moved(site):
    ended, old = (site.id_of(slug) for slug in ("ended-item", "old-item"))
    gone = await site.document(f"/shop-details/{ended}")
    assert (gone.status, gone.title, gone.state["props"]["message"]) == (
        410,
        "Error Page",
        "This item is no longer sold.",
    )
    moved = await site.get(f"/shop-details/{old}")
    assert (moved.status, moved.headers["Location"]) == (301, "/course-details?course=vat-basics")


async def test_a_course_by_its_number_moves_to_its_name(site):
    number = site.id_of("vat-basics")
    answer = await site.get(f"/course-details?id={number}")
    assert (answer.status, answer.headers["Location"]) == (301, "/course-details?course=vat-basics")
    item = await site.get(f"/course-details?id={site.id_of('tax-tables')}")
    assert item.status == 404


async def test_an_item_with_zeros_before_its_number_moves_to_the_number(site):
    number = site.id_of("tax-tables")
    answer = await site.get(f"/shop-details/00{number}")
    assert (answer.status, answer.headers["Location"]) == (301, f"/shop-details/{number}")


@pytest.mark.parametrize(
    "path",
    [
        "/course-details?course=%00",
        "/course-details?course=%FF",
        "/course-details?course=%ED%A0%80",
        "/shop?language=%00",
        "/shop?category=%F0%9F%93%9A&sort=%ff",
        "/shop?" + "&".join(f"language={number}" for number in range(300)),
        "/%00",
        "/%FF%FE",
        "/%ED%A0%80",
        "/shop-details/%00",
        "/..%2f..%2fetc/passwd",
        "/static/%00",
        "/static/..%2f..%2fsetup.cfg",
        "/static/" + "x" * 300,
        "/static/css",
        "/pictures/course/tax/%3C%2Fsvg%3E/0.svg",
        "/data/%00",
        "/data//evil.com",
    ],
)
async def test_no_address_is_answered_with_an_error_of_ours(site, path):
    answer = await site.get(path)
    assert answer.status in (200, 404)


@pytest.mark.parametrize("path", ["/", "/shop", "/course-details?course=vat-basics", "/nothing", "/robots.txt"])
async def test_head_is_get_without_the_body(site, path):
    head, get = await site.get(path, method="HEAD"), await site.get(path)
    assert (head.status, await head.read()) == (get.status, b"")
    for name in ("Content-Type", "Cache-Control", "X-Robots-Tag", "Vary"):
        assert head.headers.get(name) == get.headers.get(name)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"])
async def test_a_page_is_only_read(site, method):
    answer = await site.get("/shop", method=method)
    assert (answer.status, answer.content_type) == (405, "application/problem+json")
    assert answer.headers["Allow"] == "GET, HEAD"


@pytest.mark.parametrize("page", ["cart", "wishlist"])
async def test_a_page_that_the_browser_draws_says_the_same_to_everyone(site, page):
    found = await site.document(f"/{page}")
    assert (found.status, found.is_rendered, found.state["page"]) == (200, True, page)
    assert (found.meta("robots"), found.headers["X-Robots-Tag"]) == ("noindex, follow", "noindex")


@pytest.mark.asyncio(loop_scope="function")
async def test_an_error_after_the_head_was_sent_ends_the_connection(open_site, monkeypatch, caplog):
    load = PAGES["about"].load

    async def load_without_title(request):
        result = await load(request)
        del result.props["title"]
        return result

    replace_loader(monkeypatch, "about", load_without_title)
    site = await open_site()
    async with asyncio.timeout(DEADLINE_S), site.client.get("/about") as answer:
        with pytest.raises(ClientPayloadError):
            await answer.read()
    assert "GET /about failed" in caplog.text
