"""What the files of a day are made from: a row for each session, and one for each page that sessions opened. Nothing in
them is of one person: no id of a session, of a visit or of a learner."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple, Protocol

from domain.visits.days.figures import OTHER, SessionGroup
from domain.visits.days.session_rows import Places, SessionRow
from domain.visits.stored_days.file_list import WrittenFile

# Dimensions of sessions that both files may have, in the order of SessionGroup but for the traffic class.
GROUP_DIMENSIONS = (
    *("channel", "source", "campaign", "referrer", "engine", "assistant", "coupon", "special", "student", "partner"),
    *("device", "agent"),
)


class PageCount(NamedTuple):
    """How many sessions opened a page, and their visits of it. `group`, `place`: numbers of DayFileRows."""

    group: int
    place: int
    firsts: int
    sessions: int
    visits: int


@dataclass(frozen=True)
class DayFileRows:
    """`groups`: traffic class and the values of GROUP_DIMENSIONS. `sessions`: numbers in lines, in the order of
    SESSION_NUMBERS, of which the first two are places in `groups` and `landings`."""

    groups: Sequence[tuple[str, ...]]
    landings: Sequence[str]
    places: Sequence[Places]
    sessions: Sequence[str]
    pages: Sequence[PageCount]


SESSION_NUMBERS = (
    *("group", "landing", "hour", "visits", "sessions", "bounces", "timed_sessions", "seconds", "reached"),
)


class DayFileWriter(Protocol):
    """Writes the files of a day where they are read."""

    def write(self, site: int, day: date, rows: DayFileRows) -> Sequence[WrittenFile] | None:
        """None when they cannot be written, which is logged: the figures of the day are stored all the same."""


class DayFileTally:
    """Collects the sessions of the files. What they share is written once and named by a number; that of a group is
    its own."""

    def __init__(self) -> None:
        self._landings: dict[str, int] = {}
        self._sessions: list[str] = []
        self._alone: Counter[tuple[int, str, int]] = Counter()

    def add_session(self, row: SessionRow, group: int) -> None:
        hours, figures = row.hours, row.figures
        landing = self._landings.setdefault(row.keys.landing, len(self._landings))
        of_first, first = figures[0], hours[0]
        if hours[-1] != first:
            for hour, visits in Counter(hours).items():
                if hour != first:
                    of_first -= visits
                    self._sessions.append(f"{group},{landing},{hour},{visits},0,0,0,0,0")
        _, _, _, _, bounces, timed, seconds, *reached = figures
        self._sessions.append(f"{group},{landing},{first},{of_first},1,{bounces},{timed},{seconds},{sum(reached)}")

    def add_alone(self, group: int, landing: str, hour: int) -> None:
        """A visit without a session."""
        self._alone[group, landing, hour] += 1

    def rows(self, groups: Iterable[SessionGroup], leading: Mapping[str, Set[str]]) -> DayFileRows:
        """Values that are not among the `leading` ones of the day are "(other)", as in its stored figures."""
        for (group, landing, hour), visits in self._alone.items():
            number = self._landings.setdefault(landing, len(self._landings))
            self._sessions.append(f"{group},{number},{hour},{visits},0,0,0,0,0")
        names = [
            (
                str(group.traffic_class),
                *_folded(GROUP_DIMENSIONS, (*group.source, *group.values, *group.agent), leading),
            )
            for group in groups
        ]
        landings = [_folded(("landing",), (landing,), leading)[0] for landing in self._landings]
        # Places are those of the most visited already.
        places: dict[Places, int] = {}
        pages = [
            PageCount(group.number, places.setdefault(place, len(places)), firsts, *counts)
            for group in groups
            for (place, firsts), counts in group.pages.items()
        ]
        return DayFileRows(names, landings, list(places), self._sessions, pages)


def _folded(names: Sequence[str], values: Sequence[str], leading: Mapping[str, Set[str]]) -> list[str]:
    return [value if value in leading[name] else OTHER for name, value in zip(names, values, strict=True)]
