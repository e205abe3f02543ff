"""Whether a person or a program visits: evidence of a session, as far as raw visits hold any. Weights: evidence.json.

What was not noted counts 0. Of a log, `log` adds what its other lines say. The sum is the tenths of the log-odds that
it is a person.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from domain.visits.days.paths import place_of
from domain.visits.evidence_bits import MAX_BITS, evidence_names
from domain.visits.raw.day_rows import DayRow
from domain.visits.raw.local_days import MICROSECONDS
from domain.visits.raw.log_signs import LogSigns
from domain.visits.raw.visit_context import BY_PROGRAM, BY_SCRIPT, CRAWLER

_SLOW_GAP, _LONG_GAP = 5 * MICROSECONDS, 600 * MICROSECONDS
_FAST_GAP = 2.5 * MICROSECONDS
FAST_PAGES, BURST_PAGES, EVEN_GAPS, MANY_VISITS = 10, 60, 8, 300


class TrafficClass(StrEnum):
    # The usual hash of an enumeration is a function in Python, which takes longer than looking the class up.
    __hash__ = str.__hash__

    PROVEN = "proven"
    LIKELY = "likely"
    UNCERTAIN = "uncertain"
    DOUBTFUL = "doubtful"
    BOT = "bot"
    CRAWLER = "crawler"


CONFIRMED = {TrafficClass.PROVEN, TrafficClass.LIKELY}
PEOPLE = {*CONFIRMED, TrafficClass.UNCERTAIN}
POSSIBLE = {*PEOPLE, TrafficClass.DOUBTFUL}


def audience_of(traffic_class: TrafficClass) -> str:
    if traffic_class in PEOPLE:
        return "people"
    return "crawlers" if traffic_class is TrafficClass.CRAWLER else "suspected"


@lru_cache(1)
def _file() -> Mapping[str, Any]:
    contents: Mapping[str, Any] = json.loads((Path(__file__).parent / "evidence.json").read_text(encoding="utf-8"))
    return contents


def version() -> int:
    return int(_file()["version"])


def class_of(
    visits: Sequence[DayRow], visits_of_day: int, *, has_order: bool, log: LogSigns | None = None
) -> TrafficClass:
    """The class of a session, or of one visit without one. `visits_of_day`: how many its SessionID has."""
    if visits[0].context.visitor_class == CRAWLER:
        return TrafficClass.CRAWLER
    if has_order or [visit for visit in visits if visit.learner_id is not None]:
        return TrafficClass.PROVEN
    return _by_evidence(tuple(evidence_of(visits, visits_of_day, log)))


@lru_cache(1_000)
def _by_evidence(evidence: tuple[str, ...]) -> TrafficClass:
    return _by_odds(tenths_of(evidence))


def tenths_of(evidence: Iterable[str]) -> int:
    weights = _file()["tenths_of_log_odds"]
    return sum([weights[name] for name in evidence])


def chance_of(tenths: int) -> float:
    """How likely it is a person."""
    return 1 / (1 + math.exp(-tenths / 10))


def _by_odds(tenths: int) -> TrafficClass:
    chance = chance_of(tenths)
    if chance >= 0.9:
        return TrafficClass.LIKELY
    if chance >= 0.5:
        return TrafficClass.UNCERTAIN
    return TrafficClass.DOUBTFUL if chance >= 0.1 else TrafficClass.BOT


def evidence_of(visits: Sequence[DayRow], visits_of_day: int, log: LogSigns | None = None) -> list[str]:
    """Names of evidence.json."""
    signs = visits[0].context.signs
    for visit in visits:
        signs |= visit.context.signs
    found = [*_names_of(signs)]
    # A list, not a generator: most sessions have a visit or two, and there are many sessions.
    if True in [is_probe(visit.url) for visit in visits]:
        found.append("probe")
    if visits_of_day > MANY_VISITS:
        found.append("many")
    if len(visits) > 2:
        found += _signs_of_pace(visits)
    # A probe may be among the pages and among the other lines.
    return found if log is None else list(dict.fromkeys([*found, *log.evidence_of(visits)]))


def _signs_of_pace(visits: Sequence[DayRow]) -> Iterator[str]:
    gaps = [later.at - earlier.at for earlier, later in pairwise(visits)]
    if len(visits) >= FAST_PAGES and _is_fast(visits, gaps):
        yield "fast"
    if len(gaps) >= EVEN_GAPS and _is_even(gaps):
        yield "even"
    if len([gap for gap in gaps if _SLOW_GAP <= gap <= _LONG_GAP]) > 1:
        yield "reading"


@lru_cache(1_000)
def _names_of(signs: int) -> tuple[str, ...]:
    """The names of what contexts of visits say."""
    script = ("script",) if signs & BY_SCRIPT else ()
    program = ("program",) if signs & BY_PROGRAM else ()
    return *script, *program, *evidence_names(signs & MAX_BITS)


@lru_cache(50_000)
def is_probe(url: str) -> bool:
    """Whether only programs look for such a path."""
    return place_of(url).path.lower().startswith(tuple(_file()["probe_paths"]))


def _is_fast(visits: Sequence[DayRow], gaps: Sequence[int]) -> bool:
    """At least 10 pages at less than 2.5 s each, as a rule, or more than 60 within 10 minutes."""
    if _median(gaps) < _FAST_GAP:
        return True
    pairs = zip(visits, visits[BURST_PAGES:], strict=False)
    return any(last.at - first.at <= _LONG_GAP for first, last in pairs)


def _median(values: Sequence[int]) -> float:
    ordered, middle = sorted(values), len(values) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def _is_even(gaps: Sequence[int]) -> bool:
    """Whether their standard deviation is below a tenth of their mean; in whole numbers, equal on every machine."""
    total = sum(gaps)
    return 100 * (len(gaps) * sum(gap * gap for gap in gaps) - total * total) < total * total
