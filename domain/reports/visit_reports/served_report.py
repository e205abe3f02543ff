"""The report "served": documents that the host served by day and kind of agent, and how many our script has seen."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.display_text import count_text, day_text, percent_text
from domain.reports.visit_reports.answers import (
    LeftOut,
    ReportAnswer,
    ReportRow,
    ReportSeries,
    page_of_rows,
    sorted_rows,
)
from domain.reports.visit_reports.descriptions import DAY, ReportDescription
from domain.reports.visit_reports.figures import Figure, FigureSums, FigureValue, figures_of, percent, sum_of
from domain.reports.visit_reports.parameters import ReportQuery
from domain.reports.visit_reports.stored_figures import Span, built_state
from domain.tables import ServedDay
from domain.typed_values import read_day
from domain.visits.raw.local_days import DayRules
from domain.visits.served_documents import BROWSER, CRAWLER_CLASSES, PROGRAM


def _share(sums: FigureSums) -> FigureValue:
    return percent(sums["seen"], sums["served"])


FIGURES: Mapping[str, Figure] = {
    figure.key: figure
    for figure in (
        Figure("served", "Pages served", "count", sum_of("served"), "Served"),
        Figure("seen", "Seen by script", "count", sum_of("seen")),
        Figure("seenShare", "Share seen by script", "percent", _share, "Share"),
    )
}
_COLUMNS = tuple(FIGURES)
LABELS = {
    BROWSER: "Browsers",
    PROGRAM: "Programs that do not say what for",
    "search": "Search engines",
    "assistant": "AI assistants",
    "seo": "SEO tools",
    "other": "Other crawlers",
}
# Whom an audience of visits was served as.
OF_AUDIENCE: Mapping[str, Sequence[str]] = {
    "people": (BROWSER,),
    "suspected": (PROGRAM,),
    "crawlers": CRAWLER_CLASSES,
}
SERVED = ReportDescription(
    "served",
    "Served",
    "Pages that were served, by who asked for them, and how many of them the script in the page has seen.",
    {"class": "Asked by"},
    columns=_COLUMNS,
    shown=_COLUMNS,
    charted=("served", "seen"),
    figures=FIGURES,
    has_audience=False,
    has_comparison=False,
    compared="",
    first_sort="-served",
    chosen_levels=(DAY,),
)


class ServedSums(NamedTuple):
    served: int = 0
    seen: int = 0

    def plus(self, other: "ServedSums") -> "ServedSums":
        return ServedSums(self.served + other.served, self.seen + other.seen)

    def figures(self) -> dict[str, FigureValue]:
        return figures_of(self._asdict(), _COLUMNS, FIGURES)


NO_FIGURES: Mapping[str, FigureValue] = dict.fromkeys(_COLUMNS)


def figures_for(session: Session, audience: str, span: Span) -> Mapping[str, FigureValue]:
    """All figures of whole days; of days that were not counted there are none."""
    classes, first = OF_AUDIENCE[audience], counted_since(session)
    if first is None or span.until < first:
        return NO_FIGURES
    read = _read(session, span.since, span.until)
    return _total(sums for _, agent_class, sums in read if agent_class in classes).figures()


def counted_since(session: Session) -> date | None:
    """The first day with anything; None: there is none yet."""
    return session.scalar(select(func.min(ServedDay.day)))


def _read(session: Session, since: date, until: date) -> list[tuple[date, str, ServedSums]]:
    columns = (ServedDay.day, ServedDay.agent_class, ServedDay.documents, ServedDay.seen)
    rows = session.execute(select(*columns).where(ServedDay.day >= since, ServedDay.day <= until))
    return [(day, agent_class, ServedSums(int(served), int(seen))) for day, agent_class, served, seen in rows]


def answer_served(
    session: Session, query: ReportQuery, rules: DayRules, at: datetime, limit: int | None = None
) -> ReportAnswer:
    read = _read(session, query.since, query.until)
    found = [(day, name, sums) for day, name, sums in read if query.chosen is None or name == query.chosen[1]]
    state, first = built_state(session, Span(query.since, query.until)), counted_since(session)
    is_unfinished = rules.day_of(at) <= query.until
    by_day = _grouped((day.isoformat(), sums) for day, _, sums in found)
    days = [query.since + timedelta(days=number) for number in range(query.days)]
    values = [by_day.get(f"{day}", ServedSums())._asdict() if first and day >= first else None for day in days]
    return ReportAnswer(
        query,
        rules.zone,
        state.built_at,
        first,
        is_unfinished,
        _total(sums for _, _, sums in found).figures(),
        None,
        None,
        LeftOut(0, 0, 0),
        ReportSeries("day", [f"{day}" for day in days], values, [], query.days - 1 if is_unfinished else None),
        *page_of_rows(sorted_rows(_rows(query, found, by_day), query.sort), query, limit),
        since_notes(first, query),
        empty=_empty(first, query, is_any=bool(found)),
        chosen_label="" if query.chosen is None else LABELS.get(query.chosen[1], query.chosen[1]),
    )


def seen_text(answer: ReportAnswer, key: str) -> str:
    """How much of what was served the script has seen, of a report that has no figures for it; "" beside others."""
    seen, share = answer.totals.get("seen"), answer.totals.get("seenShare")
    if key != "served" or seen is None or share is None or "seen" in answer.query.report.shown:
        return ""
    return f"{count_text(round(seen))} seen by script ({percent_text(share)})"


def since_notes(first: date | None, query: ReportQuery) -> list[str]:
    is_part = first is not None and query.since < first <= query.until
    return [f"Served pages are counted since {day_text(first)}."] if is_part and first is not None else []


def _empty(first: date | None, query: ReportQuery, *, is_any: bool) -> str:
    if is_any:
        return ""
    if first is None:
        return "No served page has been counted yet. The first figures appear some minutes after the first page."
    if query.until < first:
        return f"Served pages are counted since {day_text(first)}: choose later days."
    return "Nothing was served in these days."


def _grouped(found: Iterable[tuple[str, ServedSums]]) -> dict[str, ServedSums]:
    groups: defaultdict[str, ServedSums] = defaultdict(ServedSums)
    for key, sums in found:
        groups[key] = groups[key].plus(sums)
    return dict(groups)


def _total(found: Iterable[ServedSums]) -> ServedSums:
    total = ServedSums()
    for sums in found:
        total = total.plus(sums)
    return total


def _rows(
    query: ReportQuery, found: Iterable[tuple[date, str, ServedSums]], by_day: Mapping[str, ServedSums]
) -> list[ReportRow]:
    if query.by == DAY:
        return [ReportRow(day, day_text(read_day(day)), sums.figures(), None) for day, sums in by_day.items()]
    by_class = _grouped((name, sums) for _, name, sums in found)
    return [ReportRow(name, LABELS.get(name, name), sums.figures(), None) for name, sums in by_class.items()]
