"""How pages name seats, their states, and when something was last done with one."""

from datetime import datetime

from domain.display_text import count_text
from host.loaders.ui.table_cells import BadgeTone

PATH = "/organization/seats"
NOT_SHARED = "Not shared"
NOT_STARTED = "Not started"
STATES: dict[str, tuple[str, BadgeTone]] = {
    "free": ("Free", "neutral"),
    "reserved": ("Invited", "info"),
    "active": ("In use", "good"),
    "spent": ("Completed", "good"),
}


def seat_name(number: int) -> str:
    return f"Seat {count_text(number)}"


def week_text(at: datetime | None) -> str:
    """Such as 2026-W48: what members agree to is no more exact."""
    if at is None:
        return NOT_STARTED
    # A tenth of what a format of the time takes.
    year, week, _ = at.isocalendar()
    return f"{year}-W{week:02}"


def last_use(state: str, at: datetime | None) -> str | None:
    """The week in which the holder of a seat did something last. None for a course that staff completed by hand: it was
    never started, and is not waited for."""
    return None if state == "spent" and at is None else week_text(at)
