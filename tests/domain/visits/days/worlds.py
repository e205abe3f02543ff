"""Visits, orders and what they name, for tests of days."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy.orm import Session

from domain.database.database import Database, insert_ignoring
from domain.tables import Visit
from domain.visits.days.build import DayBuilder
from domain.visits.raw.local_days import DayRules
from domain.visits.visits import campaign_of, page_of

MIDNIGHT = datetime(2026, 3, 2, tzinfo=UTC)
NOON = MIDNIGHT + timedelta(hours=12)
DAY = MIDNIGHT.date()
LATER = MIDNIGHT + timedelta(days=3)


def event(number: int) -> str:
    return str(UUID(int=number))


def visit(number: int, at: datetime, url: str = "/", session_id: str = "a", **about: Any) -> dict[str, Any]:
    """Every row has every column, because the first row decides the columns of the INSERT."""
    return {
        "event_id": event(number),
        "visited_at": at,
        "url": url,
        "page": page_of(url),
        "session_id": session_id,
        "campaign": campaign_of(url),
        **{"referrer": "", "visitor_class": "human", "source": "browser", "agent": "Chrome", "learner_id": None},
        **{
            "coupon_id": "",
            "student_number": "",
            "special_coupon": "",
            "partner": "",
            "referral_id": None,
            "address": "",
        },
        **about,
    }


def crawl(number: int, at: datetime, url: str = "/", **about: Any) -> dict[str, Any]:
    shared = {"visitor_class": "crawler", "source": "host", "agent": "Googlebot"}
    return visit(number, at, url, "", **{**shared, **about})


def link(number: int, at: datetime, url: str, **about: Any) -> dict[str, Any]:
    """A visit of /d or /s, which the host records without a session."""
    return visit(number, at, url, "", source="host", **about)


def add(session: Session, *visits: dict[str, Any]) -> None:
    insert_ignoring(session, Visit, list(visits))


def builder(database: Database, at: datetime = LATER, **rules: Any) -> DayBuilder:
    return DayBuilder(database, DayRules(**rules), lambda: at)
