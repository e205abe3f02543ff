"""Searches in the demo shop, for tests."""

from typing import Any

from sqlalchemy.orm import Session

from domain.catalogue.listing import ShopQuery
from domain.search import search as search_search
from domain.search.search import RELEVANCE, SearchResult
from tests.support.factories import NOON


def find(session: Session, text: str, as_typed: bool = False, **shop: Any) -> SearchResult:
    query = ShopQuery(**{"sort": RELEVANCE, **shop})
    return search_search.search(session, text, query, NOON, as_typed=as_typed)


def names(result: SearchResult) -> list[str]:
    return [row.name for row in result.rows]
