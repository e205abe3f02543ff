"""GET /csv/…: the list of a page of an area as a file, for whoever may open the page; of reports also as Parquet.

Session token and session cookie both come from cookies: a link is all that starts it. The page's own guard decides.
"""

import logging
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

from aiohttp import web

from domain.audit import recording
from domain.audit.recording import Subject
from domain.errors import NotFound
from domain.routes import AreaPage, Page
from host import page_handler
from host.http.problems import Problem
from host.loaders.areas import area_page
from host.loaders.areas.area_list import LISTS
from host.rendering.page_registry import CSV_FILES, PARQUET_FILES
from host.rendering.page_request import PageRequest
from host.rendering.page_result import LoaderResult, PageResult

# What a file may be asked for as.
CSV, PARQUET = "csv", "parquet"
log = logging.getLogger("coursefront.pages")


async def export(request: web.Request) -> web.StreamResponse:
    """The file; the page's own answer to whoever may not open it. Raises NotFound for a page that is no list."""
    page = page_handler.page_request(request, "/" + request.match_info["tail"])
    route = page.route
    file, form = _file_of(route), request.query.get("as", CSV)
    if route is None or file is None or (form == PARQUET and route.id not in PARQUET_FILES):
        raise NotFound("There is no such file.")
    if form not in (CSV, PARQUET):
        raise Problem(422, errors={"as": "Choose csv or parquet."})
    page, result = await page_handler.load_with_session(request, page, _check)
    if not isinstance(result, PageResult) or result.page != route.id:
        return await page_handler.private_document(request, page, result)
    if not file.may_save(page):
        raise Problem(403, "For a file about people sign in again: the page of the list has the link.")
    if page.actor is not None:
        # Not what was searched for: that may be somebody's address.
        about = {"filters": sorted(name for name in file.filters if page.query.get(name))}
        await page.db.write_as(page.actor, recording.record, "list.export", Subject("page", route.id), after=about)
    if form == PARQUET:
        return _parquet(page, await PARQUET_FILES[route.id](page))
    return await _send(request, page, file.rows)


@dataclass(frozen=True)
class _File:
    """`rows`: the bytes, in parts, with the heading first. `filters`: parameters that choose rows. `may_save`: whether
    the sign-in is recent enough."""

    rows: Callable[[PageRequest], AsyncIterator[bytes]]
    filters: tuple[str, ...] = ()
    may_save: Callable[[PageRequest], bool] = lambda _page: True


def _file_of(route: Page | None) -> _File | None:
    if not isinstance(route, AreaPage):
        return None
    if route.id in CSV_FILES:
        return _File(CSV_FILES[route.id])
    area_list = LISTS.get(route.id)
    if area_list is None or not area_list.spec.has_csv:
        return None
    return _File(area_list.csv, tuple(entry.name for entry in area_list.spec.filters), area_list.may_save)


async def _check(request: PageRequest) -> LoaderResult:
    """The page without its data, or why it may not be opened."""
    assert isinstance(request.route, AreaPage)  # noqa: S101 the caller has checked it
    return await area_page.load(request, request.route, _nothing)


async def _nothing(request: PageRequest, route: Page) -> PageResult:
    return area_page.page(request, route, {"title": route.title})


def _parquet(page: PageRequest, body: bytes) -> web.Response:
    return web.Response(body=body, headers=_headers(page, "application/vnd.apache.parquet", PARQUET))


def _headers(page: PageRequest, content_type: str, suffix: str) -> dict[str, str]:
    stem = f"{page.path.rpartition('/')[2]}-{page.at:%Y-%m-%d}"
    return {
        "Content-Type": content_type,
        "Content-Disposition": f'attachment; filename="{stem}.{suffix}"',
        "X-Robots-Tag": "noindex",
        **page_handler.PRIVATE_HEADERS,
    }


async def _send(
    request: web.Request, page: PageRequest, rows: Callable[[PageRequest], AsyncIterator[bytes]]
) -> web.StreamResponse:
    parts = rows(page)
    # Errors of the first read are still an answer of their own.
    first = await anext(parts)
    response = web.StreamResponse(headers=_headers(page, "text/csv; charset=utf-8; header=present", CSV))
    try:
        await response.prepare(request)
        await response.write(first)
        await _write_rest(response, parts)
    except ConnectionResetError:
        log.debug("the visitor left %s", page.path)
    except Exception:
        # Once rows are sent, only the end of the connection tells the browser that the file is not complete.
        if request.transport is not None:
            request.transport.abort()
        raise
    return response


async def _write_rest(response: web.StreamResponse, parts: AsyncIterator[bytes]) -> None:
    async for part in parts:
        await response.write(part)
    await response.write_eof()
