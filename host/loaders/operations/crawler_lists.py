"""The published ranges of crawlers on /admin/health: by operator, with their age."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from domain.crawlers.operators import crawlers, hosting_lists
from domain.crawlers.stored_ranges import ListState
from host.loaders.ui import table_cells as cells
from host.loaders.ui.detail_props import ShortTable, short_table
from host.loaders.ui.table_cells import BadgeTone, Column

# Providers whose machines anybody rents: people rarely browse from there.
HOSTING = "Hosting providers"
COMMAND = "python -m host crawlers refresh"


class OperatorRow(NamedTuple):
    """`fetched_at`: of the list that was fetched longest ago; None when one never was."""

    operator: str
    crawlers: int
    lists: int
    ranges: int
    fetched_at: datetime | None
    is_old: bool


def _rows(states: Sequence[ListState], at: datetime) -> list[OperatorRow]:
    """Operators in the order of their names; none while no list was ever fetched."""
    if all(state.fetched_at is None for state in states):
        return []
    operators = sorted({crawler.operator for crawler in crawlers().values() if crawler.lists})
    return [*(_row_of(operator, states, at) for operator in operators), _row(HOSTING, 0, hosting_lists(), states, at)]


def _row_of(operator: str, states: Sequence[ListState], at: datetime) -> OperatorRow:
    own = [crawler for crawler in crawlers().values() if crawler.operator == operator and crawler.lists]
    return _row(operator, len(own), {name for crawler in own for name in crawler.lists}, states, at)


def _row(title: str, count: int, names: Collection[str], states: Sequence[ListState], at: datetime) -> OperatorRow:
    lists = [state for state in states if state.name in names]
    times = [state.fetched_at for state in lists if state.fetched_at is not None]
    fetched_at = min(times) if len(times) == len(lists) else None
    is_old = any(state.is_old(at) for state in lists)
    return OperatorRow(title, count, len(lists), sum(state.ranges for state in lists), fetched_at, is_old)


def _state(row: OperatorRow) -> tuple[str, BadgeTone]:
    if row.is_old:
        return "Too old", "bad"
    return ("Not complete", "warning") if row.fetched_at is None else ("In time", "good")


def _advice(row: OperatorRow) -> str | None:
    if row.is_old:
        return f"Run {COMMAND}: a list this old calls nobody spoofed."
    return f"Run {COMMAND}." if row.fetched_at is None else None


_COLUMNS: tuple[Column[OperatorRow], ...] = (
    cells.text("operator", "Operator", lambda row: row.operator),
    cells.badge("state", "State", _state),
    cells.time("fetched", "Fetched", lambda row: row.fetched_at),
    cells.count("lists", "Lists", lambda row: row.lists),
    cells.count("ranges", "Ranges", lambda row: row.ranges),
    cells.count("crawlers", "Crawlers", lambda row: row.crawlers),
    cells.text("advice", "What to do", _advice),
)


def crawler_lists(states: Sequence[ListState], at: datetime) -> ShortTable:
    empty = f"No list was fetched yet. {COMMAND} fetches them, so that crawlers are known from those who only say so."
    return short_table("crawlers", "Published ranges of crawlers", empty, _COLUMNS, _rows(states, at))
