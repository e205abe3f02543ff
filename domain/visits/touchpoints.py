"""What brought a learner here: partners, coupons, offers and campaigns, also of their visits before they signed in."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, select
from sqlalchemy.orm import Session

from domain.tables import Visit

_COLUMNS = (
    Visit.at,
    Visit.session_id,
    Visit.learner_id,
    Visit.url,
    Visit.referrer,
    Visit.coupon_id,
    Visit.student_number,
    Visit.special_coupon,
    Visit.campaign,
)
_Visit = Row[*tuple[Any, ...]]


@dataclass(frozen=True)
class Touch:
    """The first visit of a browser session that carried these marks. `is_joined`: nobody was signed in at it."""

    at: datetime
    session_id: str
    url: str
    referrer: str
    coupon_id: str
    student_number: str
    special_coupon: str
    campaign: dict[str, str]
    is_joined: bool


def of_learner(session: Session, learner_id: int, since: datetime) -> list[Touch]:
    """Oldest first. An anonymous visit is the learner's when the next one of its session that a token proves is."""
    sessions = select(Visit.session_id).where(Visit.learner_id == learner_id, Visit.at >= since, Visit.session_id != "")
    wanted = select(*_COLUMNS).where(Visit.session_id.in_(sessions.distinct()), Visit.at >= since)
    by_session: dict[str, list[_Visit]] = {}
    for row in session.execute(wanted.order_by(Visit.at, Visit.id)):
        # MariaDB finds ids that differ in case alone together.
        by_session.setdefault(row.session_id, []).append(row)
    found = [touch for visits in by_session.values() for touch in _touches(_own(visits, learner_id))]
    return sorted(found, key=lambda touch: touch.at)


def _own(visits: Sequence[_Visit], learner_id: int) -> list[_Visit]:
    """Of one session, in their order."""
    owner, own = None, []
    for visit in reversed(visits):
        owner = visit.learner_id or owner
        if owner == learner_id:
            own.append(visit)
    return own[::-1]


def _touches(visits: Iterable[_Visit]) -> list[Touch]:
    """Cookies carry the same marks from page to page: only a change tells something."""
    found: list[Touch] = []
    before: tuple[Any, ...] = ("", "", "", {})
    for visit in visits:
        marks = (visit.coupon_id, visit.student_number, visit.special_coupon, visit.campaign)
        if any(marks) and marks != before:
            who = (visit.at, visit.session_id, visit.url, visit.referrer)
            found.append(Touch(*who, *marks, is_joined=visit.learner_id is None))
        before = marks
    return found
