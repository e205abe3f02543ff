"""Reads what days have stored of searches, of what was bought after them, and of addresses that lead nowhere."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, func, or_, select
from sqlalchemy.orm import Session

from domain.database.parts import parts_of
from domain.reports.k_anonymity import MIN_K, is_large_enough
from domain.reports.searches.gap_kinds import MIN_UNFOLLOWED
from domain.tables import Product, SearchDay, SearchPurchase, UnknownPathDay
from domain.text_direction import isolated
from domain.visits.stored_days.demand_keys import RARE

# Their number has no other limit: anybody can search for anything.
MAX_QUERIES = 10_000
MAX_NAMED = 3
_CHUNK = 500
# So many first queries are found before the rest of their sums is.
FEW_QUERIES = 150
# So many rows are found by their whole keys, query by query and day by day; more by reading all of the period.
MAX_KEYS = 60_000
# Days before the last one, which with it say whether a period has few queries without success.
LAST_DAYS = timedelta(days=6)
COUNTS = ("searches", "no_results", "in_sessions", "followed", "abandoned")
SearchSums = Mapping[str, int]


class Days(NamedTuple):
    """From `since` to `until`, both included."""

    since: date
    until: date

    def has(self, column: Any) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
        return column >= self.since, column <= self.until

    @property
    def each(self) -> list[date]:
        return [self.since + timedelta(days=number) for number in range((self.until - self.since).days + 1)]


class PeriodQuery(NamedTuple):
    """A query with its sums over a period, the last day of it on which it was sent, and what it found last."""

    query: str
    sums: SearchSums
    last_day: date
    last_results: int


def _sums() -> list[Any]:
    return [func.sum(getattr(SearchDay, name)) for name in COUNTS]


def _of(numbers: Any) -> SearchSums:
    return dict(zip(COUNTS, (int(number or 0) for number in numbers), strict=True))


def by_day(session: Session, days: Days, query: str | None = None) -> dict[date, SearchSums]:
    """The sums of each day with searches: of all queries, also of those that are too rare to be stored, or of one."""
    # Each day is found by its whole key: a range of days would read all queries of these.
    is_chosen = days.has(SearchDay.day) if query is None else (SearchDay.day.in_(days.each), SearchDay.query == query)
    rows = session.execute(select(SearchDay.day, *_sums()).where(*is_chosen).group_by(SearchDay.day))
    return {day: _of(numbers) for day, *numbers in rows}


def total_of(rows: Iterable[SearchSums]) -> SearchSums:
    found = dict.fromkeys(COUNTS, 0)
    for row in rows:
        for name in COUNTS:
            found[name] += row[name]
    return found


def by_query(session: Session, days: Days, names: Collection[str]) -> dict[str, SearchSums]:
    found: dict[str, SearchSums] = {}
    for part in parts_of(sorted(names), _CHUNK):
        rows = session.execute(select(SearchDay.query, *_sums()).where(*_named(days, part)).group_by(SearchDay.query))
        found |= {query: _of(numbers) for query, *numbers in rows}
    return found


def queries(session: Session, days: Days, order: str, limit: int) -> list[PeriodQuery]:
    """The first ones in this order: one of COUNTS or "query", with "-" before it the highest first. Those with equal
    sums are in the order of their texts."""
    if limit > FEW_QUERIES:
        return _ordered(session, days.has(SearchDay.day), order, limit)
    # To sort all rows of the period by their queries takes as long as there are columns, so the others are read of
    # the first ones alone.
    query = select(SearchDay.query).where(*days.has(SearchDay.day), SearchDay.query != RARE)
    first = query.group_by(SearchDay.query).order_by(*_order(order)).limit(limit)
    return _ordered(session, _named(days, session.scalars(first).all()), order, limit)


def without_success(session: Session, days: Days, *conditions: ColumnElement[bool]) -> list[PeriodQuery]:
    """The most frequent queries whose last search found nothing, or of which no search in a session was followed.
    `conditions`: on their sums.

    Where these are few, they are found first by those rows alone that say so. Elsewhere that would be of no use, which
    the last days tell."""
    last_days = Days(max(days.since, days.until - LAST_DAYS), days.until)
    limit, is_chosen = MAX_KEYS // len(days.each), days.has(SearchDay.day)
    if len(_may_be_without_success(session, last_days, 1, limit + 1)) <= limit:
        names = _may_be_without_success(session, days, MIN_UNFOLLOWED, limit + 1)
        is_chosen = _named(days, names) if len(names) <= limit else is_chosen
    return _ordered(session, is_chosen, "-searches", MAX_QUERIES, *conditions)


def _may_be_without_success(session: Session, days: Days, least: int, limit: int) -> Sequence[str]:
    """All such queries, and others, up to a limit; `least`: of so many searches in sessions."""
    is_unfollowed = and_(SearchDay.followed == 0, SearchDay.in_sessions > 0)
    query = select(SearchDay.query).where(*days.has(SearchDay.day), SearchDay.query != RARE)
    may_be = or_(func.min(SearchDay.last_results) == 0, func.sum(SearchDay.in_sessions) >= least)
    of_rows = query.where(or_(SearchDay.last_results == 0, is_unfollowed)).group_by(SearchDay.query)
    return session.scalars(of_rows.having(may_be).limit(limit)).all()


def _ordered(
    session: Session,
    is_chosen: Iterable[ColumnElement[bool]],
    order: str,
    limit: int,
    *conditions: ColumnElement[bool],
) -> list[PeriodQuery]:
    """The first ones of these rows. `conditions`: on sums."""
    limited = _grouped(is_chosen, conditions).order_by(*_order(order)).limit(limit).subquery()
    is_last = (SearchDay.query == limited.c.query) & (SearchDay.day == limited.c.last_day)
    columns = (limited.c.query, limited.c.last_day, SearchDay.last_results, *(limited.c[name] for name in COUNTS))
    rows = session.execute(select(*columns).join(SearchDay, is_last))
    found = [PeriodQuery(query, _of(numbers), day, results) for query, day, results, *numbers in rows]
    by_text = sorted(found, key=lambda row: row.query, reverse=order == "-query")
    name = order.removeprefix("-")
    if name == "query":
        return by_text
    sign = -1 if order.startswith("-") else 1
    return sorted(by_text, key=lambda row: sign * row.sums[name])


def _named(days: Days, names: Sequence[str]) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """Rows of these queries."""
    is_named = SearchDay.query.in_(names)
    if len(names) * len(days.each) > MAX_KEYS:
        return and_(*days.has(SearchDay.day)), is_named
    return SearchDay.day.in_(days.each), is_named


def _grouped(is_chosen: Iterable[ColumnElement[bool]], conditions: Iterable[ColumnElement[bool]]) -> Select[Any]:
    named = (column.label(name) for column, name in zip(_sums(), COUNTS, strict=True))
    query = select(SearchDay.query, func.max(SearchDay.day).label("last_day"), *named)
    return query.where(*is_chosen, SearchDay.query != RARE).group_by(SearchDay.query).having(*conditions)


def _order(order: str) -> tuple[ColumnElement[Any], ...]:
    name, text = order.removeprefix("-"), SearchDay.query.expression
    column = text if name == "query" else func.sum(getattr(SearchDay, name))
    return (column.desc() if order.startswith("-") else column.asc(), *([text.asc()] if name != "query" else []))


def bought(session: Session, days: Days, names: Collection[str]) -> dict[str, str]:
    """What people bought after each of these queries, in words: products with the number of buyers, added up over days.
    Products of fewer than MIN_K are only mentioned, so that no figure points to one person."""
    buyers: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for part in parts_of(sorted(names), _CHUNK):
        rows = session.execute(
            select(SearchPurchase.query, SearchPurchase.product_id, func.sum(SearchPurchase.buyers))
            .where(*days.has(SearchPurchase.day), SearchPurchase.query.in_(part))
            .group_by(SearchPurchase.query, SearchPurchase.product_id)
        )
        for query, product_id, number in rows:
            buyers[query][product_id] = int(number)
    products = product_names(session, {product for found in buyers.values() for product in found})
    return {query: _bought_text(found, products) for query, found in buyers.items()}


def _bought_text(buyers: Mapping[int, int], names: Mapping[int, str]) -> str:
    shown = [(names.get(product, ""), number) for product, number in buyers.items() if is_large_enough(number, MIN_K)]
    shown = sorted(((name, number) for name, number in shown if name), key=lambda row: (-row[1], row[0]))[:MAX_NAMED]
    if not shown:
        return f"Products of fewer than {MIN_K} people each"
    rest = [] if len(shown) == len(buyers) else ["others"]
    return ", ".join([*(f"{isolated(name)} ({number})" for name, number in shown), *rest])


def product_names(session: Session, product_ids: Collection[int]) -> dict[int, str]:
    found: dict[int, str] = {}
    for part in parts_of(sorted(product_ids), _CHUNK):
        rows = session.execute(select(Product.id, Product.name).where(Product.id.in_(part)))
        found |= {row.id: row.name for row in rows}
    return found


class UnknownPath(NamedTuple):
    """`referrers`: what led there, with the number of sessions."""

    path: str
    sessions: int
    referrers: dict[str, int]


def unknown_paths(session: Session, days: Days, least: int) -> list[UnknownPath]:
    """Addresses of at least so many sessions, the most visited first."""
    frequent = (
        select(UnknownPathDay.path)
        .where(*days.has(UnknownPathDay.day))
        .group_by(UnknownPathDay.path)
        .having(func.sum(UnknownPathDay.sessions) >= least)
        .order_by(func.sum(UnknownPathDay.sessions).desc(), UnknownPathDay.path)
        .limit(MAX_QUERIES)
        .subquery()
    )
    rows = session.execute(
        select(UnknownPathDay.path, UnknownPathDay.referrer, func.sum(UnknownPathDay.sessions))
        .join(frequent, frequent.c.path == UnknownPathDay.path)
        .where(*days.has(UnknownPathDay.day))
        .group_by(UnknownPathDay.path, UnknownPathDay.referrer)
    )
    referrers: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for path, referrer, sessions in rows:
        referrers[path][referrer] = int(sessions)
    found = [UnknownPath(path, sum(of_path.values()), of_path) for path, of_path in referrers.items()]
    return sorted(found, key=lambda row: (-row.sessions, row.path))
