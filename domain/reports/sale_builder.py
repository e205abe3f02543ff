"""Computes days of sales and stores them: those that are due, when beat or a loop of a host asks, or those of a
command."""

import logging
from collections.abc import Sequence
from datetime import date, datetime

from sqlalchemy.orm import Session

from domain.reports import sale_days, sale_storage
from domain.reports.computed_days import ComputedDayBuilder
from domain.reports.sale_storage import ROLLUPS, ComputedSales


class SaleDayBuilder(ComputedDayBuilder[ComputedSales]):
    rollups = ROLLUPS
    noun = "sales"
    log = logging.getLogger("coursefront.reports.sales")

    def read(self, session: Session, day: date, version: int, read_at: datetime) -> ComputedSales:
        return ComputedSales(day, sale_days.compute(session, day, self.rules), version, read_at)

    def store(self, session: Session, computed: ComputedSales) -> bool | None:
        return sale_storage.store(session, computed, self.rules)

    def wrong_days(self, days: Sequence[date]) -> list[date]:
        """The days whose stored rows are not those that their orders give now."""
        with self.database.read_session() as session:
            return [
                day
                for day in days
                if sale_storage.stored_rows(session, day) != sale_days.compute(session, day, self.rules)
            ]
