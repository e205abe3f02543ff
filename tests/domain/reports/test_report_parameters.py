"""The parameters of reports: what is understood, the usual values, and what is refused."""

from datetime import date

import pytest

from domain.reports.all_reports import SOURCES
from domain.reports.visit_reports.descriptions import REPORTS
from domain.reports.visit_reports.figures import FIGURES, definitions
from domain.reports.visit_reports.parameters import NO_VALUES, ReportQuery, levels_of, query_text, read_parameters
from domain.reports.visit_reports.served_report import SERVED

TODAY = date(2026, 4, 20)


def read(name: str = "sources", **values: str) -> tuple[ReportQuery, dict[str, str]]:
    """`f`: filters, separated by spaces."""
    query, errors = read_parameters(REPORTS[name], values, TODAY, values.get("f", "").split())
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
    ({"f": "path:/"}, "f"),
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
    assert getattr(query, {"from": "since", "to": "until", "f": "filters"}.get(name, name)) == getattr(
        read()[0], {"from": "since", "to": "until", "f": "filters"}.get(name, name)
    )


def test_the_longest_period_has_400_days():
    query, errors = read(**{"from": "2025-03-17"})
    assert (errors, query.days) == ({}, 400)


# Report, parameters -> what its rows may be of.
LEVELS = [
    ("overview", {}, ("day",)),
    ("overview", {"from": "2026-04-20"}, ("hour", "day")),
    ("sources", {}, ("channel", "source", "referrer", "engine", "assistant")),
    ("sources", {"f": "channel:search"}, ("engine", "day", "source", "referrer", "assistant")),
    (
        *("sources", {"f": "channel:assistant", "from": "2026-04-20"}),
        ("assistant", "hour", "day", "source", "referrer", "engine"),
    ),
    ("sources", {"f": "source:Google"}, ("day", "channel", "referrer", "engine", "assistant")),
    ("sources", {"f": "device:mobile"}, ("channel", "source", "referrer", "engine", "assistant", "day")),
    ("sources", {"f": "device:mobile channel:search"}, ("source", "referrer", "engine", "assistant", "day")),
    ("overview", {"f": "device:mobile", "from": "2026-04-20"}, ("hour", "day")),
    ("pages", {"f": "path:/shop device:mobile", "from": "2026-04-20"}, ("page", "day")),
    ("landing", {"f": "landing:/"}, ("day",)),
]


@pytest.mark.parametrize(("name", "values", "levels"), LEVELS)
def test_rows_may_be_of_what_is_counted_exactly(name, values, levels):
    query, errors = read(name, **values)
    assert (errors, levels_of(query), query.by) == ({}, levels, levels[0])


NEED_FILES = [
    ("sources", {}, False),
    ("sources", {"f": "channel:search"}, False),
    ("sources", {"f": "channel:search", "by": "day"}, False),
    ("sources", {"f": "channel:search", "by": "source"}, True),
    ("sources", {"f": "device:mobile"}, True),
    ("sources", {"f": "source:Google", "from": "2026-04-20", "by": "day"}, False),
    ("landing", {"f": "landing:/"}, False),
    ("overview", {"f": "landing:/"}, True),
    ("pages", {"f": "page:home", "from": "2026-04-20", "by": "hour"}, False),
    ("pages", {"f": "path:/ page:home"}, True),
]


@pytest.mark.parametrize(("name", "values", "needs_files"), NEED_FILES)
def test_files_are_read_only_for_what_days_do_not_store(name, values, needs_files):
    query, errors = read(name, **values)
    assert (errors, query.needs_files) == ({}, needs_files)


WRONG_FILTERS = [
    "learner:1",
    "path:/shop",
    "channel:search channel:direct",
    "channel:",
    f"source:{'x' * 192}",
    "channel:a source:b device:c agent:d partner:e coupon:f",
]


@pytest.mark.parametrize("filters", WRONG_FILTERS)
def test_filters_that_a_report_does_not_have_are_an_error(filters):
    query, errors = read("sources", f=filters)
    assert list(errors) == ["f"]
    assert len(query.filters) <= 5


OF_OTHERS = [
    ("products", ["product:1"], ["product:1"], None),
    ("products", ["product:1", "category:2"], ["product:1"], "Give one value."),
    ("coupons", ["code:a", "code:b"], ["code:a"], "Give one value of code."),
    (
        "attribution",
        ["order:1"],
        [],
        "Choose a value as channel:… or campaign:… or coupon:… or student:… or partner:….",
    ),
    ("funnel", ["channel:search"], [], NO_VALUES),
]


@pytest.mark.parametrize(("name", "filters", "found", "error"), OF_OTHERS)
def test_a_report_that_no_files_answer_is_of_one_of_its_own_values(name, filters, found, error):
    query, errors = read_parameters(SOURCES[name].report, {}, TODAY, filters)
    assert (errors.get("f"), query.needs_files) == (error, False)
    assert [":".join(value) for value in query.filters] == found


def test_reports_with_filters_have_what_answers_them_and_no_other_has():
    assert {name for name, source in SOURCES.items() if source.filtered} == REPORTS.keys()
    assert {name for name, source in SOURCES.items() if source.report.filters} == REPORTS.keys()


def test_what_is_recorded_of_a_look_names_every_choice():
    query, _ = read(f="source:Google", compare="year")
    text = query_text(query, lambda pairs: "&".join(f"{name}={value}" for name, value in pairs))
    assert text == (
        "from=2026-03-24&to=2026-04-20&compare=year&by=day&audience=people&f=source:Google&sort=-name&page=1"
    )


def test_every_figure_of_a_report_is_defined_and_no_other():
    used = {key for report in REPORTS.values() for key in (*report.columns, *report.shown)}
    assert used == FIGURES.keys()
    assert FIGURES.keys() | SERVED.figures.keys() == definitions().keys()
