"""What a trial of the special offer has shown: sessions that paid, and what each brought, with the offer and without,
pair by pair. Counted from hours of days and from paid orders, so it is what the other reports count."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.coupons.trials.interval import Interval, mean_interval
from domain.coupons.trials.schedule import MIN_PAIRS, PAYING_TIME, Block, TrialPlan, plan_of
from domain.reports.sales_lines import lines_of_orders
from domain.tables import OrderSession, VisitHour, VisitRollup
from domain.visits.raw.local_days import SHOP

_DAY = timedelta(days=1)


@dataclass(frozen=True)
class BlockResult:
    """`paid`: sessions of people that ended in a paid order; `net_minor`: what those orders brought, without tax, after
    discounts and refunds."""

    block: Block
    sessions: int
    paid: int
    net_minor: int


@dataclass(frozen=True)
class PairResult:
    """A pair of blocks: with the offer, and without."""

    shown: BlockResult
    hidden: BlockResult

    @property
    def is_usable(self) -> bool:
        """A block in which nobody came says nothing of the share of sessions that pay."""
        return self.shown.sessions > 0 and self.hidden.sessions > 0

    @property
    def paid_difference(self) -> float:
        return self.shown.paid / self.shown.sessions - self.hidden.paid / self.hidden.sessions

    @property
    def net_difference(self) -> float:
        """In minor units for each session."""
        return self.shown.net_minor / self.shown.sessions - self.hidden.net_minor / self.hidden.sessions


@dataclass(frozen=True)
class TrialResult:
    """`pairs`: those that are over, their orders paid and their days counted; `empty`: how many of these had a block
    without sessions, and are in no interval. `paid`: of a session, as a share; `net`: of a session, in minor units;
    None below MIN_PAIRS usable pairs. `foreign_orders`: orders in other currencies, which are in `paid` alone."""

    pairs: Sequence[PairResult]
    empty: int
    paid: Interval | None
    net: Interval | None
    foreign_orders: int

    @property
    def usable(self) -> int:
        return len(self.pairs) - self.empty

    def totals(self, *, is_on: bool) -> tuple[int, int, int]:
        """Sessions, paid ones and net of all usable pairs, with the offer or without."""
        blocks = [pair.shown if is_on else pair.hidden for pair in self.pairs if pair.is_usable]
        sums = [(block.sessions, block.paid, block.net_minor) for block in blocks]
        sessions, paid, net = (sum(column) for column in zip(*sums, strict=True)) if sums else (0, 0, 0)
        return sessions, paid, net


def result(session: Session, plan: TrialPlan, until: datetime, at: datetime, currency: str) -> TrialResult:
    """`until`: when the trial ended or was stopped; only pairs that were over by then count."""
    counted_until = min(at, _counted_until(session, at))
    pairs = [pair for pair in plan.pairs_until(counted_until) if pair[1].ends_at <= until]
    blocks = [block for pair in pairs for block in pair]
    hours, (net, foreign) = _sessions(session, blocks), _net(session, blocks, currency)
    results = {block: _block_result(block, hours, net[block]) for block in blocks}
    return result_of([_ordered(results[first], results[second]) for first, second in pairs], foreign)


def _block_result(block: Block, hours: Mapping[datetime, tuple[int, int]], net_minor: int) -> BlockResult:
    counts = [hours[hour] for hour in _hours(block) if hour in hours]
    return BlockResult(block, sum(sessions for sessions, _ in counts), sum(paid for _, paid in counts), net_minor)


def _ordered(first: BlockResult, second: BlockResult) -> PairResult:
    return PairResult(first, second) if first.block.is_on else PairResult(second, first)


def result_of(pairs: Sequence[PairResult], foreign_orders: int = 0) -> TrialResult:
    usable = [pair for pair in pairs if pair.is_usable]
    has_interval = len(usable) >= MIN_PAIRS
    paid = mean_interval([pair.paid_difference for pair in usable]) if has_interval else None
    net = mean_interval([pair.net_difference for pair in usable]) if has_interval else None
    return TrialResult(pairs, len(pairs) - len(usable), paid, net, foreign_orders)


def _counted_until(session: Session, at: datetime) -> datetime:
    """The last computation of a day: what came later is in no figure."""
    built = select(func.max(VisitRollup.built_at)).where(VisitRollup.site == SHOP)
    return session.scalar(built) or at - _DAY


def _hours(block: Block) -> list[datetime]:
    count = (block.ends_at - block.counted_from) // timedelta(hours=1)
    return [block.counted_from + number * timedelta(hours=1) for number in range(count)]


def _sessions(session: Session, blocks: Sequence[Block]) -> dict[datetime, tuple[int, int]]:
    """UTC hour -> sessions of people that began in it, and how many of these paid. Two local days may share an hour."""
    if not blocks:
        return {}
    since, until = blocks[0].starts_at, blocks[-1].ends_at
    is_total = (VisitHour.site == SHOP, VisitHour.dimension == "all", VisitHour.audience == "people")
    days = (VisitHour.day >= (since - _DAY).date(), VisitHour.day <= (until + _DAY).date())
    is_within = (VisitHour.hour >= since, VisitHour.hour < until)
    sums = (func.sum(VisitHour.sessions), func.sum(VisitHour.reached_payment))
    query = select(VisitHour.hour, *sums).where(*is_total, *days, *is_within).group_by(VisitHour.hour)
    return {hour: (int(sessions), int(paid)) for hour, sessions, paid in session.execute(query)}


def _net(session: Session, blocks: Sequence[Block], currency: str) -> tuple[dict[Block, int], int]:
    """What the orders of sessions that began in each block brought; and how many orders are in another currency."""
    net: defaultdict[Block, int] = defaultdict(int)
    if not blocks:
        return net, 0
    is_within = (OrderSession.began_at >= blocks[0].starts_at, OrderSession.began_at < blocks[-1].ends_at)
    rows = session.execute(select(OrderSession.order_id, OrderSession.began_at).where(*is_within)).all()
    block_of = dict(_placed(blocks, ((began_at, order_id) for order_id, began_at in rows)))
    foreign = set()
    for line in lines_of_orders(session, sorted(block_of)):
        if line.currency == currency:
            net[block_of[line.order_id]] += line.net_minor
        else:
            foreign.add(line.order_id)
    return net, len(foreign)


def _placed(blocks: Sequence[Block], orders: Iterable[tuple[datetime, int]]) -> Iterable[tuple[int, Block]]:
    """The block in whose counted hours each order's session began; those that began elsewhere are left out."""
    waiting = iter(blocks)
    block = next(waiting)
    for began_at, order_id in sorted(orders):
        while began_at >= block.ends_at:
            block = next(waiting)
        if block.counted_from <= began_at:
            yield order_id, block


def expected_margins(
    session: Session, pairs: int, block_hours: int, at: datetime, currency: str
) -> tuple[float, float] | None:
    """How far the ends of both intervals will lie from their middle after so many pairs: as far as in a trial of the
    last weeks in which nothing was hidden. None while there are no such weeks."""
    block_time = timedelta(hours=2 * block_hours)
    end = at.replace(minute=0, second=0, microsecond=0) - PAYING_TIME - timedelta(hours=1)
    past = plan_of(end - MIN_PAIRS * block_time, MIN_PAIRS, block_hours, "nothing was hidden")
    found = result(session, past, past.ends_at, at, currency)
    if found.paid is None or found.net is None:
        return None
    narrower = math.sqrt(MIN_PAIRS / pairs)
    return found.paid.margin * narrower, found.net.margin * narrower
