"""Which learner owns which course, and their progress."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, UTCTime


class Enrolment(Base):
    """`progress`: lesson -> when it was finished, ISO 8601. `certificate`: its public verification code."""

    __tablename__ = "enrolments"
    __table_args__ = (
        UniqueConstraint("learner_id", "product_id"),
        CheckConstraint("source IN ('order', 'seat', 'gift')", name="source"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    learner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="CASCADE"))
    product_id: Mapped[int] = mapped_column(BigKey, ForeignKey("products.id"), index=True)
    source: Mapped[str] = mapped_column(String(10))
    enrolled_at: Mapped[datetime] = mapped_column(UTCTime)
    progress: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    completed_at: Mapped[datetime | None] = mapped_column(UTCTime)
    certificate: Mapped[str | None] = mapped_column(String(40), unique=True)
