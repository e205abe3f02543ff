"""What saved views say of a person, for the file of all data on them (domain/account/export.py)."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Select, select

from domain.tables import ReportDelivery, ReportSubscription, SavedReport


def _views(learner_id: int) -> Select[*tuple[Any, ...]]:
    columns = (SavedReport.name, SavedReport.report, SavedReport.query, SavedReport.period)
    dates = (SavedReport.is_shared.label("isShared"), SavedReport.created_at.label("createdAt"))
    return select(*columns, *dates).where(SavedReport.owner_id == learner_id).order_by(SavedReport.id)


def _subscriptions(learner_id: int) -> Select[*tuple[Any, ...]]:
    columns = (ReportSubscription.frequency, ReportSubscription.hour, ReportSubscription.starts_at.label("startsAt"))
    ends = (ReportSubscription.ended_at.label("endedAt"), ReportSubscription.ended_reason.label("endedReason"))
    joined = select(SavedReport.name, *columns, *ends).join(
        SavedReport, SavedReport.id == ReportSubscription.saved_report_id
    )
    return joined.where(ReportSubscription.learner_id == learner_id).order_by(ReportSubscription.id)


def _mails(learner_id: int) -> Select[*tuple[Any, ...]]:
    columns = (SavedReport.name, ReportDelivery.period, ReportDelivery.written_at.label("writtenAt"))
    joined = (
        select(*columns)
        .select_from(ReportDelivery)
        .join(ReportSubscription, ReportSubscription.id == ReportDelivery.subscription_id)
        .join(SavedReport, SavedReport.id == ReportSubscription.saved_report_id)
    )
    return joined.where(ReportSubscription.learner_id == learner_id).order_by(ReportDelivery.period)


EXPORTED: Mapping[str, Any] = {
    "savedReports": _views,
    "reportSubscriptions": _subscriptions,
    "reportMails": _mails,
}
