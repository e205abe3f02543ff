"""Classes of visitors: whom they name, and of which days they are."""

import json
from dataclasses import replace

import pytest

from domain.log_import import classes, importing
from domain.log_import.classes import VisitorClass
from domain.log_import.importing import LogImport
from domain.log_import.lines import open_files
from domain.visits.days.traffic_class import TrafficClass
from tests.domain.log_import import log_files
from tests.domain.log_import.worlds import NOW, RULES, options, visitors

PAGE = next(request for request in log_files.requests(100) if request.kind == "pages")
BOT = VisitorClass(1, TrafficClass.BOT, 5, ("files",))


@pytest.mark.each_database
def test_only_days_with_pages_are_read_for_classes(database, tmp_path, monkeypatch):
    """One line has a clock that was never set."""
    made = [replace(PAGE, at=PAGE.at.replace(year=1970)), PAGE]
    chosen, found, who = options(), LogImport(database, RULES, lambda: NOW), visitors()
    who.names = {}
    checked = importing.check(open_files([log_files.write(tmp_path / "a.log", made, "vhost")]), chosen)
    found.store(checked, chosen.rules(who), lambda done, size, lines: None)
    original, read = classes._sessions_of_day, []

    def sessions_of_day(session, site, rules, day):
        read.append(day)
        return original(session, site, rules, day)

    monkeypatch.setattr(classes, "_sessions_of_day", sessions_of_day)
    assert [seen.sessions for seen in found.classes("school", who).values()] == [2]
    assert read == [request.at.date() for request in made]


@pytest.mark.parametrize("name", ["192.0.2.1 curl", "=1+1", json.loads('"\\ud800"'), "Zo\u00eb", "\ufffd"])
def test_the_written_classes_name_visitors_as_known_ones_are_named(tmp_path, name):
    classes.write_classes(tmp_path / "classes.csv", {name: BOT})
    written = (tmp_path / "classes.csv").read_text().splitlines()[1].partition(",")[0]
    (tmp_path / "truth.csv").write_text(f"{written},bot\n")
    truth = classes.read_truth(tmp_path / "truth.csv")
    assert classes.agreement_of(truth, {name: BOT}).confusion == {"bot": {"bot": 1}}
    assert classes.agreement_of({name: "bot"}, {name: BOT}).unseen == 0


def test_known_visitors_of_another_encoding_are_named_as_in_the_log(tmp_path):
    (tmp_path / "truth.csv").write_bytes("Zo\u00eb,human\n".encode("latin-1"))
    assert classes.read_truth(tmp_path / "truth.csv") == {"Zo\ufffd": "human"}
