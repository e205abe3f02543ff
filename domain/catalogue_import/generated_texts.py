"""Texts for courses that come without: plain sentences of what the row says, nothing it does not say."""

import textwrap
from dataclasses import dataclass
from datetime import datetime

_COURSE = {
    "beginner": "a course for beginners",
    "intermediate": "an intermediate course",
    "advanced": "an advanced course",
    "all": "a course for all levels",
}
_READERS = {
    "beginner": "for beginners",
    "intermediate": "at intermediate level",
    "advanced": "at advanced level",
    "all": "for all levels",
}
# The name stands in a Markdown text and must read as it is.
_MARKDOWN = str.maketrans({sign: "\\" + sign for sign in "\\`*_[]<>"})


@dataclass(frozen=True)
class Known:
    """What a row says about a course."""

    name: str
    subject: str
    level: str
    minutes: int
    lessons: int
    published: datetime | None


def subtitle(known: Known) -> str:
    """One line: Learn Web Development with “HTML from Scratch”: 51 lessons for beginners, 1.5 hours."""
    facts = [_counted(known.lessons, "lesson")] if known.lessons else []
    facts += [hours(known.minutes)] if known.minutes else []
    first, *others = facts or ["a course"]
    about = ", ".join([f"{first} {_READERS[known.level]}", *others])
    return f"Learn {_short(known.subject)} with “{_short(known.name)}”: {about}."


def description(known: Known) -> str:
    """Two or three sentences of Markdown."""
    sentences = [f"“{known.name.translate(_MARKDOWN)}” is {_COURSE[known.level]} in {known.subject}."]
    if known.lessons and known.minutes:
        takes = f"It has {_counted(known.lessons, 'lesson')} and takes about {hours(known.minutes)} in all."
        sentences.append(takes)
    elif known.minutes:
        sentences.append(f"It takes about {hours(known.minutes)}.")
    if known.published:
        sentences.append(f"It was first published on {_day(known.published)}.")
    return " ".join(sentences)


def item_subtitle(name: str, item_kind: str, subject: str) -> str:
    noun = {"book": "A book", "voucher": "A voucher", "bundle": "A bundle of courses"}.get(item_kind, "An article")
    return f"{noun} on {_short(subject)}: {_short(name)}."


def hours(minutes: int) -> str:
    """90 -> "1.5 hours", 35 -> "35 minutes"."""
    if minutes < 60:
        return _counted(minutes, "minute")
    number = f"{minutes / 60:.1f}".removesuffix(".0")
    return "1 hour" if number == "1" else f"{number} hours"


def _short(text: str) -> str:
    # A subtitle has 500 characters for both.
    return text if len(text) <= 200 else textwrap.shorten(text, 200, placeholder="…")


def _counted(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"


def _day(at: datetime) -> str:
    # %B would follow the machine's locale.
    return f"{at.day} {_MONTHS[at.month - 1]} {at.year}"


_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
