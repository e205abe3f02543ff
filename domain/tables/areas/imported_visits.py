"""Visits from the access logs of other sites. Only domain/log_import writes these tables."""

from datetime import datetime

from sqlalchemy import SmallInteger, String
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import ASCII, MARIADB, Base, UTCTime, UuidText, exact_text

SITE_NAME_LENGTH = 64
SITE_NAME = exact_text(SITE_NAME_LENGTH, ASCII)
# Rows are kept in the order of the key alone: a second tree would double the time of an import.
_BY_KEY = {**MARIADB, "sqlite_with_rowid": False}


class VisitSite(Base):
    """A site whose logs were imported. Its id is `site` in the tables of days; this shop is 0 and has no row."""

    __tablename__ = "visit_sites"
    __table_args__ = MARIADB

    id: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(SITE_NAME, unique=True)


class ImportedVisit(Base):
    """A page that a line of a log is about. `event_id` is made from the line, so that a line is stored once.
    `session_id`: keyed hash of the visitor, "" for a declared crawler. `referrer`: a path for a page of the same
    site."""

    __tablename__ = "imported_visits"
    __table_args__ = _BY_KEY

    site: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    visited_at: Mapped[datetime] = mapped_column(UTCTime, primary_key=True)
    event_id: Mapped[str] = mapped_column(UuidText, primary_key=True)
    session_id: Mapped[str] = mapped_column(exact_text(32, ASCII))
    url: Mapped[str] = mapped_column(String(2048))
    referrer: Mapped[str] = mapped_column(String(500))
    visitor_class: Mapped[str] = mapped_column(exact_text(10, ASCII))
    agent: Mapped[str] = mapped_column(String(64))


class VisitorSign(Base):
    """What other lines of an hour say about a visitor, as bits (domain/visits/raw/log_signs.py). Each bit is that of
    one line, so that any order and repetition of the lines gives the same."""

    __tablename__ = "visitor_signs"
    __table_args__ = _BY_KEY

    site: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    hour: Mapped[datetime] = mapped_column(UTCTime, primary_key=True)
    session_id: Mapped[str] = mapped_column(exact_text(32, ASCII), primary_key=True)
    signs: Mapped[int] = mapped_column(SmallInteger)
