"""The report of cohorts: learners by the month or week of their first paid order, and whether they came back."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from sqlalchemy.orm import Session

from domain.display_text import count_text, day_text, month_text
from domain.reports.attribution import cohort_days
from domain.reports.attribution.cohort_days import NOT_MEASURED, CohortPart, CohortPeriod, month_of, week_of
from domain.reports.sale_reports.figures import CELL_KEYS, COHORT_FIGURES, DEFINITIONS, GROUP
from domain.reports.sale_reports.frame import ReportParts, SaleFrame
from domain.reports.sale_reports.order_state import with_order_state
from domain.reports.visit_reports.answers import Figures, ReportAnswer, ReportRow, ReportSeries
from domain.reports.visit_reports.descriptions import ReportDescription, label_of
from domain.reports.visit_reports.figures import mean, percent
from domain.reports.visit_reports.parameters import ReportQuery
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
    first_sort_by={"channel": "-learners"},
    usual_days=365,
    group=GROUP,
)
# Shares of fewer learners are shown as numbers of people: one of three is no trend.
SMALL = 10
SMALL_COHORTS = f"Of fewer than {SMALL} learners a cell says how many bought, not their share."
CELL_NAMES = "+1 is the month or week after that of the first order, +2 the next one."
RUNNING = "The last value of a row is of a month or week that is not over."
WHOLE = "A cohort is of a whole month or week, also where the period begins or ends within one."
CHANNELS = (
    "The first channel is that of the first session that was known to be of the learner, up to the first order, "
    "when the path of that order was closed."
)


@dataclass(frozen=True)
class _Calendar:
    """Months or weeks: the first day of that of a day, and how many lie between two."""

    name: str
    start: Callable[[date], date]
    distance: Callable[[date, date], int]
    label: Callable[[date], str]


_MONTHS = _Calendar(
    "month", month_of, lambda one, other: (other.year - one.year) * 12 + other.month - one.month, month_text
)
_WEEKS = _Calendar("week", week_of, lambda one, other: (week_of(other) - week_of(one)).days // 7, day_text)


@dataclass(frozen=True)
class _Group:
    """Learners of one or more cohorts. `began`: how many of them there are whose n-th month or week after the first has
    begun; `bought`: how many of them bought in it. `net_minor`: of all orders until now, in the currency of the
    report."""

    learners: int
    back: int
    net_minor: int
    began: Mapping[int, int]
    bought: Mapping[int, int]


def answer(session: Session, query: ReportQuery, rules: DayRules, at: datetime, limit: int | None) -> ReportAnswer:
    frame = SaleFrame(session, query, rules, at)
    calendar = _WEEKS if query.by == "week" else _MONTHS
    first, last, today = calendar.start(query.since), calendar.start(query.until), rules.day_of(at)
    # The learners whose first paid order, in whichever currency, is of a month or week of the period.
    has_channels = query.by == "channel"
    parts = cohort_days.parts(
        session, CohortPeriod(calendar.name, frame.currency, first, last), has_channels=has_channels
    )
    by_key: defaultdict[str, list[CohortPart]] = defaultdict(list)
    for part in parts:
        by_key[part.channel if has_channels else part.start.isoformat()].append(part)
    groups = {key: _group(found, calendar, today) for key, found in by_key.items()}
    rows = [replace(_cells(group), key=key, label=_label(key, query.by, calendar)) for key, group in groups.items()]
    report = ReportParts(
        _totals(_group(parts, calendar, today)),
        None,
        _series(groups, query, calendar),
        rows,
        "" if rows else "In these months nobody paid for a first order.",
        [CELL_NAMES, WHOLE, RUNNING, SMALL_COHORTS, *([CHANNELS] if has_channels else [])],
        has_visits=has_channels,
    )
    return with_order_state(session, frame.answer(report, limit), first, today)


def _group(parts: Sequence[CohortPart], calendar: _Calendar, today: date) -> _Group:
    began, bought = Counter[int](), Counter[int]()
    for part in parts:
        bought[calendar.distance(part.start, part.part)] += part.sums.buyers
        for number in range(1, min(calendar.distance(part.start, today), len(CELL_KEYS)) + 1):
            began[number] += part.sums.new
    return _Group(
        sum(part.sums.new for part in parts),
        sum(part.sums.back for part in parts),
        sum(part.sums.net_minor for part in parts),
        began,
        bought,
    )


def _label(key: str, level: str, calendar: _Calendar) -> str:
    if level != "channel":
        return calendar.label(date.fromisoformat(key))
    return "Not measured" if key == NOT_MEASURED else label_of(level, key)


def _cells(group: _Group) -> ReportRow:
    """The row of these learners, without its name. A cell counts those learners alone whose month or week has begun."""
    figures: Figures = {"learners": group.learners, "netEach": _net_each(group)}
    instead: dict[str, str] = {}
    for number, cell in enumerate(CELL_KEYS, 1):
        there, again = group.began.get(number, 0), group.bought.get(number, 0)
        figures[cell] = percent(again, there)
        if 0 < there < SMALL:
            instead[cell] = f"{count_text(again)} of {count_text(there)}"
    return ReportRow("", "", figures, None, instead=instead)


def _net_each(group: _Group) -> int | float | None:
    return mean(group.net_minor, group.learners)


def _totals(group: _Group) -> Figures:
    """Who bought again did so on another day, also within the month of the first order."""
    return {
        "learners": group.learners,
        "bought": percent(group.back, group.learners),
        "netEach": _net_each(group),
    }


def _series(groups: Mapping[str, _Group], query: ReportQuery, calendar: _Calendar) -> ReportSeries:
    counts = {key: group.learners for key, group in groups.items()}
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
