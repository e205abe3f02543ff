"""The search index: words, the products that contain them, misspelt forms, and the log of queries.

No foreign keys on purpose: domain/search/ alone writes the index, and on MariaDB each of the millions of rows would
lock its parent. `python -m host reindex` rebuilds the index from the catalogue.
"""

from datetime import date, datetime

from sqlalchemy import Index, Integer, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, UTCTime, UuidText

# domain/search/tokenizer.py truncates words to this. Compared byte by byte, so that SQLite and MariaDB agree on ranges.
WORD_LENGTH = 40
QUERY_LENGTH = 200
Word = String(WORD_LENGTH).with_variant(String(WORD_LENGTH, collation="utf8mb4_bin"), "mysql", "mariadb")
QueryText = String(QUERY_LENGTH).with_variant(String(QUERY_LENGTH, collation="utf8mb4_bin"), "mysql", "mariadb")


class SearchWord(Base):
    """A word as it is compared (`word`) and as it is displayed (`shown`), and how many published products have it."""

    __tablename__ = "search_words"
    __table_args__ = MARIADB

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    word: Mapped[str] = mapped_column(Word, unique=True)
    shown: Mapped[str] = mapped_column(Word)
    products: Mapped[int] = mapped_column(default=0)


class SearchPosting(Base):
    """One word in one published product. `weight` packs the field's weight, popularity and position
    (domain/search/posting_weights.py), so that the index lists the best products of a frequent word first."""

    __tablename__ = "search_postings"
    __table_args__ = (
        Index("ix_search_postings_word_id_weight", "word_id", "weight"),
        Index("ix_search_postings_product_id", "product_id"),
        {**MARIADB, "sqlite_with_rowid": False},
    )

    word_id: Mapped[int] = mapped_column(BigKey, primary_key=True, autoincrement=False)
    product_id: Mapped[int] = mapped_column(BigKey, primary_key=True, autoincrement=False)
    weight: Mapped[int]


class SearchMisspelling(Base):
    """The hash of a word with one or two letters deleted: words that share one differ by one or two typing errors."""

    __tablename__ = "search_misspellings"
    __table_args__ = ({**MARIADB, "sqlite_with_rowid": False},)

    deletion: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    word_id: Mapped[int] = mapped_column(BigKey, primary_key=True, autoincrement=False)


class SearchQuery(Base):
    """A search query, without anything that looks like a person's address or number. `event_id`: that of the search,
    which is written once however often it is sent; None for those of the builds before."""

    __tablename__ = "search_queries"
    __table_args__ = (
        Index("ix_search_queries_searched_at", "searched_at"),
        Index("ix_search_queries_event_id", "event_id", unique=True),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    searched_at: Mapped[datetime] = mapped_column(UTCTime)
    query: Mapped[str] = mapped_column(QueryText)
    results: Mapped[int]
    # exact | corrected | partial | none: how the query matched.
    answer: Mapped[str] = mapped_column(String(10))
    event_id: Mapped[str | None] = mapped_column(UuidText)


class DismissedSearch(Base):
    """A search without results that is not worth a course: the report leaves it out from the week `since` on, a Monday.
    Who dismissed it is in the audit."""

    __tablename__ = "dismissed_searches"
    __table_args__ = (UniqueConstraint("query"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    query: Mapped[str] = mapped_column(QueryText)
    since: Mapped[date]
    dismissed_at: Mapped[datetime] = mapped_column(UTCTime)
