"""Named places at which an experiment kills the process, as `kill -9` would: between two steps of selling or learning.

Nothing happens unless a process arms one of them, which only development does (setting KILL_AT).
"""

import os
import signal

NAMES = frozenset(
    {
        "place.read",
        "place.written",
        "place.committed",
        "open.sent",
        "open.answered",
        "open.stored",
        "event.verified",
        "event.stored",
        "settle.retrieved",
        "settle.written",
        "settle.committed",
        "late.rolled_back",
        "refund.committed",
        "refund.sent",
        "refund.answered",
        "email.accepted",
        "progress.recorded",
        "job.worked",
        "job.committed",
        "rollup.computed",
        "rollup.written",
        "retention.computed",
        "retention.finalised",
        "retention.deleted",
        "retention.hours",
        "retention.visitors",
        "retention.signs",
        "report_mail.computed",
        "report_mail.written",
        "report_mail.committed",
    }
)
# Fault point -> how many times it may still be passed, the fatal one included.
_armed: dict[str, int] = {}


def parse(text: str) -> tuple[str, int]:
    """Fault point and time of `name` or `name:n`. Raises ValueError, which says what is accepted."""
    name, colon, number = text.partition(":")
    is_time = number.isascii() and number.isdigit() and int(number) > 0
    if name not in NAMES or (colon and not is_time):
        raise ValueError(f"one of {', '.join(sorted(NAMES))}, with a time from 1 on such as place.written:3")
    return name, int(number or 1)


def arm(text: str) -> None:
    """Kill this process at `name`, or at the n-th time with `name:n`; "" disarms. Raises ValueError for other texts."""
    _armed.clear()
    if text:
        name, times = parse(text)
        _armed[name] = times


def hit(name: str) -> None:
    """The process passes the fault point `name`, and ends here if that is the armed time. Raises ValueError for an
    unknown name while any point is armed."""
    if not _armed:
        return
    if name not in NAMES:
        raise ValueError(f"{name!r} is not a fault point")
    if name in _armed:
        _armed[name] -= 1
        if not _armed[name]:
            os.kill(os.getpid(), signal.SIGKILL)
