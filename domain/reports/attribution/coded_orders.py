"""Orders of which a code lowered lines, stored with the day of their payment: different buyers of a period are counted
from them, which sums of days cannot say."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any, NamedTuple

from sqlalchemy import case, delete, func, insert, select
from sqlalchemy.orm import Session

from domain.database.parts import parts_of
from domain.reports.computed_days import CHUNK, UNSYNCHRONISED
from domain.reports.sales_lines import BuyerPayments, SaleLine
from domain.tables import CodedOrder


class CodedOrderRow(NamedTuple):
    """`is_first`: the learner had paid for no order before, in whichever currency."""

    currency: str
    code: str
    order_id: int
    learner_id: int
    paid_at: datetime
    is_first: bool


# By currency, code and order.
DayCodes = tuple[CodedOrderRow, ...]
_COLUMNS = [getattr(CodedOrder, name) for name in CodedOrderRow._fields]


def count(lines: Iterable[SaleLine], own: Mapping[int, BuyerPayments]) -> DayCodes:
    """Each order once for every code of its lines. `own`: the payments of their learners."""
    found = {
        CodedOrderRow(
            line.currency,
            code,
            line.order_id,
            line.learner_id,
            line.paid_at,
            own[line.learner_id].first.order_id == line.order_id,
        )
        for line in lines
        for code in (line.line_code, line.cart_code)
        if code
    }
    return tuple(sorted(found))


def load(session: Session, day: date) -> DayCodes:
    return tuple(sorted(CodedOrderRow._make(row) for row in session.execute(select(*_COLUMNS).where(_of_day(day)))))


def replace(session: Session, day: date, rows: DayCodes) -> bool:
    """Whether anything differs from what was stored."""
    if load(session, day) == rows:
        return False
    session.execute(delete(CodedOrder).where(_of_day(day)), execution_options=UNSYNCHRONISED)
    table: Any = CodedOrder.__table__
    values = [{"day": day, **row._asdict()} for row in rows]
    for part in parts_of(values, CHUNK):
        session.execute(insert(table), part)
    return True


def _of_day(day: date) -> Any:
    return CodedOrder.day == day


class CodedCounts(NamedTuple):
    """Different orders, their different learners, and those of them whose first order it was."""

    orders: int = 0
    buyers: int = 0
    new: int = 0


class CodedPeriod(NamedTuple):
    """In one currency. `total` is of all codes: an order with two of them is one."""

    by_code: Mapping[str, CodedCounts]
    total: CodedCounts


def counts(session: Session, currency: str, since: date, until: date, cut: datetime | None) -> CodedPeriod:
    """The orders of these days, both included, are counted; with `cut` those that were paid before."""
    conditions = [CodedOrder.day >= since, CodedOrder.day <= until, CodedOrder.currency == currency]
    if cut is not None:
        conditions.append(CodedOrder.paid_at < cut)
    new = case((CodedOrder.is_first, CodedOrder.learner_id))
    numbers = [func.count(column.distinct()) for column in (CodedOrder.order_id, CodedOrder.learner_id, new)]
    total = CodedCounts._make(session.execute(select(*numbers).where(*conditions)).one())
    rows = session.execute(select(CodedOrder.code, *numbers).where(*conditions).group_by(CodedOrder.code))
    return CodedPeriod({code: CodedCounts(*found) for code, *found in rows}, total)
