"""Visits, and messages that could not be stored."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Index, SmallInteger, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import ASCII, MARIADB, Base, BigKey, Folded, UTCTime, UuidText, exact_text


class Visit(Base):
    """One page visit. `learner_id` is verified by the session, `claimed_id` is what the browser sent."""

    __tablename__ = "visits"
    __table_args__ = (
        Index("ix_visits_visited_at", "visited_at"),
        Index("ix_visits_learner_id_visited_at", "learner_id", "visited_at"),
        Index("ix_visits_claimed_id", "claimed_id"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    event_id: Mapped[str] = mapped_column(UuidText, unique=True)
    visited_at: Mapped[datetime] = mapped_column(UTCTime)
    session_id: Mapped[str] = mapped_column(String(64), default="")
    page: Mapped[str] = mapped_column(String(40), default="")
    url: Mapped[str] = mapped_column(String(2048), default="")
    learner_id: Mapped[int | None] = mapped_column(BigKey)
    claimed_id: Mapped[int | None] = mapped_column(BigKey)
    coupon_id: Mapped[str] = mapped_column(String(64), default="")
    student_number: Mapped[str] = mapped_column(String(64), default="")
    special_coupon: Mapped[str] = mapped_column(String(64), default="")
    # utm_source and the other utm parameters of the URL.
    campaign: Mapped[dict[str, str]] = mapped_column(JSON, default=dict)
    # Scheme, host and path of the page of another site that led here; with a privacy signal its host alone.
    referrer: Mapped[str] = mapped_column(String(500), default="")
    # Event id of the visit of /d or /s that led here: both visits belong to one session.
    referral_id: Mapped[str | None] = mapped_column(UuidText)
    # Slug of the organisation whose link was followed. Workers of the build before insert rows without it.
    partner: Mapped[str] = mapped_column(String(191), default="", server_default="")
    visitor_class: Mapped[str] = mapped_column(String(10), default="human")
    source: Mapped[str] = mapped_column(String(10), default="browser")
    agent: Mapped[str] = mapped_column(String(64), default="")
    address: Mapped[str] = mapped_column(String(64), default="")
    # A crawler's visit has the hash of its address (domain/crawlers/addresses.py): it says what was found about it.
    ip_hash: Mapped[str] = mapped_column(exact_text(16, ASCII), default="", server_default="")
    # Bits of domain/visits/evidence_bits.py.
    evidence: Mapped[int] = mapped_column(SmallInteger, default=0, server_default="0")
    # What the host notes of a crawler's fetch, as JSON (domain/crawlers/fetches.py). None: nothing.
    attributes: Mapped[str | None] = mapped_column(Text)


class ErasedNumber(Base):
    """A student number that is being taken from visits until `erased_at`. `scanned_to`: the last visit that was looked
    at; `is_last_pass`: all are looked at once more."""

    __tablename__ = "erased_numbers"
    __table_args__ = MARIADB

    number: Mapped[str] = mapped_column(Folded, primary_key=True)
    erased_at: Mapped[datetime] = mapped_column(UTCTime)
    scanned_to: Mapped[int] = mapped_column(BigInteger, default=0)
    is_last_pass: Mapped[bool] = mapped_column(default=False)


class DeadLetter(Base):
    """A message that fails on every attempt: stored for an operator to look at, counted in /readyz."""

    __tablename__ = "dead_letters"
    __table_args__ = (Index("ix_dead_letters_failed_at", "failed_at"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    failed_at: Mapped[datetime] = mapped_column(UTCTime)
    task: Mapped[str] = mapped_column(String(100))
    body: Mapped[Any] = mapped_column(JSON)
    error: Mapped[str] = mapped_column(Text)
    # When it could be handled after all; it stays for a time, so that it is seen what became of it.
    replayed_at: Mapped[datetime | None] = mapped_column(UTCTime)
