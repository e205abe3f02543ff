"""Records how a check of the chain ended."""

from sqlalchemy.orm import Session

from domain.audit.recording import Subject, record
from domain.audit.verification import Verification

ACTION = "audit.check"
_SUBJECT = Subject("audit", "chain")


def record_check(session: Session, result: Verification) -> None:
    """Record how a check ended."""
    record(session, ACTION, _SUBJECT, after={"checked": result.checked, "wrong": result.wrong})
