"""Alarms as a list for staff, and one of them."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.coupons.leaks.alarms import UNKNOWN
from domain.database.list_page import ListSource
from domain.errors import NotFound
from domain.tables import Coupon, CouponAlarm, Learner

_alarms, _coupons, _deciders = CouponAlarm.__table__.c, Coupon.__table__.c, Learner.__table__.c


class AlarmRow(NamedTuple):
    """`networks` came in the hour that began at `hour`, `expected` were usual; `hosts`: other sites that led there and
    had not before. `uses`, `total_limit` and `coupon_state`: of the code now."""

    id: int
    coupon_id: int
    code: str
    coupon_state: str
    uses: int
    total_limit: int | None
    hour: datetime
    networks: int
    expected: float
    hosts: tuple[str, ...]
    state: str
    decided_at: datetime | None
    decided_by: str | None
    reason: str


def _make(cells: Iterable[Any]) -> AlarmRow:
    *first, expected, hosts, state, decided_at, decided_by, reason = cells
    return AlarmRow._make((*first, float(expected), tuple(hosts), state, decided_at, decided_by, reason))


_ROWS = (
    select(
        *(_alarms.id, _alarms.coupon_id),
        *(_coupons.display_code, _coupons.state, _coupons.uses, _coupons.total_limit),
        *(_alarms.hour, _alarms.networks, _alarms.expected, _alarms.hosts, _alarms.state, _alarms.decided_at),
        *(_deciders.name, _alarms.reason),
    )
    .outerjoin_from(CouponAlarm.__table__, Coupon.__table__, _coupons.id == _alarms.coupon_id)
    .outerjoin(Learner.__table__, _deciders.id == _alarms.decided_by)
)
ALARMS: ListSource[AlarmRow] = ListSource(
    rows=_ROWS,
    counted=select(_alarms.id),
    make=_make,
    key=_alarms.id,
    filters={"state": _alarms.state.__eq__},
    only_grows=True,
)


def alarm(session: Session, alarm_id: int) -> AlarmRow:
    """Raises NotFound."""
    row = session.execute(_ROWS.where(_alarms.id == alarm_id)).one_or_none()
    if row is None:
        raise NotFound(UNKNOWN)
    return _make(row)
