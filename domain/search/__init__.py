"""Search over published courses and shop items, the same on SQLite and MariaDB.

result = search.search(session, "acounting", ShopQuery(sort=search.RELEVANCE), at)     # a page of results
search.index_product(session, product_id)                                             # in the writer's transaction
"""

from domain.search.index import index_product, index_products, index_products_of
from domain.search.query_log import LoggedQuery, QueryStats, log_queries, log_query, popular, query_stats
from domain.search.rebuild import rebuild
from domain.search.search import RELEVANCE, SearchResult, search
from domain.search.suggestions import MAX_SUGGESTIONS, Suggestion, suggest
from domain.search.tokenizer import MAX_QUERY_LENGTH, clean

__all__ = [
    "MAX_QUERY_LENGTH",
    "MAX_SUGGESTIONS",
    "RELEVANCE",
    "LoggedQuery",
    "QueryStats",
    "SearchResult",
    "Suggestion",
    "clean",
    "index_product",
    "index_products",
    "index_products_of",
    "log_queries",
    "log_query",
    "popular",
    "query_stats",
    "rebuild",
    "search",
    "suggest",
]
