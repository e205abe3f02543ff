"""Addresses of what a learner owns: one path, told apart by its query (docs/contracts.md)."""

from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import quote

DASHBOARD = "/user-dashboard"


# Escaping a slug costs as much as the rest of a link.
@lru_cache(10_000)
def course_href(slug: str) -> str:
    return f"{DASHBOARD}?course={quote(slug)}"


# In the place of a lesson's id: the page that a course ends with.
END = "end"


# In the place of a lesson's id: the lesson with which the learner goes on, the first one of a new course.
NEXT = "next"


def next_href(slug: str) -> str:
    return f"{course_href(slug)}&lesson={NEXT}"


def begin_href(slugs: Sequence[str]) -> str:
    """Where a learner begins who has just got these courses: the lesson of the one, or the page of all of theirs."""
    return next_href(slugs[0]) if len(slugs) == 1 else DASHBOARD


def end_href(slug: str) -> str:
    return f"{course_href(slug)}&lesson={END}"


def lesson_href(slug: str, lesson_id: int) -> str:
    return f"{course_href(slug)}&lesson={lesson_id}"
