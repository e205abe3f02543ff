"""A page of an area that is one list: its table at an address of the page, and the same rows as a file."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from typing_extensions import TypedDict

from domain.database.list_page import ListSource, of_tenant, read_list_page, read_list_slice
from domain.errors import InvalidInput
from domain.routes import Page
from host.loaders.areas import area_page
from host.loaders.ui import csv_rows
from host.loaders.ui.table_props import TableProps, table_props
from host.loaders.ui.table_query import TableQuery, parse
from host.loaders.ui.table_spec import TableSpec
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

T = TypeVar("T")
# Rows of one read for a file, each in a transaction of its own: a slow client holds none open.
SLICE_ROWS = 1_000
MAX_CSV_ROWS = 1_000_000


class ListPageProps(TypedDict):
    """A page that is one list (components/admin/ListPage.tsx)."""

    title: str
    table: TableProps


@dataclass(frozen=True)
class AreaList(Generic[T]):
    """The list of one page. The permission for both is that of the page's row in routes.json."""

    spec: TableSpec[T]

    async def load(self, request: PageRequest, route: Page) -> PageResult:
        """Raises ServiceUnavailable while the database does not answer in time."""
        props: ListPageProps = {"title": route.title, "table": await self.table(request)}
        return area_page.page(request, route, dict(props))

    async def table(self, request: PageRequest) -> TableProps:
        """For a page that shows more than the list. Raises ServiceUnavailable."""
        query = parse(self.spec, request.query)
        page = await request.db.read(read_list_page, self._source(request), query.list_query(self.spec.page_size))
        return table_props(self.spec, query, page, request.path)

    def _source(self, request: PageRequest) -> ListSource[T]:
        """The rows that the actor may see: in the area of organisations those of the session's alone."""
        is_tenant = request.actor is not None and request.actor.area == "organisation"
        return of_tenant(self.spec.source, request.actor.tenant if request.actor and is_tenant else None)

    async def csv(self, request: PageRequest) -> AsyncIterator[bytes]:
        """The rows that the filters of the address leave, in its columns, the newest first; the heading comes with the
        first of them. At most MAX_CSV_ROWS.

        Raises InvalidInput for a value that the list does not know, as the file cannot say that it was left out;
        ServiceUnavailable while the database does not answer in time.
        """
        query = _strictly_parsed(self.spec, request)
        columns, currency = csv_rows.csv_columns(self.spec, query), request.settings.shop.currency
        head, before, source = csv_rows.header(columns, currency), None, self._source(request)
        for _ in range(MAX_CSV_ROWS // SLICE_ROWS):
            part = await request.db.read(read_list_slice, source, query.filters, before, SLICE_ROWS)
            # Not on the event loop: it serves everybody.
            yield head + await asyncio.to_thread(csv_rows.lines, columns, part.rows, currency)
            head, before = b"", part.last
            if before is None:
                return


def _strictly_parsed(spec: TableSpec[T], request: PageRequest) -> TableQuery:
    query = parse(spec, request.query)
    if query.ignored:
        raise InvalidInput({entry["label"]: f"This list does not know “{entry['value']}”." for entry in query.ignored})
    return query
