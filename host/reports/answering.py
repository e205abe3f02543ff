"""Answers reports from the database, and records who looked at them."""

from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import urlencode

from config.settings import Settings
from domain.database.database import Database
from domain.errors import NotFound
from domain.reports.all_reports import SOURCES, FilteredAnswering
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
        """The access is recorded before anybody gets the answer. Raises ServiceUnavailable, of a report with filters
        also ReportUnavailable."""
        limit, source = None if action == "view" else FILE_ROWS, SOURCES[query.report.name]
        if query.needs_files and source.filtered is not None:
            found = await self._filtered(query if limit is None else replace(query, limit=limit), source.filtered)
        else:
            found = await self.db.read(source.answer, query, self.settings.day_rules, self.at, limit)
        look = ReportLook(query.report.name, query_text(query, urlencode), len(found.rows), action)
        await self.db.write(accesses.record_access, self.learner_id, look, self.at)
        return found

    async def _filtered(self, query: ReportQuery, answer: FilteredAnswering) -> ReportAnswer:
        about = (query, self.settings.day_rules, self.at)
        reach, requests = await self.db.read(plan_of, *about)
        figures = FiledFigures(reach, await self.reports.figures(requests))
        return await self.db.read(answer, *about, figures)

    async def blank(self, query: ReportQuery) -> ReportAnswer:
        """A report with filters that cannot be answered, without figures. Raises ServiceUnavailable."""
        return await self.db.read(blank_answer, query, self.settings.day_rules, self.at)

    async def live(self) -> LiveVisits:
        """The last minutes; recorded as every report is. Raises ServiceUnavailable."""
        found = await self.db.read(live_visits, self.at)
        look = ReportLook(NOW, "", len(found.paths), "view")
        await self.db.write(accesses.record_access, self.learner_id, look, self.at)
        return found
