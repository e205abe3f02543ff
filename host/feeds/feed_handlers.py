"""GET /products.jsonl, /products.csv and /llms.txt."""

import re
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256

from aiohttp import web
from pydantic import TypeAdapter, ValidationError

from domain.errors import InvalidInput, NotFound
from host.api.fields import Instant
from host.app_keys import SETTINGS
from host.feeds import llms_text
from host.feeds.packed_lines import PackedLines
from host.feeds.product_feed import PRODUCT_FEED, Feed
from host.http.compression import Gzip, Identity, accepted_encodings
from host.http.conditional import is_not_modified, last_modified
from host.rate_limits import policies
from host.seo.sitemap_handlers import is_restricted
from host.site_state import SITE

# What a reader passes as `since` the next time.
CURSOR_HEADER = "X-Feed-Cursor"
_CURSOR = re.compile(r"n(\d{1,18})")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+ -]\d\d:?\d\d)")
WRONG_SINCE = (
    "Give the cursor of an earlier answer (its header X-Feed-Cursor), or a time with its zone, such as "
    "2026-12-01T09:30:00Z."
)
NO_CHANGES_AS_CSV = "The CSV file is always whole. What changed, removed products included, is in /products.jsonl."
_INSTANT: TypeAdapter[datetime] = TypeAdapter(Instant)
_TYPES = {"jsonl": "application/jsonl", "csv": "text/csv"}


async def products(request: web.Request) -> web.StreamResponse:
    """The whole feed, or with `since`, for JSON Lines alone, what changed."""
    await policies.limit(request, "feeds_per_address_minute")
    if await is_restricted(request):
        # Whose catalogue is a part of the shop gets no list of all of it.
        raise NotFound("There is no such file.")
    form, since = request.match_info["form"], _since(request)
    if form == "csv" and since is not None:
        raise InvalidInput({"since": NO_CHANGES_AS_CSV})
    feed = await request.app[PRODUCT_FEED].current(request.app[SITE].state)
    packed = feed.csv if form == "csv" else feed.json_lines
    if since is None:
        return await _send_file(request, form, feed, packed)
    return await _send_changes(request, feed, since)


async def llms(request: web.Request) -> web.Response:
    """What the shop is, for programs that read for a person."""
    site = request.app[SITE].state
    text = llms_text.text(request.app[SETTINGS], site)
    etag = sha256(text.encode()).hexdigest()[:20]
    headers = {"ETag": f'"{etag}"', "Cache-Control": "public, max-age=300", "X-Robots-Tag": "noindex"}
    if etag in request.headers.get("If-None-Match", ""):
        return web.Response(status=304, headers=headers)
    return web.Response(text=text, content_type="text/plain", charset="utf-8", headers=headers)


def _since(request: web.Request) -> int | datetime | None:
    """Raises InvalidInput."""
    values = request.query.getall("since", [])
    if not values:
        return None
    text = values[0].strip()
    if len(values) == 1 and (cursor := _CURSOR.fullmatch(text)):
        return int(cursor[1])
    if len(values) == 1 and _TIME.fullmatch(text):
        with suppress(ValidationError):
            # A plus sign that nobody escaped has become a space.
            return _INSTANT.validate_python(text.replace(" ", "+"))
    raise InvalidInput({"since": WRONG_SINCE})


async def _send_file(request: web.Request, form: str, feed: Feed, packed: PackedLines) -> web.StreamResponse:
    takes_gzip = _takes_gzip(request)
    response = _response(request, form, feed, packed.etag, takes_gzip)
    if response.status != 304:
        response.content_length = packed.gzip_size if takes_gzip else packed.size
    return await _send(request, response, _as_stored(packed) if takes_gzip else _plain(packed))


async def _send_changes(request: web.Request, feed: Feed, since: int | datetime) -> web.StreamResponse:
    takes_gzip = _takes_gzip(request)
    content = f"{feed.json_lines.etag} {feed.number} {since}"
    response = _response(request, "jsonl", feed, sha256(content.encode()).hexdigest()[:20], takes_gzip)
    if isinstance(since, int):
        response.headers[CURSOR_HEADER] = f"n{max(since, feed.number)}"
    if response.status == 304:
        return response
    parts = await request.app[PRODUCT_FEED].changes(feed, since)
    return await _send(request, response, _encoded(parts, Gzip() if takes_gzip else Identity()))


def _takes_gzip(request: web.Request) -> bool:
    return "gzip" in accepted_encodings(request.headers.get("Accept-Encoding", ""))


def _response(request: web.Request, form: str, feed: Feed, etag: str, takes_gzip: bool) -> web.StreamResponse:
    headers = {
        "ETag": f'"{etag}-gzip"' if takes_gzip else f'"{etag}"',
        "Cache-Control": "no-cache",
        "Vary": "Accept-Encoding",
        "X-Robots-Tag": "noindex",
        CURSOR_HEADER: f"n{feed.number}",
    }
    if is_not_modified(request, etag, feed.changed):
        response: web.StreamResponse = web.Response(status=304, headers=headers)
    else:
        headers["Content-Type"] = f"{_TYPES[form]}; charset=utf-8"
        if takes_gzip:
            headers["Content-Encoding"] = "gzip"
        response = web.StreamResponse(headers=headers)
    response.last_modified = last_modified(feed.changed, datetime.now(UTC))
    return response


async def _send(request: web.Request, response: web.StreamResponse, parts: AsyncIterator[bytes]) -> web.StreamResponse:
    if response.status == 304:
        return response
    try:
        await response.prepare(request)
        if request.method != "HEAD":
            async for part in parts:
                await response.write(part)
        await response.write_eof()
    except ConnectionResetError:
        # The reader has left.
        pass
    return response


async def _as_stored(packed: PackedLines) -> AsyncIterator[bytes]:
    for part in packed.gzip():
        yield part


async def _plain(packed: PackedLines) -> AsyncIterator[bytes]:
    """Unpacked part by part: each is a few milliseconds."""
    for part in range(len(packed.parts)):
        yield packed.plain(part)


async def _encoded(parts: AsyncIterator[bytes], encoder: Gzip | Identity) -> AsyncIterator[bytes]:
    async for part in parts:
        yield encoder.encode(part)
    yield encoder.finish(b"")
