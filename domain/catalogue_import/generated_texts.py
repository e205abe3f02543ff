"""Texts for courses without any: plain sentences from the facts of the row and nothing else."""

import textwrap
from dataclasses import dataclass
from datetime import datetime

from domain.display_text import day_text, short_text
from domain.text_direction import isolated

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
# Escapes Markdown in a name.
_MARKDOWN = str.maketrans({symbol: "\\" + symbol for symbol in "\\`*_[]<>"})


@dataclass(frozen=True)
class ImportedCourseFacts:
    """The facts about a course in a row."""

    name: str
    subject: str
    level: str
    minutes: int
    published: datetime | None


def subtitle(facts: ImportedCourseFacts) -> str:
    """One line: Learn Web Development with “HTML from Scratch”: 1.5 hours for beginners."""
    amount = hours(facts.minutes) if facts.minutes else "a course"
    name, subject = (isolated(_short(text)) for text in (facts.name, facts.subject))
    return f"Learn {subject} with “{name}”: {amount} {_READERS[facts.level]}."


def description(facts: ImportedCourseFacts) -> str:
    """Two or three sentences of Markdown."""
    name, subject = isolated(facts.name.translate(_MARKDOWN)), isolated(facts.subject)
    sentences = [f"“{name}” is {_COURSE[facts.level]} in {subject}."]
    if facts.minutes:
        sentences.append(f"It takes about {hours(facts.minutes)}.")
    if facts.published:
        sentences.append(f"It was first published on {day_text(facts.published)}.")
    return " ".join(sentences)


def item_subtitle(name: str, item_kind: str, subject: str) -> str:
    noun = {"book": "A book", "voucher": "A voucher", "bundle": "A bundle of courses"}.get(item_kind, "An article")
    return f"{noun} on {isolated(_short(subject))}: {isolated(_short(name))}."


def hours(minutes: int) -> str:
    """90 -> "1.5 hours", 35 -> "35 minutes"."""
    if minutes < 60:
        return _count(minutes, "minute")
    number = round(minutes / 60, 1)
    return "1 hour" if number == 1 else f"{short_text(number)} hours"


def _short(text: str) -> str:
    # Name and subject share the 500 characters of a subtitle.
    return text if len(text) <= 200 else textwrap.shorten(text, 200, placeholder="…")


def _count(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"
