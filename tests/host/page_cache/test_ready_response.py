"""The prepared head of a cached page is that of an ordinary response."""

import asyncio

import pytest

from host.http import middlewares
from tests.host.site import answered

KEEPING = {"PAGE_CACHE": "on", "DEV_DELAY": ""}
# Different at each request.
OWN = ("Date", "X-Request-Id", "Server-Timing")


async def sent(site, *lines: str) -> bytes:
    """The response to a GET of /shop, which is cached, with these lines in its head."""
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    writer.write("\r\n".join((*lines, "Host: localhost", "", "")).encode())
    head = await reader.readuntil(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
    body = b"" if lines[0].startswith("HEAD") else await reader.readexactly(length)
    writer.close()
    return head + body


@pytest.fixture
async def site(open_site, start_renderer):
    site = await open_site((await start_renderer()).address, **KEEPING)
    await site.get("/shop")
    return site


@pytest.mark.parametrize("encoding", ["identity", "gzip", "br"])
async def test_its_headers_are_those_of_a_response_that_closes_the_connection(site, encoding):
    accept = f"Accept-Encoding: {encoding}"
    ready = answered(await sent(site, "GET /shop HTTP/1.1", accept))
    usual = answered(await sent(site, "GET /shop HTTP/1.1", accept, "Connection: close"))
    assert usual.headers.pop("Connection") == "close"
    for response in (ready, usual):
        request_id = response.headers["X-Request-Id"]
        assert (len(request_id), response.headers["Server-Timing"]) == (16, f'request;desc="{request_id}"')
        assert response.headers["Date"].endswith(" GMT")
    assert ready.status == usual.status == 200
    assert without_own(ready.headers) == without_own(usual.headers)
    assert ready.body == usual.body


def without_own(headers):
    return sorted((name, value) for name, value in headers.items() if name not in OWN)


async def test_a_head_request_and_an_old_client_get_what_they_ask_for(site):
    for request, has_body in (("HEAD /shop HTTP/1.1", False), ("GET /shop HTTP/1.0", True)):
        response = answered(await sent(site, request, "Connection: keep-alive"))
        assert (response.status, response.headers["X-Cache"], bool(response.body)) == (200, "hit", has_body)


async def test_several_responses_follow_each_other_on_one_connection(site):
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    ids = set()
    for _ in range(3):
        writer.write(b"GET /shop HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: br\r\n\r\n")
        head = await reader.readuntil(b"\r\n\r\n")
        response = answered(
            head + await reader.readexactly(int(head.lower().partition(b"content-length: ")[2].split()[0]))
        )
        assert response.status == 200
        ids.add(response.headers["X-Request-Id"])
    writer.close()
    assert len(ids) == 3


async def test_on_a_secure_site_it_says_so(open_site, start_renderer):
    secure = {"SITE_ORIGIN": "https://shop.example"}
    site = await open_site((await start_renderer()).address, **KEEPING, **secure)
    for _ in range(2):
        response = await site.get("/shop")
    assert response.headers["Strict-Transport-Security"].startswith("max-age=31536000")


async def test_the_one_signal_that_adds_headers_is_the_one_it_stands_for(site):
    assert list(site.app.on_response_prepare) == [middlewares.set_security_headers]
