"""The report "trials": what each trial of the special offer has shown, beside the report of coupons."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy.orm import Session

from domain.coupons.trials import listing
from domain.coupons.trials.interval import Interval
from domain.coupons.trials.listing import TrialRow
from domain.coupons.trials.schedule import MIN_PAIRS
from domain.display_text import day_text
from domain.money import shop_currency
from domain.reports.coupon_trials import TrialResult, result
from domain.reports.sale_reports.figures import DEFINITIONS, GROUP
from domain.reports.visit_reports.answers import (
    LeftOut,
    ReportAnswer,
    ReportRow,
    ReportSeries,
    page_of_rows,
    sorted_rows,
)
from domain.reports.visit_reports.descriptions import ReportDescription
from domain.reports.visit_reports.figures import Figure, FigureValue, figures_of, percent, sum_of
from domain.reports.visit_reports.parameters import ReportQuery
from domain.reports.visit_reports.stored_figures import Span, built_state
from domain.visits.raw.local_days import DayRules

# A trial takes weeks, so a list of all of them is short. Each costs some statements.
MAX_TRIALS = 100
PATH = "/admin/coupons/trials"
# Differences are told of so many sessions: of one they would be fractions of cents.
SESSIONS = 100
_SUMS = ("trials", "pairs", "sessions", "sessions_on", "sessions_off", "paid_on", "paid_off")
FIGURES: Mapping[str, Figure] = {
    figure.key: figure
    for figure in (
        Figure("trials", "Trials", "count", sum_of("trials")),
        Figure("pairs", "Pairs counted", "count", sum_of("pairs"), "Pairs"),
        Figure("sessions", "Sessions", "count", sum_of("sessions")),
        Figure(
            "paidOn",
            "Paid with the offer",
            "percent",
            lambda sums: percent(sums["paid_on"], sums["sessions_on"]),
            "Paid with it",
        ),
        Figure(
            "paidOff",
            "Paid without the offer",
            "percent",
            lambda sums: percent(sums["paid_off"], sums["sessions_off"]),
            "Paid without it",
        ),
        Figure("paidLow", "More paid, at least", "number", lambda _sums: None),
        Figure("paidHigh", "More paid, at most", "number", lambda _sums: None),
        Figure("netLow", "More net, at least", "money", lambda _sums: None),
        Figure("netHigh", "More net, at most", "money", lambda _sums: None),
    )
}
_COUNTED = ("pairs", "sessions", "paidOn", "paidOff")
TRIALS = ReportDescription(
    "trials",
    "Offer trials",
    "What the special offer brings: in each trial it was shown and hidden by turns.",
    {"trial": "Offer"},
    columns=(*_COUNTED, "paidLow", "paidHigh", "netLow", "netHigh"),
    shown=("trials", *_COUNTED),
    charted=("paidOn",),
    figures=FIGURES,
    definitions=DEFINITIONS / "trials.json",
    words={"state": "State", "from": "From (UTC)", "until": "Until (UTC)", "verdict": "Result"},
    has_money=True,
    has_period=False,
    has_audience=False,
    has_comparison=False,
    is_drilled=False,
    compared="",
    first_sort="-name",
    group=GROUP,
)
STATES = {"planned": "Planned", "running": "Running", "over": "Over", "stopped": "Stopped"}


class CountedTrial(NamedTuple):
    row: TrialRow
    result: TrialResult

    @property
    def sums(self) -> dict[str, int]:
        on, off = self.result.totals(is_on=True), self.result.totals(is_on=False)
        numbers = (1, self.result.usable, on[0] + off[0], on[0], off[0], on[1], off[1])
        return dict(zip(_SUMS, numbers, strict=True))


def answer(
    session: Session, query: ReportQuery, rules: DayRules, at: datetime, limit: int | None = None
) -> ReportAnswer:
    currency = query.currency or shop_currency().code
    found = [
        CountedTrial(row, result(session, row.plan, row.is_over_at, at, currency))
        for row in listing.latest(session, MAX_TRIALS)
    ]
    sums = {name: sum(trial.sums[name] for trial in found) for name in _SUMS}
    state = built_state(session, Span(query.since, query.until))
    counted = [trial for trial in found if trial.result.usable]
    return ReportAnswer(
        query,
        rules.zone,
        state.built_at,
        state.first_day,
        False,
        figures_of(sums, TRIALS.shown, FIGURES),
        None,
        None,
        LeftOut(0, 0, 0),
        ReportSeries(
            "name", [_label(trial.row) for trial in counted], [trial.sums for trial in counted], [], None, "trial"
        ),
        *page_of_rows(sorted_rows([_row(trial, at) for trial in found], query.sort), query, limit),
        _notes(found, currency),
        empty="" if found else "No trial of the special offer was started yet: Offer trials below Coupons starts one.",
        currency=currency,
        currencies=(currency,),
    )


def _label(row: TrialRow) -> str:
    return f"{row.code}, {day_text(row.starts_at.date())}"


def _row(trial: CountedTrial, at: datetime) -> ReportRow:
    row, found = trial.row, trial.result
    figures: dict[str, FigureValue] = {
        **figures_of(trial.sums, TRIALS.columns, FIGURES),
        **_ends(found.paid, "paid", 2),
        **_ends(found.net, "net", None),
    }
    words = {
        "state": STATES[row.state(at)],
        "from": _time_text(row.starts_at),
        "until": _time_text(row.is_over_at),
        "verdict": verdict(found.net),
    }
    key = f"{_time_text(row.starts_at)} {str(row.id).zfill(19)}"
    return ReportRow(key, row.code, figures, None, words, href=f"{PATH}/{row.id}")


def _ends(interval: Interval | None, name: str, digits: int | None) -> dict[str, FigureValue]:
    if interval is None:
        return {}
    return {
        f"{name}Low": round(SESSIONS * interval.low, digits),
        f"{name}High": round(SESSIONS * interval.high, digits),
    }


def verdict(net: Interval | None) -> str:
    """What the offer brought, as far as it can be said."""
    if net is None:
        return "Too few pairs"
    return {1: "Brings more", -1: "Brings less", 0: "No difference seen"}[net.sign]


def _time_text(at: datetime) -> str:
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "minutes")


def _notes(found: Sequence[CountedTrial], currency: str) -> list[str]:
    notes = [
        f"Ranges are of {SESSIONS} sessions, with the offer less without it: of 100 trials, 95 have a range in which "
        f"the true difference is. They are told from {MIN_PAIRS} pairs on; before that they would be chance."
    ]
    if foreign := sum(trial.result.foreign_orders for trial in found):
        notes.append(
            f"Net is that of orders in {currency}. Orders in other currencies, which count as paid: {foreign}."
        )
    if len(found) == MAX_TRIALS:
        notes.append(f"The {MAX_TRIALS} latest trials are shown.")
    return notes
