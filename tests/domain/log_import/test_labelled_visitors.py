"""How well traffic classes agree with what is known of visitors of a made log. Its shares of each way to behave are a
guess, so this guards the weights against changes; it does not tell how good they are on a real site."""

from collections import Counter, defaultdict

import pytest

from domain.log_import import importing
from domain.log_import.classes import BOT, HUMAN, VisitorClass, agreement_of
from domain.log_import.importing import LogImport
from domain.log_import.lines import open_files
from domain.log_import.visitors import Agents
from domain.visits.days.traffic_class import audience_of
from host.http.user_agents import browser_family, visitor_class
from tests.domain.log_import import log_files
from tests.domain.log_import.labelled_visitors import BOTS, visitors
from tests.domain.log_import.worlds import NOW, RULES, options

VISITORS = 700
# What a log cannot tell from a person, and whom it takes for a program although it is one.
NEVER_FOUND = {"like a person", "even browser"}
ALWAYS_TAKEN = {"everything cached"}


def classes_of(database, folder, made) -> dict[str, VisitorClass]:
    requests = sorted((request for _, _, own in made for request in own), key=lambda request: request.at)
    chosen, found = options(), LogImport(database, RULES, lambda: NOW)
    who = importing.visitors_of("school", "secret", Agents(visitor_class, browser_family))
    who.names = {}
    path = log_files.write(folder / "a.log", requests, "combined")
    found.store(importing.check(open_files([path]), chosen), chosen.rules(who), lambda *_: None)
    return found.classes("school", who)


@pytest.mark.parametrize("seed", [1, 2])
def test_of_labelled_visitors_nineteen_of_twenty_are_told_rightly(sqlite_database, tmp_path, seed):
    made = [*visitors(VISITORS, seed)]
    classes = classes_of(sqlite_database, tmp_path, made)
    truth = {name: BOT if way in BOTS else HUMAN for name, way, _ in made}
    agreement = agreement_of(truth, classes)
    assert agreement.unseen == 0
    assert agreement.precision is not None
    assert agreement.recall is not None
    assert agreement.precision >= 0.95
    assert agreement.recall >= 0.95
    assert wrong_ways(made, classes) == {}


def wrong_ways(made, classes) -> dict[str, float]:
    """The ways of which more than a twentieth is told wrongly, but those that a log cannot tell."""
    told: defaultdict[str, Counter[bool]] = defaultdict(Counter)
    for name, way, _ in made:
        is_found = audience_of(classes[name].traffic_class) != "people"
        told[way][is_found == (way in BOTS)] += 1
    shares = {way: counts[False] / counts.total() for way, counts in told.items()}
    return {way: share for way, share in shares.items() if share > 0.05 and way not in NEVER_FOUND | ALWAYS_TAKEN}
