"""What is known of the chain: its last number, and how the last check ended."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.audit.checks import ACTION
from domain.audit.recording import CHAIN, CHAIN_ID, EVENTS
from domain.database.prepared_select import PreparedSelect, first_number

_LAST = PreparedSelect(select(CHAIN.c.number).where(CHAIN.c.id == CHAIN_ID), first_number)
_LAST_CHECK: PreparedSelect[Sequence[Any]] = PreparedSelect(
    select(EVENTS.c.occurred_at, EVENTS.c.after)
    .where(EVENTS.c.action == ACTION)
    .order_by(EVENTS.c.number.desc())
    .limit(1),
    tuple,
)


@dataclass(frozen=True)
class ChainCheck:
    """`checked`: number of the last event that was right. `wrong`: number of the first one that was not."""

    at: datetime
    checked: int
    wrong: int | None


def chain_state(session: Session) -> tuple[int, ChainCheck | None]:
    """The number of the newest event, and the last check; None before there was one."""
    last = next(iter(_LAST.all(session)), 0)
    for occurred_at, after in _LAST_CHECK.all(session):
        return last, ChainCheck(occurred_at, after["checked"], after.get("wrong"))
    return last, None
