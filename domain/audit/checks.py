"""Records how a check of the chain ended, and where the next one goes on."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.audit.recording import EVENTS, Subject, record
from domain.audit.verification import Verification

ACTION = "audit.check"
_SUBJECT = Subject("audit", "chain")


def record_check(session: Session, result: Verification) -> None:
    """Record how a check ended, also one that had not enough time for all events."""
    is_whole = result.is_complete or result.wrong is not None
    # `goes_on`: where the next check goes on after one that was cut off.
    after = {"checked": result.checked, "wrong": result.wrong, "goes_on": None if is_whole else result.checked}
    record(session, ACTION, _SUBJECT, after=after)


def unchecked_since(session: Session) -> int:
    """The number of the event after which a check goes on: 0, unless the last one was cut off."""
    query = select(EVENTS.c.after).where(EVENTS.c.action == ACTION).order_by(EVENTS.c.number.desc()).limit(1)
    last = session.scalar(query) or {}
    return int(last.get("goes_on") or 0)
