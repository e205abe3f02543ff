"""What became of the lines of an import."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

from domain.log_import.page_rules import LineKind

MAX_SHOWN = 20


class Broken(NamedTuple):
    file: str
    line: int
    reason: str


@dataclass
class ImportCounts:
    """Each line has one kind, so the kinds add up to the lines; `headers` are about the log itself and no lines.
    `new`: pages that no import had stored before; `final`: pages of final days, which are left out. `by_class`: pages
    by class of the visitor's agent."""

    kinds: Counter[str] = field(default_factory=Counter)
    by_class: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    shown: list[Broken] = field(default_factory=list)
    headers: int = 0
    new: int = 0
    final: int = 0
    first_ms: int | None = None
    last_ms: int | None = None

    @property
    def lines(self) -> int:
        return self.kinds.total()

    @property
    def pages(self) -> int:
        return self.kinds[LineKind.PAGE]

    def add_broken(self, file: str, line: int, reason: str) -> None:
        self.kinds[LineKind.BROKEN] += 1
        self.reasons[reason] += 1
        if len(self.shown) < MAX_SHOWN:
            self.shown.append(Broken(file, line, reason))

    def add_pages(self, by_class: Mapping[str, int], times_ms: Collection[int]) -> None:
        """Note the classes of the visitors and the times of some pages."""
        self.by_class.update(by_class)
        if times_ms:
            first, last = min(times_ms), max(times_ms)
            self.first_ms = first if self.first_ms is None else min(first, self.first_ms)
            self.last_ms = last if self.last_ms is None else max(last, self.last_ms)

    def period(self) -> tuple[datetime, datetime] | None:
        """The times of the first and the last page; None without pages."""
        if self.first_ms is None or self.last_ms is None:
            return None
        return _time(self.first_ms), _time(self.last_ms)


def _time(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1000, UTC)
