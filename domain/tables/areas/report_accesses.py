"""Looks at reports."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, UTCTime


class ReportAccess(Base):
    """An answer, a file or a mail of a report about visits. `query`: its parameters; `row_count`: how many rows were
    sent; `action`: view | csv | parquet | mail."""

    __tablename__ = "report_accesses"
    __table_args__ = (
        Index("ix_report_accesses_accessed_at", "accessed_at"),
        Index("ix_report_accesses_learner_id", "learner_id"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    accessed_at: Mapped[datetime] = mapped_column(UTCTime)
    learner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id"))
    report: Mapped[str] = mapped_column(String(20))
    query: Mapped[str] = mapped_column(String(500))
    row_count: Mapped[int]
    action: Mapped[str] = mapped_column(String(10))
