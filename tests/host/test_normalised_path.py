"""Sloppy addresses move once, for good, to the exact one; what is no page of ours never becomes a redirect."""

import pytest

from tests.host.site import SHARED

pytestmark = SHARED

MOVES = [
    ("/Shop", "/shop"),
    ("/shop/", "/shop"),
    ("/Shop/?page=2", "/shop?page=2"),
    ("//shop", "/shop"),
    ("/shop//", "/shop"),
    ("//", "/"),
    ("/SHOP?Category=Tax&x=%20+%F0%9F%93%9A", "/shop?Category=Tax&x=%20+%F0%9F%93%9A"),
    ("/Course-Details?course=VAT", "/course-details?course=VAT"),
    ("/Shop-Details/7/", "/shop-details/7"),
    ("/shop-details//7", "/shop-details/7"),
    ("/EMAIL-VERIFY/aBc%20%C3%84.d?x=1", "/email-verify/aBc%20%C3%84.d?x=1"),
    ("/Completed/%0d%0aSet-Cookie:x", "/completed/%0D%0ASet-Cookie:x"),
    ("/Order/%2F%2Fevil.com", "/order/evil.com"),
]
STAYS = [
    "/shop",
    "/shop-details/ABC",
    "/order/AbC",
    "/Email-Verify/ab%2Fcd",
    "//evil.com",
    "//evil.com/shop",
    "///evil.com/",
    "/\\evil.com",
    "/%2F%2Fevil.com",
    "/nothing/",
    "/Nothing",
    "/api/Contact/",
    "/API/contact",
    "/static/",
    "/robots.txt/",
]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(("target", "exact"), MOVES)
async def test_a_sloppy_address_moves_once_and_keeps_its_query(site, method, target, exact):
    answer = await site.ask(target, method)
    assert (answer.status, answer.headers.get("Location")) == (301, exact)
    again = await site.ask(exact, method)
    assert again.status in (200, 404)


@pytest.mark.parametrize("target", STAYS)
async def test_an_exact_address_and_one_of_no_page_do_not_move(site, target):
    answer = await site.ask(target)
    assert answer.status in (200, 404, 405)
    assert "Location" not in answer.headers


@pytest.mark.parametrize("target", ["/shop?page=2&page=2", "/?", "/shop?Category=Tax"])
async def test_a_query_is_left_as_it_is(site, target):
    assert (await site.ask(target)).status == 200


async def test_a_redirect_holds_nothing_that_a_browser_would_run(site):
    answer = await site.ask("/Shop?<script>alert(1)</script>")
    assert (answer.status, answer.headers["Content-Type"]) == (301, "text/plain; charset=utf-8")
    assert b"<script>" not in answer.body


async def test_a_full_address_in_the_request_line_names_no_other_host(site):
    answer = await site.ask("http://evil.com/Shop/")
    assert (answer.status, answer.headers["Location"]) == (301, "/shop")
