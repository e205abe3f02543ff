"""Answers reports from the database, and records who looked at them."""

from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import urlencode

from config.settings import Settings
from domain.database.database import Database
from domain.errors import NotFound
from domain.reports import all_reports
from domain.reports.all_reports import SOURCES
from domain.reports.saved_views.views import SavedView, views_of
from domain.reports.visit_reports import accesses
from domain.reports.visit_reports.accesses import AccessAction, ReportLook
from domain.reports.visit_reports.answers import FiledFigures, ReportAnswer, blank_answer, plan_of
from domain.reports.visit_reports.descriptions import ReportDescription
from domain.reports.visit_reports.live import LiveVisits, live_visits
from domain.reports.visit_reports.parameters import ReportQuery, query_text
from host.messaging.report_client import ReportClient

# As many rows as a file has: of 400 days with 300 values each, those with the most sessions.
FILE_ROWS = 10_000


def report_of(name: str) -> ReportDescription:
    """Raises NotFound."""
    if name not in SOURCES:
        raise NotFound("There is no such report.")
    return SOURCES[name].report


# The last minutes, which are no report of days.
NOW = "now"


@dataclass(frozen=True)
class Reader:
    """Who reads reports, and when."""

    db: Database
    reports: ReportClient
    settings: Settings
    learner_id: int
    at: datetime

    async def answer(self, query: ReportQuery, action: AccessAction) -> ReportAnswer:
        """The access is recorded before anybody gets the answer; one without any figure is none. Raises
        ServiceUnavailable, of a report with filters also ReportUnavailable."""
        limit = None if action == "view" else FILE_ROWS
        if query.needs_files:
            found = await self._filtered(query if limit is None else replace(query, limit=limit))
        else:
            found = await self.db.read(all_reports.answer, query, self.settings.day_rules, self.at, limit)
        if found.is_blank:
            return found
        look = ReportLook(query.report.name, query_text(query, urlencode), len(found.rows), action)
        await self.db.write(accesses.record_access, self.learner_id, look, self.at)
        return found

    async def _filtered(self, query: ReportQuery) -> ReportAnswer:
        about = (query, self.settings.day_rules, self.at)
        oldest = self.settings.periods.first_day_of_files(self.settings.day_rules, self.at)
        days, requests = await self.db.read(plan_of, *about, oldest)
        # Without any file no worker need be waited for.
        found = await self.reports.figures(requests) if days.has_any else {request: {} for request in requests}
        return await self.db.read(all_reports.filtered_answer, *about, FiledFigures(days, found))

    async def views(self) -> list[SavedView]:
        """Raises ServiceUnavailable."""
        return await self.db.read(views_of, self.learner_id)

    async def blank(self, query: ReportQuery) -> ReportAnswer:
        """A report with filters that cannot be answered, without figures. Raises ServiceUnavailable."""
        return await self.db.read(blank_answer, query, self.settings.day_rules, self.at)

    async def live(self) -> LiveVisits:
        """The last minutes; recorded as every report is. Raises ServiceUnavailable."""
        found = await self.db.read(live_visits, self.at)
        look = ReportLook(NOW, "", len(found.paths), "view")
        await self.db.write(accesses.record_access, self.learner_id, look, self.at)
        return found
