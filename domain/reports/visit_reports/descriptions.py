"""What a report is: what it lists, by what, and with which figures; and those that are sums of days of visits."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from domain.reports.visit_reports.figures import DEFINITIONS, FIGURES, Figure
from domain.visits.days.day_files import GROUP_DIMENSIONS
from domain.visits.days.figures import HOURLY, OTHER

# Rows that are times, not values of a dimension.
DAY, HOUR = "day", "hour"
TIMES: Mapping[str, str] = MappingProxyType({DAY: "Day", HOUR: "Hour"})
DEFAULT_DAYS = 28
# What sessions, and what pages, can be filtered by.
SESSION_FILTERS = (*GROUP_DIMENSIONS, "landing")
PAGE_FILTERS = ("channel", "source", "campaign", "coupon", "partner", "device", "path", "page")
_FUNNEL = ("products", "carts", "checkouts", "orders", "payments", "conversion")
_SESSION = ("sessions", "visits", "bounceRate", "averageTime", *_FUNNEL)
_SHOWN = ("sessions", "visits", "bounceRate", "averageTime", "orders", "conversion")


@dataclass(frozen=True)
class ReportChoice:
    """A parameter of its own that a report has, such as a model: `options` are its values and their labels, the first
    is the usual one."""

    name: str
    label: str
    options: Mapping[str, str]


@dataclass(frozen=True)
class ReportDescription:
    """`levels`: what its rows may be of (dimensions, or times), with the heading of that column; the first is the usual
    one. `columns`: figures of a row, `columns_by` those of a level that has others; `shown`: figures above the table;
    `charted`: those of the points of the chart, which draws the first. Without any it draws the first of `shown`.

    Reports that are no sums of days of visits say more. `figures` and `definitions`: the table and the file of their
    own figures. `words`: columns of text before the figures, key -> heading. `choices`: parameters of their own.
    `strip`: the heading of a line that has a mark for all that happened, "": there is none. `has_money`: amounts are in
    one currency, which can be chosen. `has_period`, `has_audience`, `has_comparison`: whether they have these
    parameters; without a period they show the state of now. `is_drilled`: a row leads to the report of its value.
    `compared`: the figure of a row whose earlier value is shown beside it. `first_sort`: the usual order of values,
    `first_sort_by` that of a level that has another. `usual_days`: the usual period. `group`: the heading above its
    link. `chosen_levels`: what the rows of a chosen value may be of, () as of days of visits; `unchosen`: levels whose
    rows are no values that can be chosen. `filters`: the dimensions that several values can be chosen of at once, which
    files of days then answer; without any, one value of its own levels."""

    name: str
    title: str
    about: str
    levels: Mapping[str, str]
    columns: tuple[str, ...] = _SESSION
    shown: tuple[str, ...] = _SHOWN
    columns_by: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    charted: tuple[str, ...] = ()
    figures: Mapping[str, Figure] = field(default_factory=lambda: FIGURES)
    definitions: Path = DEFINITIONS
    words: Mapping[str, str] = field(default_factory=dict)
    strip: str = ""
    choices: tuple[ReportChoice, ...] = ()
    has_money: bool = False
    has_period: bool = True
    has_audience: bool = True
    has_comparison: bool = True
    is_drilled: bool = True
    compared: str = "sessions"
    first_sort: str = "-sessions"
    first_sort_by: Mapping[str, str] = field(default_factory=dict)
    usual_days: int = DEFAULT_DAYS
    group: str = "Visits"
    chosen_levels: tuple[str, ...] = ()
    unchosen: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()

    def columns_of(self, level: str) -> tuple[str, ...]:
        return self.columns_by.get(level, self.columns)

    @property
    def series_columns(self) -> tuple[str, ...]:
        """The figures of a point of the series."""
        return self.charted or self.columns

    @property
    def dimensions(self) -> tuple[str, ...]:
        return tuple(level for level in self.levels if level not in TIMES)

    @property
    def choosable(self) -> tuple[str, ...]:
        """The dimensions whose values everything can be of."""
        own = (level for level in self.dimensions if self.is_drilled and level not in self.unchosen)
        return self.filters or tuple(own)


REPORTS: Mapping[str, ReportDescription] = {
    report.name: report
    for report in (
        ReportDescription(
            "overview",
            "Visits",
            "How many people came, and how far they got.",
            dict(TIMES),
            filters=SESSION_FILTERS,
        ),
        ReportDescription(
            "sources",
            "Sources",
            "Where sessions came from, by their first visit.",
            {
                "channel": "Channel",
                "source": "Source",
                "referrer": "Referring site",
                "engine": "Search engine",
                "assistant": "Assistant",
            },
            filters=SESSION_FILTERS,
        ),
        ReportDescription(
            "campaigns",
            "Campaigns",
            "Sessions by source, medium and campaign of the link that was followed.",
            {"campaign": "Source / medium / campaign"},
            filters=SESSION_FILTERS,
        ),
        ReportDescription(
            "landing",
            "Landing pages",
            "Sessions by the first page that was seen.",
            {"landing": "Landing page"},
            filters=SESSION_FILTERS,
        ),
        ReportDescription(
            "pages",
            "Pages",
            "Pages that were opened, and in how many sessions.",
            {"path": "Address", "page": "Kind of page"},
            ("visits", "sessions"),
            ("visits", "sessions"),
            first_sort="-visits",
            filters=PAGE_FILTERS,
        ),
        ReportDescription(
            "devices",
            "Devices",
            "Sessions by the browser that was used.",
            {"device": "Device", "agent": "Browser"},
            filters=SESSION_FILTERS,
        ),
    )
}
OVERVIEW = REPORTS["overview"]
# Values of one dimension that a chosen value of another consists of, exactly.
PARTS: Mapping[tuple[str, str], str] = {("channel", "search"): "engine", ("channel", "assistant"): "assistant"}
# Dimensions that no report lists.
_OTHER_NAMES = {"coupon": "Coupon", "special": "Special offer", "student": "Student number", "partner": "Partner"}
CHANNELS = {
    "paid": "Paid links",
    "partner": "Links of partners",
    "student": "Links of students",
    "email": "Email",
    "assistant": "Assistants",
    "campaign": "Other campaigns",
    "search": "Search engines",
    "social": "Social networks",
    "referral": "Other sites",
    "direct": "Direct",
}
_WORDS = {
    OTHER: "All others",
    "(none)": "None",
    "(unknown)": "Unknown",
    "(without session)": "Without a session",
    "(erased)": "Erased",
    "- / - / -": "No campaign",
}


def label_of(dimension: str, key: str) -> str:
    """A stored value in words; visitors' texts never begin with a bracket."""
    names = CHANNELS if dimension == "channel" else {"mobile": "Phone or tablet", "desktop": "Computer"}
    if dimension in ("channel", "device") and key in names:
        return names[key]
    return _WORDS.get(key, key)


def is_hourly(dimension: str) -> bool:
    return dimension in HOURLY


def name_of(dimension: str) -> str:
    names = (report.levels[dimension] for report in REPORTS.values() if dimension in report.levels)
    return _OTHER_NAMES.get(dimension) or next(names)
