"""The worked example of every definition, computed from visits and orders as a report computes it."""

import json
from datetime import timedelta

import pytest

from config.settings import ROOT
from domain.reports.all_reports import SOURCES
from domain.reports.visit_reports.answers import answer
from domain.reports.visit_reports.descriptions import OVERVIEW
from domain.reports.visit_reports.figures import FIGURES, definitions
from domain.reports.visit_reports.parameters import read_parameters
from domain.visits.days.build import DayBuilder
from domain.visits.raw.local_days import DayRules
from tests.domain.visits.days.worlds import MIDNIGHT, add, visit
from tests.support import factories, order_rows

CASES = json.loads((ROOT / "contracts/cases/report-figures.json").read_text("utf-8"))["cases"]
LATER = MIDNIGHT + timedelta(days=2)


def time_of(text: str):
    hours, minutes = text.split(":")
    return MIDNIGHT + timedelta(hours=int(hours), minutes=int(minutes))


@pytest.mark.parametrize("case", CASES, ids=[case["figure"] for case in CASES])
def test_the_worked_example_of_a_figure_is_what_a_report_computes(database, case):
    with database.write_session() as session:
        factories.course(session, factories.category(session).id, "vat-basics")
        buyers = {name for _, name, _ in case["orders"]}
        learners = {name: factories.learner(session, f"Learner {name}").id for name in sorted(buyers)}
        rows = [
            visit(number, time_of(at), path, name, learner_id=learners.get(name))
            for number, (at, name, path) in enumerate(case["visits"], 1)
        ]
        add(session, *rows)
        for number, (at, name, is_paid) in enumerate(case["orders"]):
            placed = time_of(at)
            about = {"placed_at": placed, "changed_at": placed, "paid_at": placed if is_paid else None}
            state = "paid" if is_paid else "expired"
            code = f"CODE{number:016}"
            order_rows.order(session, learners[name], code, state=state, open_learner_id=None, **about)
    DayBuilder(database, DayRules(), lambda: LATER).build_due()
    day = MIDNIGHT.date().isoformat()
    query, _ = read_parameters(OVERVIEW, {"from": day, "to": day}, LATER.date())
    with database.read_session() as session:
        row = answer(session, query, DayRules(), LATER)
    everything = {**row.totals}
    assert everything[case["figure"]] == case["value"]
    assert case["says"] in definitions()[case["figure"]].example


@pytest.mark.parametrize("name", SOURCES)
def test_every_figure_and_every_column_of_a_report_has_a_definition_with_an_example(name):
    report = SOURCES[name].report
    known = {**definitions(), **definitions(report.definitions)}
    keys = {*report.shown, *(key for level in report.levels for key in report.columns_of(level))}
    assert {key for key in keys if not (known[key].meaning and known[key].example)} == set()


def test_every_figure_has_one_example():
    assert [case["figure"] for case in CASES] == list(FIGURES)
