"""Paths of orders as they are stored: a row for each, and one for each touchpoint."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple, cast

from sqlalchemy import Row, Table, delete, insert, select, update
from sqlalchemy.orm import Session

from domain.attribution.paths import PathTouchpoint
from domain.database.database import affected_rows
from domain.database.parts import parts_of
from domain.reports import sales_lines
from domain.reports.computed_days import CHUNK, UNSYNCHRONISED
from domain.tables import OrderPath, OrderPathTouchpoint
from domain.visits.days.channels import NONE
from domain.visits.raw.local_days import DayWindow, microseconds

_PATHS, _TOUCHPOINTS = cast("Table", OrderPath.__table__), cast("Table", OrderPathTouchpoint.__table__)
_VALUES = ("coupon", "special", "student", "partner")


class PathStep(NamedTuple):
    """A row of `order_path_touchpoints`, but for its order."""

    position: int
    event_id: str
    visited_at: datetime
    channel: str
    source: str
    campaign: str
    term: str
    content: str
    referrer: str
    coupon: str
    special: str
    student: str
    partner: str
    landing: str
    is_own: bool

    @property
    def touchpoint(self) -> PathTouchpoint:
        values = {name: "" if (value := getattr(self, name)) == NONE else value for name in _VALUES}
        return PathTouchpoint(
            self.event_id,
            self.visited_at,
            self.channel,
            self.source,
            self.campaign,
            is_direct=self.channel == "direct",
            is_own=self.is_own,
            **values,
        )


class StoredPath(NamedTuple):
    """A row of `order_paths` with its touchpoints."""

    order_id: int
    ref: str
    currency: str
    placed_at: datetime
    paid_at: datetime
    window_days: int
    half_life_hours: int
    closed_at: datetime | None
    digest: str
    steps: tuple[PathStep, ...] = ()


_HEADS = [getattr(OrderPath, name) for name in StoredPath._fields[:-1]]
_STEPS = [getattr(OrderPathTouchpoint, name) for name in ("order_id", *PathStep._fields)]


def digest_of(steps: Iterable[PathStep]) -> str:
    """The SHA-256 of what was chosen, the same on each database."""
    rows = (repr((step.position, step.event_id, microseconds(step.visited_at), *step[3:])) for step in steps)
    return sha256("\n".join(rows).encode()).hexdigest()


def load(session: Session, order_ids: Collection[int], *, for_update: bool = False) -> dict[int, StoredPath]:
    """By the order."""
    found: dict[int, StoredPath] = {}
    for part in parts_of(sorted(order_ids), CHUNK):
        query = select(*_HEADS).where(OrderPath.order_id.in_(part))
        heads = session.execute(query.with_for_update() if for_update else query).all()
        steps = _steps_of(session, part)
        found |= {head.order_id: _path(head, steps) for head in heads}
    return found


def ref_of_code(session: Session, code: str) -> str | None:
    """By the code of the order, which reports do not show."""
    order_id = sales_lines.order_of_code(session, code)
    return session.scalar(select(OrderPath.ref).where(OrderPath.order_id == order_id))


def by_ref(session: Session, ref: str) -> StoredPath | None:
    head = session.execute(select(*_HEADS).where(OrderPath.ref == ref)).one_or_none()
    return None if head is None else _path(head, _steps_of(session, [head.order_id]))


def _path(head: Row[Any], steps: Mapping[int, Sequence[PathStep]]) -> StoredPath:
    return StoredPath._make((*head, tuple(steps.get(head.order_id, ()))))


def _steps_of(session: Session, order_ids: Sequence[int]) -> dict[int, list[PathStep]]:
    found: dict[int, list[PathStep]] = defaultdict(list)
    query = select(*_STEPS).where(OrderPathTouchpoint.order_id.in_(order_ids))
    for order_id, *step in session.execute(query.order_by(OrderPathTouchpoint.order_id, OrderPathTouchpoint.position)):
        found[order_id].append(PathStep._make(step))
    return found


def reopen_empty(session: Session, window: DayWindow) -> int:
    """Open the closed paths without touchpoints of the orders that were paid then, so that the next computation looks
    them up again; their number."""
    own = OrderPathTouchpoint.order_id == OrderPath.order_id
    is_empty = ~select(OrderPathTouchpoint.order_id).where(own).exists()
    is_paid = (OrderPath.paid_at >= window.since, OrderPath.paid_at < window.until)
    opened = update(OrderPath).where(*is_paid, OrderPath.closed_at.is_not(None), is_empty).values(closed_at=None)
    return affected_rows(session, opened)


def replace(session: Session, paths: Sequence[StoredPath]) -> None:
    """Store these in place of those of the same orders."""
    for ids in parts_of(sorted(path.order_id for path in paths), CHUNK):
        for stored in (OrderPathTouchpoint, OrderPath):
            session.execute(delete(stored).where(stored.order_id.in_(ids)), execution_options=UNSYNCHRONISED)
    heads = [path._asdict() for path in paths]
    for head in heads:
        head.pop("steps")
    steps = [{"order_id": path.order_id, **step._asdict()} for path in paths for step in path.steps]
    for table, rows in ((_PATHS, heads), (_TOUCHPOINTS, steps)):
        for part in parts_of(rows, CHUNK):
            session.execute(insert(table), part)
