"""Compression: the coding a visitor takes, and that no part of a stream is held back by it."""

import asyncio
import zlib

import brotli
import pytest

from host.encoding import accepted, encoder_for
from tests.host.world import answered

VAT = "/course-details?course=vat-basics"
CODINGS = [
    ("", ""),
    ("identity", ""),
    ("gzip", "gzip"),
    ("br", "br"),
    ("gzip, deflate, br", "br"),
    ("GZIP", "gzip"),
    ("br;q=0, gzip;q=0.5", "gzip"),
    ("br;q=0", ""),
    ("br;q=0.000", ""),
    ("br ; q=0.1 , gzip;q=1", "br"),
    ("deflate, zstd", ""),
    ("br;q=.", ""),
    ("br;q=1.2.3", ""),
    ("br;q=x", ""),
    (";;;,,,", ""),
    ("gzip" + "," * 5000, "gzip"),
]


def unpacked(coding: str, data: bytes) -> bytes:
    if coding == "br":
        return brotli.decompress(data)
    return zlib.decompress(data, 31) if coding == "gzip" else data


@pytest.mark.parametrize(("header", "coding"), CODINGS)
def test_the_best_coding_that_is_taken_is_used(header, coding):
    assert encoder_for(header).name == coding


def test_codings_of_no_weight_are_not_taken():
    assert accepted("br;q=0, gzip, *;q=0") == {"gzip"}


@pytest.mark.parametrize("coding", ["br", "gzip", ""])
def test_each_chunk_can_be_read_before_the_next_one_comes(coding):
    encoder = encoder_for(coding)
    reader = {"br": brotli.Decompressor, "gzip": lambda: zlib.decompressobj(31)}.get(coding, lambda: None)()
    read = getattr(reader, {"br": "process", "gzip": "decompress"}.get(coding, ""), bytes)
    for part in (b"<html>", b"", b"<p>" * 1000):
        assert read(encoder.chunk(part)) == part
    assert read(encoder.last(b"</html>")) == b"</html>"


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("path", ["/shop", VAT, "/nothing"])
@pytest.mark.parametrize("coding", ["br", "gzip", ""])
async def test_every_page_comes_in_the_coding_that_was_asked_for(site, path, coding):
    asked = [f"Accept-Encoding: {coding}"] if coding else []
    found = await site.ask(path, "GET", *asked, "User-Agent: Googlebot")
    assert found.headers.get("Content-Encoding", "") == coding
    assert (found.headers["Vary"], found.headers["X-Accel-Buffering"]) == ("Accept-Encoding", "no")
    body = b"".join(chunks_of(found.body))
    assert unpacked(coding, body).endswith(b"</body></html>\n")


def chunks_of(body: bytes) -> list[bytes]:
    """The chunks of a chunked body."""
    found = []
    while body:
        size, _, rest = body.partition(b"\r\n")
        found.append(rest[: int(size, 16)])
        body = rest[int(size, 16) + 2 :]
    return found


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("header", [header for header, _ in CODINGS])
async def test_no_such_header_is_an_error(site, header):
    assert (await site.get("/shop", Accept_Encoding=header)).status == 200


@pytest.mark.asyncio(loop_scope="session")
async def test_built_files_come_packed_in_advance(site):
    (style,) = (await site.document("/shop")).all("link", rel="stylesheet")
    packed = await site.ask(style["href"], "GET", "Accept-Encoding: br")
    bare = await site.ask(style["href"])
    assert (packed.headers["Content-Encoding"], packed.headers["Vary"]) == ("br", "Accept-Encoding")
    assert brotli.decompress(packed.body) == bare.body


@pytest.mark.parametrize("coding", ["br", "gzip", "identity"])
async def test_the_shell_arrives_while_a_deferred_part_is_still_out(open_site, start_renderer, coding):
    """The head, the shell and the state can be read by the browser although the stream has not ended."""
    site = await open_site((await start_renderer()).address, DEV_DELAY="reviews:600000,related:600000")
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    head = f"GET {VAT} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: {coding}\r\n\r\n"
    writer.write(head.encode())
    seen = b""
    async with asyncio.timeout(5):
        while b"<main>drawn course-details</main></div>" not in readable(coding, seen):
            seen += await reader.read(65536)
    assert not readable(coding, seen).endswith(b"</html>\n")
    writer.close()


def readable(coding: str, seen: bytes) -> bytes:
    """What can be read of an answer that has not ended."""
    if b"\r\n\r\n" not in seen:
        return b""
    body = b"".join(chunks_of(answered(seen).body))
    if coding == "br":
        return brotli.Decompressor().process(body)
    return zlib.decompressobj(31).decompress(body) if coding == "gzip" else body
