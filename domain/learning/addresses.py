"""Addresses of what a learner owns: one path, told apart by its query (docs/contracts.md)."""

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


def end_href(slug: str) -> str:
    return f"{course_href(slug)}&lesson={END}"


def lesson_href(slug: str, lesson_id: int) -> str:
    return f"{course_href(slug)}&lesson={lesson_id}"
