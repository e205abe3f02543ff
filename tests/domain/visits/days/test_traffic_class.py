"""Evidence of sessions, as far as raw visits hold it, and the classes that follow."""

import pytest

from domain.visits.days.traffic_class import TrafficClass, audience_of, class_of, evidence_of
from domain.visits.raw.day_rows import DayRow
from domain.visits.raw.local_days import MICROSECONDS
from domain.visits.raw.visit_context import VisitContext, signs_of


def visits(
    *seconds: float, url: str = "/", kind: str = "human", learner: int | None = None, script=True, evidence: int = 0
) -> list[DayRow]:
    signs = signs_of(kind, evidence, is_script=script)
    context = VisitContext(("", "", "", ""), {}, "", kind, signs, "Chrome")
    return [DayRow(f"{at}", int(at * MICROSECONDS), "a", "home", url, learner, context) for at in seconds]


def steps(count: int, gap: float) -> list[float]:
    return [number * gap for number in range(count)]


UNEVEN = [0, 30, 31, 90, 700, 701, 702, 800, 1000, 1001, 1020]


@pytest.mark.parametrize(
    ("session", "expected"),
    [
        pytest.param(visits(0), ["script"], id="one visit"),
        pytest.param(visits(0, script=False), [], id="without our script"),
        pytest.param(visits(0, kind="suspected"), ["script", "program"], id="a program"),
        pytest.param(visits(0, url="/.env"), ["script", "probe"], id="a probe"),
        pytest.param(visits(0, 1, evidence=2), ["script", "no_language"], id="no language"),
        pytest.param(
            [*visits(0, evidence=1), *visits(9), *visits(20, evidence=5)],
            ["script", "no_fetch_metadata", "hosting", "reading"],
            id="noted of several visits, each sign once",
        ),
        pytest.param(visits(0, url="/.ENV?x"), ["script", "probe"], id="a probe in capitals"),
        pytest.param(visits(*steps(10, 2.4)), ["script", "fast", "even"], id="10 pages at 2.4 s"),
        pytest.param(visits(*steps(10, 2.5)), ["script", "even"], id="10 pages at 2.5 s"),
        pytest.param(visits(*steps(8, 1)), ["script"], id="8 pages at 1 s"),
        pytest.param(visits(*steps(9, 1)), ["script", "even"], id="8 equal gaps"),
        pytest.param(visits(*steps(60, 10)), ["script", "even", "reading"], id="60 pages in 10 minutes"),
        pytest.param(visits(*steps(61, 10)), ["script", "fast", "even", "reading"], id="61 pages in 10 minutes"),
        pytest.param(visits(0, 5, 605), ["script", "reading"], id="two gaps of 5 s and 10 min"),
        pytest.param(visits(0, 4.9, 605), ["script"], id="gaps of less and of more"),
        pytest.param(visits(*UNEVEN), ["script", "reading"], id="as people read"),
    ],
)
def test_evidence(session, expected):
    assert evidence_of(session, len(session)) == expected


def test_more_than_300_visits_a_day_are_evidence():
    assert [evidence_of(visits(0), count) for count in (300, 301)] == [["script"], ["script", "many"]]


@pytest.mark.parametrize(
    ("session", "has_order", "expected"),
    [
        pytest.param(visits(0), False, "uncertain", id="20 tenths: 0.88"),
        pytest.param(visits(0, 60, 120), False, "likely", id="30 tenths: 0.95"),
        pytest.param(visits(0, script=False), False, "uncertain", id="no evidence: 0.5"),
        pytest.param(visits(*steps(9, 1)), False, "doubtful", id="-10 tenths: 0.27"),
        pytest.param(visits(*steps(10, 1)), False, "bot", id="-55 tenths"),
        pytest.param(visits(0, kind="suspected"), False, "bot", id="-50 tenths"),
        pytest.param(visits(0, evidence=2), False, "uncertain", id="no language: 0 tenths"),
        pytest.param(visits(0, evidence=1), False, "doubtful", id="no Sec-Fetch: -5 tenths"),
        pytest.param(visits(0, evidence=4), False, "doubtful", id="a hosting provider: -5 tenths"),
        pytest.param(visits(0, evidence=7), False, "bot", id="all three: -50 tenths"),
        pytest.param(visits(0, evidence=8), False, "bot", id="a crawler's address: -40 tenths"),
        pytest.param(visits(0, evidence=15, learner=7), False, "proven", id="a token beats all"),
        pytest.param(visits(0, kind="suspected", learner=7), False, "proven", id="a token"),
        pytest.param(visits(0, kind="suspected"), True, "proven", id="an order"),
        pytest.param(visits(0, kind="crawler", learner=7), True, "crawler", id="a crawler"),
    ],
)
def test_the_class_is_the_chance_that_it_is_a_person(session, has_order, expected):
    assert class_of(session, len(session), has_order=has_order) == expected


def test_audiences_are_groups_of_classes():
    classes = ["proven", "likely", "uncertain", "doubtful", "bot", "crawler"]
    assert [audience_of(TrafficClass(name)) for name in classes] == [*["people"] * 3, *["suspected"] * 2, "crawlers"]
