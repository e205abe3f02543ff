"""The parameters of reports: what is understood, the usual values, and what is refused."""

from datetime import date

import pytest

from domain.reports.visit_reports.descriptions import REPORTS
from domain.reports.visit_reports.figures import FIGURES, definitions
from domain.reports.visit_reports.parameters import ReportQuery, levels_of, query_text, read_parameters

TODAY = date(2026, 4, 20)


def read(name: str = "sources", **values: str) -> tuple[ReportQuery, dict[str, str]]:
    query, errors = read_parameters(REPORTS[name], values, TODAY)
    return query, dict(errors)


def test_without_parameters_it_is_of_the_last_28_days_against_those_before():
    query, errors = read()
    assert errors == {}
    assert (query.since, query.until, query.days) == (date(2026, 3, 24), TODAY, 28)
    assert (query.compare, query.audience, query.by, query.sort) == ("previous", "people", "channel", "-sessions")
    assert query.shift.days == 28


# Parameters of the report of sources -> the one that is refused.
REFUSED = [
    ({"from": "2026-02-30"}, "from"),
    ({"from": "yesterday"}, "from"),
    ({"to": "2026-04-21"}, "to"),
    ({"from": "2026-04-02", "to": "2026-04-01"}, "from"),
    ({"from": "2025-03-16"}, "from"),
    ({"compare": "week"}, "compare"),
    ({"by": "path"}, "by"),
    ({"by": "hour"}, "by"),
    ({"audience": "robots"}, "audience"),
    ({"f": "source"}, "f"),
    ({"f": "source:"}, "f"),
    ({"f": "student:S-1"}, "f"),
    ({"f": "source:" + "a" * 192}, "f"),
    ({"sort": "-names"}, "sort"),
    ({"page": "0"}, "page"),
    ({"page": "1001"}, "page"),
    ({"limit": "501"}, "limit"),
    ({"limit": "-1"}, "limit"),
    ({"limit": "\N{ARABIC-INDIC DIGIT ONE}"}, "limit"),
]


@pytest.mark.parametrize(("values", "name"), REFUSED)
def test_what_is_not_understood_is_an_error_and_its_usual_value_holds(values, name):
    query, errors = read(**values)
    assert list(errors) == [name]
    assert getattr(query, {"from": "since", "to": "until", "f": "chosen"}.get(name, name)) == getattr(
        read()[0], {"from": "since", "to": "until", "f": "chosen"}.get(name, name)
    )


def test_the_longest_period_has_400_days():
    query, errors = read(**{"from": "2025-03-17"})
    assert (errors, query.days) == ({}, 400)


# Report, parameters -> what its rows may be of.
LEVELS = [
    ("overview", {}, ("day",)),
    ("overview", {"from": "2026-04-20"}, ("hour", "day")),
    ("sources", {}, ("channel", "source", "referrer", "engine", "assistant")),
    ("sources", {"f": "channel:search"}, ("engine", "day")),
    ("sources", {"f": "channel:assistant", "from": "2026-04-20"}, ("assistant", "hour", "day")),
    ("sources", {"f": "source:Google"}, ("day",)),
    ("sources", {"f": "source:Google", "from": "2026-04-20"}, ("day",)),
]


@pytest.mark.parametrize(("name", "values", "levels"), LEVELS)
def test_rows_may_be_of_what_is_counted_exactly(name, values, levels):
    query, errors = read(name, **values)
    assert (errors, levels_of(query), query.by) == ({}, levels, levels[0])


def test_what_is_recorded_of_a_look_names_every_choice():
    query, _ = read(f="source:Google", compare="year")
    text = query_text(query, lambda pairs: "&".join(f"{name}={value}" for name, value in pairs))
    assert text == (
        "from=2026-03-24&to=2026-04-20&compare=year&by=day&audience=people&f=source:Google&sort=-name&page=1"
    )


def test_every_figure_of_a_report_is_defined_and_no_other():
    used = {key for report in REPORTS.values() for key in (*report.columns, *report.shown)}
    assert used == FIGURES.keys() == definitions().keys()
