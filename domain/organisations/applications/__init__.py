"""Applications of organisations: sent by their first owner, talked about in a thread, and decided by staff."""

from domain.organisations.applications.applying import (
    MAX_A_DAY,
    UNKNOWN,
    NewApplication,
    answer,
    apply,
    resubmit,
)
from domain.organisations.applications.deciding import approve, ask, decline
from domain.organisations.applications.thread import (
    Application,
    Registration,
    ThreadMessage,
    newest_of,
    own_applications,
    registration,
    thread_of,
)
from domain.organisations.applications.working_days import due_at, working_days_left

__all__ = [
    "MAX_A_DAY",
    "UNKNOWN",
    "Application",
    "NewApplication",
    "Registration",
    "ThreadMessage",
    "answer",
    "apply",
    "approve",
    "ask",
    "decline",
    "due_at",
    "newest_of",
    "own_applications",
    "registration",
    "resubmit",
    "thread_of",
    "working_days_left",
]
