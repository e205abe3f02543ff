"""What is known of the chain: its last number, and how the last check ended."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.audit.recording import CHAIN, CHAIN_ID, EVENTS, Subject, record
from domain.audit.verification import Verification

_ACTION, _SUBJECT = "audit.verify", Subject("audit", "chain")


@dataclass(frozen=True)
class ChainCheck:
    """`checked`: number of the last event that was right. `wrong`: number of the first one that was not."""

    at: datetime
    checked: int
    wrong: int | None


def record_check(session: Session, result: Verification) -> None:
    """Record how a check ended."""
    record(session, _ACTION, _SUBJECT, after={"checked": result.checked, "wrong": result.wrong})


def chain_state(session: Session) -> tuple[int, ChainCheck | None]:
    """The number of the newest event, and the last check; None before there was one."""
    last = session.scalar(select(CHAIN.c.number).where(CHAIN.c.id == CHAIN_ID)) or 0
    query = select(EVENTS.c.occurred_at, EVENTS.c.after).where(EVENTS.c.action == _ACTION)
    row = session.execute(query.order_by(EVENTS.c.number.desc()).limit(1)).one_or_none()
    if row is None:
        return last, None
    return last, ChainCheck(row.occurred_at, row.after["checked"], row.after.get("wrong"))
