"""Touchpoints of a day, and the learners who were there, collected session by session."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from itertools import zip_longest

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.database.parts import parts_of
from domain.tables import Learner
from domain.visits.days.attribution import KnownValues
from domain.visits.days.channels import NONE, VisitSource, normalised
from domain.visits.days.paths import UNKNOWN, place_of
from domain.visits.days.products import Products
from domain.visits.days.session_facts import landing_of
from domain.visits.days.session_rows import SessionRow
from domain.visits.days.traffic_class import POSSIBLE
from domain.visits.raw.day_rows import DayRow
from domain.visits.raw.local_days import DayRules
from domain.visits.stored_days.keys import LearnerDayRow, SessionLearnerRow, TouchpointRow, VisitorRows

_NAMELESS = frozenset((NONE, UNKNOWN))
_CHUNK = 1000


class VisitorTally:
    """Collects what may be of people."""

    def __init__(self, products: Products) -> None:
        self._products = products
        self._touchpoints: list[TouchpointRow] = []
        self._session_learners: list[SessionLearnerRow] = []
        self._learners: set[int] = set()

    def add_session(self, row: SessionRow, values: KnownValues) -> None:
        if row.traffic_class not in POSSIBLE:
            return
        for place, source, keys in _touchpoints(row, values):
            self._touchpoints.append(self._touchpoint(row, place, source, keys))
        self._add_learners(row)

    def add_alone(self, visit: DayRow) -> None:
        """A visit without a session."""
        if visit.learner_id is not None:
            self._learners.add(visit.learner_id)

    def _touchpoint(self, row: SessionRow, place: int, source: VisitSource, keys: tuple[str, ...]) -> TouchpointRow:
        visit, landing = row.visits[place], place_of(landing_of(row.visits[place:]).url)
        sent = visit.context.campaign
        coupon, special, student, partner = keys
        return TouchpointRow(
            visit.event_id,
            visit.at,
            visit.session_id,
            source.channel,
            source.source,
            source.campaign,
            _text_of(sent, "utm_term"),
            _text_of(sent, "utm_content"),
            source.referrer,
            coupon,
            special,
            student,
            partner,
            landing.path,
            self._products.get(landing.product, "") if landing.product else "",
            visit.learner_id is None,
            str(row.traffic_class),
        )

    def _add_learners(self, row: SessionRow) -> None:
        proved = [visit for visit in row.visits if visit.learner_id is not None]
        if not proved:
            return
        for visit, after in zip_longest(proved, proved[1:]):
            if after is None or after.learner_id != visit.learner_id:
                learner_id = visit.learner_id or 0
                self._learners.add(learner_id)
                self._session_learners.append(SessionLearnerRow(visit.event_id, visit.at, visit.session_id, learner_id))

    def rows(self, session: Session, day: date, rules: DayRules) -> VisitorRows:
        created = _created(session, sorted(self._learners))
        is_first = {learner for learner, at in created.items() if rules.day_of(at) == day}
        days = [LearnerDayRow(learner, learner in is_first) for learner in sorted(self._learners)]
        return VisitorRows(sorted(self._touchpoints), sorted(self._session_learners), days)


def _text_of(campaign: Mapping[str, str], name: str) -> str:
    return normalised(campaign[name]) if name in campaign else ""


def _touchpoints(row: SessionRow, values: KnownValues) -> Iterator[tuple[int, VisitSource, tuple[str, ...]]]:
    """The places of touchpoints among the visits, with their sources and the values that the session has by then. One
    that goes on over midnight has had its first."""
    visits, carried = row.visits, values.keys_of(row.earlier or row.visits[:1])
    if not row.earlier:
        yield 0, row.keys.source, carried
        sent = [visit.context.values for visit in visits]
        # Cookies repeat the same values on every page.
        if sent.count(sent[0]) == len(sent):
            return
    if _NAMELESS.issuperset(row.keys.values):
        return
    for place in range(len(visits)):
        own = values.keys_of(visits[place : place + 1])
        is_new = any(key != old and key not in _NAMELESS for key, old in zip(own, carried, strict=True))
        carried = tuple(map(_carried, own, carried))
        if is_new:
            yield place, values.source_of(visits[place]), carried


def _carried(key: str, before: str) -> str:
    """The value of a session after a visit with this one."""
    return before if key == NONE or (key == UNKNOWN and before != NONE) else key


def _created(session: Session, learner_ids: list[int]) -> dict[int, datetime]:
    """When the accounts were created."""
    found: dict[int, datetime] = {}
    for part in parts_of(learner_ids, _CHUNK):
        query = select(Learner.id, Learner.created_at).where(Learner.id.in_(part))
        found |= {row.id: row.created_at for row in session.execute(query)}
    return found
