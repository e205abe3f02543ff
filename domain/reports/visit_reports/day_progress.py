"""How many days that a report reads have been computed: in a new shop, after an upgrade, or while lost files of days
are written anew, some wait for their turn. What is not computed yet must not look like nothing."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from typing import Literal, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.display_text import count_text, day_text
from domain.reports import sales_lines
from domain.reports.computed_days import outdated_credits
from domain.reports.visit_reports.stored_figures import Span
from domain.tables import CreditRollup, SaleRollup, VisitRollup
from domain.visits.days import due
from domain.visits.raw import day_rows
from domain.visits.raw.local_days import SHOP, DayRules
from domain.visits.stored_days.file_list import FileDays

# What a day is computed to: sums of visits, of sales, of credits, or files of visits for filters.
DayKind = Literal["visits", "sales", "credits", "files"]
# More groups of days in a row are not named one by one.
_NAMED_GROUPS = 3


class DayProgress(NamedTuple):
    """`days`: those with something to count, oldest first. `waiting`: those that are still to be computed, of which
    `unknown` have no figures yet; the others have those of earlier rules."""

    days: tuple[date, ...] = ()
    waiting: tuple[date, ...] = ()
    unknown: frozenset[date] = frozenset()


class ReportProgress(NamedTuple):
    """`computed` of the `total` days of the shop have been computed. `waiting`: the days that a report reads and that
    have not; `unknown` as of DayProgress. `is_partial`: some of them are in its own period; `is_blank`: no day of that
    has any figures. `is_of_files`: the files of the days are missing, not their figures."""

    computed: int
    total: int
    waiting: tuple[date, ...]
    unknown: frozenset[date]
    is_partial: bool
    is_blank: bool
    is_of_files: bool

    @property
    def title(self) -> str:
        days = "day" if self.total == 1 else "days"
        what = "Files for filters are being written" if self.is_of_files else "Being computed"
        return f"{what}: {count_text(self.computed)} of {count_text(self.total)} {days}"

    @property
    def sentence(self) -> str:
        return ". ".join((self.title, self.text))

    @property
    def text(self) -> str:
        days = _days_text(self.waiting)
        if self.is_blank:
            what = "has its file" if self.is_of_files else "has been computed"
            return f"None of these days {what} yet: {days}. The page shows figures as soon as there are any."
        return f"The figures are without these days, or will change with them: {days}. The page follows by itself."


ADVICE = "Each day takes seconds. If the number does not rise, no worker serves the queue rollups: see /readyz."


def _days_text(days: Iterable[date]) -> str:
    """Days in a row as one group."""
    groups: list[list[date]] = []
    for day in days:
        if groups and (day - groups[-1][-1]).days == 1:
            groups[-1].append(day)
        else:
            groups.append([day])
    if len(groups) > _NAMED_GROUPS:
        count = sum(map(len, groups))
        return f"{count_text(count)} days between {day_text(groups[0][0])} and {day_text(groups[-1][-1])}"
    return ", ".join(
        day_text(group[0]) if len(group) == 1 else f"{day_text(group[0])} to {day_text(group[-1])}" for group in groups
    )


def _of_visits(session: Session, rules: DayRules, at: datetime) -> DayProgress:
    columns = (VisitRollup.day, VisitRollup.built_at, VisitRollup.finalised_at)
    query = select(*columns, VisitRollup.rules_version, VisitRollup.zone).where(VisitRollup.site == SHOP)
    today = rules.day_of(at)
    rows = session.execute(query.where(VisitRollup.day <= today).order_by(VisitRollup.day)).all()
    if not rows:
        # Nobody has looked for days yet. That of today is among them, also without a visit.
        found = due.days_without_row(session, rules, at)
        is_empty = found == [today] and day_rows.first_time_from(session, rules.window(today).since) is None
        return _all_unknown([] if is_empty else found)
    unknown = frozenset(row.day for row in rows if row.built_at is None)
    old = {
        row.day for row in rows if row.finalised_at is None and not due.are_rules(row.rules_version, row.zone, rules)
    }
    return _without_new_day([row.day for row in rows], sorted(unknown | old), unknown, today)


def _of_sales(session: Session, rules: DayRules, at: datetime) -> DayProgress:
    return _of_orders(session, SaleRollup, rules, at)


def _of_credits(session: Session, rules: DayRules, at: datetime) -> DayProgress:
    return _of_orders(session, CreditRollup, rules, at, outdated_credits(session, rules.day_of(at)))


def _of_orders(
    session: Session,
    table: type[SaleRollup | CreditRollup],
    rules: DayRules,
    at: datetime,
    outdated: Iterable[date] = (),
) -> DayProgress:
    rows = session.execute(select(table.day, table.built_at, table.zone).order_by(table.day)).all()
    if not rows:
        # Nobody has looked for orders yet.
        return _all_unknown({rules.day_of(time) for time in sales_lines.changed_since(session, None)})
    unknown = frozenset(row.day for row in rows if row.built_at is None)
    waiting = {*outdated, *(row.day for row in rows if row.built_at is None or row.zone != rules.zone)}
    return _without_new_day([row.day for row in rows], sorted(waiting), unknown, rules.day_of(at))


def _all_unknown(days: Iterable[date]) -> DayProgress:
    ordered = tuple(sorted(days))
    return DayProgress(ordered, ordered, frozenset(ordered))


def _without_new_day(
    days: Iterable[date], waiting: Iterable[date], unknown: frozenset[date], today: date
) -> DayProgress:
    """Each day begins with a minute in which it waits, and nothing else does."""
    found = DayProgress(tuple(days), tuple(waiting), unknown)
    return DayProgress(found.days) if found.waiting == (today,) and len(found.days) > 1 else found


def of_files(days: FileDays, today: date) -> DayProgress:
    return _without_new_day(days.days, days.waiting, frozenset(days.waiting), today)


_READERS: Mapping[DayKind, Callable[[Session, DayRules, datetime], DayProgress]] = {
    "visits": _of_visits,
    "sales": _of_sales,
    "credits": _of_credits,
}


def read_progress(
    session: Session, kinds: Iterable[DayKind], rules: DayRules, at: datetime
) -> dict[DayKind, DayProgress]:
    """Reads how far these kinds of days have been computed. Files of days: `of_files`."""
    return {kind: _READERS[kind](session, rules, at) for kind in kinds}


def report_progress(by_kind: Mapping[DayKind, DayProgress], spans: Iterable[Span]) -> ReportProgress | None:
    """`spans`: the period of a report, then what it is compared with; none: it is of all days. None when nothing of
    them waits. A day counts as computed once everything has been computed of it. What led to an order is known once the
    days of visits before it have been computed."""
    periods = list(spans)
    days = {day for progress in by_kind.values() for day in progress.days}
    all_waiting = {day for progress in by_kind.values() for day in progress.waiting}
    unknown = {day for progress in by_kind.values() for day in progress.unknown}
    needed = {day for day in all_waiting if not periods or any(_is_in(day, span) for span in periods)}
    if "credits" in by_kind and periods:
        before = max(span.until for span in periods)
        needed |= {day for day in by_kind.get("visits", DayProgress()).waiting if day <= before}
    if not needed:
        return None
    own = {day for day in days if not periods or _is_in(day, periods[0])}
    return ReportProgress(
        len(days - all_waiting),
        len(days),
        tuple(sorted(needed)),
        frozenset(unknown & needed),
        is_partial=not own.isdisjoint(needed),
        is_blank=bool(own) and own <= unknown,
        is_of_files="files" in by_kind,
    )


def _is_in(day: date, span: Span) -> bool:
    return span.since <= day <= span.until
