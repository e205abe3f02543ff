"""The one table of reports about visits: what each lists, by what, and with which figures."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from domain.visits.days.day_files import GROUP_DIMENSIONS
from domain.visits.days.figures import BY_VISIT, HOURLY, OTHER

# Rows that are times, not values of a dimension.
DAY, HOUR = "day", "hour"
TIMES: Mapping[str, str] = MappingProxyType({DAY: "Day", HOUR: "Hour"})
# What sessions, and what pages, can be filtered by.
SESSION_FILTERS = (*GROUP_DIMENSIONS, "landing")
PAGE_FILTERS = ("channel", "source", "campaign", "coupon", "partner", "device", "path", "page")
_FUNNEL = ("products", "carts", "checkouts", "orders", "payments", "conversion")
_SESSION = ("sessions", "visits", "bounceRate", "averageTime", *_FUNNEL)
_SHOWN = ("sessions", "visits", "bounceRate", "averageTime", "orders", "conversion")


@dataclass(frozen=True)
class ReportDescription:
    """`levels`: what its rows may be of (dimensions of visit_days, or times), with the heading of that column; the
    first is the usual one. `columns`: figures of a row; `shown`: those above the table."""

    name: str
    title: str
    about: str
    levels: Mapping[str, str]
    columns: tuple[str, ...] = _SESSION
    shown: tuple[str, ...] = _SHOWN

    @property
    def dimensions(self) -> tuple[str, ...]:
        return tuple(level for level in self.levels if level not in TIMES)

    @property
    def filters(self) -> tuple[str, ...]:
        """The dimensions whose values it can be filtered by: pages by what their file has."""
        return PAGE_FILTERS if set(BY_VISIT).intersection(self.levels) else SESSION_FILTERS


REPORTS: Mapping[str, ReportDescription] = {
    report.name: report
    for report in (
        ReportDescription("overview", "Visits", "How many people came, and how far they got.", dict(TIMES)),
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
        ),
        ReportDescription(
            "campaigns",
            "Campaigns",
            "Sessions by source, medium and campaign of the link that was followed.",
            {"campaign": "Source / medium / campaign"},
        ),
        ReportDescription(
            "landing", "Landing pages", "Sessions by the first page that was seen.", {"landing": "Landing page"}
        ),
        ReportDescription(
            "pages",
            "Pages",
            "Pages that were opened, and in how many sessions.",
            {"path": "Address", "page": "Kind of page"},
            ("visits", "sessions"),
            ("visits", "sessions"),
        ),
        ReportDescription(
            "devices", "Devices", "Sessions by the browser that was used.", {"device": "Device", "agent": "Browser"}
        ),
    )
}
OVERVIEW = REPORTS["overview"]
# Values of one dimension that a chosen value of another consists of, exactly.
PARTS: Mapping[tuple[str, str], str] = {("channel", "search"): "engine", ("channel", "assistant"): "assistant"}
# Dimensions that no report lists.
_OTHER_NAMES = {"coupon": "Coupon", "special": "Special offer", "student": "Student number", "partner": "Partner"}
_CHANNELS = {
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
    "- / - / -": "No campaign",
}


def label_of(dimension: str, key: str) -> str:
    """A stored value in words; visitors' texts never begin with a bracket."""
    names = _CHANNELS if dimension == "channel" else {"mobile": "Phone or tablet", "desktop": "Computer"}
    if dimension in ("channel", "device") and key in names:
        return names[key]
    return _WORDS.get(key, key)


def is_hourly(dimension: str) -> bool:
    return dimension in HOURLY


def name_of(dimension: str) -> str:
    names = (report.levels[dimension] for report in REPORTS.values() if dimension in report.levels)
    return _OTHER_NAMES.get(dimension) or next(names)
