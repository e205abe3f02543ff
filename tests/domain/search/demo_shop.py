"""Searches in the demo shop, for tests."""

from typing import Any

from sqlalchemy.orm import Session

from domain import search
from domain.catalogue import ShopQuery
from domain.search import SearchResult
from tests.support.factories import NOON


def find(session: Session, text: str, as_typed: bool = False, **shop: Any) -> SearchResult:
    query = ShopQuery(**{"sort": search.RELEVANCE, **shop})
    return search.search(session, text, query, NOON, as_typed=as_typed)


def names(result: SearchResult) -> list[str]:
    return [row.name for row in result.rows]
