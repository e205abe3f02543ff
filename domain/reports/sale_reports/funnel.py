"""The report of the funnel: how many sessions reach each step from the first visit to the payment, and where the others
are lost."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

from sqlalchemy.orm import Session

from domain.display_text import percent_text
from domain.reports.sale_reports.figures import DEFINITIONS, FUNNEL_FIGURES, STEPS
from domain.reports.visit_reports import answers
from domain.reports.visit_reports.answers import (
    Figures,
    ReportAnswer,
    ReportRow,
    ReportSeries,
    page_of_rows,
    sorted_rows,
)
from domain.reports.visit_reports.descriptions import CHANNELS, DAY, ReportChoice, ReportDescription, label_of
from domain.reports.visit_reports.figures import FigureSums, figures_of, percent
from domain.reports.visit_reports.parameters import ReportQuery
from domain.visits.raw.local_days import DayRules

_STEP_COLUMNS = ("sessions", "ofAll", "lost", "lossRate")
_COLUMNS = (*STEPS, "conversion")
SESSIONS_OF = ReportChoice(
    "of",
    "Steps of",
    {
        "all": "All sessions",
        **{f"channel:{key}": label_of("channel", key) for key in CHANNELS},
        **{f"device:{key}": label_of("device", key) for key in ("desktop", "mobile")},
    },
)
FUNNEL = ReportDescription(
    "funnel",
    "Funnel",
    "How far sessions get on the way to a payment, and where they are lost.",
    {"step": "Step", "channel": "Channel", "device": "Device"},
    _COLUMNS,
    ("sessions", "products", "carts", "checkouts", "payments", "conversion"),
    columns_by={"step": _STEP_COLUMNS, DAY: _COLUMNS},
    charted=("sessions",),
    figures=FUNNEL_FIGURES,
    definitions=DEFINITIONS / "funnel.json",
    words={"greatest": "Greatest loss"},
    choices=(SESSIONS_OF,),
    is_drilled=False,
    first_sort="-sessions",
    group="Visits",
)
# What is read of the days of visits: figures of the same names.
_OF_VISITS = ReportDescription("funnel", FUNNEL.title, FUNNEL.about, FUNNEL.levels, _COLUMNS, _COLUMNS)
NOTHING = "No sessions were counted in these days."
OF_ALL = "Rows by channel and device are of all sessions."
CUT = "A step counts every session that got there or further, so steps never grow."


def answer(session: Session, query: ReportQuery, rules: DayRules, at: datetime, limit: int | None) -> ReportAnswer:
    is_by_step = query.by == "step"
    chosen = _chosen(query) if is_by_step else None
    shown = replace(query, report=_OF_VISITS, filters=() if chosen is None else (chosen,))
    if is_by_step:
        shown = replace(shown, by=DAY, page=1, sort="-name")
    found = answers.answer(session, shown, rules, at, limit)
    notes = [*found.notes, CUT, *([OF_ALL] if not is_by_step and _chosen(query) else [])]
    found = replace(found, query=query, series=_series(found), notes=notes)
    if not found.totals["sessions"]:
        is_counted = found.first_day is not None and query.until >= found.first_day
        return replace(found, rows=[], row_count=0, has_more=False, empty=NOTHING if is_counted else None)
    if not is_by_step:
        return replace(found, rows=[_with_loss(row) for row in found.rows])
    steps = _steps(found)
    if query.sort != FUNNEL.first_sort:
        # Steps with equal figures would not be in their order.
        steps = sorted_rows(steps, query.sort)
    rows, row_count, has_more = page_of_rows(steps, query, limit)
    return replace(found, rows=rows, row_count=row_count, has_more=has_more)


def _chosen(query: ReportQuery) -> tuple[str, str] | None:
    dimension, _, key = query.choices[SESSIONS_OF.name].partition(":")
    return (dimension, key) if key else None


def _counts(figures: Figures) -> list[int]:
    return [int(figures[key] or 0) for key in STEPS]


def _step_figures(counts: Sequence[int], place: int) -> Figures:
    """The figures of one step; nothing is lost at the first."""
    before = counts[max(place - 1, 0)]
    sums = {"sessions": counts[place], "lost": before - counts[place], "of_all": 0, "loss_rate": 0}
    shares: Figures = {
        "ofAll": percent(counts[place], counts[0]),
        "lossRate": percent(before - counts[place], before) if place else None,
    }
    return figures_of(sums, _STEP_COLUMNS, FUNNEL_FIGURES) | {"lost": sums["lost"] if place else None} | shares


def _steps(found: ReportAnswer) -> list[ReportRow]:
    now = _counts(found.totals)
    before = None if found.previous is None else _counts(found.previous)
    return [
        ReportRow(key, name, _step_figures(now, place), None if before is None else _step_figures(before, place))
        for place, (key, name) in enumerate(STEPS.items())
    ]


def _series(found: ReportAnswer) -> ReportSeries:
    """A bar for each step."""

    def points(figures: Figures | None) -> list[FigureSums | None]:
        return [] if figures is None else [Counter({"sessions": count}) for count in _counts(figures)]

    return ReportSeries("name", [*STEPS.values()], points(found.totals), points(found.previous), None, "step")


def _with_loss(row: ReportRow) -> ReportRow:
    return replace(row, words={"greatest": _greatest_loss(_counts(row.figures))})


def _greatest_loss(counts: Sequence[int]) -> str:
    """Between which steps the greatest share is lost; "" without any session."""
    names = [*STEPS.values()]
    losses = [
        ((before - after) / before, -place, percent(before - after, before))
        for place, (before, after) in enumerate(pairwise(counts))
        if before
    ]
    if not losses:
        return ""
    _, place, share = max(losses)
    return f"{names[-place]} to {names[1 - place].lower()}: {percent_text(share or 0)}"
