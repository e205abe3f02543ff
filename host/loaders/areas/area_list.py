"""A page of an area that is one list: its table at an address of the page, and the same rows as a file."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, NotRequired, TypeVar

from typing_extensions import TypedDict

from domain.database.list_page import (
    ListPage,
    ListQuery,
    ListSource,
    of_tenant,
    read_list_page,
    read_list_slice,
)
from domain.errors import InvalidInput
from domain.permissions import Permission, permissions_of
from domain.routes import AreaPage, Page, match_route
from host.auth import area_access
from host.loaders.areas import area_page
from host.loaders.ui import csv_rows
from host.loaders.ui.table_props import TableProps, table_props
from host.loaders.ui.table_query import TableQuery, parse
from host.loaders.ui.table_spec import EmptyAction, EmptyTable, TableSpec
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

T = TypeVar("T")
# Rows of one read for a file, each in a transaction of its own: a slow client holds none open.
SLICE_ROWS = 1_000
MAX_CSV_ROWS = 1_000_000
# The oldest sign-in for a file about people.
MAX_AUTH_AGE_S = 600


class ListPageProps(TypedDict):
    """A page that is one list (components/admin/ListView.tsx). `links`: what can be done beside it, such as making
    something new; only those that this person may open."""

    title: str
    table: TableProps
    links: NotRequired[list[EmptyAction]]


@dataclass(frozen=True)
class AreaList(Generic[T]):
    """The list of one page. The permission for both is that of the page's row in routes.json; `bulk_permissions`: to
    select rows for a bulk action, by its id. `choices`: of filters whose options change, by name. `links`: to pages
    beside it. `visible`: the source of the rows that a person may see, where their permissions decide.
    """

    spec: TableSpec[T]
    bulk_permissions: Mapping[str, Permission] = field(default_factory=dict)
    choices: Mapping[str, Callable[[PageRequest], Mapping[str, str]]] = field(default_factory=dict)
    links: tuple[EmptyAction, ...] = ()
    visible: Callable[[PageRequest], ListSource[T]] | None = None

    async def load(self, request: PageRequest, route: Page) -> PageResult[ListPageProps]:
        """Raises ServiceUnavailable while the database does not answer in time."""
        props: ListPageProps = {"title": route.title, "table": await self.table(request)}
        if links := [link for link in self.links if _may_open(request, link)]:
            props["links"] = links
        return area_page.page(request, route, props)

    async def table(self, request: PageRequest) -> TableProps:
        """For a page that shows more than the list. Raises ServiceUnavailable."""
        spec = self._spec(request)
        query = parse(spec, request.query)
        rows = await self._page(request, query.list_query(spec.page_size))
        props = table_props(spec, query, rows, request.path)
        props["bulkActions"] = [
            entry for entry in props["bulkActions"] if _may(request, self.bulk_permissions[entry["id"]])
        ]
        if not props["rows"]:
            props["emptyState"] = _own_first_step(request, props["emptyState"])
        return props if self.may_save(request) else self._signing_in_first(request, props)

    def _spec(self, request: PageRequest) -> TableSpec[T]:
        """With the options that its filters have now."""
        if not self.choices:
            return self.spec
        options = {name: read(request) for name, read in self.choices.items()}
        filters = (replace(entry, options=options.get(entry.name, entry.options)) for entry in self.spec.filters)
        return replace(self.spec, filters=tuple(filters))

    async def _page(self, request: PageRequest, query: ListQuery) -> ListPage[T]:
        source = self._source(request)
        if source.has_long_rows:
            return await request.db.read(read_list_page, source, query)
        name = (request.path, query.sort, query.is_descending, *query.filters, source.tenant_id)
        return await request.db.read_briefly(name, read_list_page, source, query)

    def may_save(self, request: PageRequest) -> bool:
        """Whether the sign-in is recent enough for the file."""
        auth = None if request.session is None else request.session.auth
        return auth is None or not self.spec.names_people or area_access.is_recent(auth, request.at, MAX_AUTH_AGE_S)

    def _signing_in_first(self, request: PageRequest, props: TableProps) -> TableProps:
        if request.session is None or props["csvHref"] is None:
            return props
        auth, here = request.session.auth, props["csvHref"].removeprefix("/csv")
        href = area_access.sign_in_again_href(request.settings, auth, here, MAX_AUTH_AGE_S)
        return {**props, "csvHref": href, "csvAllHref": None, "csvNeedsSignIn": True}

    def _source(self, request: PageRequest) -> ListSource[T]:
        """The rows that the actor may see: in the area of organisations those of the session's alone."""
        is_tenant = request.actor is not None and request.actor.area == "organisation"
        source = self.spec.source if self.visible is None else self.visible(request)
        return of_tenant(source, request.actor.tenant if request.actor and is_tenant else None)

    async def csv(self, request: PageRequest) -> AsyncIterator[bytes]:
        """The rows that the filters of the address leave, in its columns and its order; the heading comes with the
        first of them. At most MAX_CSV_ROWS.

        Raises InvalidInput for a value that the list does not know, as the file cannot say that it was left out;
        ServiceUnavailable while the database does not answer in time.
        """
        spec = self._spec(request)
        query = _strictly_parsed(spec, request)
        columns, currency = csv_rows.csv_columns(spec, query), request.settings.shop.currency
        head, after, source = csv_rows.header(columns, currency), None, self._source(request)
        order = query.list_query(SLICE_ROWS)
        for _ in range(MAX_CSV_ROWS // SLICE_ROWS):
            part = await request.db.read_many(read_list_slice, source, order, after)
            # Not on the event loop: it serves everybody.
            yield head + await asyncio.to_thread(csv_rows.lines, columns, part.rows, currency)
            head, after = b"", part.last
            if after is None:
                return


# By the ids of their pages. Each is a file at /csv{path} too, unless its table says that it is none.
LISTS: dict[str, AreaList[Any]] = {}


def list_page(page_id: str, area_list: AreaList[T]) -> None:
    """Declare a page that is this list and nothing else."""
    page(page_id)(area_list.load)
    list_file(page_id, area_list)


def list_file(page_id: str, area_list: AreaList[T]) -> None:
    """Declare the list of a page that has a loader of its own."""
    LISTS[page_id] = area_list


def _own_first_step(request: PageRequest, empty: EmptyTable) -> EmptyTable:
    """Without a step to a page that this person may not open."""
    return empty if empty["action"] is None or _may_open(request, empty["action"]) else {**empty, "action": None}


def _may_open(request: PageRequest, link: EmptyAction) -> bool:
    route = match_route(link["href"])
    needed = route.page.permission if route and isinstance(route.page, AreaPage) else None
    return needed is None or _may(request, needed)


def _may(request: PageRequest, permission: Permission) -> bool:
    return request.actor is not None and permission in permissions_of(request.actor.area, request.actor.roles)


def _strictly_parsed(spec: TableSpec[T], request: PageRequest) -> TableQuery:
    query = parse(spec, request.query)
    if query.ignored:
        raise InvalidInput({entry["label"]: f"This list does not know “{entry['value']}”." for entry in query.ignored})
    return query
