"""One page of a list for staff: rows in an indexed order, and their number, counted no further than MAX_COUNT.

A list that only grows is read from its newest row by key instead: rows that arrive meanwhile move no page.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from sqlalchemy import ColumnElement, Select, Table, func, select
from sqlalchemy.orm import Session

from domain.permissions import Tenant

# Also bounds the OFFSET of a page: skipping more rows of an index takes noticeable time.
MAX_COUNT = 10_000
T = TypeVar("T")
Condition = Callable[[str], ColumnElement[bool]]


@dataclass(frozen=True)
class ListSource(Generic[T]):
    """What a list reads, and the orders and filters that a request may choose from.

    `rows` selects the values of one `make` each, and joins no table that would repeat a row. `key` is the id of a row;
    it decides between equal values of a sort. Raises ValueError for a sort without an index: one that begins with the
    column, or with columns of `equal` (those that `rows` compares with one value) and then the column. A filter that
    leaves few rows of many needs an index too: without one the count reads all of them. `tenant`: the column of the
    organisation whose row it is, of a list for organisations, which is read by `of_tenant` alone.
    """

    rows: Select[Any]
    make: Callable[[Iterable[Any]], T]
    key: ColumnElement[int]
    sorts: Mapping[str, ColumnElement[Any]] = field(default_factory=dict)
    filters: Mapping[str, Condition] = field(default_factory=dict)
    equal: frozenset[str] = frozenset()
    only_grows: bool = False
    tenant: ColumnElement[int | None] | None = None

    def __post_init__(self) -> None:
        if self.only_grows and self.sorts:
            raise ValueError("a list that only grows has one order: the newest row first")
        slow = [name for name, column in self.sorts.items() if not is_indexed(column, self.equal)]
        if slow:
            raise ValueError(f"no index begins with the column of these sorts: {', '.join(slow)}")


def of_tenant(source: ListSource[T], tenant: Tenant | None) -> ListSource[T]:
    """The part of a list that an organisation may see; the whole of one that is no organisation's, for None. Raises
    TypeError when only one of both has an organisation."""
    if source.tenant is None and tenant is None:
        return source
    if source.tenant is None or tenant is None:
        raise TypeError("a list of organisations is read for one of them, and no other list is")
    return replace(source, rows=source.rows.where(source.tenant == tenant.organisation_id))


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
class ListSlice(Generic[T]):
    """The next rows of a list in the order of their keys, the newest first. `last`: the key to go on with, None: there
    are no more."""

    rows: Sequence[T]
    last: int | None


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
    filters = (source.filters[name](value) for name, value in query.filters.items())
    matching = source.rows.where(*conditions, *filters)
    count = _count(session, matching, source.key)
    total = min(count, MAX_COUNT)
    page = 1 if source.only_grows else min(query.page, max(1, -(-total // query.size)))
    if query.before is not None:
        matching = matching.where(source.key < query.before)
    # The key is the last column, after those of `make`. One row more than the page shows whether there are older ones.
    statement = matching.add_columns(source.key.label("list_key")).order_by(*_order(source, query))
    rows = session.execute(statement.limit(query.size + 1).offset((page - 1) * query.size)).all()
    shown = rows[: query.size]
    return ListPage(
        rows=[source.make(row[:-1]) for row in shown],
        keys=[int(row[-1]) for row in shown],
        total=total,
        is_more=count > MAX_COUNT,
        page=page,
        has_older=source.only_grows and len(rows) > query.size,
    )


def read_list_slice(
    session: Session,
    source: ListSource[T],
    filters: Mapping[str, str],
    before: int | None,
    size: int,
    *conditions: ColumnElement[bool],
) -> ListSlice[T]:
    """`size` rows with a smaller key than `before`, for a file of the whole list. Rows that arrive meanwhile have
    larger keys and are in no slice. `conditions` as of `read_list_page`."""
    matching = source.rows.where(*conditions, *(source.filters[name](value) for name, value in filters.items()))
    if before is not None:
        matching = matching.where(source.key < before)
    statement = matching.add_columns(source.key.label("list_key")).order_by(source.key.desc()).limit(size)
    rows = session.execute(statement).all()
    return ListSlice([source.make(row[:-1]) for row in rows], int(rows[-1][-1]) if len(rows) == size else None)


def _count(session: Session, matching: Select[Any], key: ColumnElement[int]) -> int:
    """At most MAX_COUNT + 1."""
    keys = matching.with_only_columns(key, maintain_column_froms=True).order_by(None).limit(MAX_COUNT + 1).subquery()
    return session.scalar(select(func.count()).select_from(keys)) or 0


def _order(source: ListSource[Any], query: ListQuery) -> tuple[ColumnElement[Any], ...]:
    columns = [source.key] if query.sort is None else [source.sorts[query.sort], source.key]
    return tuple(column.desc() if query.is_descending else column.asc() for column in columns)
