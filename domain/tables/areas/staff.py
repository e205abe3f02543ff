"""Roles of the staff."""

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, UTCTime


class StaffRole(Base):
    """A role of domain.permissions.ROLES["admin"]. `granted_by` None: by a command, or before it was stored."""

    __tablename__ = "staff_roles"
    __table_args__ = MARIADB

    learner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="CASCADE"), primary_key=True)
    role: Mapped[str] = mapped_column(String(20), primary_key=True)
    granted_by: Mapped[int | None] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="SET NULL"), index=True)
    granted_at: Mapped[datetime] = mapped_column(UTCTime)
