"""Cached pages that are sent where their requests are read: the same answers as by the ordinary path, or none."""

import asyncio
import logging

import pytest

from config.logs import ACCESS, add_request_ids
from domain.errors import ServiceUnavailable
from host.http.request_counts import REQUEST_COUNTS
from host.http.server import READY_ANSWERS
from host.page_cache.memory import PAGE_CACHE
from host.page_cache.ready_pages import ReadyPages
from host.search_log import SEARCH_LOG
from host.site_state import SITE
from tests.host.site import CHROME, answered

KEEPING = {"PAGE_CACHE": "on", "DEV_DELAY": ""}
# Different at each request.
OWN = ("Date", "X-Request-Id", "Server-Timing")
TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736"
GOOGLEBOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"


class Connection:
    """One connection to a site, which stays open."""

    def __init__(self, reader, writer):
        self._reader, self._writer = reader, writer

    async def get(self, path, *lines, agent=CHROME):
        self.send(path, *lines, agent=agent)
        return await self.answer()

    def send(self, path, *lines, agent=CHROME):
        head = [f"GET {path} HTTP/1.1", "Host: shop.example", f"User-Agent: {agent}", *lines, "", ""]
        self._writer.write("\r\n".join(head).encode())

    async def answer(self):
        head = await self._reader.readuntil(b"\r\n\r\n")
        length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
        return answered(head + await self._reader.readexactly(int(length or 0)))


@pytest.fixture
def seen(monkeypatch):
    """What was answered where it was read: the targets, in order."""
    answer, targets = ReadyPages.answer, []

    def noted(pages, message):
        pieces = answer(pages, message)
        if pieces is not None:
            targets.append(message.path)
        return pieces

    monkeypatch.setattr(ReadyPages, "answer", noted)
    return targets


@pytest.fixture
async def cached_site(open_site, start_renderer):
    site = await open_site((await start_renderer()).address, **KEEPING)
    await site.get("/shop")
    return site


@pytest.fixture
async def connection(cached_site):
    reader, writer = await asyncio.open_connection("127.0.0.1", cached_site.port)
    yield Connection(reader, writer)
    writer.close()


def without_own(headers):
    return sorted((name, value) for name, value in headers.items() if name not in OWN)


@pytest.mark.parametrize("encoding", ["identity", "gzip", "br"])
async def test_an_answer_is_that_of_the_ordinary_path(cached_site, connection, seen, monkeypatch, encoding):
    ready = await connection.get("/shop", f"Accept-Encoding: {encoding}")
    assert seen == ["/shop"]
    monkeypatch.setattr(ReadyPages, "answer", lambda _pages, _message: None)
    usual = await connection.get("/shop", f"Accept-Encoding: {encoding}")
    assert (ready.status, ready.body) == (usual.status, usual.body)
    assert without_own(ready.headers) == without_own(usual.headers)
    for response in (ready, usual):
        assert response.headers["Server-Timing"] == f'request;desc="{response.headers["X-Request-Id"]}"'
    assert ready.headers["X-Request-Id"] != usual.headers["X-Request-Id"]


async def test_it_is_counted_and_logged_under_its_id_and_trace(cached_site, connection, seen, caplog):
    caplog.set_level(logging.INFO, ACCESS)
    caplog.handler.addFilter(add_request_ids)
    counts, cache = cached_site.app[REQUEST_COUNTS], cached_site.app[PAGE_CACHE]
    before, hits = counts.by_status["page", 200], cache.hits
    response = await connection.get("/shop", f"traceparent: 00-{TRACE_ID}-00f067aa0ba902b7-01")
    assert seen == ["/shop"]
    assert (counts.by_status["page", 200], cache.hits) == (before + 1, hits + 1)
    (record,) = [record for record in caplog.records if record.name == ACCESS]
    assert (record.request_id, record.trace_id) == (response.headers["X-Request-Id"], TRACE_ID)
    assert (record.method, record.path, record.status) == ("GET", "/shop", 200)


NOT_READY = {
    "a visitor with a session": (("Cookie: a=b; sid=x",), CHROME, 200),
    "a visitor of a partner": (("Cookie: IsRestrictedAccess=true",), CHROME, 200),
    "a browser with a copy": (("If-None-Match: *",), CHROME, 304),
    "a browser with another copy": (('If-None-Match: "other"',), CHROME, 200),
    "an expectation": (("Expect: nothing",), CHROME, 417),
    "a crawler": ((), GOOGLEBOT, 200),
    "a request with a body": (("Content-Length: 1",), CHROME, 200),
    "a connection that closes": (("Connection: close",), CHROME, 200),
}


@pytest.mark.parametrize("what", NOT_READY)
async def test_the_application_answers(connection, seen, what):
    lines, agent, status = NOT_READY[what]
    connection.send("/shop", *lines, agent=agent)
    if "body" in what:
        connection._writer.write(b"x")
    assert ((await connection.answer()).status, seen) == (status, [])


@pytest.mark.parametrize("target", ["/shop?page=2", "/no-such-page", "/healthz", "/data/shop"])
async def test_the_application_answers_for_what_is_not_cached(connection, seen, target):
    await connection.get(target)
    assert seen == []


async def test_a_search_is_recorded_although_it_is_cached(cached_site, connection, seen):
    for _ in range(2):
        await connection.get("/search?q=tax")
    search_log = cached_site.app[SEARCH_LOG]
    assert (seen, search_log.written + len(search_log._waiting)) == ([], 2)


async def test_a_page_of_an_older_catalogue_is_rendered_anew(cached_site, connection, seen):
    cached_site.app[PAGE_CACHE]._pages["/shop"].generation -= 1
    await connection.get("/shop")
    assert seen == []


async def test_while_the_database_is_away_the_page_is_marked(cached_site, connection, seen, monkeypatch):
    async def fail(*_args, **_kwargs):
        raise ServiceUnavailable("away")

    monkeypatch.setattr(cached_site.app[SITE], "_read_changes", fail)
    monkeypatch.setattr(cached_site.app[SITE], "is_fresh", False)
    response = await connection.get("/shop")
    assert (response.headers["X-Cache"], seen) == ("stale", [])


async def test_many_requests_at_once_are_answered_in_their_order(connection, seen):
    for target in ("/shop", "/healthz", "/shop"):
        connection.send(target)
    kinds = [(await connection.answer()).headers["Content-Type"].partition(";")[0] for _ in range(3)]
    assert (kinds[0], kinds[2], len(seen)) == ("text/html", "text/html", 0)
    assert kinds[1] != "text/html"
    await connection.get("/shop")
    assert seen == ["/shop"]


async def test_a_head_in_two_pieces_is_answered_once(connection, seen):
    connection._writer.write(b"GET /shop HTTP/1.1\r\nHost: shop.exa")
    await connection._writer.drain()
    await asyncio.sleep(0)
    connection._writer.write(f"mple\r\nUser-Agent: {CHROME}\r\n\r\n".encode())
    assert ((await connection.answer()).status, seen) == (200, ["/shop"])


async def test_who_has_not_taken_the_last_answer_waits_for_the_application(connection, seen, monkeypatch):
    """It waits until the answer before is sent: answers to a client that does not read would fill the memory."""
    transports = asyncio.selector_events._SelectorTransport
    monkeypatch.setattr(transports, "get_write_buffer_size", lambda _transport: 1)
    assert ((await connection.get("/shop")).status, seen) == (200, [])


async def test_another_encoding_of_the_oldest_page_in_a_full_memory_drops_another_page(cached_site, connection, seen):
    cache = cached_site.app[PAGE_CACHE]
    await cached_site.get("/about")
    assert next(iter(cache._pages)) == "/shop"
    cache._max_bytes = cache._bytes
    response = await connection.get("/shop", "Accept-Encoding: identity")
    assert (response.status, seen, list(cache._pages)) == (200, ["/shop"], ["/shop"])


async def test_a_failing_answer_is_left_to_the_application(cached_site, connection, monkeypatch, caplog):
    def fail(_pages, _message):
        raise RuntimeError("broken")

    monkeypatch.setattr(ReadyPages, "answer", fail)
    response = await connection.get("/shop")
    assert response.status == 200
    assert "a ready answer failed" in caplog.text
    caplog.clear()


async def test_a_site_without_cache_has_no_ready_answers(open_site, start_renderer):
    site = await open_site((await start_renderer()).address)
    assert READY_ANSWERS not in site.app
