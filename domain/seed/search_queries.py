"""Invented search queries of the last weeks, so that a new shop has popular searches."""

from datetime import datetime, timedelta

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from domain.catalogue.listing import ShopQuery
from domain.search import search as search_search
from domain.search.search import RELEVANCE
from domain.tables import SearchQuery

# Query -> count. The last ones find nothing, or only after a spelling correction, for the report on searches.
_QUERIES = {
    "vat": 24,
    "excel": 21,
    "meetings": 17,
    "ifrs": 15,
    "cash flow": 14,
    "spanish": 11,
    "leadership": 11,
    "month end close": 9,
    "c#": 8,
    "data": 8,
    "ethics": 7,
    "sql": 6,
    "gdpr": 6,
    "acounting": 5,
    "crypto": 5,
    "scrum": 4,
}
_INTERVAL = timedelta(hours=7)


def add_queries(session: Session, at: datetime) -> None:
    """Add the queries, spread over the weeks before `at`, unless the log has any."""
    if session.scalar(select(SearchQuery.id).limit(1)) is not None:
        return
    turns = range(max(_QUERIES.values()), 0, -1)
    # Those of the last weeks are of all queries.
    queries = [query for turn in turns for query, count in _QUERIES.items() if turn <= count]
    results = {query: search_search.search(session, query, ShopQuery(sort=RELEVANCE), at) for query in _QUERIES}
    rows = [
        {
            "searched_at": at - _INTERVAL * (len(queries) - number),
            "query": query,
            "results": results[query].everything,
            "answer": results[query].answer,
        }
        for number, query in enumerate(queries)
    ]
    session.execute(insert(SearchQuery), rows)
