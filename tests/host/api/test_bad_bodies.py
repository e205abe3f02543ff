"""Bodies that must never cause a 500: invalid JSON, too deep, too long, compressed bombs, broken or incomplete."""

import asyncio
import gzip
import json
import time
import zlib
from io import BytesIO

import brotli
import pytest

from host.api.body import limit_of
from host.api.registry import CALLS
from host.http.problems import TITLES
from tests.host.site import SHARED, answered

pytestmark = SHARED

NAMES = ["SetAAUserTraceLog", "contact", "getcoupondetail", "cart/quote"]
GOOD = b'{"Url": "/shop"}'
JSON = {"Content-Type": "application/json"}
DEEP = b'{"Url": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
# Longer than any call of anyone allows, or by one byte than this one.
TOO_LONG, ONE_TOO_MANY = "5 MiB", "one byte too many"

BODIES = {
    "nothing": (b"", 400),
    "not json": (b"hello", 400),
    "an incomplete object": (b'{"Url": "/sh', 400),
    "two values": (GOOD + GOOD, 400),
    "a trailing comma": (b'{"Url": "/shop",}', 400),
    "single quotes": (b"{'Url': '/shop'}", 400),
    "100,000 deep and closed": (DEEP, 413),
    "50,000 deep and open": (b"[" * 50_000, 400),
    "30,000 deep": (b'{"Url":' * 9_000, 400),
    "6,000 digits": (b'{"Url": "/", "AAUserID": ' + b"9" * 6_000 + b"}", 400),
    "4,000 digits": (b'{"Url": "/", "AAUserID": ' + b"9" * 4_000 + b"}", 422),
    "not a number": (b'{"Url": "/", "AAUserID": NaN}', 400),
    "infinity": (b'{"Url": "/", "AAUserID": -Infinity}', 400),
    "beyond every float": (b'{"Url": "/", "AAUserID": 1e999}', 422),
    "a key twice": (b'{"Url": "/a", "Url": "/b"}', 400),
    "a key twice further down": (b'{"Url": {"a": 1, "a": 2}}', 400),
    "not utf-8": (b'{"Url": "\xff"}', 400),
    "utf-16": ('{"Url": "/"}'.encode("utf-16"), 400),
    "a byte order mark": (b"\xef\xbb\xbf" + GOOD, 400),
    "a nul": (b'{"Url": "\x00"}', 400),
    "a list": (b'[{"Url": "/shop"}]', 400),
    "a text": (b'"/shop"', 400),
    "null": (b"null", 400),
    ONE_TOO_MANY: (b"", 413),
    TOO_LONG: (b"x" * 5 * 2**20, 413),
    "an unknown key of half a character": (b'{"\\ud800": 1}', 422),
    "an unknown key of line breaks": (b'{"a\\r\\nb": 1}', 422),
}


def is_problem(status: int, answer: dict) -> bool:
    return answer.keys() >= {"type", "title", "status", "detail"} and answer["status"] == status


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("call", NAMES)
async def test_a_bad_body_is_a_problem_and_never_a_500(plain_site, call, name):
    body, status = BODIES[name]
    if name == ONE_TOO_MANY:
        most = limit_of(CALLS["POST", call].request_model, is_staff=False)
        body = GOOD[:-1] + b" " * (most + 1 - len(GOOD)) + b"}"
    answer = await plain_site.client.post(f"/api/{call}", data=BytesIO(body), headers=JSON)
    problem = json.loads(await answer.read())
    assert (answer.status, answer.content_type) == (status, "application/problem+json")
    assert is_problem(status, problem)
    assert problem["title"] == TITLES[status]


async def test_a_body_of_exactly_64_kib_is_read(plain_site):
    body = GOOD[:-1] + b" " * (65_536 - len(GOOD)) + b"}"
    assert (await plain_site.call("SetAAUserTraceLog", body))[0] == 202


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "text/json",
        "application/octet-stream",
        "",
    ],
)
async def test_only_json_is_accepted(plain_site, kind):
    answer = await plain_site.client.post("/api/SetAAUserTraceLog", data=GOOD, headers={"Content-Type": kind})
    assert answer.status == 415
    assert is_problem(415, await answer.json(content_type=None))


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8", "APPLICATION/JSON;charset=x"])
async def test_json_is_accepted_with_any_charset_parameter(plain_site, kind):
    answer = await plain_site.client.post("/api/SetAAUserTraceLog", data=GOOD, headers={"Content-Type": kind})
    assert answer.status == 202


PACKED = {
    "gzip": (gzip.compress(GOOD), "gzip", 202),
    "deflate": (zlib.compress(GOOD), "deflate", 202),
    "br": (brotli.compress(GOOD), "br", 202),
    "a gzip bomb": (gzip.compress(b" " * 50 * 2**20), "gzip", 413),
    "a brotli bomb": (brotli.compress(b" " * 50 * 2**20), "br", 413),
    "no gzip": (GOOD, "gzip", 400),
    "half of a gzip": (gzip.compress(GOOD)[:20], "gzip", 400),
    "gzip in name only": (gzip.compress(GOOD)[:10] + b"\xff" * 50, "gzip", 400),
    "an unknown encoding": (GOOD, "rot13", 202),
}


@pytest.mark.parametrize("name", PACKED)
async def test_the_size_of_a_compressed_body_counts_decompressed(plain_site, name):
    body, coding, status = PACKED[name]
    head = ["POST /api/SetAAUserTraceLog HTTP/1.1", "Host: x", "Connection: close", "Content-Type: application/json"]
    head += [f"Content-Encoding: {coding}", f"Content-Length: {len(body)}", "", ""]
    answer = answered(await plain_site.raw("\r\n".join(head).encode() + body))
    assert answer.status == status
    assert status == 202 or is_problem(status, json.loads(answer.body))


async def send_chunked(site, *chunks: bytes):
    head = "POST /api/SetAAUserTraceLog HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
    return answered(await site.raw(head.encode() + b"Transfer-Encoding: chunked\r\n\r\n" + b"".join(chunks)))


async def test_a_chunked_body_is_read_and_limited(plain_site):
    piece = b"%x\r\n%s\r\n"
    assert (await send_chunked(plain_site, piece % (len(GOOD), GOOD), b"0\r\n\r\n")).status == 202
    assert (await send_chunked(plain_site, *[piece % (9_000, b"x" * 9_000)] * 10, b"0\r\n\r\n")).status == 413
    assert (await send_chunked(plain_site, b"zz\r\nhello\r\n")).status == 400


async def stall(site, path: str, kind: str, sent: bytes) -> tuple[float, bytes]:
    """Send half a body and nothing more; returns the seconds until the connection is closed, and the response."""
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    began = time.monotonic()
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nOrigin: {site.settings.site_origin}\r\nContent-Type: {kind}\r\n"
    writer.write(head.encode() + b"Content-Length: 100\r\n\r\n" + sent)
    # Less than the 10 s of a site with the default deadline.
    async with asyncio.timeout(9):
        response = await reader.read()
    writer.close()
    return time.monotonic() - began, response


@pytest.mark.asyncio(loop_scope="function")
async def test_a_stalled_body_ends_with_408(open_site):
    site = await open_site(CALL_DEADLINE_MS="500")
    kinds = {"/api/SetAAUserTraceLog": "application/json", "/contact": "application/x-www-form-urlencoded"}
    for took, response in await asyncio.gather(*(stall(site, *about, b'{"Url": ') for about in kinds.items())):
        answer = answered(response)
        assert (answer.status, is_problem(408, json.loads(answer.body))) == (408, True)
        assert took > 0.4
    assert site.visits() == []


@pytest.mark.asyncio(loop_scope="function")
async def test_a_connection_closed_within_a_body_causes_no_error(open_site):
    site = await open_site(CALL_DEADLINE_MS="500")
    _, writer = await asyncio.open_connection("127.0.0.1", site.port)
    head = "POST /api/SetAAUserTraceLog HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    writer.write(head.encode() + b"Content-Length: 100\r\n\r\n{")
    await writer.drain()
    writer.transport.abort()
    assert (await site.call("SetAAUserTraceLog", GOOD))[0] == 202


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"])
async def test_a_call_accepts_only_post(plain_site, method):
    answer = await plain_site.ask("/api/SetAAUserTraceLog", method, "Content-Length: 0")
    assert (answer.status, answer.headers["Allow"]) == (405, "POST")


@pytest.mark.parametrize("name", ["", "nothing", "setaausertracelog", "SetAAUserTraceLog/", "a/b", "%00", "%FF"])
async def test_an_unknown_call_is_a_problem_404(plain_site, name):
    answer = await plain_site.ask(f"/api/{name}", "POST", "Content-Length: 0")
    assert answer.status == 404
    assert is_problem(404, json.loads(answer.body))
