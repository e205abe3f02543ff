"""Every report of /admin/reports: its description, and what answers it. Page, call, file and links read this table."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import NamedTuple

from sqlalchemy.orm import Session

from domain.reports.attribution import answer as attribution_answer
from domain.reports.attribution import report as attribution
from domain.reports.crawl_reports.agent_report import AGENTS, answer_agents
from domain.reports.crawl_reports.crawler_report import CRAWLERS, answer_crawlers
from domain.reports.crawl_reports.page_report import CRAWL_PAGES, answer_pages
from domain.reports.crawl_reports.reading_report import CRAWL_READINGS, answer_readings
from domain.reports.sale_reports import cohorts, coupons, funnel, overview, products, referrals, trials
from domain.reports.sale_reports.cohorts import COHORTS
from domain.reports.sale_reports.coupons import COUPONS
from domain.reports.sale_reports.funnel import FUNNEL
from domain.reports.sale_reports.overview import OVERVIEW_WITH_SALES
from domain.reports.sale_reports.products import PRODUCTS
from domain.reports.sale_reports.referrals import PARTNERS, STUDENTS
from domain.reports.sale_reports.trials import TRIALS
from domain.reports.searches import gap_report, search_report
from domain.reports.visit_reports import answers
from domain.reports.visit_reports.answers import FiledFigures, ReportAnswer
from domain.reports.visit_reports.day_progress import DayKind, of_files, read_progress, report_progress
from domain.reports.visit_reports.descriptions import OVERVIEW, REPORTS, ReportDescription
from domain.reports.visit_reports.parameters import ReportQuery
from domain.reports.visit_reports.partial_answers import spans_of, with_progress
from domain.reports.visit_reports.served_report import SERVED, answer_served
from domain.visits.raw.local_days import DayRules

# Session, query, rules of days, the time, and how many rows a page has at most (None: as many as the query says).
Answering = Callable[[Session, ReportQuery, DayRules, datetime, int | None], ReportAnswer]
# Session, query, rules of days, the time, and what the files of days say of the filters.
FilteredAnswering = Callable[[Session, ReportQuery, DayRules, datetime, FiledFigures], ReportAnswer]


class ReportSource(NamedTuple):
    """`answer` reads in a session of its own that reads one state. `filtered`: of a report that takes several filters,
    what answers those that stored figures do not say. `reads`: the days that its figures come from."""

    report: ReportDescription
    answer: Answering
    filtered: FilteredAnswering | None = None
    reads: tuple[DayKind, ...] = ("visits",)


_MONEY: tuple[DayKind, ...] = ("visits", "sales")
_ORDERS: tuple[DayKind, ...] = ("visits", "sales", "credits")
_SOURCES = (
    ReportSource(OVERVIEW_WITH_SALES, overview.answer, overview.filtered_answer, _MONEY),
    *(
        ReportSource(report, answers.answer, answers.filtered_answer)
        for report in REPORTS.values()
        if report is not OVERVIEW
    ),
    ReportSource(SERVED, answer_served),
    ReportSource(FUNNEL, funnel.answer, reads=_MONEY),
    ReportSource(PRODUCTS, products.answer, reads=_MONEY),
    ReportSource(COUPONS, coupons.answer, reads=_ORDERS),
    ReportSource(TRIALS, trials.answer),
    ReportSource(STUDENTS, referrals.answer_students, reads=_ORDERS),
    ReportSource(PARTNERS, referrals.answer_partners, reads=_ORDERS),
    ReportSource(COHORTS, cohorts.answer, reads=_ORDERS),
    ReportSource(CRAWLERS, answer_crawlers),
    ReportSource(CRAWL_PAGES, answer_pages),
    ReportSource(CRAWL_READINGS, answer_readings),
    ReportSource(AGENTS, answer_agents),
    ReportSource(attribution.REPORT, attribution_answer.answer, reads=("visits", "credits")),
    ReportSource(search_report.SEARCHES, search_report.answer),
    ReportSource(gap_report.GAP_REPORT, gap_report.answer),
)
SOURCES: Mapping[str, ReportSource] = {source.report.name: source for source in _SOURCES}


def answer(
    session: Session, query: ReportQuery, rules: DayRules, at: datetime, limit: int | None = None
) -> ReportAnswer:
    """From what is stored, with how far it has been computed."""
    source = SOURCES[query.report.name]
    progress = report_progress(read_progress(session, source.reads, rules, at), spans_of(query))
    return with_progress(source.answer(session, query, rules, at, limit), progress)


def filtered_answer(
    session: Session, query: ReportQuery, rules: DayRules, at: datetime, figures: FiledFigures
) -> ReportAnswer:
    """From the files of days, with how many of them have been written. Raises LookupError for a report without
    filters."""
    found = SOURCES[query.report.name].filtered
    if found is None:
        raise LookupError("this report takes no filters")
    visits = read_progress(session, ("visits",), rules, at)["visits"]
    files = of_files(figures.days, rules.day_of(at))
    # Before the first look at the visits there are no days that could have files.
    progress = report_progress({"files": files if files.days else visits}, spans_of(query))
    return with_progress(found(session, query, rules, at, figures), progress)
