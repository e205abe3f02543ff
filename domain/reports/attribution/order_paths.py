"""Chooses the paths of orders from the touchpoints of their learners, until they are closed."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy.orm import Session

from domain import readable_codes
from domain.attribution.paths import PathTouchpoint, order_path
from domain.attribution.rules import AttributionRules
from domain.reports.attribution.stored_paths import PathStep, StoredPath, digest_of
from domain.reports.sales_lines import SaleLine
from domain.visits import touchpoints
from domain.visits.days import settled
from domain.visits.raw.local_days import DayRules
from domain.visits.touchpoints import LearnerTouchpoint

_REF_LENGTH = 10


class PathOrder(NamedTuple):
    """What the path of an order depends on. `student_number`: of the buyer."""

    order_id: int
    learner_id: int
    student_number: str
    currency: str
    placed_at: datetime
    paid_at: datetime


def orders_of(lines: Iterable[SaleLine]) -> dict[int, PathOrder]:
    """In the order of the lines."""
    return {
        line.order_id: PathOrder(
            line.order_id, line.learner_id, line.student_number, line.currency, line.placed_at, line.paid_at
        )
        for line in lines
    }


def choose(
    session: Session,
    orders: Sequence[PathOrder],
    stored: Mapping[int, StoredPath],
    rules: AttributionRules,
    closed: Mapping[int, datetime],
) -> dict[int, StoredPath]:
    """The paths of these orders: those that are closed as they are stored, the others as touchpoints say now. `closed`:
    the orders whose paths stay from now on, and since when."""
    is_open = [order for order in orders if order.order_id not in stored or stored[order.order_id].closed_at is None]
    own = _touchpoints(session, is_open, rules)
    found = dict(stored)
    for order in is_open:
        steps = chosen_steps(order, own[order.learner_id], rules)
        before = stored.get(order.order_id)
        found[order.order_id] = StoredPath(
            order.order_id,
            readable_codes.encode(_REF_LENGTH) if before is None else before.ref,
            order.currency,
            order.placed_at,
            order.paid_at,
            rules.window_days,
            rules.half_life_hours,
            closed.get(order.order_id),
            digest_of(steps),
            steps,
        )
    return {order.order_id: found[order.order_id] for order in orders}


def _touchpoints(
    session: Session, orders: Sequence[PathOrder], rules: AttributionRules
) -> dict[int, list[LearnerTouchpoint]]:
    """By the learner."""
    found: dict[int, list[LearnerTouchpoint]] = defaultdict(list)
    if orders:
        since = min(order.placed_at for order in orders) - rules.window
        for touchpoint in touchpoints.of_learners(session, {order.learner_id for order in orders}, since):
            found[touchpoint.learner_id].append(touchpoint)
    return found


def chosen_steps(order: PathOrder, own: Iterable[LearnerTouchpoint], rules: AttributionRules) -> tuple[PathStep, ...]:
    known = {touchpoint.row.event_id: _step(touchpoint, order.student_number) for touchpoint in own}
    path = order_path((step.touchpoint for step in known.values()), order.placed_at, rules.window)
    return in_places(path, known)


def in_places(path: Iterable[PathTouchpoint], steps: Mapping[str, PathStep]) -> tuple[PathStep, ...]:
    return tuple(steps[touchpoint.event_id]._replace(position=position) for position, touchpoint in enumerate(path, 1))


def _step(touchpoint: LearnerTouchpoint, buyer_number: str) -> PathStep:
    row = touchpoint.row
    return PathStep(
        position=0,
        event_id=row.event_id,
        visited_at=touchpoint.at,
        **{name: getattr(row, name) for name in PathStep._fields[3:-1]},
        is_own=row.student.casefold() == buyer_number.casefold(),
    )


def closed_orders(
    session: Session, orders: Iterable[PathOrder], rules: AttributionRules, days: DayRules, at: datetime
) -> dict[int, datetime]:
    """The orders whose paths are over, of those that are open: the time for them has passed, and every day of visits
    that may say something about them has been computed."""
    over = [order for order in orders if order.paid_at + rules.open_for <= at]
    if not over:
        return {}
    first = days.day_of(min(order.placed_at for order in over) - rules.window)
    last = days.day_of(max(order.paid_at for order in over) + rules.open_for)
    is_settled = settled.are_settled(session, days, first, last, at)
    return {order.order_id: at for order in over if is_settled or rules.is_overdue(order.placed_at, at)}
