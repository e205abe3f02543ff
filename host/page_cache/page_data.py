"""The data of course and item pages, composed once per catalogue version: for documents that the page cache does not
have, and for client navigation.

It is kept in the site state, so that a change of the catalogue drops it. The database is asked each time for changes
that this process has not seen yet.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from domain.catalogue import details as catalogue_details
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult
from host.rendering.shell import Head, JsonProps, JsonText, script_text

# As long as a cached page is valid.
MAX_AGE = timedelta(minutes=10)
# What an entry takes in memory beside its JSON.
OVERHEAD = 2_000


class ComposedPage(NamedTuple):
    """`product_id`: whose page it is. Not valid from `until` on, when its price changes."""

    product_id: int
    page: str
    head: Head
    props: JsonText
    until: datetime


async def find(request: PageRequest, key: str) -> PageResult | None:
    """The page, if all of it was composed before and nothing of it has changed since. Restricted visitors have none."""
    page: ComposedPage | None = request.site.composed.get(key)
    if page is None or request.scope is not None or request.at >= page.until:
        return None
    if not await request.db.read_inline(catalogue_details.is_unchanged, page.product_id, request.site.version):
        return None
    return PageResult(page.page, page.head, JsonProps(page.props))


def compose(request: PageRequest, key: str, result: PageResult, product: Any, version: int) -> PageResult:
    """The result as JSON, for this request and later ones. `product`: its row, read with that `version`."""
    if result.deferred:
        return result
    head = replace(result.head, json_ld=tuple(script_text(block) for block in result.head.json_ld))
    props = script_text(result.props)
    if request.scope is None and version == request.site.version:
        page = ComposedPage(product.id, result.page, head, props, _valid_until(product, request.at))
        size = len(props) + sum(len(block) for block in head.json_ld) + OVERHEAD
        request.site.composed.put(key, page, size)
    return replace(result, head=head, props=JsonProps(props))


def _valid_until(product: Any, at: datetime) -> datetime:
    """Until the next begin or end of its sale."""
    changes: list[datetime] = [
        time for time in (product.sale_from, product.sale_until) if time is not None and time > at
    ]
    return min([at + MAX_AGE, *changes])
