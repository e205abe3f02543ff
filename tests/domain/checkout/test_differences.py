"""What the buyer saw against what it costs now: every difference is found, and nothing else is read."""

import json

import pytest

from domain.checkout.differences import PricedPart, QuoteDifference, Seen, compare, parse_seen, to_json
from domain.errors import InvalidInput

SEEN = Seen({1: 4000, 2: 1500}, delivery=490, tax=900, total=6890)
LINES = (PricedPart(1, "Ledgers", 4000), PricedPart(2, "Tax tables", 1500))


def test_the_same_prices_are_no_difference_after_the_way_through_the_form():
    assert compare(parse_seen(json.dumps(to_json(SEEN))), LINES, SEEN) == []


def test_each_changed_line_is_listed_with_the_step_that_changed_and_the_reason():
    now = (LINES[0], PricedPart(2, "Tax tables", 2000, "list", "SPRING cannot be used."))
    assert compare(SEEN, now, Seen({}, 490, 900, 7390)) == [
        QuoteDifference("line", "Tax tables", 1500, 2000, 2, "list", "SPRING cannot be used."),
        QuoteDifference("total", "Total", 6890, 7390),
    ]


def test_a_lower_price_is_a_difference_too():
    now = (PricedPart(1, "Ledgers", 3600, "sale"), LINES[1])
    assert compare(SEEN, now, Seen({}, 490, 900, 6490))[0] == QuoteDifference("line", "Ledgers", 4000, 3600, 1, "sale")


def test_a_line_that_came_or_went_is_listed_without_the_missing_price():
    now = (LINES[0], PricedPart(3, "Atlas", 100))
    assert compare(SEEN, now, Seen({}, 490, 900, 6890)) == [
        QuoteDifference("line", "Atlas", None, 100, 3, "list"),
        QuoteDifference("line", "", 1500, None, 2),
    ]


def test_delivery_and_tax_are_compared_by_themselves():
    assert compare(SEEN, LINES, Seen({}, 0, 1390, 6890)) == [
        QuoteDifference("delivery", "Delivery", 490, 0),
        QuoteDifference("tax", "Tax", 900, 1390),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"lines": {}, "delivery": 0, "tax": 0}',
        '{"lines": {}, "delivery": 0, "tax": 0, "total": 0, "price": 1}',
        '{"lines": [], "delivery": 0, "tax": 0, "total": 0}',
        '{"lines": {"x": 1}, "delivery": 0, "tax": 0, "total": 0}',
        '{"lines": {"1": "1"}, "delivery": 0, "tax": 0, "total": 0}',
        '{"lines": {"1": true}, "delivery": 0, "tax": 0, "total": 0}',
        '{"lines": {"1": 1.5}, "delivery": 0, "tax": 0, "total": 0}',
        '{"lines": {"1": -1}, "delivery": 0, "tax": 0, "total": 0}',
        '{"lines": {}, "delivery": 0, "tax": 0, "total": 1e400}',
        "[" * 100_000,
    ],
)
def test_everything_else_is_refused_at_the_field(text):
    with pytest.raises(InvalidInput) as refused:
        parse_seen(text)
    assert list(refused.value.errors) == ["seen"]
