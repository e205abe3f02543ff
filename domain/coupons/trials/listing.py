"""Trials as a list for staff, and one of them."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.coupons.trials.changes import UNKNOWN
from domain.coupons.trials.schedule import TrialPlan
from domain.database.list_page import ListSource
from domain.errors import NotFound
from domain.tables import Coupon, CouponTrial, Learner

_trials, _coupons, _starters = CouponTrial.__table__.c, Coupon.__table__.c, Learner.__table__.c


class TrialRow(NamedTuple):
    """`coupon_state`: of the coupon now; `started_by`: the name of who has an account still."""

    id: int
    coupon_id: int
    code: str
    coupon_state: str
    starts_at: datetime
    ends_at: datetime
    block_hours: int
    seed: str
    created_at: datetime
    stopped_at: datetime | None
    started_by: str | None

    @property
    def plan(self) -> TrialPlan:
        return TrialPlan(self.starts_at, self.ends_at, self.block_hours, self.seed)

    @property
    def is_over_at(self) -> datetime:
        return self.ends_at if self.stopped_at is None else min(self.ends_at, self.stopped_at)

    def state(self, at: datetime) -> str:
        if self.stopped_at is not None:
            return "stopped"
        if at < self.starts_at:
            return "planned"
        return "running" if at < self.ends_at else "over"


def _make(cells: Iterable[Any]) -> TrialRow:
    return TrialRow._make(cells)


_ROWS = (
    select(
        *(_trials.id, _trials.coupon_id, _coupons.display_code, _coupons.state),
        *(_trials.starts_at, _trials.ends_at, _trials.block_hours, _trials.seed, _trials.created_at),
        *(_trials.stopped_at, _starters.name),
    )
    .outerjoin_from(CouponTrial.__table__, Coupon.__table__, _coupons.id == _trials.coupon_id)
    .outerjoin(Learner.__table__, _starters.id == _trials.created_by)
)
TRIALS: ListSource[TrialRow] = ListSource(
    rows=_ROWS, counted=select(_trials.id), make=_make, key=_trials.id, only_grows=True
)


def latest(session: Session, limit: int) -> list[TrialRow]:
    """The trials that were started last, the newest first."""
    rows = session.execute(_ROWS.order_by(_trials.starts_at.desc(), _trials.id.desc()).limit(limit))
    return [TrialRow._make(row) for row in rows]


def trial(session: Session, trial_id: int) -> TrialRow:
    """Raises NotFound."""
    row = session.execute(_ROWS.where(_trials.id == trial_id)).one_or_none()
    if row is None:
        raise NotFound(UNKNOWN)
    return TrialRow._make(row)
