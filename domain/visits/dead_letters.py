"""Dead letters: rows of visits that could not be stored. They are listed, replayed and deleted after a time.

One whose visits are stored stays until then, and is not replayed again."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, String, delete, func, or_, select, type_coerce
from sqlalchemy.orm import Session

from contracts.payloads import MalformedPayload, NewerPayload, decode_visits
from domain.database.database import affected_rows
from domain.errors import DomainError
from domain.tables import DeadLetter
from domain.visits import batches, erased
from domain.visits.visits import LETTER_TASK, try_store

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
    """The newest letters that still wait."""
    waiting = select(DeadLetter).where(IS_WAITING)
    return list(session.scalars(waiting.order_by(DeadLetter.id.desc()).limit(limit)))


def require_existing(session: Session, ids: Collection[int]) -> None:
    """Raise NoSuchLetter when one of these ids is no waiting letter's."""
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
    """Store the visits of at most BATCH waiting letters that meet the conditions. They are locked: two who replay one
    letter at the same time do it one after the other, and the second finds that it does not wait any more."""
    chosen = select(DeadLetter).where(IS_WAITING, *conditions).order_by(DeadLetter.id).limit(BATCH)
    letters = list(session.scalars(chosen.with_for_update()))
    stored = sum(_replay(session, letter, at) for letter in letters)
    session.flush()
    return Replayed(stored, len(letters) - stored, letters[-1].id if letters else 0)


def _replay(session: Session, letter: DeadLetter, at: datetime) -> bool:
    if letter.task != LETTER_TASK:
        return False
    reasons = [reason for row in _rows(letter) if (reason := try_store(session, row).reason)]
    if reasons:
        letter.error = reasons[0]
        return False
    letter.replayed_at = at
    return True


def _rows(letter: DeadLetter) -> list[Any]:
    """A letter is one visit, or a whole batch whose form an older build did not know."""
    try:
        batch = decode_visits(letter.body)
    except (MalformedPayload, NewerPayload):
        return [letter.body]
    return [batches.as_dict(batch.columns, row) for row in batch.rows] if batch.columns else batch.rows


def delete_old(session: Session, before: datetime) -> int:
    """Delete at most BATCH letters that are older than that, or in excess of MAX_LETTERS. Returns their number."""
    newest_first = select(DeadLetter.id).order_by(DeadLetter.id.desc())
    excess = list(session.scalars(newest_first.offset(MAX_LETTERS).limit(BATCH)))
    old = list(session.scalars(select(DeadLetter.id).where(DeadLetter.failed_at < before).limit(BATCH)))
    return affected_rows(session, delete(DeadLetter).where(DeadLetter.id.in_({*excess, *old})))


def make_anonymous(session: Session, learner_id: int) -> int:
    """Remove what identifies a learner from the visits in all letters, as from stored ones. Returns how many letters
    changed. Of their errors the class is kept: the rest may quote the visit."""
    letters = session.scalars(select(DeadLetter).where(_may_mention(learner_id)))
    return sum(_anonymise(letter, {learner_id}) for letter in letters)


def anonymise_late(session: Session, since: datetime) -> int:
    """Remove what identifies learners who have deleted their account from the visits in at most BATCH letters since
    then. Returns how many letters changed."""
    bodies = session.execute(select(DeadLetter.id, DeadLetter.body).where(DeadLetter.failed_at >= since))
    learners = {letter: erased.mentioned_in(body) for letter, body in bodies}
    gone = erased.find_erased(session, set().union(*learners.values()))
    ids = [letter for letter, mentioned in learners.items() if mentioned & gone.keys()][:BATCH]
    letters = session.scalars(select(DeadLetter).where(DeadLetter.id.in_(ids)).with_for_update())
    return sum(_anonymise(letter, gone) for letter in letters)


def erase_number(session: Session, student_number: str) -> None:
    """Remove a student number, which links name, from the visits in all letters."""
    number = erased.pattern_of(student_number)
    text = func.lower(type_coerce(DeadLetter.body, String))
    for letter in session.scalars(select(DeadLetter).where(text.contains(student_number, autoescape=True))):
        body = erased.without_text(letter.body, number)
        if body != letter.body:
            letter.body, letter.error = body, letter.error.partition(":")[0]


def _anonymise(letter: DeadLetter, learners: Collection[int]) -> bool:
    """Whether that changed it."""
    body = erased.without_learners(letter.body, learners)
    if body == letter.body:
        return False
    letter.body, letter.error = body, letter.error.partition(":")[0]
    return True


def _may_mention(learner_id: int) -> ColumnElement[bool]:
    """By the text that json.dumps has written into the column: a field, a value of a list, a text that is no JSON."""
    text = type_coerce(DeadLetter.body, String)
    fields = (f'"{name}": {learner_id}' for name in erased.LEARNER_FIELDS)
    values = (begin + str(learner_id) + end for begin in ("[", " ") for end in (",", "]"))
    return or_(*(text.contains(part) for part in (*fields, *values)), text.like(f'"%{learner_id}%'))
