"""A marketer with a saved view and its mails, for tests of them. The week before MONDAY has visits."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.database.database import Database
from domain.permissions import Actor
from domain.reports.saved_views import subscriptions, views
from domain.reports.saved_views.delivery import ReportMails
from domain.reports.saved_views.subscriptions import MailTimes
from domain.reports.saved_views.views import NewView
from domain.reports.warehouse import Warehouse
from domain.tables import Learner, Outbox, ReportAccess, ReportDelivery, StaffRole
from domain.visits.days.build import DayBuilder
from domain.visits.raw.local_days import DayRules
from tests.domain.visits.days.worlds import add, visit
from tests.support import factories

RULES = DayRules("Europe/Berlin")
MONDAY = date(2026, 3, 9)
# Before the hour of a Monday, at it, and a week later.
SAVED_AT = datetime(2026, 3, 5, 12, tzinfo=UTC)
AT_EIGHT = datetime(2026, 3, 9, 7, tzinfo=UTC)
WEEK = timedelta(days=7)
MONDAYS_AT_EIGHT = MailTimes("week", 8)
SOURCES_OF_WEEK = NewView("Last week", "sources", "by=channel&compare=previous", "last-7", False)


def actor(learner_id: int, at: datetime = SAVED_AT) -> Actor:
    return Actor(learner_id, "admin", ("marketer",), "", at)


def marketer(session: Session, name: str = "Mia", role: str = "marketer") -> int:
    person = factories.learner(session, name)
    person.email_verified = True
    session.add(StaffRole(learner_id=person.id, role=role, granted_at=SAVED_AT, granted_by=None))
    session.flush()
    return person.id


def save(database: Database, learner_id: int, new: NewView = SOURCES_OF_WEEK) -> int:
    today = RULES.day_of(SAVED_AT)
    return database.write_as_sync(actor(learner_id), views.create, learner_id, new, today, SAVED_AT)


def subscribe(
    database: Database, learner_id: int, view_id: int, times: MailTimes = MONDAYS_AT_EIGHT, at: datetime = SAVED_AT
) -> None:
    database.write_as_sync(actor(learner_id), subscriptions.start, learner_id, view_id, times, at)


def fill(database: Database, warehouse: Warehouse | None = None) -> None:
    """Sessions of a search engine and direct ones: two and one in the last week, one and none in the week before."""
    google: dict[str, Any] = {"referrer": "https://www.google.com/"}
    with database.write_session() as session:
        add(
            session,
            visit(1, AT_EIGHT - timedelta(days=3), "/", "a", **google),
            visit(2, AT_EIGHT - timedelta(days=4), "/", "b", **google),
            visit(3, AT_EIGHT - timedelta(days=4), "/", "c", referrer=""),
            visit(4, AT_EIGHT - timedelta(days=10), "/", "d", **google),
            # Since when visits are counted.
            visit(5, AT_EIGHT - timedelta(days=20), "/", "e", **google),
        )
    DayBuilder(database, RULES, lambda: AT_EIGHT, files=warehouse).build_due()


def mailed_view(database: Database) -> tuple[int, int]:
    """The marketer and the view that they get by mail."""
    with database.write_session() as session:
        learner_id = marketer(session)
    fill(database)
    view_id = save(database, learner_id)
    subscribe(database, learner_id, view_id)
    return learner_id, view_id


def write_due(
    database: Database, at: datetime = AT_EIGHT, rules: DayRules = RULES, warehouse: Warehouse | None = None
) -> int:
    return ReportMails(database, rules, warehouse).write_due(at)


def counts(database: Database) -> tuple[int, int, int]:
    """Mails written for a period, rows of the outbox, and accesses of the kind mail."""
    with database.read_session() as session:
        found = [session.scalar(select(func.count()).select_from(table)) or 0 for table in (ReportDelivery, Outbox)]
        looks = select(func.count()).select_from(ReportAccess).where(ReportAccess.action == "mail")
        return found[0], found[1], session.scalar(looks) or 0


def take_role(database: Database, learner_id: int) -> None:
    with database.write_session() as session:
        session.query(StaffRole).filter(StaffRole.learner_id == learner_id).delete()


def set_verified(database: Database, learner_id: int, *, is_verified: bool) -> None:
    with database.write_session() as session:
        session.get_one(Learner, learner_id).email_verified = is_verified
