"""Touchpoints of a learner: the partners, coupons, offers and campaigns of their visits, also before they signed in."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, select
from sqlalchemy.orm import Session

from domain.tables import Visit

_COLUMNS = (
    Visit.visited_at,
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
class Touchpoint:
    """The first visit of a browser session with this attribution. `was_anonymous`: nobody was signed in."""

    at: datetime
    session_id: str
    url: str
    referrer: str
    coupon_id: str
    student_number: str
    special_coupon: str
    campaign: dict[str, str]
    was_anonymous: bool


def learner_touchpoints(session: Session, learner_id: int, since: datetime) -> list[Touchpoint]:
    """Oldest first. An anonymous visit counts as the learner's when the next authenticated one of its session is."""
    sessions = select(Visit.session_id).where(
        Visit.learner_id == learner_id, Visit.visited_at >= since, Visit.session_id != ""
    )
    query = select(*_COLUMNS).where(Visit.session_id.in_(sessions.distinct()), Visit.visited_at >= since)
    by_session: dict[str, list[_Visit]] = {}
    for row in session.execute(query.order_by(Visit.visited_at, Visit.id)):
        # MariaDB compares without case: ids that differ in case alone are separate sessions.
        by_session.setdefault(row.session_id, []).append(row)
    own_visits = (_own(visits, learner_id) for visits in by_session.values())
    touchpoints = [touchpoint for visits in own_visits for touchpoint in _touchpoints(visits)]
    return sorted(touchpoints, key=lambda touchpoint: touchpoint.at)


def _own(visits: Sequence[_Visit], learner_id: int) -> list[_Visit]:
    """The learner's visits of one session, oldest first."""
    owner, own = None, []
    for visit in reversed(visits):
        owner = visit.learner_id or owner
        if owner == learner_id:
            own.append(visit)
    return own[::-1]


def _touchpoints(visits: Iterable[_Visit]) -> list[Touchpoint]:
    """One per change: cookies repeat the same attribution on every page."""
    touchpoints: list[Touchpoint] = []
    previous: tuple[Any, ...] = ("", "", "", {})
    for visit in visits:
        attribution = (visit.coupon_id, visit.student_number, visit.special_coupon, visit.campaign)
        if any(attribution) and attribution != previous:
            origin = (visit.visited_at, visit.session_id, visit.url, visit.referrer)
            touchpoints.append(Touchpoint(*origin, *attribution, was_anonymous=visit.learner_id is None))
        previous = attribution
    return touchpoints
