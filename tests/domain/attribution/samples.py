"""Touchpoints for tests."""

from datetime import datetime, timedelta

from domain.attribution.paths import PathTouchpoint
from tests.support.factories import NOON

DAY = timedelta(days=1)


def touchpoint(name: str, at: datetime = NOON, channel: str = "search", **about: str) -> PathTouchpoint:
    return PathTouchpoint(name, at, channel, is_direct=channel == "direct", **about)


def path_of(channels: str, every: timedelta = DAY) -> tuple[PathTouchpoint, ...]:
    """A touchpoint for each word, the last at NOON; `student` is a direct one with a student number."""
    words = channels.split()
    times = [NOON - every * number for number in reversed(range(len(words)))]
    return tuple(
        touchpoint(f"{number}", at, "direct", student="ada-1")
        if word == "student"
        else touchpoint(f"{number}", at, word)
        for number, (word, at) in enumerate(zip(words, times, strict=True), 1)
    )
