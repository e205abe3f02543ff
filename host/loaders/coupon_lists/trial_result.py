"""The result of a trial in words and as the numbers of a picture."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from typing_extensions import TypedDict

from domain.coupons.trials.interval import Interval
from domain.coupons.trials.listing import TrialRow
from domain.coupons.trials.schedule import HOUR, MIN_PAIRS, PAYING_TIME, SETTLING_HOURS
from domain.display_text import count_text, decimal_text, moment_text, money_text
from domain.locales import shop_locale
from domain.money import Currency
from domain.reports.coupon_trials import PairResult, TrialResult
from domain.reports.sale_reports.trials import SESSIONS
from host.loaders.ui import table_cells as cells
from host.loaders.ui.detail_props import ShortTable, placed, short_table
from host.loaders.ui.table_cells import Column

_HOURS_OF_PAYING = PAYING_TIME // HOUR


class TrialInterval(TypedDict):
    """`low`, `mean`, `high`: with the offer less without, of SESSIONS sessions; the texts write them. `verdict`: what
    it means, `meaning`: how it is counted."""

    id: str
    title: str
    verdict: str
    low: float
    mean: float
    high: float
    lowText: str
    meanText: str
    highText: str
    meaning: str


ABOUT = (
    "In one block of each pair the offer was shown, in the other it was not, and chance decided in which. A session is "
    "a tab of a browser, and belongs to the block in which it began; sessions of crawlers and of programs are left "
    f"out. Those that began in the first {SETTLING_HOURS} hours of a block are left out too, because their browser may "
    "still have had the offer of the block before. A session paid when an order that came from it is paid; what it "
    "brought is that order without tax, after discounts and refunds. Of each pair the difference is taken, and the "
    "range is the mean of these differences ± t · s ÷ √n: of 100 trials, 95 have a range in which the true difference "
    f"lies. A pair is counted {_HOURS_OF_PAYING} hours after its end, as its orders may be paid until then."
)


def progress_text(row: TrialRow, result: TrialResult, at: datetime) -> str:
    """How far the trial is, and when there is a result."""
    plan, state = row.plan, row.state(at)
    counted = f"{count_text(result.usable)} of {count_text(plan.pairs)} pairs are counted."
    if state == "planned":
        first = moment_text(plan.countable_at(MIN_PAIRS - 1))
        return f"The trial begins on {moment_text(row.starts_at)}. A first result can be seen on {first}."
    shown = "shown" if plan.is_on(at) else "hidden"
    now = f" The offer is {shown} at this moment." if state == "running" else ""
    empty = f" In {count_text(result.empty)} more a block had no sessions: they say nothing." if result.empty else ""
    return f"{counted}{empty}{now} {_outlook(row, result, state)}".rstrip()


def _outlook(row: TrialRow, result: TrialResult, state: str) -> str:
    if result.paid is not None:
        return "" if state != "running" else f"The whole trial is counted on {_moment_of(row, row.plan.pairs)}."
    if state == "running":
        expected = _moment_of(row, min(MIN_PAIRS + result.empty, row.plan.pairs))
        return f"A result can be seen from {MIN_PAIRS} pairs on: on {expected}. Before that it would be chance."
    if state == "over" and result.usable + result.empty < row.plan.pairs:
        return f"The last pairs are counted on {_moment_of(row, row.plan.pairs)}."
    return f"That is too few for a result: it takes {MIN_PAIRS} pairs."


def _moment_of(row: TrialRow, pairs: int) -> str:
    return moment_text(row.plan.countable_at(pairs - 1))


def intervals(result: TrialResult, currency: Currency) -> list[TrialInterval]:
    """Empty below the least number of pairs."""
    if result.paid is None or result.net is None:
        return []
    return [_paid(result.paid), _net(result.net, currency)]


def _paid(found: Interval) -> TrialInterval:
    def text(value: float) -> str:
        return decimal_text(value * SESSIONS, 2)

    of = f"of {SESSIONS} sessions"
    low, high = text(abs(found.low)), text(abs(found.high))
    verdicts = {
        1: f"More people buy when the offer is shown: {of}, {low} to {high} more end in a paid order.",
        -1: f"Fewer people buy when the offer is shown: {of}, {high} to {low} fewer end in a paid order.",
        0: f"Whether more people buy cannot be told from chance: {of}, {low} fewer to {high} more end in a paid order "
        "when the offer is shown.",
    }
    about = _Wording("paid", "Do more people buy?", verdicts[found.sign], _MEANINGS["paid"])
    return _interval(about, found, text)


def _net(found: Interval, currency: Currency) -> TrialInterval:
    def text(value: float) -> str:
        return money_text(round(value * SESSIONS), currency, shop_locale())

    low, high, of = text(abs(found.low)), text(abs(found.high)), f"{SESSIONS} sessions"
    verdicts = {
        1: f"The offer pays: {of} bring {low} to {high} more when it is shown, after its discount.",
        -1: f"The offer costs more than it brings: {of} bring {high} to {low} less when it is shown.",
        0: f"Whether the offer pays cannot be told from chance: {of} bring {low} less to {high} more when it is "
        "shown, after its discount.",
    }
    about = _Wording("net", "Does it bring more money?", verdicts[found.sign], _MEANINGS["net"])
    return _interval(about, found, text)


_MEANINGS = {
    "paid": f"Paid sessions of {SESSIONS}: those with the offer less those without.",
    "net": f"What {SESSIONS} sessions bring without tax, after discounts and refunds: with the offer less without.",
}


class _Wording(NamedTuple):
    id: str
    title: str
    verdict: str
    meaning: str


def _interval(about: _Wording, found: Interval, text: Callable[[float], str]) -> TrialInterval:
    low, mean, high = (f"{'+' if value > 0 else ''}{text(value)}" for value in (found.low, found.mean, found.high))
    return {
        "id": about.id,
        "title": about.title,
        "verdict": about.verdict,
        "low": found.low * SESSIONS,
        "mean": found.mean * SESSIONS,
        "high": found.high * SESSIONS,
        "lowText": low,
        "meanText": mean,
        "highText": high,
        "meaning": about.meaning,
    }


class _Side:
    """Sums of all pairs with the offer, or without."""

    def __init__(self, label: str, result: TrialResult, *, is_on: bool) -> None:
        self.label = label
        self.sessions, self.paid, self.net_minor = result.totals(is_on=is_on)

    def of_sessions(self, value: int) -> float | None:
        return value * SESSIONS / self.sessions if self.sessions else None


def tables(result: TrialResult) -> list[ShortTable]:
    sides = [_Side("Shown", result, is_on=True), _Side("Hidden", result, is_on=False)]
    empty = "No pair is counted yet."
    sums = short_table("sums", "With the offer and without", empty, _SUMS, sides if result.usable else [])
    pairs = short_table("pairs", "Pairs of blocks", empty, _PAIRS, result.pairs)
    return [sums, placed("folded", pairs)]


def _net_of(side: _Side) -> int | None:
    value = side.of_sessions(side.net_minor)
    return None if value is None else round(value)


def _paid_of(side: _Side) -> str | None:
    value = side.of_sessions(side.paid)
    return None if value is None else decimal_text(value, 2)


_SUMS: tuple[Column[_Side], ...] = (
    cells.text("side", "The offer was", lambda side: side.label),
    cells.count("sessions", "Sessions", lambda side: side.sessions),
    cells.count("paid", "Paid sessions", lambda side: side.paid),
    cells.text("share", f"Paid of {SESSIONS}", _paid_of),
    cells.minor("net", "Net", lambda side: side.net_minor),
    cells.minor("each", f"Net of {SESSIONS}", _net_of),
)
_PAIRS: tuple[Column[PairResult], ...] = (
    cells.time("shown", "Shown from", lambda pair: pair.shown.block.starts_at),
    cells.count("shownSessions", "Sessions", lambda pair: pair.shown.sessions),
    cells.count("shownPaid", "Paid", lambda pair: pair.shown.paid),
    cells.minor("shownNet", "Net", lambda pair: pair.shown.net_minor),
    cells.time("hidden", "Hidden from", lambda pair: pair.hidden.block.starts_at),
    cells.count("hiddenSessions", "Sessions", lambda pair: pair.hidden.sessions),
    cells.count("hiddenPaid", "Paid", lambda pair: pair.hidden.paid),
    cells.minor("hiddenNet", "Net", lambda pair: pair.hidden.net_minor),
)
