"""Computes the credits of days and stores them: of days that are due, when beat or a loop of a host asks, or of all."""

import logging
from collections.abc import Callable
from datetime import date, datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.attribution.rules import AttributionRules
from domain.database.cycle_collector import paused_collector
from domain.database.database import Database
from domain.reports import sales_lines
from domain.reports.attribution import (
    coded_orders,
    cohort_days,
    credit_storage,
    order_paths,
    referral_days,
    stored_paths,
)
from domain.reports.attribution.credit_days import DaySums, credited_orders
from domain.reports.attribution.credit_storage import ROLLUPS, ComputedCredits
from domain.reports.computed_days import ComputedDayBuilder, outdated_credits
from domain.tables import CreditRollup
from domain.visits.raw.local_days import DayRules

# Days with open paths: their touchpoints change as today's visits are computed, every few minutes.
OPEN_EVERY = timedelta(minutes=5)


class CreditDayBuilder(ComputedDayBuilder[ComputedCredits]):
    rollups = ROLLUPS
    noun = "credits"
    log = logging.getLogger("coursefront.reports.attribution")

    def __init__(self, database: Database, rules: DayRules, now: Callable[[], datetime], attribution: AttributionRules):
        super().__init__(database, rules, now)
        self.attribution = attribution

    def due_days(self, session: Session) -> list[date]:
        """Days whose orders have changed, and days with paths that may change still: at once when a day of visits was
        computed that is over, as those of a new shop are."""
        is_open = (CreditRollup.open_paths > 0, CreditRollup.built_at <= self.now() - OPEN_EVERY)
        still_open = session.scalars(select(CreditRollup.day).where(*is_open).order_by(CreditRollup.day))
        outdated = outdated_credits(session, self.rules.day_of(self.now()))
        return list(dict.fromkeys((*super().due_days(session), *outdated, *still_open)))

    def read(self, session: Session, day: date, version: int, read_at: datetime) -> ComputedCredits:
        """Nothing of it depends on another day, nor on when it is computed, once its paths are closed."""
        window = self.rules.window(day)
        with paused_collector():
            lines = list(sales_lines.lines(session, window.since, window.until))
            orders = order_paths.orders_of(lines)
            stored = stored_paths.load(session, orders)
            closed = {order_id for order_id, path in stored.items() if path.closed_at is not None}
            is_open = [order for order in orders.values() if order.order_id not in closed]
            closing = order_paths.closed_orders(session, is_open, self.attribution, self.rules, read_at)
            paths = order_paths.choose(session, list(orders.values()), stored, self.attribution, closing)
            referrals = referral_days.count(lines, paths)
            buyers = cohort_days.buyers_of(session, day, self.rules, lines)
            cohorts = cohort_days.count(session, buyers, paths)
            coded = coded_orders.count(lines, buyers.own)
            sums, rows = DaySums(), {}
            for order in credited_orders(lines, paths):
                sums.add(order)
                rows[order.order_id] = order.rows
        changed = tuple(path for order_id, path in paths.items() if stored.get(order_id) != path)
        open_paths = sum(path.closed_at is None for path in paths.values())
        return ComputedCredits(day, changed, rows, sums.rows, referrals, cohorts, coded, open_paths, version, read_at)

    def store(self, session: Session, computed: ComputedCredits) -> bool | None:
        with paused_collector():
            return credit_storage.store(session, computed, self.rules)
