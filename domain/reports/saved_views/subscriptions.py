"""Who gets a saved view by mail, and when the next one is due."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

from sqlalchemy import Select, delete, func, select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.errors import InvalidInput, NotFound, Refused
from domain.identity.learners import has_verified_address, lock_account
from domain.identity.roles import staff_roles
from domain.permissions import Permission, permissions_of
from domain.reports.all_reports import SOURCES
from domain.reports.saved_views.views import NO_VIEW, is_visible
from domain.tables import ReportDelivery, ReportSubscription, SavedReport

Frequency = Literal["week", "month"]
FREQUENCIES: tuple[Frequency, ...] = ("week", "month")
EndReason = Literal["role", "email", "view"]
MAX_MAILS = 20
LAST_HOUR = 23
NOT_VERIFIED = "Mails of reports go to addresses that are verified. Verify yours at the sign-in first."
DAYS_STAND_STILL = (
    "The days of this view do not move, so that every mail would be the same. Save it with a period first."
)
TOO_MANY = f"You get {MAX_MAILS} saved views by mail. Stop one first."
# Why mails have ended, to whoever got them.
REASONS: dict[str, str] = {
    "role": "Mails have ended because you could not read reports any more.",
    "email": "Mails have ended because your address was not verified any more.",
    "view": "Mails have ended because the view was not shared with you any more.",
}


@dataclass(frozen=True)
class Subscription:
    """`ended`: why there are no mails any more, "": there are."""

    frequency: str
    hour: int
    starts_at: datetime
    ended: str


def subscription(session: Session, learner_id: int, view_id: int) -> Subscription | None:
    row = session.scalar(_of(learner_id, view_id))
    if row is None:
        return None
    return Subscription(row.frequency, row.hour, row.starts_at, REASONS.get(row.ended_reason, ""))


class MailTimes(NamedTuple):
    """`frequency`: one of FREQUENCIES; `hour`: of the day, in the zone of reports."""

    frequency: str
    hour: int


def start(session: Session, learner_id: int, view_id: int, times: MailTimes, at: datetime) -> None:
    """Begin or change the mails of a view. For `Database.write_as`. Raises NotFound, InvalidInput, Refused."""
    frequency, hour = times
    lock_account(session, learner_id)
    # It stays until the end of the transaction.
    saved = session.scalar(select(SavedReport).where(SavedReport.id == view_id).with_for_update(read=True))
    if saved is None or not is_visible(learner_id, saved):
        raise NotFound(NO_VIEW)
    if frequency not in FREQUENCIES:
        raise InvalidInput({"frequency": "Choose how often."})
    if not 0 <= hour <= LAST_HOUR:
        raise InvalidInput({"hour": f"Choose an hour from 0 to {LAST_HOUR}."})
    if not has_verified_address(session, learner_id):
        raise Refused(NOT_VERIFIED)
    source = SOURCES.get(saved.report)
    if not saved.period and (source is None or source.report.has_period):
        raise Refused(DAYS_STAND_STILL)
    row = session.scalar(_of(learner_id, view_id).with_for_update())
    if row is None:
        _require_room(session, learner_id)
        row = ReportSubscription(saved_report_id=view_id, learner_id=learner_id, starts_at=at)
        session.add(row)
    elif row.ended_at is not None or row.frequency != frequency:
        if row.ended_at is not None:
            _require_room(session, learner_id)
        # A mail of the new kind that was due before is not sent now. Another hour leaves the one of today due.
        row.starts_at = at
    row.frequency, row.hour, row.ended_at, row.ended_reason = frequency, hour, None, ""
    session.flush()
    after = {"frequency": frequency, "hour": hour}
    recording.record(session, "saved_report.mail", Subject("saved_report", view_id), after=after)


def _require_room(session: Session, learner_id: int) -> None:
    """Raises Refused."""
    is_counted = (ReportSubscription.learner_id == learner_id, ReportSubscription.ended_at.is_(None))
    if (session.scalar(select(func.count()).select_from(ReportSubscription).where(*is_counted)) or 0) >= MAX_MAILS:
        raise Refused(TOO_MANY)


def stop(session: Session, learner_id: int, view_id: int) -> None:
    """Also of a view that one does not see any more. For `Database.write_as`. Raises NotFound."""
    row = session.scalar(_of(learner_id, view_id).with_for_update())
    if row is None:
        raise NotFound("You do not get this view by mail.")
    session.execute(delete(ReportDelivery).where(ReportDelivery.subscription_id == row.id))
    session.delete(row)
    recording.record(session, "saved_report.stop_mail", Subject("saved_report", view_id))


def _of(learner_id: int, view_id: int) -> Select[ReportSubscription]:
    is_own = ReportSubscription.learner_id == learner_id
    return select(ReportSubscription).where(is_own, ReportSubscription.saved_report_id == view_id)


def due_day(frequency: str, hour: int, zone: str, at: datetime) -> date:
    """The last Monday, or first day of a month, whose hour has come. An hour that the clocks skip comes at the moment
    of the change, one that they repeat at its first time."""
    here = ZoneInfo(zone)
    today = at.astimezone(here).date()
    day = today - timedelta(days=today.weekday()) if frequency == "week" else today.replace(day=1)
    if due_at(day, hour, zone) <= at:
        return day
    earlier = day - timedelta(days=1)
    return earlier - timedelta(days=6) if frequency == "week" else earlier.replace(day=1)


def due_at(day: date, hour: int, zone: str) -> datetime:
    """In UTC: times that the clocks skip or repeat equal no time of another zone."""
    return datetime.combine(day, time(hour), ZoneInfo(zone)).astimezone(UTC)


def next_day(frequency: str, hour: int, zone: str, at: datetime) -> date:
    """The day of the next mail."""
    last = due_day(frequency, hour, zone, at)
    return last + timedelta(days=7) if frequency == "week" else (last + timedelta(days=31)).replace(day=1)


def end_reason(session: Session, subscription: ReportSubscription, saved: SavedReport) -> EndReason | None:
    """Why there are no more mails, by the rights of now; None: there are."""
    if Permission.REPORTS_READ not in permissions_of("admin", staff_roles(session, subscription.learner_id)):
        return "role"
    if not has_verified_address(session, subscription.learner_id):
        return "email"
    is_theirs = saved.is_shared or saved.owner_id == subscription.learner_id
    return None if is_theirs else "view"
