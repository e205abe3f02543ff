"""Saved views of reports, and who gets them by mail."""

from datetime import date, datetime

from sqlalchemy import ForeignKey, Index, SmallInteger, String
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import ASCII, MARIADB, Base, BigKey, LongText, UTCTime, exact_text


class SavedReport(Base):
    """A report with all that was chosen for it. `query`: its parameters as in an address; `period`: of days that move
    with time, a name of domain/reports/saved_views/periods.py, "": the days of `query`, or none. `is_shared`: with all
    staff who may read reports. `deleted_at`: it can be brought back until it is purged."""

    __tablename__ = "saved_reports"
    __table_args__ = (Index("ix_saved_reports_owner_id", "owner_id"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    owner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id"))
    name: Mapped[str] = mapped_column(String(100))
    report: Mapped[str] = mapped_column(exact_text(20, ASCII))
    query: Mapped[str] = mapped_column(LongText)
    period: Mapped[str] = mapped_column(exact_text(20, ASCII))
    is_shared: Mapped[bool]
    created_at: Mapped[datetime] = mapped_column(UTCTime)
    deleted_at: Mapped[datetime | None] = mapped_column(UTCTime)


class ReportSubscription(Base):
    """Mails of a saved view to one person: each Monday or each first day of a month, from `hour` on in the zone of
    reports. `starts_at`: mails that were due before are not sent. `ended_reason`: why it has ended without their doing:
    role, email or view; "": it has not."""

    __tablename__ = "report_subscriptions"
    __table_args__ = (
        Index("uq_report_subscriptions_saved_report_id_learner_id", "saved_report_id", "learner_id", unique=True),
        Index("ix_report_subscriptions_learner_id", "learner_id"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    saved_report_id: Mapped[int] = mapped_column(BigKey, ForeignKey("saved_reports.id", ondelete="CASCADE"))
    learner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id"))
    frequency: Mapped[str] = mapped_column(exact_text(10, ASCII))
    hour: Mapped[int] = mapped_column(SmallInteger)
    starts_at: Mapped[datetime] = mapped_column(UTCTime)
    ended_at: Mapped[datetime | None] = mapped_column(UTCTime)
    ended_reason: Mapped[str] = mapped_column(exact_text(10, ASCII))


class ReportDelivery(Base):
    """The mail of a subscription for one period, which is named by the day on which it was due. `content`: what the
    mail shows, as JSON, until the mail server has accepted it; then ""."""

    __tablename__ = "report_deliveries"
    __table_args__ = MARIADB

    subscription_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("report_subscriptions.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    period: Mapped[date] = mapped_column(primary_key=True)
    written_at: Mapped[datetime] = mapped_column(UTCTime)
    content: Mapped[str] = mapped_column(LongText)
