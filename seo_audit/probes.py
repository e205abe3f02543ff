"""Checks of addresses that no page links to: missing pages, addresses to normalise, lists not to index."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass

from seo_audit.breaches import Report
from seo_audit.page import Page

Fetch = Callable[..., Awaitable[tuple[Page, bytes]]]

UNKNOWN = "no-such-thing-0c5e1d"
# Pauses for a page that is cached in the background after its first response.
PAUSES_S = (0.05, 0.2, 0.5)


@dataclass(frozen=True)
class Probe:
    rule: str
    path: str
    check: Callable[[Page], Iterator[str]]


def not_found(page: Page) -> Iterator[str]:
    if page.status != 404:
        yield f"answers {page.status}, not 404"
    elif not page.is_noindex:
        yield "may be indexed: the error page has no noindex"
    elif not page.headings or not page.links:
        yield "the error page has no heading or no link"


def redirects_to(target: str) -> Callable[[Page], Iterator[str]]:
    def check(page: Page) -> Iterator[str]:
        if page.status not in (301, 308) or page.location != target:
            yield f"answers {page.status} {page.location or ''}, not 301 to {target}"

    return check


def not_indexable(canonical: str) -> Callable[[Page], Iterator[str]]:
    def check(page: Page) -> Iterator[str]:
        if page.status == 200 and not page.is_noindex:
            yield "may be indexed: no noindex"
        if page.status == 200 and not page.canonical.endswith(canonical):
            yield f"canonical is {page.canonical}, not {canonical}"

    return check


def canonical_is(path: str) -> Callable[[Page], Iterator[str]]:
    def check(page: Page) -> Iterator[str]:
        if page.status == 200 and page.canonical.partition("://")[2].partition("/")[2] != path.removeprefix("/"):
            yield f"canonical is {page.canonical}, not {path}"

    return check


def private(page: Page) -> Iterator[str]:
    if page.status == 200 and ("noindex" not in page.robots or "noindex" not in page.robots_header):
        yield "answers 200 without noindex in meta and header"


PROBES = (
    Probe("not-found", f"/{UNKNOWN}", not_found),
    Probe("not-found", f"/course-details?course={UNKNOWN}", not_found),
    Probe("not-found", "/course-details", not_found),
    Probe("not-found", "/shop-details/999999999999", not_found),
    Probe("not-found", "/shop?page=999999", not_found),
    Probe("exact-form", "/shop/", redirects_to("/shop")),
    Probe("exact-form", "/SHOP", redirects_to("/shop")),
    Probe("exact-form", "//about/", redirects_to("/about")),
    Probe("facets", "/shop?sort=newest", not_indexable("/shop")),
    Probe("facets", "/shop?level=beginner", not_indexable("/shop")),
    Probe("tracking", "/?utm_source=x&coupon=y", canonical_is("/")),
    Probe("tracking", "/shop?utm_source=x&session_id=1", canonical_is("/shop")),
    *(
        Probe("private", path, private)
        for path in (f"/search?q={UNKNOWN}", "/cart", "/login", "/profile", "/user-dashboard")
    ),
)


async def run(fetch: Fetch, report: Report) -> None:
    for probe in PROBES:
        page, _ = await fetch(probe.path)
        for text in probe.check(page):
            report.add(probe.path, probe.rule, "error", text)


# A PNG begins with these bytes; its width and height follow at 16 and 20.
PNG = b"\x89PNG\r\n\x1a\n"
SOCIAL_SIZE = (1200, 630)


async def social_picture(fetch: Fetch, page: Page, report: Report) -> None:
    """Check the picture for shared links. One on another site is not fetched."""
    path = page.local_path(page.meta("og:image"))
    if path is None:
        return
    picture, body = await fetch(path)
    size = (int.from_bytes(body[16:20]), int.from_bytes(body[20:24]))
    if picture.status != 200 or not body.startswith(PNG):
        report.add(page.path, "social-picture", "error", f"og:image {path} answers {picture.status} and is not a PNG")
    elif size != SOCIAL_SIZE:
        report.add(page.path, "social-picture", "error", f"og:image {path} is {size[0]} by {size[1]}")


async def conditional(fetch: Fetch, page: Page, report: Report) -> None:
    """Check that an unchanged page is answered with 304. Pages with a form are skipped: they may differ per visitor."""
    if page.all('form[method="post"]'):
        return
    known = await _validators(fetch, page.path)
    if not known:
        report.add(page.path, "conditional", "warning", "has neither ETag nor Last-Modified")
        return
    again, _ = await fetch(page.path, **known)
    if again.status != 304:
        report.add(page.path, "conditional", "warning", f"is unchanged and answers {again.status} instead of 304")


async def _validators(fetch: Fetch, path: str) -> dict[str, str]:
    """Headers of a conditional request for the page; fetches again, with pauses, while it has no validators."""
    for pause_s in (*PAUSES_S, None):
        page, _ = await fetch(path)
        headers = {"If-None-Match": page.headers.get("ETag"), "If-Modified-Since": page.headers.get("Last-Modified")}
        known = {name: value for name, value in headers.items() if value}
        if known or pause_s is None:
            break
        await asyncio.sleep(pause_s)
    return known
