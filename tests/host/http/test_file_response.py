"""Files as responses: which encoding is sent, and which part."""

import gzip

import brotli
import pytest
from aiohttp import web

from host.http.file_response import FileResponse

TEXT = b"0123456789" * 20


@pytest.fixture
async def files(aiohttp_client, tmp_path):
    path = tmp_path / "page.css"
    path.write_bytes(TEXT)
    (tmp_path / "page.css.br").write_bytes(brotli.compress(TEXT))
    (tmp_path / "page.css.gz").write_bytes(gzip.compress(TEXT))

    async def send(_request: web.Request) -> web.StreamResponse:
        return FileResponse(path)

    app = web.Application()
    app.router.add_get("/", send)
    return await aiohttp_client(app, auto_decompress=False)


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, br", "br"),
        ("gzip;q=0, identity", None),
        ("br;q=0, gzip", "gzip"),
        ("br;q=0.000, gzip;q=0", None),
        ("GZIP;q=0.5, br; q=0", "gzip"),
        ("x-gzip-not", None),
        ("identity", None),
        ("*;q=0, br", "br"),
    ],
)
async def test_an_encoding_of_weight_0_is_not_sent(files, accepted, encoding):
    response = await files.get("/", headers={"Accept-Encoding": accepted})
    assert (response.status, response.headers.get("Content-Encoding")) == (200, encoding)


PARTS = {
    "bytes=1-3": (206, b"123"),
    "bytes=-2": (206, b"89"),
    "bytes=195-": (206, b"56789"),
    "bytes=0-1,5-6": (200, TEXT),
    "bytes=0-1, -1": (200, TEXT),
    "lines=1-2": (200, TEXT),
    "bytes": (200, TEXT),
    "bytes=a-b": (200, TEXT),
    "bytes=-": (200, TEXT),
    "bytes=200-": (416, b""),
}


@pytest.mark.parametrize("ranges", PARTS)
async def test_one_range_of_bytes_is_a_part_and_anything_else_the_whole_file(files, ranges):
    response = await files.get("/", headers={"Accept-Encoding": "identity", "Range": ranges})
    status, body = PARTS[ranges]
    assert response.status == status
    if status != 416:
        assert await response.read() == body
