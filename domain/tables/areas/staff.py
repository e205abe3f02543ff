"""Roles of the staff, and their changes that wait for another administrator."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import ASCII, MARIADB, Base, BigKey, Digest, UTCTime, exact_text


class StaffRole(Base):
    """A role of domain.permissions.ROLES["admin"]. `granted_by` None: by a command, or before it was stored."""

    __tablename__ = "staff_roles"
    __table_args__ = MARIADB

    learner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="CASCADE"), primary_key=True)
    role: Mapped[str] = mapped_column(String(20), primary_key=True)
    granted_by: Mapped[int | None] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="SET NULL"), index=True)
    granted_at: Mapped[datetime] = mapped_column(UTCTime)


class PendingAction(Base):
    """A change that another administrator has to confirm. `action` as in domain/staff/confirmations.py, about the
    learner or member of the staff `learner_id`, with the checked `values` of its form. `seen`: a digest of what it was
    decided upon; while that is another the change cannot be confirmed. `open_key` is unique while it waits: nobody asks
    for the same twice. `decided_by` None: nobody did in time. `answer`: why it was refused."""

    __tablename__ = "pending_actions"
    __table_args__ = (
        CheckConstraint("state IN ('waiting', 'confirmed', 'refused', 'withdrawn', 'expired')", name="state"),
        Index("ix_pending_actions_state_expires_at", "state", "expires_at"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    action: Mapped[str] = mapped_column(String(40))
    learner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id"), index=True)
    values: Mapped[dict[str, Any]] = mapped_column(JSON)
    seen: Mapped[str] = mapped_column(Digest)
    reason: Mapped[str] = mapped_column(String(500))
    state: Mapped[str] = mapped_column(String(10))
    open_key: Mapped[str | None] = mapped_column(exact_text(80, ASCII), unique=True)
    requested_by: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id"), index=True)
    requested_at: Mapped[datetime] = mapped_column(UTCTime)
    expires_at: Mapped[datetime] = mapped_column(UTCTime)
    decided_by: Mapped[int | None] = mapped_column(BigKey, ForeignKey("learners.id"), index=True)
    decided_at: Mapped[datetime | None] = mapped_column(UTCTime)
    answer: Mapped[str] = mapped_column(String(500), default="")
