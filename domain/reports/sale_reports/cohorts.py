"""The report of cohorts: learners by the month or week of their first paid order, and whether they came back."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from sqlalchemy.orm import Session

from domain.display_text import count_text, day_text, month_text
from domain.reports import sales_lines
from domain.reports.sale_reports.figures import CELL_KEYS, COHORT_FIGURES, DEFINITIONS, GROUP
from domain.reports.sale_reports.frame import ReportParts, SaleFrame
from domain.reports.sales_lines import PaidOrder
from domain.reports.visit_reports.answers import Figures, ReportAnswer, ReportRow, ReportSeries
from domain.reports.visit_reports.descriptions import ReportDescription, label_of
from domain.reports.visit_reports.figures import mean, percent
from domain.reports.visit_reports.parameters import ReportQuery
from domain.visits import touchpoints
from domain.visits.raw.local_days import DayRules

COHORTS = ReportDescription(
    "cohorts",
    "Cohorts",
    "Learners by their first paid order, and how many of them bought again later.",
    {"month": "Month", "week": "Week", "channel": "First channel"},
    ("learners", "netEach", *CELL_KEYS),
    ("learners", "bought", "netEach"),
    charted=("learners",),
    figures=COHORT_FIGURES,
    definitions=DEFINITIONS / "cohorts.json",
    has_money=True,
    has_audience=False,
    has_comparison=False,
    is_drilled=False,
    first_sort="-name",
    usual_days=365,
    group=GROUP,
)
# Shares of fewer learners are shown as numbers of people: one of three is no trend.
SMALL = 10
NOT_MEASURED = "(not measured)"
SMALL_COHORTS = f"Of fewer than {SMALL} learners a cell says how many bought, not their share."
RUNNING = "The last value of a row is of a month or week that is not over."
WHOLE = "A cohort is of a whole month or week, also where the period begins or ends within one."
CHANNELS = "The first channel is that of the first session that is known to be of the learner, up to the first order."


@dataclass(frozen=True)
class _Learner:
    """`first`: the day of the first paid order. `orders`: of all later periods too."""

    learner_id: int
    first: date
    first_at: datetime
    orders: list[PaidOrder]


@dataclass(frozen=True)
class _Calendar:
    """Months or weeks: the first day of that of a day, and how many lie between two."""

    start: Callable[[date], date]
    distance: Callable[[date, date], int]
    label: Callable[[date], str]


def _month_of(day: date) -> date:
    return day.replace(day=1)


def _week_of(day: date) -> date:
    """Monday."""
    return day - timedelta(days=day.weekday())


_MONTHS = _Calendar(_month_of, lambda one, other: (other.year - one.year) * 12 + other.month - one.month, month_text)
_WEEKS = _Calendar(_week_of, lambda one, other: (_week_of(other) - _week_of(one)).days // 7, day_text)


def answer(session: Session, query: ReportQuery, rules: DayRules, at: datetime, limit: int | None) -> ReportAnswer:
    frame = SaleFrame(session, query, rules, at)
    calendar = _WEEKS if query.by == "week" else _MONTHS
    learners = _learners(frame, calendar)
    today = rules.day_of(at)
    groups = _by_channel(session, learners) if query.by == "channel" else _by_start(learners, calendar)
    rows = [
        replace(_cells(members, calendar, frame, today), key=key, label=_label(key, query.by, calendar))
        for key, members in groups.items()
    ]
    parts = ReportParts(
        _totals(learners, frame),
        None,
        _series(groups, query, calendar),
        rows,
        "" if rows else "In these months nobody paid for a first order.",
        [WHOLE, RUNNING, SMALL_COHORTS, *([CHANNELS] if query.by == "channel" else [])],
        has_visits=query.by == "channel",
    )
    return frame.answer(parts, limit)


def _learners(frame: SaleFrame, calendar: _Calendar) -> list[_Learner]:
    """The learners whose first paid order, in whichever currency, is of a month or week of the period."""
    rules, query = frame.rules, frame.query
    since = rules.window(calendar.start(query.since)).since
    orders: defaultdict[int, list[PaidOrder]] = defaultdict(list)
    for order in sales_lines.paid_orders(frame.session, since, frame.at + timedelta(microseconds=1)):
        orders[order.learner_id].append(order)
    last = calendar.start(query.until)
    first = sales_lines.first_payments(frame.session, orders.keys())
    found = []
    for learner_id, own in sorted(orders.items()):
        day = rules.day_of(first[learner_id])
        if first[learner_id] >= since and calendar.start(day) <= last:
            found.append(_Learner(learner_id, day, first[learner_id], own))
    return found


def _by_start(learners: Iterable[_Learner], calendar: _Calendar) -> Mapping[str, list[_Learner]]:
    groups: defaultdict[str, list[_Learner]] = defaultdict(list)
    for learner in learners:
        groups[calendar.start(learner.first).isoformat()].append(learner)
    return groups


def _by_channel(session: Session, learners: Iterable[_Learner]) -> Mapping[str, list[_Learner]]:
    by_id = {learner.learner_id: learner for learner in learners}
    channels: dict[int, str] = {}
    for one in touchpoints.of_learners(session, by_id.keys()):
        if one.at <= by_id[one.learner_id].first_at:
            channels.setdefault(one.learner_id, one.row.channel)
    groups: defaultdict[str, list[_Learner]] = defaultdict(list)
    for learner in by_id.values():
        groups[channels.get(learner.learner_id, NOT_MEASURED)].append(learner)
    return groups


def _label(key: str, level: str, calendar: _Calendar) -> str:
    if level != "channel":
        return calendar.label(date.fromisoformat(key))
    return "Not measured" if key == NOT_MEASURED else label_of(level, key)


def _cells(members: list[_Learner], calendar: _Calendar, frame: SaleFrame, today: date) -> ReportRow:
    """The row of these learners, without its name. A cell counts those learners alone whose month or week has begun."""
    figures: Figures = {"learners": len(members), "netEach": _net_each(members, frame)}
    instead: dict[str, str] = {}
    for number, cell in enumerate(CELL_KEYS, 1):
        there = [one for one in members if calendar.distance(one.first, today) >= number]
        again = sum(_bought_in(one, number, calendar, frame.rules) for one in there)
        figures[cell] = percent(again, len(there))
        if 0 < len(there) < SMALL:
            instead[cell] = f"{count_text(again)} of {count_text(len(there))}"
    return ReportRow("", "", figures, None, instead=instead)


def _bought_in(learner: _Learner, number: int, calendar: _Calendar, rules: DayRules) -> bool:
    return any(calendar.distance(learner.first, rules.day_of(order.paid_at)) == number for order in learner.orders)


def _net_each(members: list[_Learner], frame: SaleFrame) -> int | float | None:
    net = sum(order.net_minor for one in members for order in one.orders if order.currency == frame.currency)
    return mean(net, len(members))


def _totals(learners: list[_Learner], frame: SaleFrame) -> Figures:
    """Who bought again did so on another day, also within the month of the first order."""
    days = [{frame.rules.day_of(order.paid_at) for order in one.orders} for one in learners]
    again = sum(len(own) > 1 for own in days)
    return {
        "learners": len(learners),
        "bought": percent(again, len(learners)),
        "netEach": _net_each(learners, frame),
    }


def _series(groups: Mapping[str, list[_Learner]], query: ReportQuery, calendar: _Calendar) -> ReportSeries:
    counts = {key: len(members) for key, members in groups.items()}
    if query.by == "channel":
        labels = sorted(counts, key=lambda key: (-counts[key], key))
        texts = [_label(key, query.by, calendar) for key in labels]
        return ReportSeries("name", texts, [Counter({"learners": counts[key]}) for key in labels], [], None, "channel")
    starts: list[date] = []
    day = calendar.start(query.since)
    while day <= query.until:
        starts.append(day)
        # The next week, or a day of the next month.
        day = calendar.start(day + timedelta(days=7 if query.by == "week" else 31))
    values = [Counter({"learners": counts.get(start.isoformat(), 0)}) for start in starts]
    if query.by == "week":
        return ReportSeries("day", [f"{start}" for start in starts], values, [], None, "week")
    return ReportSeries("month", [start.isoformat()[:7] for start in starts], values, [], None)
