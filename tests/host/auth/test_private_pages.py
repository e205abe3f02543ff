"""What kept pages promise, beside members and visitors of a partner: theirs are drawn apart, and nobody gets another's.

Without that guard the same questions must come to other answers: the twin at the end.
"""

import asyncio

import pytest

from domain.errors import ServiceUnavailable
from host import page_handler
from host.page_cache import policy
from host.site_state import SITE
from tests.host.partners import APART, SEEN, restricted, through_a_doorway
from tests.support.waiting import until

HIDDEN_NAME = "Course 01"
VAT = f"/course-details?course={SEEN}"


@pytest.fixture(params=["member", "partner", "both"])
def viewer(request):
    """`await viewer(site)`: the Cookie header of a visitor who sees one course."""

    async def cookie(site) -> str:
        cookies = [restricted(site).cookie["Cookie"]] if request.param != "partner" else []
        return "; ".join([*cookies, *([await through_a_doorway(site)] if request.param != "member" else [])])

    return cookie


async def seen(site, **headers) -> tuple[bool, str]:
    """Whether a page shows a hidden product, and its Cache-Control."""
    answer = await site.get("/shop", **headers)
    return HIDDEN_NAME in await answer.text(), answer.headers["Cache-Control"]


async def check_separation(site, cookie: str) -> None:
    """An anonymous visitor and the viewer alternate, then both at once."""
    for _ in range(3):
        assert await seen(site, Cookie=cookie) == (False, APART[0])
        assert await seen(site, Cookie="CouponID=SPRING") == (True, "no-cache")
    views = await asyncio.gather(*(seen(site, **({"Cookie": cookie} if at % 2 else {})) for at in range(20)))
    assert [shows for shows, _ in views] == [True, False] * 10


async def test_no_visitor_gets_the_page_of_another_scope(partner_site, viewer):
    site = await partner_site()
    await check_separation(site, await viewer(site))


async def test_restricted_pages_are_never_cached(partner_site, viewer):
    site = await partner_site()
    cookie, everyones = await viewer(site), await site.get(VAT)
    for headers in ({}, {"If_None_Match": everyones.headers["ETag"]}, {"If_None_Match": "*"}):
        answer = await site.get(VAT, Cookie=cookie, **headers)
        assert (answer.status, answer.headers["Cache-Control"], answer.headers["Vary"]) == (200, *APART)
        assert answer.headers.keys().isdisjoint({"ETag", "X-Cache", "Last-Modified", "Set-Cookie"})


@pytest.mark.parametrize("coding", ["br", "gzip", "identity"])
async def test_no_encoding_and_no_parameter_leads_to_a_cached_page(partner_site, viewer, coding):
    site = await partner_site()
    cookie = await viewer(site)
    for path in ("/shop", "/shop?page=1", "/shop?utm_source=mail", "/data/shop"):
        await site.get(path, Accept_Encoding=coding)
        answer = await site.get(path, Accept_Encoding=coding, Cookie=cookie)
        assert HIDDEN_NAME not in await answer.text()
        assert "X-Cache" not in answer.headers


async def test_without_renderers_restricted_visitors_get_a_plain_page_and_no_stale_one(
    partner_site, start_renderer, viewer
):
    renderer = await start_renderer()
    site = await partner_site(renderer.address)
    cookie = await viewer(site)
    await site.get("/shop")
    await renderer.stop()
    answer = await site.get("/shop", Cookie=cookie)
    text = await answer.text()
    assert (answer.status, 'data-rendered="no"' in text, HIDDEN_NAME in text) == (200, True, False)


async def test_without_the_database_restricted_visitors_see_nothing_of_the_catalogue(partner_site, viewer, monkeypatch):
    site = await partner_site()
    cookie = await viewer(site)
    await site.get("/shop")

    async def away(*_about):
        raise ServiceUnavailable("away")

    monkeypatch.setattr(site.db, "read", away)
    monkeypatch.setattr(site.db, "read_inline", away)
    await until(lambda: not site.app[SITE].is_fresh)
    for path in ("/shop", "/data/shop"):
        answer = await site.get(path, Cookie=cookie)
        assert (answer.status, HIDDEN_NAME in await answer.text(), "X-Cache" in answer.headers) == (503, False, False)
    assert (await site.get("/shop")).headers["X-Cache"] == "stale"


async def test_a_site_that_caches_restricted_pages_is_detected(partner_site, viewer, monkeypatch):
    """Negative control: a site that restricts the scope but caches the page for everyone."""

    async def narrowed_but_cached(request, page):
        cached = policy.cached_response(request)
        return cached or await page_handler._shared_page(request, page)

    monkeypatch.setattr(page_handler, "_restricted_page", narrowed_but_cached)
    site = await partner_site()
    with pytest.raises(AssertionError):
        await check_separation(site, await viewer(site))
