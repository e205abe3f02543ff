"""The kinds of content gaps: what each lists, from how many on, and what to do about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class GapKind(StrEnum):
    NO_RESULTS = "no-results"
    NOT_FOLLOWED = "not-followed"
    UNKNOWN = "unknown"
    BOUNCES = "bounces"
    RETIRED = "retired"


@dataclass(frozen=True)
class GapDescription:
    """`label`: its name, in few words for a bar of the chart; `figure`: the key of the figure that counts its gaps;
    `columns`: figures of a row; `advice`: what to do about such a gap."""

    label: str
    figure: str
    columns: tuple[str, ...]
    advice: str


MIN_EMPTY_SEARCHES, MIN_UNFOLLOWED = 2, 5
MIN_SESSIONS = 3
MIN_ENTRANCES, MIN_BOUNCE_PERCENT = 50, 80
GAPS: Mapping[GapKind, GapDescription] = {
    GapKind.NO_RESULTS: GapDescription(
        "Nothing found",
        "nothingFound",
        ("searches", "noResults"),
        "Create a course for it, write its words into the text of one that fits, or dismiss it.",
    ),
    GapKind.NOT_FOLLOWED: GapDescription(
        "Never followed",
        "notFollowed",
        ("searches", "inSessions", "abandoned"),
        "See what it finds: the names of these courses may not say what people look for.",
    ),
    GapKind.UNKNOWN: GapDescription(
        "No such page",
        "unknownPaths",
        ("sessions",),
        "Correct the link that leads there. A course that has this address for a moment is found by it ever after.",
    ),
    GapKind.BOUNCES: GapDescription(
        "Left at once",
        "bouncing",
        ("entrances", "bounceRate"),
        "Read the page as somebody who comes from outside, and improve its first lines, price or picture.",
    ),
    GapKind.RETIRED: GapDescription(
        "Retired",
        "retiredPages",
        ("sessions", "visits"),
        "Choose a successor: visitors and search engines are then led there.",
    ),
}
