"""The worked examples behind the "?" of the five models are what the models compute."""

from datetime import timedelta

import pytest

from domain.attribution.credits import CreditedLine, order_credits
from domain.attribution.weights import MODELS
from domain.reports.attribution.report import FIGURES, REPORT
from domain.reports.visit_reports.figures import definitions
from tests.domain.attribution.samples import touchpoint
from tests.support.factories import NOON

HOUR = timedelta(hours=1)
TEXTS = definitions(REPORT.definitions)
BOOKMARK = [
    touchpoint("a", NOON - 3 * HOUR, "partner"),
    touchpoint("b", NOON - HOUR, "email"),
    touchpoint("c", NOON, "direct"),
]
WEEK = [touchpoint("a", NOON - 168 * HOUR, "partner"), touchpoint("b", NOON, "email")]
THREE = [touchpoint(name, NOON, name) for name in ("partner", "search", "email")]
AMOUNTS = [
    ("first", BOOKMARK, {1: 10_000}, "100.00 for the partner's link"),
    ("last", BOOKMARK, {2: 10_000}, "100.00 for the newsletter"),
    ("linear", BOOKMARK, {1: 5_000, 2: 5_000}, "50.00 for each of the first two"),
    ("decay", WEEK, {1: 3_333, 2: 6_667}, "33.33 for the link, 66.67 for the newsletter"),
    ("position", THREE, {1: 4_000, 2: 2_000, 3: 4_000}, "40.00, 20.00 and 40.00"),
]
SHARES = [
    ("first", THREE, {1: 1000}, "1 order for the partner's link"),
    ("last", THREE, {3: 1000}, "1 order for the newsletter"),
    ("linear", THREE, {1: 334, 2: 333, 3: 333}, "0.334, 0.333 and 0.333 orders"),
    ("decay", WEEK, {1: 333, 2: 667}, "0.333 and 0.667 orders"),
    ("position", THREE, {1: 400, 2: 200, 3: 400}, "0.4, 0.2 and 0.4 orders"),
]


@pytest.mark.parametrize(("model", "path", "amounts", "says"), AMOUNTS)
def test_the_example_of_a_model_is_what_it_credits(model, path, amounts, says):
    found = order_credits(path, [CreditedLine(1, 10_000)], NOON).credits
    assert {credit.position: credit.amount_minor for credit in found if credit.model == model} == amounts
    assert says in TEXTS[model].example


@pytest.mark.parametrize(("model", "path", "shares", "says"), SHARES)
def test_the_example_of_its_orders_is_how_it_shares_one(model, path, shares, says):
    assert order_credits(path, [CreditedLine(1, 10_000)], NOON).orders_milli[model] == shares
    assert says in TEXTS[f"{model}Orders"].example


def test_every_figure_has_one_definition():
    assert TEXTS.keys() == FIGURES.keys()
    assert {*MODELS} <= TEXTS.keys()
