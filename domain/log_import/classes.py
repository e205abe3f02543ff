"""Traffic classes of a log's visitors by name, and how well they agree with what is known of them."""

import csv
import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.database.database import Database
from domain.log_import.counts import ImportCounts
from domain.log_import.forms.line_fields import LogRefused
from domain.log_import.visitors import Visitors
from domain.tables import VisitRollup
from domain.visits.days import sessions
from domain.visits.days.compute import DayParts
from domain.visits.days.paths import place_of
from domain.visits.days.traffic_class import TrafficClass, audience_of, chance_of, class_of, evidence_of, tenths_of
from domain.visits.raw.local_days import DayRules
from domain.visits.raw.log_rows import raw_visits
from domain.visits.raw.log_signs import signs_of

HUMAN, BOT = "human", "bot"


@dataclass(frozen=True)
class VisitorClass:
    """`tenths`, `evidence`: of the session that is least like a person's."""

    sessions: int
    traffic_class: TrafficClass
    tenths: int
    evidence: tuple[str, ...]


def classes_of(
    database: Database, site: int, rules: DayRules, counts: ImportCounts, visitors: Visitors
) -> dict[str, VisitorClass]:
    """The class of each visitor with pages on the days of the import, by the name in the log."""
    found: dict[str, VisitorClass] = dict.fromkeys(visitors.crawlers, _CRAWLER)
    names: Mapping[str, str] = visitors.names or {}
    with database.read_session() as session:
        for day in _days(session, site, rules, counts):
            for session_id, seen in _sessions_of_day(session, site, rules, day):
                if name := names.get(session_id):
                    found[name] = _joined(found.get(name), seen)
    return found


_CRAWLER = VisitorClass(0, TrafficClass.CRAWLER, 0, ())


def _days(session: Session, site: int, rules: DayRules, counts: ImportCounts) -> list[date]:
    """The days of the import that have pages, not all between them: one line with a wrong year is decades away."""
    period = counts.period()
    if period is None:
        return []
    first, last = (rules.day_of(time) for time in period)
    is_within = (VisitRollup.site == site, VisitRollup.day >= first, VisitRollup.day <= last)
    return [*session.scalars(select(VisitRollup.day).where(*is_within).order_by(VisitRollup.day))]


def _joined(known: VisitorClass | None, seen: VisitorClass) -> VisitorClass:
    if known is None:
        return seen
    least = min(known, seen, key=lambda each: each.tenths)
    return VisitorClass(known.sessions + 1, least.traffic_class, least.tenths, least.evidence)


def _sessions_of_day(session: Session, site: int, rules: DayRules, day: date) -> Iterator[tuple[str, VisitorClass]]:
    """As the day counts them."""
    window = rules.window(day)
    log = signs_of(session, site, window)
    for rows in DayParts(session, window, raw_visits(site)):
        grouped, _ = sessions.by_session(row for row in rows if not place_of(row.url).area)
        for session_id, visits in grouped.items():
            for part in sessions.cut(visits, rules.idle):
                evidence = evidence_of(part, len(visits), log)
                traffic_class = class_of(part, len(visits), has_order=False, log=log)
                yield session_id, VisitorClass(1, traffic_class, tenths_of(evidence), tuple(evidence))


def write_classes(path: Path, classes: Mapping[str, VisitorClass]) -> None:
    """CSV: visitor, sessions, class, p that it is a person, evidence. Raises LogRefused."""
    try:
        with open(path, "w", encoding="utf-8", newline="", opener=_open_private) as file:
            rows = csv.writer(file)
            rows.writerow(["visitor", "sessions", "class", "p", "evidence"])
            for name, seen in sorted(classes.items()):
                chance = 0 if seen.traffic_class is TrafficClass.CRAWLER else chance_of(seen.tenths)
                about = (seen.sessions, seen.traffic_class, f"{chance:.3f}", " ".join(seen.evidence))
                rows.writerow([_shown(name), *about])
    except OSError as error:
        raise LogRefused(f"{path} cannot be written: {error.strerror}") from error


def _open_private(path: str, flags: int) -> int:
    """Addresses are of no concern to others of this machine."""
    return os.open(path, flags, 0o600)


def _shown(name: str) -> str:
    """A visitor may send a cookie that a spreadsheet would compute, and JSON half a character."""
    text = name.encode("utf-8", "replace").decode()
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def read_truth(path: Path) -> dict[str, str]:
    """Visitor -> human or bot, of a CSV file with these two columns. Bytes that are no UTF-8 become U+FFFD, as those
    of a log. Raises LogRefused."""
    try:
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
            rows = [row for row in csv.reader(file) if row]
    except (OSError, ValueError, csv.Error) as error:
        raise LogRefused(f"{path} cannot be read: {error}. Nothing was changed.") from error
    if rows and [cell.strip().lower() for cell in rows[0]] == ["visitor", "label"]:
        rows = rows[1:]
    wrong = next((row for row in rows if len(row) != len(("visitor", "label")) or row[1] not in (HUMAN, BOT)), None)
    if wrong is not None or not rows:
        what = f"{wrong!r} is none" if wrong else "it has none"
        raise LogRefused(f"{path}: its lines must be a visitor and {HUMAN} or {BOT}; {what}. Nothing was changed.")
    return {row[0]: row[1] for row in rows}


@dataclass(frozen=True)
class ClassAgreement:
    """`confusion`: label -> class -> visitors; `unseen`: known visitors without a page. Bots are looked for: one is
    found when its figures are not among people's."""

    confusion: Mapping[str, Mapping[str, int]]
    unseen: int

    @property
    def precision(self) -> float | None:
        found = {label: self._found(label) for label in (HUMAN, BOT)}
        return _share(found[BOT], sum(found.values()))

    @property
    def recall(self) -> float | None:
        return _share(self._found(BOT), sum(self.confusion.get(BOT, {}).values()))

    def _found(self, label: str) -> int:
        classes = self.confusion.get(label, {})
        return sum(count for name, count in classes.items() if audience_of(TrafficClass(name)) != "people")


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def agreement_of(truth: Mapping[str, str], classes: Mapping[str, VisitorClass]) -> ClassAgreement:
    """Visitors are named as the log does, or as write_classes does."""
    known = {**{_shown(name): seen for name, seen in classes.items()}, **classes}
    confusion: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for name, label in truth.items():
        if name in known:
            confusion[label][str(known[name].traffic_class)] += 1
    return ClassAgreement(confusion, sum(name not in known for name in truth))
