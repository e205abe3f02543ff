"""The log of queries: what people look for and whether they find it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, func, insert, select
from sqlalchemy.orm import Session

from domain.search.tokens import QUERY_LETTERS, query_of, written
from domain.search.vocabulary import known_words
from domain.search.word_lists import OPTIONAL
from domain.tables import SearchQuery

# Older queries are nobody's business; every so many new ones the old ones go.
KEPT_DAYS = 90
_TIDY_EVERY = 500
# What is popular shows in the last queries; one or two people are not the public.
_RECENT = 5_000
_LEAST_OFTEN = 3

# People paste what they should not: an address, a number of a card, an order or a telephone.
_ADDRESS = re.compile(r"\S+@\S+")
_NUMBER = re.compile(r"\d(?:[ ./-]?\d){5,}")


def kept_text(text: str) -> str:
    """A query as it is stored: in small letters, without what may name a person."""
    return _NUMBER.sub("{number}", _ADDRESS.sub("{address}", written(text)))[:QUERY_LETTERS]


def remember(session: Session, text: str, results: int, answer: str, at: datetime) -> None:
    row = {"at": at, "query": kept_text(text), "results": results, "answer": answer}
    session.execute(insert(SearchQuery), [row])
    newest = session.scalar(select(func.max(SearchQuery.id))) or 0
    if newest % _TIDY_EVERY == 0:
        session.execute(delete(SearchQuery).where(SearchQuery.at < at - timedelta(days=KEPT_DAYS)))


@dataclass(frozen=True)
class Asked:
    """A query of the log: how often it was asked, and what the last one who asked was answered."""

    query: str
    times: int
    results: int
    answer: str
    last: datetime


def asked(session: Session, since: datetime, most: int, *, nothing_only: bool = False) -> list[Asked]:
    """Queries since then, the most frequent first; `nothing_only`: those that last found nothing."""
    grouped = (
        select(func.max(SearchQuery.id).label("newest"), func.count().label("times"))
        .where(SearchQuery.at >= since)
        .group_by(SearchQuery.query)
        .subquery()
    )
    columns = (SearchQuery.query, grouped.c.times, SearchQuery.results, SearchQuery.answer, SearchQuery.at)
    found = select(*columns).join(grouped, SearchQuery.id == grouped.c.newest)
    if nothing_only:
        found = found.where(SearchQuery.results == 0)
    rows = session.execute(found.order_by(grouped.c.times.desc(), SearchQuery.query).limit(most))
    return [Asked(*row) for row in rows]


def popular(session: Session, most: int = 100) -> list[str]:
    """What was asked for most of late and found, in whole words of the catalogue, so that nothing odd is spread."""
    recent = (
        select(SearchQuery.query, SearchQuery.answer, SearchQuery.results)
        .order_by(SearchQuery.id.desc())
        .limit(_RECENT)
        .subquery()
    )
    often = func.count().label("often")
    found = session.execute(
        select(recent.c.query, often)
        .where(recent.c.answer == "exact", recent.c.results > 0)
        .group_by(recent.c.query)
        .having(often >= _LEAST_OFTEN)
        .order_by(often.desc(), recent.c.query)
        .limit(2 * most)
    )
    return _in_whole_words(session, [query for query, _ in found])[:most]


def _in_whole_words(session: Session, queries: Sequence[str]) -> list[str]:
    """Those of which every word is known and one at least says what it is about."""
    words = {query: [word.text for word in query_of(query).words] for query in queries}
    known = known_words(session, {word for some in words.values() for word in some})
    return [
        query
        for query in queries
        if all(word in known for word in words[query]) and not OPTIONAL.issuperset(words[query])
    ]
