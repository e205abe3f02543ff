"""The server: malformed requests, stalled request heads and idle connections."""

import asyncio
import time

import pytest

from host.http.server import SECURITY_HEADERS, GuardedHandler
from tests.host.site import answered

GET = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
BROKEN = {
    "nonsense": b"nonsense\r\n\r\n",
    "an unknown method": b"BREW / HTTP/1.1\r\nHost: x\r\n\r\n",
    "a bare line feed": b"GET / HTTP/1.1\nHost: x\n\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "a space in a header's name": b"GET / HTTP/1.1\r\nHost : x\r\n\r\n",
    "a nul in a header": b"GET / HTTP/1.1\r\nHost: x\r\nX-A: a\x00b\r\n\r\n",
    "two lengths": b"POST /api/contact HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
    "length and chunks": b"POST /api/contact HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a negative length": b"POST /api/contact HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    "an endless line": b"GET /" + b"x" * 10_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "an endless header": b"GET / HTTP/1.1\r\nHost: x\r\nX-A: " + b"x" * 10_000 + b"\r\n\r\n",
    "a foreign scheme": b"GET http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n",
    "an old tunnel": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
}


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("broken", BROKEN)
async def test_malformed_http_is_refused_with_400_and_security_headers(site, broken):
    response = answered(await site.raw(BROKEN[broken]))
    assert response.status == 400
    assert {name: response.headers.get(name) for name in SECURITY_HEADERS} == dict(SECURITY_HEADERS)
    assert "Server" not in response.headers
    assert response.body == b"400: Bad Request\n"


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("broken", BROKEN)
async def test_a_refusal_contains_nothing_of_the_request(site, broken):
    response = await site.raw(BROKEN[broken])
    assert b"xxx" not in response
    assert b"a\x00b" not in response


# Less than the 20 s and 25 s after which the site closes a connection without the settings of strict_site.
IN_TIME_S = 15.0


async def closing_s(site, *pieces: bytes) -> tuple[float, bytes]:
    """Seconds until the site closes a connection that sends these pieces and then nothing, and the response.

    Fails after IN_TIME_S.
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    started_at = time.monotonic()
    async with asyncio.timeout(IN_TIME_S):
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
        received = await reader.read()
    writer.close()
    return time.monotonic() - started_at, received


@pytest.fixture
async def strict_site(open_site):
    return await open_site(HEADER_DEADLINE_MS="1000", KEEPALIVE_MS="1000")


async def test_a_connection_without_a_complete_head_is_closed(strict_site):
    heads = [(), (b"GET /sh",), (b"GET /shop HTTP/1.1\r\nHost: x\r\n",)]
    for elapsed_s, received in await asyncio.gather(*(closing_s(strict_site, *pieces) for pieces in heads)):
        assert (elapsed_s > 0.9, received) == (True, b"")


async def test_an_idle_connection_is_closed_after_its_time(strict_site):
    elapsed_s, received = await closing_s(strict_site, GET)
    assert answered(received).status == 200
    assert elapsed_s > 0.9


async def test_an_incomplete_second_head_closes_the_connection(strict_site):
    _, received = await closing_s(strict_site, GET, b"GET /shop HTTP/1.1\r\nHo")
    assert received.count(b"HTTP/1.1") == 1


async def test_one_connection_carries_many_requests(strict_site):
    _, received = await closing_s(strict_site, GET * 3)
    assert received.count(b"HTTP/1.1 200 OK") == 3


@pytest.mark.asyncio(loop_scope="session")
async def test_connection_close_closes_the_connection_after_the_response(site):
    assert (await site.ask("/healthz")).headers["Connection"] == "close"


def test_the_internals_of_aiohttp_that_the_server_uses_exist():
    for name in ("connection_made", "connection_lost", "handle_error", "data_received"):
        assert name in GuardedHandler.__mro__[1].__dict__
    slots = {"_request_count", "_waiter", "_messages", "_manager", "_keepalive_handle", "_next_keepalive_close_time"}
    assert slots <= {*GuardedHandler.__mro__[1].__slots__}
    assert {"_upgraded", "_paused", "_parser"} <= {*GuardedHandler.__mro__[2].__slots__}
