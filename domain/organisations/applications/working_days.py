"""Working days: Monday to Friday, in UTC; holidays differ by country and are not known here."""

from datetime import datetime, timedelta

# An applicant has our answer within so many.
PROMISED_DAYS = 2
_SATURDAY = 5


def due_at(since: datetime) -> datetime:
    """When the promise ends: at the same time of day, PROMISED_DAYS working days later. What comes at a weekend counts
    as come on Monday at midnight."""
    moment = since
    while moment.weekday() >= _SATURDAY:
        moment = (moment + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    for _ in range(PROMISED_DAYS):
        moment += timedelta(days=1)
        while moment.weekday() >= _SATURDAY:
            moment += timedelta(days=1)
    return moment


def working_days_left(due: datetime, at: datetime) -> int:
    """Whole working days until then, counted by day: 0 on the last day, negative once it is over."""
    first, last, sign = (at.date(), due.date(), 1) if at <= due else (due.date(), at.date(), -1)
    days = sum((first + timedelta(days=number)).weekday() < _SATURDAY for number in range(1, (last - first).days + 1))
    return days if sign > 0 else -max(1, days)
