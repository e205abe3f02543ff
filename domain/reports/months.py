"""Months of reports, such as 2026-11."""

from datetime import date


def months_over(since: date, today: date) -> list[str]:
    """From the month of `since` to the last one that is over."""
    number, last = since.year * 12 + since.month - 1, today.year * 12 + today.month - 2
    return [f"{value // 12:04}-{value % 12 + 1:02}" for value in range(number, last + 1)]
