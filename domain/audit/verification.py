"""Checks the chain of events: one that was changed, removed or inserted afterwards is found, the last one too."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.audit.recording import CHAIN, CHAIN_ID, EVENTS, hash_of

BATCH = 1_000


@dataclass(frozen=True)
class Verification:
    """`checked`: number of the last event that is as it was appended, 0 for none. `wrong`: number of the first that is
    not, None so far. `last`: number of the last event of the chain."""

    checked: int
    wrong: int | None
    last: int

    @property
    def is_complete(self) -> bool:
        return self.wrong is None and self.checked == self.last


def verify(session: Session, after: int = 0, limit: int | None = None) -> Verification:
    """Check the events after the number `after`, which was checked before; at most `limit` of them. Only the check of
    the last event can tell that events behind it are missing."""
    last, last_hash = _end(session)
    number, previous = after, _hash_at(session, after)
    if previous is None:
        return Verification(max(after - 1, 0), after, last)
    query = select(EVENTS).where(EVENTS.c.number > after).order_by(EVENTS.c.number)
    rows = session.execute(query.limit(limit), execution_options={"yield_per": BATCH}).mappings()
    for row in rows:
        if row["number"] != number + 1 or row["previous_hash"] != previous or row["hash"] != hash_of(row):
            return Verification(number, number + 1, last)
        number, previous = row["number"], row["hash"]
    is_end = limit is None or number < after + limit or number >= last
    is_wrong = number > last or (is_end and (number, previous) != (last, last_hash))
    return Verification(min(number, last), min(number, last) + 1 if is_wrong else None, last)


def _end(session: Session) -> tuple[int, str]:
    query = select(CHAIN.c.number, CHAIN.c.hash).where(CHAIN.c.id == CHAIN_ID)
    row = session.execute(query).one_or_none()
    return (0, "") if row is None else (row.number, row.hash)


def _hash_at(session: Session, number: int) -> str | None:
    if number == 0:
        return ""
    return session.scalar(select(EVENTS.c.hash).where(EVENTS.c.number == number))
