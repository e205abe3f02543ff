"""What reports are on the wire: the answer of the call, and the props of the pages."""

from datetime import date, datetime
from typing import NotRequired

from typing_extensions import TypedDict

from host.loaders.shop import PageLinks
from host.loaders.ui.chart_props import ChartProps
from host.loaders.ui.detail_props import ShortTable

# By the key of a figure; null: there is nothing that it could be a share or a mean of, or it is not known yet.
FigureValues = dict[str, int | float | None]


class SessionsRange(TypedDict):
    """How many sessions of people there were at least and at most."""

    low: int
    high: int


class LeftOutVisits(TypedDict):
    """Visits that the figures leave out; those without a session are in visits alone."""

    suspected: int
    crawlers: int
    withoutSession: int


class SeriesPoint(TypedDict):
    """`at`: a day, or an hour in UTC. `figures` null: nothing was counted then."""

    at: str
    figures: FigureValues | None
    previous: FigureValues | None


class ReportRowReply(TypedDict):
    """`words`: texts beside the figures, by their key."""

    key: str
    label: str
    figures: FigureValues
    previous: FigureValues | None
    words: dict[str, str]


class DaysComputed(TypedDict):
    """`computed` of the `days` of the shop have been computed. `waiting`: the days that this report reads and that have
    not; figures are without them, or will change with them."""

    computed: int
    days: int
    waiting: list[date]


# `from` is a keyword of Python.
ReportReply = TypedDict(
    "ReportReply",
    {
        "report": str,
        "from": str,
        "to": str,
        "zone": str,
        "by": str,
        "builtAt": datetime | None,
        "isUnfinished": bool,
        "totals": FigureValues,
        "previous": FigureValues | None,
        "range": SessionsRange | None,
        "leftOut": LeftOutVisits,
        "series": list[SeriesPoint],
        "rows": list[ReportRowReply],
        "more": bool,
        "notes": list[str],
        "currency": str | None,
        "progress": DaysComputed | None,
    },
)


class ReportLink(TypedDict):
    text: str
    href: str
    isCurrent: bool


class ReportLinkGroup(TypedDict):
    """Reports about one subject."""

    title: str
    links: list[ReportLink]


class ReportChoice(TypedDict):
    value: str
    label: str


class ReportField(TypedDict):
    """A choice of the form above a report."""

    name: str
    label: str
    value: str
    options: list[ReportChoice]


class HiddenValue(TypedDict):
    name: str
    value: str


class ReportForm(TypedDict):
    """`since`, `until` and `today` are days; the first two "" of a report without a period. `hidden`: what else the
    address holds. `saveHref`: the page on which all of it is saved under a name."""

    path: str
    since: str
    until: str
    today: str
    fields: list[ReportField]
    hidden: list[HiddenValue]
    saveHref: str


class ReportFigure(TypedDict):
    """`value` in words. `change`: against the period before; `range`: between how many it is; both "" without one."""

    key: str
    label: str
    value: str
    change: str
    range: str
    meaning: str
    example: str


class ColumnMeaning(TypedDict):
    """What the figure of a column is."""

    label: str
    meaning: str
    example: str


class ReportFilter(TypedDict):
    """A value that everything on the page is of; `href` leads to the report without it."""

    text: str
    href: str


class ChosenValues(TypedDict):
    """What the page is filtered by; `href` leads to the report without any of it."""

    filters: list[ReportFilter]
    href: str


class ReportProgressProps(TypedDict):
    """How many days have been computed, in words. `isBlank`: there is nothing beside it yet."""

    title: str
    text: str
    advice: str
    isBlank: bool


class VisitReportProps(TypedDict):
    """`form`: null where there is nothing to choose. `ignored`: parameters of the address that were not understood.
    `columns`: what those figures of the rows mean that are not in `figures`. `empty`: why there is nothing, else "".
    `csvHref`, `parquetHref`: all rows as a file, null without any. `builtAt`: when the figures were last computed.
    `progress`: while days that the report reads are still to be computed. `refreshS`: after so many seconds the page
    loads itself again."""

    title: str
    heading: str
    about: str
    reports: list[ReportLinkGroup]
    presets: list[ReportLink]
    form: ReportForm | None
    ignored: list[str]
    chosen: ChosenValues | None
    figures: list[ReportFigure]
    chart: ChartProps
    levels: list[ReportLink]
    table: ShortTable
    columns: list[ColumnMeaning]
    pages: PageLinks
    csvHref: str | None
    parquetHref: str | None
    empty: str
    notes: list[str]
    builtAt: NotRequired[datetime]
    progress: NotRequired[ReportProgressProps]
    refreshS: NotRequired[int]
