"""What an import of made lines must count, as simply as it can be said. It shares no code with the import."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256
from itertools import pairwise
from zoneinfo import ZoneInfo

from tests.domain.log_import.long_logs import MadeLine

_IDLE_MS = 30 * 60 * 1000


@dataclass(frozen=True)
class Expected:
    """`rows`: digest of the time and target of all pages, in order. `visits`, `sessions`: of a local day, without pages
    of staff; `of_path`: visits by day and path."""

    kinds: Counter[str]
    rows: str
    visits: dict[date, int]
    sessions: dict[date, int]
    of_path: Counter[tuple[date, str]]


def count(made: Iterable[MadeLine], zone: str) -> Expected:
    kinds: Counter[str] = Counter()
    rows: list[tuple[int, str]] = []
    visits: Counter[date] = Counter()
    of_path: Counter[tuple[date, str]] = Counter()
    times: defaultdict[tuple[date, str], list[int]] = defaultdict(list)
    clock = ZoneInfo(zone)
    for line in made:
        kinds[line.kind] += 1
        if line.kind != "pages":
            continue
        rows.append((line.ms, line.target))
        day = datetime.fromtimestamp(line.ms / 1000, clock).date()
        path, _, query = line.target.partition("?")
        if path.startswith("/admin/"):
            continue
        visits[day] += 1
        of_path[day, line.target if query.startswith("course=") else path] += 1
        if line.visitor:
            times[day, line.visitor].append(line.ms)
    sessions: Counter[date] = Counter()
    for (day, _), found in times.items():
        sessions[day] += 1 + sum(later - earlier > _IDLE_MS for earlier, later in pairwise(sorted(found)))
    return Expected(kinds, digest_of(sorted(rows)), dict(visits), dict(sessions), of_path)


def digest_of(rows: Iterable[tuple[int, str]]) -> str:
    found = sha256()
    for ms, target in rows:
        found.update(f"{ms} {target}\n".encode())
    return found.hexdigest()
