"""Search over published courses and shop items, the same on SQLite and MariaDB.

found = search.search(session, "acounting", ShopQuery(sort=search.RELEVANCE), at)     # a page of results
search.index_product(session, product_id)                                             # in the writer's transaction
"""

from domain.search.finding import RELEVANCE, Found, search
from domain.search.indexing import index_product, index_products, index_products_of
from domain.search.queries import Asked, asked, popular, remember
from domain.search.rebuilding import is_missing, rebuild
from domain.search.suggesting import MOST as MOST_SUGGESTIONS
from domain.search.suggesting import Suggestion, suggest
from domain.search.tokens import QUERY_LETTERS, cleaned

__all__ = [
    "MOST_SUGGESTIONS",
    "QUERY_LETTERS",
    "RELEVANCE",
    "Asked",
    "Found",
    "Suggestion",
    "asked",
    "cleaned",
    "index_product",
    "index_products",
    "index_products_of",
    "is_missing",
    "popular",
    "rebuild",
    "remember",
    "search",
    "suggest",
]
