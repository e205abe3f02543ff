"""Saved views: who sees them, and how they begin, change and end. Another's private view is not there."""

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from urllib.parse import quote_plus

from sqlalchemy import Select, and_, delete, func, or_, select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.database.database import affected_rows
from domain.errors import InvalidInput, NotFound, Refused
from domain.identity.learners import lock_account
from domain.reports.saved_views import view_queries
from domain.tables import Learner, ReportDelivery, ReportSubscription, SavedReport
from domain.visits.erased import ERASED

MAX_NAME = 100
MAX_VIEWS = 100
# A deleted view can be brought back for so long.
KEEP_DELETED = timedelta(days=30)
# Rows in one transaction.
PART = 500
NO_VIEW = "There is no such saved view."
NOT_OWN = "Only whoever saved this view can change it. Save one of your own: open it and choose “Save view”."
TOO_MANY = f"You have {MAX_VIEWS} saved views. Delete one first."


@dataclass(frozen=True)
class SavedView:
    """`owner`: the name of whoever saved it, "" of one's own. `mail`: how often its reader gets it, "" for never."""

    id: int
    name: str
    report: str
    query: str
    period: str
    is_shared: bool
    is_own: bool
    owner: str
    created_at: datetime
    mail: str


@dataclass(frozen=True)
class NewView:
    """`query`: as in the address of the report; `period`: a name of periods.py, "": the days of `query`."""

    name: str
    report: str
    query: str
    period: str
    is_shared: bool


def views_of(session: Session, learner_id: int) -> list[SavedView]:
    """One's own, then those that others share, each by name."""
    is_own = SavedReport.owner_id == learner_id
    rows = session.execute(_visible(learner_id).order_by(is_own.desc(), SavedReport.name, SavedReport.id))
    return [_view(*row, learner_id) for row in rows]


def view(session: Session, learner_id: int, view_id: int) -> SavedView:
    """Raises NotFound."""
    row = session.execute(_visible(learner_id).where(SavedReport.id == view_id)).one_or_none()
    if row is None:
        raise NotFound(NO_VIEW)
    return _view(*row, learner_id)


def is_visible(learner_id: int, saved: SavedReport) -> bool:
    return saved.deleted_at is None and (saved.is_shared or saved.owner_id == learner_id)


def _visible(learner_id: int) -> Select[SavedReport, str, str | None]:
    mails = and_(
        ReportSubscription.saved_report_id == SavedReport.id,
        ReportSubscription.learner_id == learner_id,
        ReportSubscription.ended_at.is_(None),
    )
    may_see = or_(SavedReport.owner_id == learner_id, SavedReport.is_shared)
    chosen = select(SavedReport, Learner.name, ReportSubscription.frequency)
    joined = chosen.join(Learner, Learner.id == SavedReport.owner_id).outerjoin(ReportSubscription, mails)
    return joined.where(SavedReport.deleted_at.is_(None), may_see)


def _view(saved: SavedReport, owner: str, mail: str | None, learner_id: int) -> SavedView:
    is_own = saved.owner_id == learner_id
    chosen = (saved.id, saved.name, saved.report, saved.query, saved.period)
    return SavedView(*chosen, saved.is_shared, is_own, "" if is_own else owner, saved.created_at, mail or "")


def create(session: Session, learner_id: int, new: NewView, today: date, at: datetime) -> int:
    """The id of the new view. For `Database.write_as`. Raises InvalidInput, and Refused for one too many."""
    lock_account(session, learner_id)
    name = _checked_name(new.name)
    query = view_queries.checked_query(new.report, new.query, new.period, today)
    is_counted = (SavedReport.owner_id == learner_id, SavedReport.deleted_at.is_(None))
    if (session.scalar(select(func.count()).select_from(SavedReport).where(*is_counted)) or 0) >= MAX_VIEWS:
        raise Refused(TOO_MANY)
    chosen = {"report": new.report, "query": query, "period": new.period, "is_shared": new.is_shared}
    saved = SavedReport(owner_id=learner_id, name=name, **chosen, created_at=at, deleted_at=None)
    session.add(saved)
    session.flush()
    # Its name may be anything.
    after = {"report": new.report, "is_shared": new.is_shared}
    recording.record(session, "saved_report.create", Subject("saved_report", saved.id), after=after)
    return saved.id


def change(session: Session, learner_id: int, view_id: int, name: str, *, is_shared: bool) -> None:
    """For `Database.write_as`. Raises NotFound, Refused, InvalidInput."""
    saved = _lock_own(session, learner_id, view_id)
    before = {"is_shared": saved.is_shared}
    saved.name, saved.is_shared = _checked_name(name), is_shared
    about = Subject("saved_report", view_id)
    recording.record(session, "saved_report.edit", about, before=before, after={"is_shared": is_shared})


def remove(session: Session, learner_id: int, view_id: int, at: datetime) -> None:
    """It can be brought back, with its mails. For `Database.write_as`. Raises NotFound, Refused."""
    _lock_own(session, learner_id, view_id).deleted_at = at
    recording.record(session, "saved_report.delete", Subject("saved_report", view_id))


def bring_back(session: Session, learner_id: int, view_id: int) -> str:
    """The name of a view that was deleted. For `Database.write_as`. Raises NotFound, and Refused for one too many."""
    lock_account(session, learner_id)
    chosen = (SavedReport.id == view_id, SavedReport.owner_id == learner_id)
    saved = session.scalar(select(SavedReport).where(*chosen).with_for_update())
    if saved is None:
        raise NotFound(NO_VIEW)
    is_counted = (SavedReport.owner_id == learner_id, SavedReport.deleted_at.is_(None), SavedReport.id != view_id)
    if (session.scalar(select(func.count()).select_from(SavedReport).where(*is_counted)) or 0) >= MAX_VIEWS:
        raise Refused(TOO_MANY)
    saved.deleted_at = None
    recording.record(session, "saved_report.bring_back", Subject("saved_report", view_id))
    return saved.name


def deleted_views(session: Session, learner_id: int) -> list[tuple[int, str]]:
    """Id and name of one's own that can be brought back, the last deleted first."""
    chosen = (SavedReport.owner_id == learner_id, SavedReport.deleted_at.is_not(None))
    rows = select(SavedReport.id, SavedReport.name).where(*chosen).order_by(SavedReport.deleted_at.desc())
    return [(view_id, name) for view_id, name in session.execute(rows)]


def _lock_own(session: Session, learner_id: int, view_id: int) -> SavedReport:
    """Raises NotFound, and Refused for one that somebody else shares."""
    saved = session.scalar(select(SavedReport).where(SavedReport.id == view_id).with_for_update())
    if saved is None or not is_visible(learner_id, saved):
        raise NotFound(NO_VIEW)
    if saved.owner_id != learner_id:
        raise Refused(NOT_OWN)
    return saved


def _checked_name(name: str) -> str:
    """On one line. Raises InvalidInput."""
    found = " ".join(name.split())
    if not found:
        raise InvalidInput({"name": "Give the view a name."})
    if len(found) > MAX_NAME:
        raise InvalidInput({"name": f"Use at most {MAX_NAME} letters."})
    return found


def purge(session: Session, before: datetime) -> int:
    """Delete views for good that were deleted before that time; at most PART. Their number."""
    old = select(SavedReport.id).where(SavedReport.deleted_at < before).limit(PART)
    return _delete(session, list(session.scalars(old)))


def erase(session: Session, learner_id: int, student_number: str) -> None:
    """At the end of an account, whose row is locked: its views, also shared ones, with all their mails, and its mails
    of others' views. In views of others its student number becomes the value that reports then have."""
    _delete(session, list(session.scalars(select(SavedReport.id).where(SavedReport.owner_id == learner_id))))
    _delete_subscriptions(session, select(ReportSubscription.id).where(ReportSubscription.learner_id == learner_id))
    number = re.compile(re.escape(quote_plus(f":{student_number}")), re.IGNORECASE)
    chosen = select(SavedReport).where(func.lower(SavedReport.query).contains(student_number.lower(), autoescape=True))
    for saved in session.scalars(chosen.with_for_update()):
        saved.query = number.sub(quote_plus(f":{ERASED}"), saved.query)


def _delete(session: Session, ids: list[int]) -> int:
    if not ids:
        return 0
    _delete_subscriptions(session, select(ReportSubscription.id).where(ReportSubscription.saved_report_id.in_(ids)))
    return affected_rows(session, delete(SavedReport).where(SavedReport.id.in_(ids)))


def _delete_subscriptions(session: Session, chosen: Select[int]) -> None:
    # Locked first, as by whoever writes a mail.
    ids = list(session.scalars(chosen.with_for_update()))
    if ids:
        session.execute(delete(ReportDelivery).where(ReportDelivery.subscription_id.in_(ids)))
        session.execute(delete(ReportSubscription).where(ReportSubscription.id.in_(ids)))
