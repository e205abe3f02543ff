"""Long work of staff, done in slices, and files that arrive in parts."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, CheckConstraint, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import ASCII, MARIADB, Base, BigKey, UTCTime, exact_text


class Job(Base):
    """`processed` of `total` (None: not known yet) are done, and `report` says what came of them; both change in the
    transaction that does the work. `heartbeat_at`: when the process that has the job last did a step, None: nobody has
    it. `furthest`: the most that was ever processed, `attempts`: how often it was claimed since (domain/jobs)."""

    __tablename__ = "jobs"
    __table_args__ = (
        CheckConstraint("state IN ('queued', 'running', 'done', 'failed', 'stopped')", name="state"),
        CheckConstraint("processed >= 0", name="processed"),
        Index("ix_jobs_state_kind", "state", "kind"),
        Index("ix_jobs_kind_id", "kind", "id"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    kind: Mapped[str] = mapped_column(String(30))
    state: Mapped[str] = mapped_column(String(10), default="queued")
    processed: Mapped[int] = mapped_column(default=0)
    total: Mapped[int | None]
    input: Mapped[dict[str, Any]] = mapped_column(JSON)
    report: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    idempotency_key: Mapped[str] = mapped_column(exact_text(200, ASCII), unique=True)
    started_by: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id"), index=True)
    created_at: Mapped[datetime] = mapped_column(UTCTime)
    started_at: Mapped[datetime | None] = mapped_column(UTCTime)
    ended_at: Mapped[datetime | None] = mapped_column(UTCTime)
    heartbeat_at: Mapped[datetime | None] = mapped_column(UTCTime)
    attempts: Mapped[int] = mapped_column(default=0, server_default="0")
    furthest: Mapped[int] = mapped_column(default=0, server_default="0")


class Upload(Base):
    """A file on its way to FILES_DIR. `parts`: a "1" for each part that is there, else "0". `completed_at`: when all of
    it was there and its contents were what `purpose` needs."""

    __tablename__ = "uploads"
    __table_args__ = (
        CheckConstraint("purpose IN ('import', 'image', 'lesson', 'members', 'logo', 'statement')", name="purpose"),
        CheckConstraint("bytes > 0", name="bytes"),
        Index("ix_uploads_expires_at", "expires_at"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    name: Mapped[str] = mapped_column(String(255))
    bytes: Mapped[int] = mapped_column(BigInteger)
    purpose: Mapped[str] = mapped_column(String(10))
    parts: Mapped[str] = mapped_column(Text)
    created_by: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id"), index=True)
    created_at: Mapped[datetime] = mapped_column(UTCTime)
    expires_at: Mapped[datetime] = mapped_column(UTCTime)
    completed_at: Mapped[datetime | None] = mapped_column(UTCTime)
