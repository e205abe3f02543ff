"""What people looked for on a day: computed with the other figures of the day (visit_days.py)."""

from datetime import date

from sqlalchemy import BigInteger
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, Folded
from domain.tables.search import QueryText

# Rows are kept in the order of the key alone.
_BY_KEY = {**MARIADB, "sqlite_with_rowid": False}


class SearchDay(Base):
    """A query of a day. `searches`: as the log of searches has them, `no_results` of these found nothing, and the last
    one found `last_results`. `in_sessions`: searches that sessions of people have a visit of; `followed`: of these, the
    next visit was to a product; `abandoned`: the search was the last visit of its session. The query "" has the sums of
    those that are too rare to outlive the log."""

    __tablename__ = "search_days"
    __table_args__ = _BY_KEY

    day: Mapped[date] = mapped_column(primary_key=True)
    query: Mapped[str] = mapped_column(QueryText, primary_key=True)
    searches: Mapped[int] = mapped_column(BigInteger)
    no_results: Mapped[int] = mapped_column(BigInteger)
    in_sessions: Mapped[int] = mapped_column(BigInteger)
    followed: Mapped[int] = mapped_column(BigInteger)
    abandoned: Mapped[int] = mapped_column(BigInteger)
    last_results: Mapped[int]


class SearchPurchase(Base):
    """A product that people bought on the day, after a search in a session in which they were signed in. `buyers`:
    different learners."""

    __tablename__ = "search_purchases"
    __table_args__ = _BY_KEY

    day: Mapped[date] = mapped_column(primary_key=True)
    query: Mapped[str] = mapped_column(QueryText, primary_key=True)
    product_id: Mapped[int] = mapped_column(BigKey, primary_key=True, autoincrement=False)
    buyers: Mapped[int]


class UnknownPathDay(Base):
    """An address without a page, or of a course or item that does not exist, in sessions of people. `referrer`: the
    host that led there, or the path of the page of this shop before it; "(none)": neither is known."""

    __tablename__ = "unknown_path_days"
    __table_args__ = _BY_KEY

    day: Mapped[date] = mapped_column(primary_key=True)
    path: Mapped[str] = mapped_column(Folded, primary_key=True)
    referrer: Mapped[str] = mapped_column(Folded, primary_key=True)
    sessions: Mapped[int] = mapped_column(BigInteger)
