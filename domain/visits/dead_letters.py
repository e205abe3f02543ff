"""Dead letters: rows of visits that could not be stored. They are listed, replayed and deleted after a time.

One whose visits are stored stays until then, and is not replayed again."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, String, delete, or_, select, type_coerce
from sqlalchemy.orm import Session

from contracts.payloads import MalformedPayload, NewerPayload, decode_visits
from contracts.tasks import Task
from domain.database.database import affected_rows
from domain.errors import DomainError
from domain.tables import DeadLetter
from domain.visits.visits import ANONYMOUS, try_store

StoredLetter = DeadLetter
# A flood of malformed messages must not fill the database.
MAX_LETTERS = 100_000
# A transaction that deletes or replays more would make others wait.
BATCH = 1000
IS_WAITING = DeadLetter.replayed_at.is_(None)


class NoSuchLetter(DomainError):
    """There is no dead letter with this id."""


@dataclass(frozen=True)
class Replayed:
    """`last_id`: of the last letter that was tried; 0 when there was none."""

    stored: int
    failed: int
    last_id: int


def newest(session: Session, limit: int) -> list[StoredLetter]:
    """Those that still wait."""
    waiting = select(DeadLetter).where(IS_WAITING)
    return list(session.scalars(waiting.order_by(DeadLetter.id.desc()).limit(limit)))


def require_existing(session: Session, ids: Collection[int]) -> None:
    """Raises NoSuchLetter."""
    known = set(session.scalars(select(DeadLetter.id).where(DeadLetter.id.in_(ids), IS_WAITING)))
    if missing := sorted(set(ids) - known):
        numbers = ", ".join(str(number) for number in missing)
        raise NoSuchLetter(f"There is no dead letter {numbers}; `dead-letters list` shows them. Nothing was replayed.")


def replay(session: Session, ids: Collection[int] | None, at: datetime, after_id: int = 0) -> Replayed:
    """Store the visits of at most BATCH waiting letters (None: of all) with an id above `after_id`.

    A letter that fails again goes on waiting, with its new error. Visits that are stored already change nothing.
    """
    chosen = () if ids is None else (DeadLetter.id.in_(ids),)
    return replay_where(session, at, DeadLetter.id > after_id, *chosen)


def replay_where(session: Session, at: datetime, *conditions: ColumnElement[bool]) -> Replayed:
    """The same for the letters that meet the conditions. They are locked: two who replay one letter at the same time do
    it one after the other, and the second finds that it does not wait any more."""
    chosen = select(DeadLetter).where(IS_WAITING, *conditions).order_by(DeadLetter.id).limit(BATCH)
    letters = list(session.scalars(chosen.with_for_update()))
    stored = sum(_replay(session, letter, at) for letter in letters)
    session.flush()
    return Replayed(stored, len(letters) - stored, letters[-1].id if letters else 0)


def _replay(session: Session, letter: DeadLetter, at: datetime) -> bool:
    if letter.task != Task.STORE_VISITS:
        return False
    reasons = [reason for row in _rows(letter) if (reason := try_store(session, row))]
    if reasons:
        letter.error = reasons[0]
        return False
    letter.replayed_at = at
    return True


def _rows(letter: DeadLetter) -> list[Any]:
    """A letter is one visit, or a whole batch whose form an older build did not know."""
    try:
        return decode_visits(letter.body).rows
    except (MalformedPayload, NewerPayload):
        return [letter.body]


def delete_old(session: Session, before: datetime) -> int:
    """Delete at most BATCH letters that are older than that, or in excess of MAX_LETTERS. Returns their number."""
    newest_first = select(DeadLetter.id).order_by(DeadLetter.id.desc())
    excess = list(session.scalars(newest_first.offset(MAX_LETTERS).limit(BATCH)))
    old = list(session.scalars(select(DeadLetter.id).where(DeadLetter.failed_at < before).limit(BATCH)))
    return affected_rows(session, delete(DeadLetter).where(DeadLetter.id.in_({*excess, *old})))


def make_anonymous(session: Session, learner_id: int) -> int:
    """Remove what identifies a learner from the visits in all letters, as from stored ones. Returns how many letters
    changed. Of their errors the class is kept: the rest may quote the visit."""
    # The text that json.dumps has written into the column; the comparison of whole values follows.
    text = type_coerce(DeadLetter.body, String)
    mentions = or_(*(text.contains(f'"{name}": {learner_id}') for name in _LEARNER_FIELDS))
    count = 0
    for letter in session.scalars(select(DeadLetter).where(mentions)):
        body = _without_learner(letter.body, learner_id)
        if body != letter.body:
            letter.body, letter.error = body, letter.error.partition(":")[0]
            count += 1
    return count


_LEARNER_FIELDS = ("learner_id", "claimed_id")


def _without_learner(value: Any, learner_id: int) -> Any:
    """A dead letter is JSON of any form: a visit, a batch, or something that no build can read."""
    if isinstance(value, list):
        return [_without_learner(item, learner_id) for item in value]
    if not isinstance(value, dict):
        return value
    if any(value.get(name) == learner_id for name in _LEARNER_FIELDS):
        value = {name: ANONYMOUS.get(name, kept) for name, kept in value.items()}
    return {name: _without_learner(item, learner_id) for name, item in value.items()}
