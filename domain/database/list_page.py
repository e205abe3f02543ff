"""One page of a list for staff: rows in an indexed order, and their number, counted no further than MAX_COUNT.

A list that only grows is read from its newest row by key instead: rows that arrive meanwhile move no page. Pages
without filters, which most people open first, are read by statements that are compiled once.
"""

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

from sqlalchemy import ColumnElement, Select, Table, and_, bindparam, case, func, or_, select
from sqlalchemy.orm import Session

from domain.database.cached_counts import CachedCounts
from domain.database.prepared_select import PreparedSelect
from domain.permissions import Tenant

# Also bounds the OFFSET of a page: skipping more rows of an index takes noticeable time.
MAX_COUNT = 10_000
T = TypeVar("T")
Condition = Callable[[str], ColumnElement[bool]]
# Parameters of prepared statements.
_TENANT, _BEFORE, _SIZE, _SKIPPED = "list_tenant", "list_before", "list_size", "list_skipped"


@dataclass(frozen=True, eq=False)
class ListSource(Generic[T]):
    """What a list reads, and the orders and filters that a request may choose from.

    `rows` selects the values of one `make` each, and joins no table that would repeat a row. `key` is the id of a row;
    it decides between equal values of a sort. Raises ValueError for a sort without an index: one that begins with the
    column, or with columns of `equal` (those that `rows` compares with one value) and then the column. A filter that
    leaves few rows of many needs an index too: without one the count reads all of them. `tenant`: the column of the
    organisation whose row it is, of a list for organisations, which is read by `of_tenant` alone, which sets
    `tenant_id`. `parameters`: names of bound parameters in `rows`, and what reads their values for each request.

    `counted`: the same rows without the tables that `rows` joins to show columns of at most one row each, which a
    database would look up for every row that it counts.

    `prepared`: statements without filters, by their rows and what orders and bounds them. `counts`: of the rows of
    large lists. `order`: of a page without a sort, the largest first, where it is another than that of the keys.
    `is_sorted_first`: no index of both databases yields the order together with the conditions: keys alone are sorted,
    and the columns of what is shown read. `has_long_rows`: they hold documents that take long to decode, so that the
    event loop never reads them.
    """

    rows: Select[Any]
    make: Callable[[Iterable[Any]], T]
    key: ColumnElement[int]
    sorts: Mapping[str, ColumnElement[Any]] = field(default_factory=dict)
    filters: Mapping[str, Condition] = field(default_factory=dict)
    equal: frozenset[str] = frozenset()
    only_grows: bool = False
    counted: Select[Any] | None = None
    parameters: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    tenant: ColumnElement[int | None] | None = None
    tenant_id: int | None = None
    order: tuple[ColumnElement[Any], ...] = ()
    is_sorted_first: bool = False
    has_long_rows: bool = False
    prepared: dict[tuple[Any, ...], PreparedSelect[Any]] = field(default_factory=dict, repr=False)
    counts: CachedCounts[int] = field(default_factory=CachedCounts, repr=False)

    def __post_init__(self) -> None:
        if self.only_grows and self.sorts:
            raise ValueError("a list that only grows has one order: the newest row first")
        slow = [name for name, column in self.sorts.items() if not is_indexed(column, self.equal)]
        if slow:
            raise ValueError(f"no index begins with the column of these sorts: {', '.join(slow)}")

    @cached_property
    def rows_of_tenant(self) -> tuple[Select[Any], Select[Any] | None]:
        """The rows of one organisation, and `counted` of it: equal statements for all organisations, as they are
        compiled once."""
        if self.tenant is None:
            raise TypeError("no organisation has rows of this list")
        is_its = self.tenant == bindparam(_TENANT)
        return self.rows.where(is_its), None if self.counted is None else self.counted.where(is_its)

    @property
    def to_count(self) -> Select[Any]:
        return self.rows if self.counted is None else self.counted

    @property
    def values(self) -> dict[str, Any]:
        """The values of the parameters of `rows`, now."""
        tenant = {} if self.tenant_id is None else {_TENANT: self.tenant_id}
        return {**tenant, **{name: read() for name, read in self.parameters.items()}}


def of_tenant(source: ListSource[T], tenant: Tenant | None) -> ListSource[T]:
    """The part of a list that an organisation may see; the whole of one that is no organisation's, for None. Raises
    TypeError when only one of both has an organisation."""
    if source.tenant is None and tenant is None:
        return source
    if source.tenant is None or tenant is None:
        raise TypeError("a list of organisations is read for one of them, and no other list is")
    rows, counted = source.rows_of_tenant
    return replace(source, rows=rows, counted=counted, tenant_id=tenant.organisation_id)


@dataclass(frozen=True)
class ListQuery:
    """Which rows of a list. `sort` None: the newest, that is the largest key, first. `page` counts from 1.

    `before`: only rows with a smaller key, of a list that only grows.
    """

    size: int
    sort: str | None = None
    is_descending: bool = True
    filters: Mapping[str, str] = field(default_factory=dict)
    page: int = 1
    before: int | None = None


@dataclass(frozen=True)
class ListPage(Generic[T]):
    """`keys` are those of the rows. `total` is at most MAX_COUNT, with more rows than that if `is_more`.

    `page` is the last one if a later was requested. `has_older`: of a list that only grows.
    """

    rows: Sequence[T]
    keys: Sequence[int]
    total: int
    is_more: bool
    page: int = 1
    has_older: bool = False


@dataclass(frozen=True)
class SliceEnd:
    """The last row of a slice: its key, and its value of the sort."""

    key: int
    value: Any = None


@dataclass(frozen=True)
class ListSlice(Generic[T]):
    """The next rows of a list. `last`: the row to go on after, None: there are no more."""

    rows: Sequence[T]
    last: SliceEnd | None


def is_indexed(column: ColumnElement[Any], equal: frozenset[str] = frozenset()) -> bool:
    """Whether an index of the column's table yields its order, given columns that are `equal` in all rows."""
    table = getattr(column, "table", None)
    if not isinstance(table, Table):
        return False
    keys = [index.columns.keys() for index in table.indexes]
    keys += [key.columns.keys() for key in table.constraints if hasattr(key, "columns") and _is_unique(key)]
    return any(_yields_order(names, column.key or "", equal) for names in keys)


def _is_unique(constraint: Any) -> bool:
    return constraint.__visit_name__ in ("primary_key_constraint", "unique_constraint")


def _yields_order(names: Sequence[str], name: str, equal: frozenset[str]) -> bool:
    return next((other for other in names if other not in equal), None) == name


def read_list_page(
    session: Session, source: ListSource[T], query: ListQuery, *conditions: ColumnElement[bool]
) -> ListPage[T]:
    """The rows of one page. `conditions` hold beside the filters: the tenant, for example."""
    filters = [*conditions, *(source.filters[name](value) for name, value in query.filters.items())]
    count = _count(session, source, filters) if filters else _count_all(session, source, query.page)
    total = min(count, MAX_COUNT)
    page = 1 if source.only_grows else min(query.page, max(1, -(-total // query.size)))
    # One row more than the page shows whether there are older ones.
    bounds = {_SIZE: query.size + 1, _SKIPPED: (page - 1) * query.size, _BEFORE: query.before, **source.values}
    # The key of each row is its last column.
    rows: Sequence[Sequence[Any]]
    if filters:
        rows = session.execute(_page(source, query, filters), bounds).all()
    else:
        rows = _prepared_page(source, query).all(session, **bounds)
    if query.page == 1 and query.before is None and len(rows) <= query.size:
        # These are all: a count that was cached a moment ago may say otherwise.
        total, count = len(rows), len(rows)
    shown = rows[: query.size]
    return ListPage(
        rows=[source.make(row[:-1]) for row in shown],
        keys=[row[-1] for row in shown],
        total=total,
        is_more=count > MAX_COUNT,
        page=page,
        has_older=source.only_grows and len(rows) > query.size,
    )


def _page(source: ListSource[Any], query: ListQuery, filters: Sequence[ColumnElement[bool]] = ()) -> Select[Any]:
    if query.before is not None:
        filters = [*filters, source.key < bindparam(_BEFORE)]
    order = _order(source, query)
    if query.sort is None and source.order:
        order = tuple(column.desc() for column in source.order)
    key = source.key.label("list_key")
    if not source.is_sorted_first:
        rows = source.rows.where(*filters).add_columns(key).order_by(*order)
        return rows.limit(bindparam(_SIZE)).offset(bindparam(_SKIPPED))
    keys = source.to_count.where(*filters).with_only_columns(key, maintain_column_froms=True).order_by(*order)
    shown = keys.limit(bindparam(_SIZE)).offset(bindparam(_SKIPPED)).subquery()
    return source.rows.add_columns(key).join(shown, shown.c.list_key == source.key).order_by(*order)


def _prepared_page(source: ListSource[Any], query: ListQuery) -> PreparedSelect[Sequence[Any]]:
    place = (source.rows, query.sort, query.is_descending, query.before is None)
    if place not in source.prepared:
        source.prepared[place] = PreparedSelect(_page(source, query), tuple)
    return source.prepared[place]


def _count_all(session: Session, source: ListSource[Any], page: int) -> int:
    """At most MAX_COUNT + 1, of a list without filters. The first page of a large one may say what was true before;
    later pages count, so that there is one for every row."""
    kept = source.counts.get(source.tenant_id) if page == 1 and not source.parameters else None
    if kept is not None:
        return kept
    place = (source.rows, "count")
    if place not in source.prepared:
        source.prepared[place] = PreparedSelect(_bounded_count(source), tuple)
    [(number,)] = source.prepared[place].all(session, **{_SKIPPED: MAX_COUNT}, **source.values)
    count = MAX_COUNT + 1 if number is None else int(number)
    if not source.parameters:
        source.counts.put(source.tenant_id, count, count)
    return count


def _bounded_count(source: ListSource[Any]) -> Select[Any]:
    """None while rows are left after MAX_COUNT of them: to skip rows costs a fifth of counting them."""
    rows = source.to_count.order_by(None)
    skipping = rows.with_only_columns(source.key, maintain_column_froms=True).limit(1).offset(bindparam(_SKIPPED))
    number = rows.with_only_columns(func.count(), maintain_column_froms=True).scalar_subquery()
    return select(case((skipping.scalar_subquery().is_(None), number)))


def read_list_slice(
    session: Session, source: ListSource[T], query: ListQuery, after: SliceEnd | None, *conditions: ColumnElement[bool]
) -> ListSlice[T]:
    """The next rows in the order of the query, for a file of the whole list; `query.size` of them, whatever its page.
    A sort by a column that may have no value gives the newest first. In the order of the keys, rows that arrive
    meanwhile are in no slice; in another order a row whose value changes meanwhile may be in two or in none.
    `conditions` as of `read_list_page`."""
    filters = (source.filters[name](value) for name, value in query.filters.items())
    matching = source.rows.where(*conditions, *filters)
    if query.sort is not None and getattr(source.sorts[query.sort], "nullable", False):
        # Rows without a value cannot be compared with the one to go on after.
        query = replace(query, sort=None, is_descending=True)
    if after is not None:
        matching = matching.where(_comes_after(source, query, after))
    column = source.key if query.sort is None else source.sorts[query.sort]
    statement = matching.add_columns(column.label("list_sort"), source.key.label("list_key"))
    rows = session.execute(statement.order_by(*_order(source, query)).limit(query.size), source.values).all()
    last = SliceEnd(int(rows[-1][-1]), rows[-1][-2]) if len(rows) == query.size else None
    return ListSlice([source.make(row[:-2]) for row in rows], last)


def _comes_after(source: ListSource[Any], query: ListQuery, after: SliceEnd) -> ColumnElement[bool]:
    """In a form of which both databases make a range of the index."""
    less = operator.lt if query.is_descending else operator.gt
    is_next: ColumnElement[bool] = less(source.key, after.key)
    if query.sort is None:
        return is_next
    column = source.sorts[query.sort]
    within: ColumnElement[bool] = (operator.le if query.is_descending else operator.ge)(column, after.value)
    return and_(within, or_(less(column, after.value), is_next))


def _count(session: Session, source: ListSource[Any], filters: Sequence[ColumnElement[bool]]) -> int:
    """At most MAX_COUNT + 1."""
    all_keys = source.to_count.where(*filters).with_only_columns(source.key, maintain_column_froms=True).order_by(None)
    keys = all_keys.limit(MAX_COUNT + 1).subquery()
    return session.scalar(select(func.count()).select_from(keys), source.values) or 0


def _order(source: ListSource[Any], query: ListQuery) -> tuple[ColumnElement[Any], ...]:
    columns = [source.key] if query.sort is None else [source.sorts[query.sort], source.key]
    return tuple(column.desc() if query.is_descending else column.asc() for column in columns)
