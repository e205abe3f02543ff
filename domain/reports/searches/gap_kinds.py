"""The kinds of content gaps: what each lists, from how many on, and what to do about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class GapKind(StrEnum):
    NOTHING_FOUND = "nothing-found"
    NOT_FOLLOWED = "not-followed"
    UNKNOWN = "unknown"
    BOUNCES = "bounces"
    RETIRED = "retired"


@dataclass(frozen=True)
class GapDescription:
    """`heading`: of the column of its rows; `figure`: the key of the figure that counts its gaps, `label` its name;
    `columns`: figures of a row; `advice`: what to do about such a gap."""

    heading: str
    figure: str
    label: str
    columns: tuple[str, ...]
    advice: str


MIN_EMPTY_SEARCHES, MIN_UNFOLLOWED = 2, 5
MIN_SESSIONS = 3
MIN_ENTRANCES, MIN_BOUNCE_PERCENT = 50, 80
GAPS: Mapping[GapKind, GapDescription] = {
    GapKind.NOTHING_FOUND: GapDescription(
        "Search that finds nothing",
        "nothingFound",
        "Searches that find nothing",
        ("searches", "noResults"),
        "Create a course for it, write its words into the text of one that fits, or dismiss it.",
    ),
    GapKind.NOT_FOLLOWED: GapDescription(
        "Search that nobody follows",
        "notFollowed",
        "Searches that nobody follows",
        ("searches", "inSessions", "abandoned"),
        "See what it finds: the names of these courses may not say what people look for.",
    ),
    GapKind.UNKNOWN: GapDescription(
        "Address that leads nowhere",
        "unknownPaths",
        "Addresses that lead nowhere",
        ("sessions",),
        "Correct the link that leads there, or give a course this address for a moment: then the address leads to it.",
    ),
    GapKind.BOUNCES: GapDescription(
        "Page that people leave at once",
        "bouncing",
        "Pages that people leave at once",
        ("entrances", "bounceRate"),
        "Read the page as somebody who comes from outside, and improve its first lines, price or picture.",
    ),
    GapKind.RETIRED: GapDescription(
        "Retired page that is still visited",
        "retiredPages",
        "Retired pages still visited",
        ("sessions", "visits"),
        "Choose a successor: visitors and search engines are then led there.",
    ),
}
