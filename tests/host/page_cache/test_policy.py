"""Kept pages under change: never two editions in one page, never a nonce twice, and something to show in an outage."""

import asyncio
import re
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from domain.catalogue import details as catalogue_details
from domain.errors import ServiceUnavailable
from domain.publishing import prices as publishing_prices
from host.page_cache import policy
from host.page_cache.memory import PAGE_CACHE
from host.rendering import deferred
from host.site_state import SITE
from tests.host.renderer import Drawing, draw
from tests.support.shops import USD
from tests.support.waiting import until

VAT, RELATED = "/course-details?course=vat-basics", "script-course"
KEEPING = {"PAGE_CACHE": "on", "DEV_DELAY": ""}
NONCE = re.compile(r"nonce[-=]\"?([\w-]{10,})")


@pytest.fixture
def wait_for_parts(monkeypatch):
    """On a busy machine a part may take longer than 10 ms: its page would be streamed, and rendered once more."""
    monkeypatch.setattr(policy, "DEFERRED_WAIT_S", 5.0)


@pytest.fixture
async def renderer(start_renderer):
    return await start_renderer()


@pytest.fixture
async def cached_site(open_site, renderer, wait_for_parts):
    return await open_site(renderer.address, **KEEPING)


def reprice(site, price):
    """Both courses of the page in one transaction."""
    with site.db.write_session() as session:
        for slug in ("vat-basics", RELATED):
            publishing_prices.change_price(session, slug, Decimal(price), None, datetime.now(UTC), USD)


@pytest.fixture
def change_meanwhile(cached_site, monkeypatch):
    """Each time a page has its course and asks for the rest, the catalogue moves first, while prices are left."""
    monkeypatch.setattr(deferred, "reads_at_once", lambda _request: False)
    glance, prices = cached_site.db.read_inline, []

    async def moved_first(fn, *args):
        if fn is catalogue_details.reviews and prices:
            reprice(cached_site, prices.pop(0))
        return await glance(fn, *args)

    monkeypatch.setattr(cached_site.db, "read_inline", moved_first)
    return prices


async def prices_of(site):
    """The prices of the course, and of a related one beside it, in minor units."""
    props = (await site.document(VAT)).state["props"]
    return props["price"], next(one["price"] for one in props["related"] if one["href"].endswith(RELATED))


async def test_a_page_is_rendered_again_when_the_catalogue_changes_meanwhile(cached_site, renderer, change_meanwhile):
    change_meanwhile.append(70)
    assert await prices_of(cached_site) == (7000, 7000)
    assert await prices_of(cached_site) == (7000, 7000)
    assert len(renderer.jobs) == 2


async def test_without_the_second_look_old_would_stand_beside_new(cached_site, change_meanwhile, monkeypatch):
    async def it_does(*_args):
        return True

    monkeypatch.setattr(policy, "generation_unchanged", it_does)
    change_meanwhile.append(70)
    assert await prices_of(cached_site) == (8000, 7000)


async def test_while_the_catalogue_never_stands_still_pages_go_out_and_are_made_anew(
    cached_site, renderer, change_meanwhile
):
    change_meanwhile.extend([70, 71, 72])
    assert (await cached_site.get(VAT)).status == 200
    assert len(renderer.jobs) == 3
    assert await prices_of(cached_site) == (7200, 7200)
    assert len(renderer.jobs) == 4


@pytest.mark.usefixtures("wait_for_parts")
async def test_after_a_change_a_page_is_drawn_once_however_many_ask(open_site, start_renderer):
    gate, began = asyncio.Event(), []

    async def hold(job: Drawing) -> None:
        began.append(job)
        await gate.wait()
        await draw(job)

    site = await open_site((await start_renderer(hold)).address, **KEEPING)
    gate.set()
    await site.get(VAT)
    gate.clear()
    reprice(site, 70)
    await until(lambda: site.app[SITE].state.version > 1)
    answers = await asyncio.gather(*(site.get(VAT) for _ in range(30)))
    # All were patient, then took the older page.
    assert {(one.status, one.headers["X-Cache"]) for one in answers} == {(200, "stale")}
    assert len(began) == 2
    gate.set()
    await until(lambda: site.app[PAGE_CACHE].get_any(VAT).generation == site.app[SITE].generation)
    assert await prices_of(site) == (7000, 7000)
    assert len(began) == 2


async def test_a_page_is_made_anew_when_its_life_is_over(cached_site, renderer, monkeypatch):
    monkeypatch.setattr("host.page_cache.entry.MAX_AGE_S", 0.0)
    for _ in range(3):
        assert (await cached_site.get("/about")).headers["X-Cache"] == "hit"
    assert len(renderer.jobs) == 3


async def nonces(site, path):
    answer = await site.get(path)
    return set(NONCE.findall(await answer.text() + answer.headers["Content-Security-Policy"]))


@pytest.mark.parametrize("fixed", [False, True])
async def test_no_nonce_is_used_twice(open_site, renderer, monkeypatch, fixed):
    """With `fixed` nonces, the control: the same look then finds one in two answers."""
    if fixed:
        monkeypatch.setattr("secrets.token_urlsafe", lambda _size: "always-the-same-one")
    site = await open_site(renderer.address, PAGE_CACHE="on", DEV_DELAY="reviews:30")
    streamed = [await nonces(site, VAT) for _ in range(20)]
    kept = [await nonces(site, path) for path in ("/", "/shop", "/about") for _ in range(2)]
    assert {len(one) for one in streamed} == {1}
    assert set().union(*kept) == set()
    assert len(set().union(*streamed)) == (1 if fixed else 20)


@pytest.fixture
def away(cached_site, monkeypatch):
    """Takes the records away; gives them back with the returned function."""

    async def gone(*_args):
        raise ServiceUnavailable("The site is temporarily unavailable.")

    def take() -> None:
        for way in ("read", "read_inline", "select_inline", "write"):
            monkeypatch.setattr(cached_site.db, way, gone)

    return take


async def test_a_page_whose_life_is_over_goes_out_at_once_while_the_records_are_away(
    cached_site, renderer, away, monkeypatch
):
    monkeypatch.setattr("host.page_cache.entry.MAX_AGE_S", 0.0)
    await cached_site.get("/about")
    away()
    await until(lambda: not cached_site.app[SITE].is_fresh)
    assert (await cached_site.get("/about")).headers["X-Cache"] == "stale"
    assert len(renderer.jobs) == 1


@pytest.mark.parametrize(
    ("address", "shown"), [("/course-details?course={}&course={}", "slug"), ("/search?q={}&q={}", "query")]
)
async def test_the_first_of_two_values_counts_for_the_page_and_for_the_cache(cached_site, renderer, address, shown):
    """The cache key once sorted the values: both orders got the page of the order that came first."""
    orders = [("vat-basics", "contracts"), ("contracts", "vat-basics")]
    for first, second in orders * 2:
        page = await cached_site.document(address.format(first, second))
        assert page.state["props"][shown] == first
    assert len(renderer.jobs) == 2


async def test_an_unknown_parameter_reaches_neither_the_loader_nor_the_cache(cached_site, renderer):
    plain = (await cached_site.document("/shop?level=beginner")).state
    assert (await cached_site.document("/shop?utm_source=mail&level=beginner&course=x")).state == plain
    assert len(renderer.jobs) == 1


async def test_client_navigation_finds_what_was_served_before(cached_site, away):
    await cached_site.get("/shop?page=2")
    before = await (await cached_site.get("/data/shop?page=2")).json()
    away()
    answer = await cached_site.get("/data/shop?page=2&utm_source=mail")
    assert (answer.status, answer.headers["X-Cache"], await answer.json()) == (200, "stale", before)
    assert (await cached_site.get("/data/shop")).status == 503


async def test_a_host_that_has_pages_is_ready_without_records_and_says_what_is_missing(cached_site, away):
    await cached_site.get("/about")
    away()
    answer = await cached_site.get("/readyz")
    told = await answer.json()
    assert (answer.status, told["status"], told["degraded"]) == (200, "ready", ["database"])


async def test_a_host_without_pages_is_not_ready_without_records(cached_site, away):
    away()
    assert (await cached_site.get("/readyz")).status == 503


async def test_head_says_the_same_as_get_without_the_page(cached_site):
    got, asked = [await cached_site.get("/about", method) for method in ("GET", "HEAD")]
    same = ("ETag", "X-Cache", "Cache-Control", "Content-Security-Policy", "Content-Length", "Vary")
    assert [asked.headers[name] for name in same] == [got.headers[name] for name in same]
    assert await asked.read() == b""
