"""Every report of /admin/reports: its description, and what answers it. Page, call, file and links read this table."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import NamedTuple

from sqlalchemy.orm import Session

from domain.reports.searches import gap_report, search_report
from domain.reports.visit_reports import answers
from domain.reports.visit_reports.answers import ReportAnswer
from domain.reports.visit_reports.descriptions import REPORTS, ReportDescription
from domain.reports.visit_reports.parameters import ReportQuery
from domain.visits.raw.local_days import DayRules

# Session, query, rules of days, the time, and how many rows a page has at most (None: as many as the query says).
Answering = Callable[[Session, ReportQuery, DayRules, datetime, int | None], ReportAnswer]


class ReportSource(NamedTuple):
    """`answer` reads in a session of its own that reads one state."""

    report: ReportDescription
    answer: Answering


_SOURCES = (
    *(ReportSource(report, answers.answer) for report in REPORTS.values()),
    ReportSource(search_report.SEARCHES, search_report.answer),
    ReportSource(gap_report.GAP_REPORT, gap_report.answer),
)
SOURCES: Mapping[str, ReportSource] = {source.report.name: source for source in _SOURCES}
