"""Searches of the demo shop, as its tests put them."""

from typing import Any

from sqlalchemy.orm import Session

from domain import search
from domain.catalogue import ShopQuery
from domain.search import Found
from tests.factories import NOON


def find(session: Session, text: str, as_typed: bool = False, **shop: Any) -> Found:
    query = ShopQuery(**{"sort": search.RELEVANCE, **shop})
    return search.search(session, text, query, NOON, as_typed=as_typed)


def names(found: Found) -> list[str]:
    return [row.name for row in found.rows]
