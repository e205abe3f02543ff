"""The search index and the log of queries. Without foreign keys: domain/tables/search.py gives the reason."""

import sqlalchemy as sa

from domain.migrations.columns import KEY, create_table, exact_text, required
from domain.tables.base import UTCTime

TABLES = ("search_words", "search_postings", "search_misspellings", "search_queries")


def create() -> None:
    _search_words()
    _search_postings()
    _search_misspellings()
    _search_queries()


def _search_words() -> None:
    create_table(
        "search_words",
        required("id", KEY, primary_key=True),
        required("word", exact_text(40), unique=True),
        required("shown", exact_text(40)),
        required("products", sa.Integer()),
    )


def _search_postings() -> None:
    create_table(
        "search_postings",
        required("word_id", KEY, primary_key=True, autoincrement=False),
        required("product_id", KEY, primary_key=True, autoincrement=False),
        required("weight", sa.Integer()),
        sa.Index("ix_search_postings_product_id", "product_id"),
        sa.Index("ix_search_postings_word_id_weight", "word_id", "weight"),
        sqlite_with_rowid=False,
    )


def _search_misspellings() -> None:
    create_table(
        "search_misspellings",
        required("deletion", sa.Integer(), primary_key=True, autoincrement=False),
        required("word_id", KEY, primary_key=True, autoincrement=False),
        sqlite_with_rowid=False,
    )


def _search_queries() -> None:
    create_table(
        "search_queries",
        required("id", KEY, primary_key=True),
        required("searched_at", UTCTime()),
        required("query", exact_text(200)),
        required("results", sa.Integer()),
        required("answer", sa.String(10)),
        sa.Index("ix_search_queries_searched_at", "searched_at"),
    )
