"""The data of course, item and search pages, composed once per catalogue version: for documents that the page cache
does not have, and for client navigation.

It is kept in the site state, so that a change of the catalogue drops it. The database is asked each time for changes
that this process has not seen yet.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from domain.catalogue import details as catalogue_details
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult
from host.rendering.shell import Head, JsonProps, JsonText, script_text
from host.resilience.bounded_cache import BoundedCache

# As long as a cached page is valid.
MAX_AGE = timedelta(minutes=10)
# What an entry takes in memory beside its JSON.
OVERHEAD = 2_000
# The id of a product for a page that is no product's.
NO_PRODUCT = 0


class Source(NamedTuple):
    """What a page was read from: a `version` of the catalogue. `changes`: when sales begin or end of what it shows."""

    version: int | None
    changes: tuple[datetime | None, ...]
    product_id: int = NO_PRODUCT


class ComposedPage(NamedTuple):
    """`product_id`: whose page it is, or NO_PRODUCT. Not valid from `until` on, when a price of it changes."""

    product_id: int
    page: str
    head: Head
    props: JsonText
    until: datetime
    headers: Mapping[str, str]


async def find(request: PageRequest, key: str) -> PageResult | None:
    """The page of a product, if all of it was composed before and nothing of it has changed since. Restricted visitors
    have none."""
    return await _find(request, request.site.composed, key)


async def find_search(request: PageRequest, address: str) -> PageResult | None:
    """As `find`, the page of a search by its canonical address."""
    return await _find(request, request.site.composed_searches, address)


async def _find(request: PageRequest, composed: BoundedCache[ComposedPage], key: str) -> PageResult | None:
    page = composed.get(key)
    if page is None or request.scope is not None or request.at >= page.until:
        return None
    if not await request.db.select_inline(catalogue_details.is_unchanged, page.product_id, request.site.version):
        return None
    return PageResult(page.page, page.head, JsonProps(page.props), headers=page.headers)


def compose(request: PageRequest, key: str, result: PageResult, product: Any, version: int) -> PageResult:
    """The result as JSON, for this request and later ones. `product`: its row, read with that `version`."""
    if result.deferred:
        return result
    source = Source(version, (product.sale_from, product.sale_until), product.id)
    return _compose(request, request.site.composed, key, result, source)


def compose_search(request: PageRequest, address: str, result: PageResult, source: Source) -> PageResult:
    """As `compose`, the page of a search."""
    return _compose(request, request.site.composed_searches, address, result, source)


def _compose(
    request: PageRequest, composed: BoundedCache[ComposedPage], key: str, result: PageResult, source: Source
) -> PageResult:
    head = replace(result.head, json_ld=tuple(script_text(block) for block in result.head.json_ld))
    props = script_text(result.props)
    if request.scope is None and source.version == request.site.version:
        until = _valid_until(request.at, source.changes)
        page = ComposedPage(source.product_id, result.page, head, props, until, result.headers)
        size = len(props) + sum(len(block) for block in head.json_ld) + OVERHEAD
        composed.put(key, page, size)
    return replace(result, head=head, props=JsonProps(props))


def _valid_until(at: datetime, changes: Iterable[datetime | None]) -> datetime:
    """Until the next of these begins and ends of sales."""
    return min([at + MAX_AGE, *(time for time in changes if time is not None and time > at)])
