"""The overview of visits with what was sold in the same days."""

from dataclasses import replace
from datetime import datetime

from sqlalchemy.orm import Session

from domain.reports.sale_reports.figures import DEFINITIONS, NET, RETURNED
from domain.reports.sale_reports.frame import SaleFrame
from domain.reports.visit_reports import answers
from domain.reports.visit_reports.answers import Figures, FiledFigures, ReportAnswer
from domain.reports.visit_reports.descriptions import OVERVIEW
from domain.reports.visit_reports.figures import FIGURES
from domain.reports.visit_reports.parameters import ReportQuery
from domain.reports.visit_reports.stored_figures import Span
from domain.visits.raw.local_days import DayRules

REFUNDED = replace(RETURNED, key="refunded")
OVERVIEW_WITH_SALES = replace(
    OVERVIEW,
    shown=(*OVERVIEW.shown, NET.key, REFUNDED.key),
    figures={**FIGURES, NET.key: NET, REFUNDED.key: REFUNDED},
    definitions=DEFINITIONS / "overview.json",
    has_money=True,
)
NO_AMOUNTS = "Amounts are not shown: they are of all sales, not of the visits that fit the filters."


def answer(session: Session, query: ReportQuery, rules: DayRules, at: datetime, limit: int | None) -> ReportAnswer:
    """The amounts are of all sales of the days, whosever visits are shown."""
    found = answers.answer(session, query, rules, at, limit)
    frame = SaleFrame(session, query, rules, at)
    previous = found.previous
    if previous is not None and frame.before is not None:
        previous = previous | _amounts(frame, frame.before)
    return replace(
        found,
        totals=found.totals | _amounts(frame, frame.now),
        previous=previous,
        notes=[*found.notes, *frame.currency_notes()],
        currency=frame.currency,
        currencies=frame.all_currencies,
    )


def filtered_answer(
    session: Session, query: ReportQuery, rules: DayRules, at: datetime, figures: FiledFigures
) -> ReportAnswer:
    """Files of days have no amounts, and those of all sales would be read as those of the filters."""
    found = answers.filtered_answer(session, query, rules, at, figures)
    unknown: Figures = {NET.key: None, REFUNDED.key: None}
    return replace(found, totals=found.totals | unknown, notes=[*found.notes, NO_AMOUNTS])


def _amounts(frame: SaleFrame, span: Span) -> Figures:
    sold = frame.sales.total("all", "", span)
    return {figure.key: figure.compute(sold) for figure in (NET, REFUNDED)}
