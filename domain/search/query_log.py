"""The log of search queries and their numbers of results."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import parse_qs
from uuid import uuid4

from sqlalchemy import ColumnElement, delete, func, select
from sqlalchemy.orm import Session

from domain.database.database import affected_rows, insert_ignoring
from domain.search.tokenizer import MAX_QUERY_LENGTH, clean, display_form, query_of
from domain.search.vocabulary import known_words
from domain.search.word_lists import OPTIONAL
from domain.tables import SearchQuery

# A transaction that deletes more would make others wait.
_DELETED_AT_ONCE = 5_000
# Popular queries are found among the latest rows; fewer occurrences could point to single visitors.
_RECENT = 5_000
_MIN_TIMES = 3
_MAX_PARAMETERS = 200

# Visitors paste personal data: addresses, numbers of cards, orders and telephones.
_ADDRESS = re.compile(r"\S+@\S+")
_NUMBER = re.compile(r"\d(?:[ ./-]?\d){5,}")


def stored_text(text: str) -> str:
    """A query as it is stored: in lower case, with personal data replaced."""
    return _NUMBER.sub("{number}", _ADDRESS.sub("{address}", display_form(text)))[:MAX_QUERY_LENGTH].rstrip()


@lru_cache(10_000)
def query_of_address(url: str) -> str:
    """The query of the address of a search, as the log has it; "" when it has none."""
    if url.count("&") >= _MAX_PARAMETERS:
        return ""
    values = parse_qs(url.partition("?")[2]).get("q", [""])
    return stored_text(clean(values[0][:MAX_QUERY_LENGTH]))


@dataclass(frozen=True)
class LoggedQuery:
    """A search: its text, how many results it had, how they were found, and when. `event_id`: however often it is
    written, it counts once."""

    text: str
    results: int
    answer: str
    at: datetime
    event_id: str = field(default_factory=lambda: str(uuid4()))


def log_queries(session: Session, queries: Sequence[LoggedQuery]) -> None:
    """Searches that the log has already change nothing."""
    rows = [
        {
            "searched_at": one.at,
            "query": stored_text(one.text),
            "results": one.results,
            "answer": one.answer,
            "event_id": one.event_id,
        }
        for one in queries
    ]
    insert_ignoring(session, SearchQuery, rows)


def log_query(session: Session, text: str, results: int, answer: str, at: datetime) -> None:
    log_queries(session, [LoggedQuery(text, results, answer, at)])


class QueryCounts(NamedTuple):
    """How often a query was sent, how often nothing was found, and how many results its last search had."""

    searches: int
    no_results: int
    last_results: int


def counts_between(session: Session, since: datetime, until: datetime) -> dict[str, QueryCounts]:
    """The queries of a time. Counted here, not by the database: MariaDB takes a text for another with a space more."""
    rows = session.execute(
        select(SearchQuery.query, SearchQuery.results)
        .where(*_between(since, until))
        .order_by(SearchQuery.searched_at, SearchQuery.id),
        execution_options={"yield_per": 5_000},
    )
    counts: dict[str, QueryCounts] = {}
    for text, results in rows:
        query = text.rstrip()
        before = counts.get(query, _NEVER)
        counts[query] = QueryCounts(before.searches + 1, before.no_results + (results == 0), results)
    return counts


_NEVER = QueryCounts(0, 0, 0)


def _between(since: datetime, until: datetime) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return SearchQuery.searched_at >= since, SearchQuery.searched_at < until


def first_time_from(session: Session, since: datetime) -> datetime | None:
    """When the first search at or after `since` was."""
    return session.scalar(select(func.min(SearchQuery.searched_at)).where(SearchQuery.searched_at >= since))


def delete_some(session: Session, since: datetime, until: datetime) -> int:
    """Some of the searches of a time; their number."""
    chosen: Any = select(SearchQuery.id).where(*_between(since, until)).limit(_DELETED_AT_ONCE)
    ids = list(session.scalars(chosen))
    return affected_rows(session, delete(SearchQuery).where(SearchQuery.id.in_(ids))) if ids else 0


def count_between(session: Session, since: datetime, until: datetime) -> int:
    return session.scalar(select(func.count()).select_from(SearchQuery).where(*_between(since, until))) or 0


@dataclass(frozen=True)
class QueryStats:
    """A query of the log: how often it was sent, and the outcome of its last occurrence."""

    query: str
    times: int
    results: int
    answer: str
    last: datetime


def query_stats(session: Session, since: datetime, most: int, *, nothing_only: bool = False) -> list[QueryStats]:
    """Queries since a time, the most frequent first; `nothing_only`: those whose last occurrence had no results."""
    grouped = (
        select(func.max(SearchQuery.id).label("newest"), func.count().label("times"))
        .where(SearchQuery.searched_at >= since)
        .group_by(SearchQuery.query)
        .subquery()
    )
    columns = (SearchQuery.query, grouped.c.times, SearchQuery.results, SearchQuery.answer, SearchQuery.searched_at)
    query = select(*columns).join(grouped, SearchQuery.id == grouped.c.newest)
    if nothing_only:
        query = query.where(SearchQuery.results == 0)
    rows = session.execute(query.order_by(grouped.c.times.desc(), SearchQuery.query).limit(most))
    return [QueryStats(*row) for row in rows]


def popular(session: Session, most: int = 100) -> list[str]:
    """The most frequent recent queries with results; only words of the catalogue, so that no other text is shown."""
    recent = (
        select(SearchQuery.query, SearchQuery.answer, SearchQuery.results)
        .order_by(SearchQuery.id.desc())
        .limit(_RECENT)
        .subquery()
    )
    times = func.count().label("often")
    rows = session.execute(
        select(recent.c.query, times)
        .where(recent.c.answer == "exact", recent.c.results > 0)
        .group_by(recent.c.query)
        .having(times >= _MIN_TIMES)
        .order_by(times.desc(), recent.c.query)
        .limit(2 * most)
    )
    return _of_known_words(session, [query for query, _ in rows])[:most]


def _of_known_words(session: Session, queries: Sequence[str]) -> list[str]:
    """The queries with known words only, at least one of which is not optional."""
    words = {query: [word.text for word in query_of(query).words] for query in queries}
    known = known_words(session, {word for words_of_query in words.values() for word in words_of_query})
    return [
        query
        for query in queries
        if all(word in known for word in words[query]) and not OPTIONAL.issuperset(words[query])
    ]
