"""A chart whose series do not fit together is refused where it is made."""

import pytest

from host.loaders.ui.chart_props import require_consistent

CHART = {
    "kind": "line",
    "title": "Orders",
    "summary": "Two orders.",
    "unit": "count",
    "unitLabel": "Orders",
    "period": "March 2026",
    "points": {"kind": "day", "labels": ["2026-03-01", "2026-03-02"]},
    "series": [{"label": "Orders", "values": [0, 2]}],
    "empty": "No orders yet",
    "csvHref": None,
}
SERIES = CHART["series"][0]


def test_a_chart_with_a_value_for_every_point_is_itself():
    assert require_consistent(CHART) is CHART


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"series": []}, "1 to 4 series"),
        ({"series": [{**SERIES, "label": str(number)} for number in range(5)]}, "1 to 4 series"),
        ({"series": [{**SERIES, "values": [1]}]}, "a value for every point"),
        ({"series": [SERIES, SERIES]}, "series needs a label of its own"),
        ({"points": {"kind": "day", "labels": ["2026-03-01"] * 2}}, "point needs a label of its own"),
        (
            {
                "points": {"kind": "category", "labels": [str(number) for number in range(401)]},
                "series": [{"label": "Orders", "values": [None] * 401}],
            },
            "at most 400 points",
        ),
    ],
)
def test_a_chart_that_cannot_be_drawn_is_refused(changes, problem):
    with pytest.raises(ValueError, match=problem):
        require_consistent({**CHART, **changes})
