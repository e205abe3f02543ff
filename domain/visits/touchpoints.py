"""Touchpoints of a learner: the partners, coupons, offers and campaigns of their visits, also before they signed in."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, exists, or_, select
from sqlalchemy.orm import Session, aliased

from domain.tables import Visit

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
    partner: str
    campaign: dict[str, str]
    was_anonymous: bool


def learner_touchpoints(session: Session, learner_id: int, since: datetime) -> list[Touchpoint]:
    """Oldest first. An anonymous visit counts as the learner's when the next authenticated one of its session is.

    A visit of /d or /s belongs to the session of the first visit that refers to it: several may, because each host
    process only knows of the references that it stored itself.
    """
    by_session: dict[str, list[_Visit]] = {}
    for row in _visits_of_sessions(session, learner_id, since):
        # MariaDB compares without case: ids that differ in case alone are separate sessions.
        by_session.setdefault(row.session_id, []).append(row)
    own_visits = (_own(visits, learner_id) for visits in by_session.values())
    touchpoints = [touchpoint for visits in own_visits for touchpoint in _touchpoints(visits)]
    return sorted(touchpoints, key=lambda touchpoint: touchpoint.at)


def _visits_of_sessions(session: Session, learner_id: int, since: datetime) -> list[_Visit]:
    """All visits of the sessions that the learner was signed in to, and of the links that led to them, oldest first."""
    signed_in = (Visit.learner_id == learner_id, Visit.visited_at >= since, Visit.session_id != "")
    is_of_session = Visit.session_id.in_(select(Visit.session_id).where(*signed_in).distinct())
    own = select(*_columns(Visit)).where(is_of_session, Visit.visited_at >= since)
    link = aliased(Visit)
    # Links have no session: a forged reference cannot take over a visit of another session.
    is_link = (link.source == "host", link.session_id == "", link.visited_at >= since)
    links = select(*_columns(link)).join(Visit, Visit.referral_id == link.event_id)
    rows = [*session.execute(own), *session.execute(links.where(is_of_session, *is_link, _is_first_reference(link)))]
    return sorted(rows, key=lambda row: (row.visited_at, row.id))


def _columns(visit: type[Visit]) -> tuple[Any, ...]:
    """Columns of a visit, or of the link that led to one; the session is that of the visit."""
    origin = (visit.id, visit.visited_at, Visit.session_id, visit.learner_id, visit.url, visit.referrer)
    return (*origin, visit.coupon_id, visit.student_number, visit.special_coupon, visit.partner, visit.campaign)


def _is_first_reference(link: type[Visit]) -> ColumnElement[bool]:
    """Whether no other visit referred to the link before. Without an index of references: the few visits between the
    link and this one are read by their time."""
    other = aliased(Visit)
    is_earlier = or_(
        other.visited_at < Visit.visited_at, and_(other.visited_at == Visit.visited_at, other.id < Visit.id)
    )
    is_between = (other.visited_at >= link.visited_at, other.visited_at <= Visit.visited_at)
    return ~exists().where(other.referral_id == link.event_id, *is_between, is_earlier)


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
    previous: tuple[Any, ...] = ("", "", "", "", {})
    for visit in visits:
        attribution = (visit.coupon_id, visit.student_number, visit.special_coupon, visit.partner, visit.campaign)
        if any(attribution) and attribution != previous:
            origin = (visit.visited_at, visit.session_id, visit.url, visit.referrer)
            touchpoints.append(Touchpoint(*origin, *attribution, was_anonymous=visit.learner_id is None))
        previous = attribution
    return touchpoints
