"""The log of queries: one row for each search of a person, written after the answer, dropped rather than waited for."""

import asyncio

import pytest
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from domain.errors import ServiceUnavailable
from domain.tables import SearchQuery
from host import search_log
from host.search_log import MAX_PENDING, RESULTS, SEARCH_LOG, SearchLog
from tests.support.waiting import until

GOOGLEBOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"


def noted(site):
    with site.db.read_session() as session:
        query = select(SearchQuery.query, SearchQuery.results, SearchQuery.answer).order_by(SearchQuery.id)
        return [tuple(row) for row in session.execute(query)]


async def test_a_search_is_noted_with_its_results(own_site):
    for path in ("/search?q=VAT", "/data/search?q=basisc", "/search?q=qwrtz", "/search?q=vat+qwrtz"):
        await own_site.get(path)
    await until(lambda: own_site.app[SEARCH_LOG].written == 4)
    assert sorted(noted(own_site)) == [
        ("basisc", 1, "corrected"),
        ("qwrtz", 0, "none"),
        ("vat", 1, "exact"),
        ("vat qwrtz", 1, "partial"),
    ]


async def test_a_kept_page_is_noted_each_time(open_site, start_renderer):
    site = await open_site((await start_renderer()).address, PAGE_CACHE="on", DEV_DELAY="")
    answers = [await site.get("/search?q=vat") for _ in range(3)]
    assert [answer.headers.get(RESULTS) for answer in answers] == ["exact 1"] * 3
    await until(lambda: site.app[SEARCH_LOG].written == 3)
    assert noted(site) == [("vat", 1, "exact")] * 3


@pytest.mark.parametrize(
    "path",
    [
        "/search",
        "/search?q=",
        "/search?q=vat&page=2",
        "/search?q=vat&level=beginner",
        "/search?q=basisc&exact=1",
        "/shop",
    ],
)
async def test_what_is_no_new_search_is_not_noted(own_site, path):
    await own_site.get(path)
    await own_site.get("/search?q=vat")
    await until(lambda: own_site.app[SEARCH_LOG].written)
    assert noted(own_site) == [("vat", 1, "exact")]


async def test_crawlers_and_mere_looks_are_not_noted(own_site):
    await own_site.get("/search?q=crawled", User_Agent=GOOGLEBOT)
    await own_site.get("/search?q=head", "HEAD")
    for header, purpose in (("Sec-Purpose", "prefetch;prerender"), ("Purpose", "prefetch"), ("X-Moz", "prefetch")):
        await own_site.get("/search?q=ahead", **{header.replace("-", "_"): purpose})
    await own_site.get("/search?q=vat")
    await until(lambda: own_site.app[SEARCH_LOG].written)
    assert noted(own_site) == [("vat", 1, "exact")]


async def test_with_the_records_away_notes_wait_and_are_written_at_their_return(own_site, monkeypatch):
    searches, write = own_site.app[SEARCH_LOG], own_site.db.write
    tried = []

    async def away(*about):
        tried.append(about)
        if len(tried) == 1:
            raise ServiceUnavailable("gone") from OperationalError("", {}, Exception())
        return await write(*about)

    monkeypatch.setattr(search_log, "RETRY_S", 0.0)
    monkeypatch.setattr(own_site.db, "write", away)
    answer = await own_site.get("/search?q=vat")
    await until(lambda: searches.written == 1)
    assert (answer.status, searches.dropped, len(tried)) == (200, 0, 2)


async def test_notes_that_still_wait_when_the_host_stops_are_counted_as_dropped(own_site, monkeypatch):
    searches = SearchLog(own_site.db)

    async def away(*_about):
        raise ServiceUnavailable("gone") from OperationalError("", {}, Exception())

    monkeypatch.setattr(search_log, "STOP_S", 0.0)
    monkeypatch.setattr(own_site.db, "write", away)
    running = searches.lifespan(None)
    await anext(running)
    searches.record("vat", "exact 1")
    assert [part async for part in running] == []
    assert (searches.written, searches.dropped) == (0, 1)


async def test_no_more_notes_wait_than_there_is_room_for(own_site, monkeypatch):
    searches, gate = own_site.app[SEARCH_LOG], asyncio.Event()

    async def slow(*_about):
        await gate.wait()

    monkeypatch.setattr(own_site.db, "write", slow)
    for _ in range(MAX_PENDING + 5):
        searches.record("vat", "exact 1")
    assert searches.dropped == 5
    gate.set()
    await until(lambda: searches.written == MAX_PENDING)
