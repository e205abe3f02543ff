"""The props of components/ui/chart/Chart.tsx: at most four series over days, months or categories."""

from collections.abc import Sequence
from typing import Literal, NotRequired

from typing_extensions import TypedDict

MAX_SERIES = 4
# More are drawn too, but slowly and hardly readable: a chart of that many needs a canvas.
MAX_POINTS = 400

ChartKind = Literal["line", "bar", "stacked"]
# Minor units of the shop's currency, whole numbers, whole percent.
ChartUnit = Literal["money", "count", "percent"]
PointKind = Literal["day", "month", "time", "category"]


class ChartSeries(TypedDict):
    """A value per point, null where there is none. `isPrevious`: of the period that the chart compares with."""

    label: str
    values: list[int | float | None]
    isPrevious: NotRequired[bool]


class ChartPoints(TypedDict):
    """`labels` are days, months or times in UTC as ISO 8601 (2026-03-04, 2026-03, 2026-03-04T13:30), or the names of
    categories."""

    kind: PointKind
    labels: list[str]


class ChartProps(TypedDict):
    """`unfinishedFrom`: index of the first point whose values will still change. `empty`: why there are no values."""

    kind: ChartKind
    title: str
    summary: str
    unit: ChartUnit
    unitLabel: str
    period: str
    points: ChartPoints
    series: list[ChartSeries]
    unfinishedFrom: NotRequired[int]
    empty: str
    csvHref: str | None


def require_consistent(chart: ChartProps) -> ChartProps:
    """The chart itself. Raises ValueError when its series do not fit its points, or are too many."""
    lengths = {len(series["values"]) for series in chart["series"]} | {len(chart["points"]["labels"])}
    problems = [
        (not 0 < len(chart["series"]) <= MAX_SERIES, f"a chart has 1 to {MAX_SERIES} series"),
        (len(lengths) > 1, "each series needs a value for every point"),
        (len(chart["points"]["labels"]) > MAX_POINTS, f"a chart has at most {MAX_POINTS} points"),
        (_is_repeated([series["label"] for series in chart["series"]]), "each series needs a label of its own"),
        (_is_repeated(chart["points"]["labels"]), "each point needs a label of its own"),
    ]
    for is_wrong, problem in problems:
        if is_wrong:
            raise ValueError(f"the chart {chart['title']!r}: {problem}")
    return chart


def _is_repeated(texts: Sequence[str]) -> bool:
    return len({*texts}) < len(texts)
