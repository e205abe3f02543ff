"""Compression: the encoding that the client accepts, and no delay of streamed parts."""

import asyncio
import zlib

import brotli
import pytest

from host.http.compression import accepted_encodings, encoder_for
from tests.host.site import answered
from tests.support.waiting import DEADLINE_S

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


def unpacked(encoding: str, data: bytes) -> bytes:
    if encoding == "br":
        return brotli.decompress(data)
    return zlib.decompress(data, 31) if encoding == "gzip" else data


@pytest.mark.parametrize(("header", "encoding"), CODINGS)
def test_the_best_accepted_encoding_is_used(header, encoding):
    assert encoder_for(header).name == encoding


def test_encodings_of_weight_0_are_not_used():
    assert accepted_encodings("br;q=0, gzip, *;q=0") == {"gzip"}


@pytest.mark.parametrize("encoding", ["br", "gzip", ""])
def test_each_chunk_can_be_decoded_before_the_next_one_arrives(encoding):
    encoder = encoder_for(encoding)
    reader = {"br": brotli.Decompressor, "gzip": lambda: zlib.decompressobj(31)}.get(encoding, lambda: None)()
    read = getattr(reader, {"br": "process", "gzip": "decompress"}.get(encoding, ""), bytes)
    for part in (b"<html>", b"", b"<p>" * 1000):
        assert read(encoder.encode(part)) == part
    assert read(encoder.finish(b"</html>")) == b"</html>"


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("path", ["/shop", VAT, "/nothing"])
@pytest.mark.parametrize("encoding", ["br", "gzip", ""])
async def test_every_page_has_the_requested_encoding(site, path, encoding):
    fields = [f"Accept-Encoding: {encoding}"] if encoding else []
    response = await site.ask(path, "GET", *fields, "User-Agent: Googlebot")
    assert response.headers.get("Content-Encoding", "") == encoding
    assert (response.headers["Vary"], response.headers["X-Accel-Buffering"]) == ("Accept-Encoding", "no")
    body = b"".join(chunks_of(response.body))
    assert unpacked(encoding, body).endswith(b"</body></html>\n")


def chunks_of(body: bytes) -> list[bytes]:
    """The chunks of a chunked body."""
    chunks = []
    while body:
        size, _, rest = body.partition(b"\r\n")
        chunks.append(rest[: int(size, 16)])
        body = rest[int(size, 16) + 2 :]
    return chunks


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("header", [header for header, _ in CODINGS])
async def test_no_such_header_is_an_error(site, header):
    assert (await site.get("/shop", Accept_Encoding=header)).status == 200


@pytest.mark.asyncio(loop_scope="session")
async def test_built_files_are_compressed_in_advance(site):
    (style,) = (await site.document("/shop")).all("link", rel="stylesheet")
    packed = await site.ask(style["href"], "GET", "Accept-Encoding: br")
    bare = await site.ask(style["href"])
    assert (packed.headers["Content-Encoding"], packed.headers["Vary"]) == ("br", "Accept-Encoding")
    assert brotli.decompress(packed.body) == bare.body


@pytest.mark.parametrize("encoding", ["br", "gzip", "identity"])
async def test_the_shell_arrives_while_a_deferred_part_is_pending(open_site, start_renderer, encoding):
    """The head, the shell and the state can be read by the browser although the stream has not ended."""
    site = await open_site((await start_renderer()).address, DEV_DELAY="reviews:600000,related:600000")
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    head = f"GET {VAT} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: {encoding}\r\n\r\n"
    writer.write(head.encode())
    seen = b""
    async with asyncio.timeout(DEADLINE_S):
        while b"<main>drawn course-details</main></div>" not in readable(encoding, seen):
            seen += await reader.read(65536)
    assert not readable(encoding, seen).endswith(b"</html>\n")
    writer.close()


def readable(encoding: str, seen: bytes) -> bytes:
    """The text that can be decoded of an unfinished response."""
    if b"\r\n\r\n" not in seen:
        return b""
    body = b"".join(chunks_of(answered(seen).body))
    if encoding == "br":
        return brotli.Decompressor().process(body)
    return zlib.decompressobj(31).decompress(body) if encoding == "gzip" else body
