"""Visits, and messages that could not be stored."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, UTCTime, UuidText


class Visit(Base):
    """One page visit. `learner_id` is verified by the session, `claimed_id` is what the browser sent."""

    __tablename__ = "visits"
    __table_args__ = (
        Index("ix_visits_session_id_visited_at", "session_id", "visited_at"),
        Index("ix_visits_visited_at", "visited_at"),
        Index("ix_visits_learner_id_visited_at", "learner_id", "visited_at"),
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
    referrer: Mapped[str] = mapped_column(String(500), default="")
    visitor_class: Mapped[str] = mapped_column(String(10), default="human")
    source: Mapped[str] = mapped_column(String(10), default="browser")
    agent: Mapped[str] = mapped_column(String(64), default="")
    address: Mapped[str] = mapped_column(String(64), default="")


class DeadLetter(Base):
    """A message that fails on every attempt: stored for an operator to look at, counted in /readyz."""

    __tablename__ = "dead_letters"
    __table_args__ = MARIADB

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    failed_at: Mapped[datetime] = mapped_column(UTCTime)
    task: Mapped[str] = mapped_column(String(100))
    body: Mapped[Any] = mapped_column(JSON)
    error: Mapped[str] = mapped_column(Text)
