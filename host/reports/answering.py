"""Answers reports from the database, and records who looked at them."""

from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from config.settings import Settings
from domain.database.database import Database
from domain.errors import NotFound
from domain.reports.all_reports import SOURCES
from domain.reports.visit_reports import accesses
from domain.reports.visit_reports.accesses import AccessAction, ReportLook
from domain.reports.visit_reports.answers import ReportAnswer
from domain.reports.visit_reports.descriptions import ReportDescription
from domain.reports.visit_reports.live import LiveVisits, live_visits
from domain.reports.visit_reports.parameters import ReportQuery, query_text

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
    settings: Settings
    learner_id: int
    at: datetime

    async def answer(self, query: ReportQuery, action: AccessAction) -> ReportAnswer:
        """The access is recorded before anybody gets the answer. Raises ServiceUnavailable."""
        rules, limit = self.settings.day_rules, FILE_ROWS if action == "csv" else None
        found = await self.db.read(SOURCES[query.report.name].answer, query, rules, self.at, limit)
        look = ReportLook(query.report.name, query_text(query, urlencode), len(found.rows), action)
        await self.db.write(accesses.record_access, self.learner_id, look, self.at)
        return found

    async def live(self) -> LiveVisits:
        """The last minutes; recorded as every report is. Raises ServiceUnavailable."""
        found = await self.db.read(live_visits, self.at)
        look = ReportLook(NOW, "", len(found.paths), "view")
        await self.db.write(accesses.record_access, self.learner_id, look, self.at)
        return found
