"""Addresses of what a learner owns: one path, told apart by its query (docs/contracts.md)."""

from urllib.parse import quote

DASHBOARD = "/user-dashboard"


def course_href(slug: str) -> str:
    return f"{DASHBOARD}?course={quote(slug)}"


def lesson_href(slug: str, lesson_id: int) -> str:
    return f"{DASHBOARD}?course={quote(slug)}&lesson={lesson_id}"
