"""The overview of visits with what was sold in the same days."""

from dataclasses import replace
from datetime import datetime

from sqlalchemy.orm import Session

from domain.reports.sale_reports.figures import DEFINITIONS, NET, RETURNED
from domain.reports.sale_reports.frame import SaleFrame
from domain.reports.visit_reports import answers, served_report
from domain.reports.visit_reports.answers import Figures, FiledFigures, ReportAnswer
from domain.reports.visit_reports.descriptions import OVERVIEW
from domain.reports.visit_reports.figures import FIGURES
from domain.reports.visit_reports.parameters import ReportQuery
from domain.reports.visit_reports.stored_figures import Span
from domain.visits.raw.local_days import DayRules

REFUNDED = replace(RETURNED, key="refunded")
OVERVIEW_WITH_SALES = replace(
    OVERVIEW,
    shown=(*OVERVIEW.shown, NET.key, REFUNDED.key, "served"),
    figures={**FIGURES, NET.key: NET, REFUNDED.key: REFUNDED, **served_report.FIGURES},
    definitions=DEFINITIONS / "overview.json",
    has_money=True,
)
NO_AMOUNTS = "Amounts are not shown: they are of all sales, not of the visits that fit the filters."


def answer(session: Session, query: ReportQuery, rules: DayRules, at: datetime, limit: int | None) -> ReportAnswer:
    """The amounts are of all sales of the days, whosever visits are shown, and what was served is of all visits."""
    found = answers.answer(session, query, rules, at, limit)
    frame = SaleFrame(session, query, rules, at)
    others = frame.currency_notes()
    previous = found.previous
    if previous is not None and frame.before is not None:
        previous = previous | _amounts(frame, frame.before) | _served_before(session, query, frame.before)
    return replace(
        found,
        totals={**found.totals, **_amounts(frame, frame.now), **_served(session, query, frame.now)},
        previous=previous,
        notes=[*found.notes, *served_report.since_notes(served_report.counted_since(session), query), *others],
        currency=frame.currency,
        currencies=frame.all_currencies,
    )


def _served(session: Session, query: ReportQuery, span: Span) -> Figures:
    """Filters have none: nobody knows what was served of a channel or a campaign."""
    found = served_report.NO_FIGURES if query.filters else served_report.figures_for(session, query.audience, span)
    return dict(found)


def _served_before(session: Session, query: ReportQuery, before: Span) -> Figures:
    """Served pages are summed by whole days: today is compared with no part of a day, and days that were not counted
    as a whole with nothing."""
    first = served_report.counted_since(session)
    is_whole = before.cut is None and first is not None and first <= before.since
    return _served(session, query, before) if is_whole else {}


def filtered_answer(
    session: Session, query: ReportQuery, rules: DayRules, at: datetime, figures: FiledFigures
) -> ReportAnswer:
    """Files of days have no amounts, and those of all sales would be read as those of the filters."""
    found = answers.filtered_answer(session, query, rules, at, figures)
    unknown: Figures = {NET.key: None, REFUNDED.key: None, **served_report.NO_FIGURES}
    return replace(found, totals=found.totals | unknown, notes=[*found.notes, NO_AMOUNTS])


def _amounts(frame: SaleFrame, span: Span) -> Figures:
    sold = frame.sales.total("all", "", span)
    return {figure.key: figure.compute(sold) for figure in (NET, REFUNDED)}
