"""The search index: words, in which products they stand, how misspelt words find them, and what people asked for.

No foreign keys on purpose: an index row is checked by whoever writes it, and on MariaDB each of the millions of rows
would lock its parent. `python -m host reindex` makes the whole index anew from the catalogue.
"""

from datetime import datetime

from sqlalchemy import Index, Integer, String
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, UTCTime

# Cut by domain/search/tokens.py; compared byte by byte on both, so that a range of words is the same range on both.
WORD_LENGTH = 40
QUERY_LENGTH = 200
Word = String(WORD_LENGTH).with_variant(String(WORD_LENGTH, collation="utf8mb4_bin"), "mysql", "mariadb")
QueryText = String(QUERY_LENGTH).with_variant(String(QUERY_LENGTH, collation="utf8mb4_bin"), "mysql", "mariadb")


class SearchWord(Base):
    """A word as it is compared (`word`) and as it is written (`shown`), and how many published products have it."""

    __tablename__ = "search_words"
    __table_args__ = MARIADB

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    word: Mapped[str] = mapped_column(Word, unique=True)
    shown: Mapped[str] = mapped_column(Word)
    products: Mapped[int] = mapped_column(default=0)


class SearchPosting(Base):
    """One word in one published product. `impact` packs weight, popularity and place (domain/search/impacts.py), so
    that the best few thousand products of a frequent word are the first of one index."""

    __tablename__ = "search_postings"
    __table_args__ = (
        Index("ix_search_postings_word_id_impact", "word_id", "impact"),
        Index("ix_search_postings_product_id", "product_id"),
        {**MARIADB, "sqlite_with_rowid": False},
    )

    word_id: Mapped[int] = mapped_column(BigKey, primary_key=True, autoincrement=False)
    product_id: Mapped[int] = mapped_column(BigKey, primary_key=True, autoincrement=False)
    impact: Mapped[int]


class SearchMisspelling(Base):
    """What is left of a word when letters are taken away, hashed: words that share one are a slip or two apart."""

    __tablename__ = "search_misspellings"
    __table_args__ = ({**MARIADB, "sqlite_with_rowid": False},)

    remnant: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    word_id: Mapped[int] = mapped_column(BigKey, primary_key=True, autoincrement=False)


class SearchQuery(Base):
    """A query somebody made, without whatever looked like an address or a number of a person."""

    __tablename__ = "search_queries"
    __table_args__ = (Index("ix_search_queries_at", "at"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    at: Mapped[datetime] = mapped_column(UTCTime)
    query: Mapped[str] = mapped_column(QueryText)
    results: Mapped[int]
    # exact | corrected | partial | none: how the results came about.
    answer: Mapped[str] = mapped_column(String(10))
