"""What a log says of a visitor beside the pages, as evidence of a person or a program."""

import pytest

from domain.visits.days.traffic_class import TrafficClass, chance_of, class_of, evidence_of, tenths_of
from domain.visits.raw.day_rows import DayRow
from domain.visits.raw.local_days import MICROSECONDS
from domain.visits.raw.log_signs import LogSigns, Sign
from domain.visits.raw.visit_context import VisitContext

GAP = 7 * MICROSECONDS


def session(*pages: str, referrers: tuple[str, ...] = ()) -> list[DayRow]:
    """Uneven gaps of one to three times 7 s."""
    rows, at = [], 0
    for number, url in enumerate(pages):
        referrer = referrers[number] if number < len(referrers) else ""
        context = VisitContext(("", "", "", ""), {}, referrer, "human", 0, "Chrome")
        rows.append(DayRow(f"{number}", at, "a", "", url, None, context))
        at += GAP * (1 + number % 3)
    return rows


def signs(bits: int, has_files: bool = True, has_referrers: bool = True) -> LogSigns:
    return LogSigns({"a": bits}, has_files, has_referrers)


CASES = {
    "files are loaded": (session("/"), signs(Sign.FILES), {"files"}),
    "robots.txt and a probe": (session("/"), signs(Sign.ROBOTS | Sign.PROBE, False), {"robots", "probe"}),
    "two pages without files": (session("/", "/a"), signs(0), {"no_files_short"}),
    "three pages without files": (session("/", "/a", "/b"), signs(0), {"no_files", "reading"}),
    "files that nobody loads": (session("/", "/a"), signs(0, has_files=False), set()),
    "five pages without a referrer": (
        session("/", "/a", "/b", "/c", "/d"),
        signs(Sign.FILES),
        {"files", "no_referrers", "reading"},
    ),
    "a log without referrers": (
        session("/", "/a", "/b", "/c", "/d"),
        signs(Sign.FILES, has_referrers=False),
        {"files", "reading"},
    ),
    "two links of the site followed": (
        session("/?x", "/a", "/b", referrers=("", "/", "/a?y=1")),
        signs(Sign.FILES),
        {"files", "followed", "reading"},
    ),
    "one link followed": (
        session("/", "/a", "/b", referrers=("", "/", "/z")),
        signs(Sign.FILES),
        {"files", "reading"},
    ),
    "a probe among the pages counts once": (session("/.env"), signs(Sign.PROBE, False), {"probe"}),
}


@pytest.mark.parametrize("name", CASES)
def test_evidence_of_a_log(name):
    visits, log, expected = CASES[name]
    evidence = evidence_of(visits, len(visits), log)
    assert sorted(evidence) == sorted(expected)


def test_without_a_log_its_evidence_counts_nothing():
    assert evidence_of(session("/", "/a"), 2) == []


CLASSES = {
    Sign.FILES: TrafficClass.LIKELY,
    Sign(0): TrafficClass.DOUBTFUL,
    Sign.ROBOTS: TrafficClass.BOT,
    Sign.FILES | Sign.ROBOTS: TrafficClass.DOUBTFUL,
}


@pytest.mark.parametrize("bits", CLASSES)
def test_the_class_follows_from_the_sum_of_the_evidence(bits):
    assert class_of(session("/"), 1, has_order=False, log=signs(bits)) is CLASSES[bits]


def test_the_chance_is_that_of_the_log_odds():
    chances = [chance_of(tenths_of(names)) for names in ([], ["files"], ["robots", "files"])]
    assert [round(chance, 3) for chance in chances] == [0.5, 0.924, 0.182]
