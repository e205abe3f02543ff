"""Learners, and the sessions they are signed in with."""

from datetime import datetime

from sqlalchemy import JSON, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, Digest, Folded, UTCTime


class Learner(Base):
    """A person the provider knows as `subject`. `email` is a label, not a key; the student number is folded."""

    __tablename__ = "learners"
    __table_args__ = (UniqueConstraint("issuer", "subject"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    student_number: Mapped[str] = mapped_column(Folded, unique=True)
    issuer: Mapped[str] = mapped_column(Folded)
    subject: Mapped[str] = mapped_column(Folded)
    email: Mapped[str] = mapped_column(String(254), default="")
    name: Mapped[str] = mapped_column(String(255), default="")
    # administrator | marketer, beside what everybody may.
    roles: Mapped[list[str]] = mapped_column(JSON, default=list)
    created_at: Mapped[datetime] = mapped_column(UTCTime)


class LearnerSession(Base):
    """One sign-in. Both halves are kept as digests: who reads the table cannot sign in with it. `area`: learner |
    organisation | admin."""

    __tablename__ = "sessions"
    __table_args__ = (Index("ix_sessions_expires_at", "expires_at"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    learner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="CASCADE"), index=True)
    handle: Mapped[str] = mapped_column(Digest, unique=True)
    half: Mapped[str] = mapped_column(Digest, unique=True)
    area: Mapped[str] = mapped_column(String(20), default="learner")
    created_at: Mapped[datetime] = mapped_column(UTCTime)
    expires_at: Mapped[datetime] = mapped_column(UTCTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UTCTime)
