"""Dead letters as staff see them: visits that could not be stored, each with its reason; replaying, dropping them."""

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, delete, func, or_, select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.database.database import affected_rows
from domain.database.list_page import ListSource
from domain.errors import InvalidInput, NotFound
from domain.tables import DeadLetter
from domain.visits import dead_letters
from domain.visits.dead_letters import IS_WAITING, Replayed

_letters = DeadLetter.__table__.c
MAX_REASON = 500


# Characters of an error that a list reads: more than the name of a class.
CAUSE_LENGTH = 200


class LetterRow(NamedTuple):
    """One message, without the message: its body may be long, and a list is read on the event loop. `error`: the class
    of the error and what it says, which may quote the message; in a list its first CAUSE_LENGTH characters."""

    id: int
    failed_at: datetime
    task: str
    error: str
    replayed_at: datetime | None

    @property
    def cause(self) -> str:
        """The class of the error: what letters that failed alike have in common."""
        return self.error.partition(":")[0].strip()


def _has_cause(cause: str) -> ColumnElement[bool]:
    """No index: there are at most dead_letters.MAX_LETTERS."""
    return or_(_letters.error == cause, _letters.error.startswith(f"{cause}:", autoescape=True))


def _columns(error: ColumnElement[str]) -> Select[Any]:
    return select(*(_letters.id, _letters.failed_at, _letters.task, error, _letters.replayed_at))


STATES: dict[str, ColumnElement[bool]] = {
    "waiting": _letters.replayed_at.is_(None),
    "replayed": _letters.replayed_at.is_not(None),
}
LETTERS = ListSource(
    rows=_columns(func.substr(_letters.error, 1, CAUSE_LENGTH)),
    make=LetterRow._make,
    key=_letters.id,
    filters={
        "state": STATES.__getitem__,
        "task": _letters.task.__eq__,
        "reason": lambda text: _has_cause(text.partition(":")[0].strip()),
    },
    only_grows=True,
)


def letter(session: Session, letter_id: int) -> LetterRow:
    """Raises NotFound."""
    row = session.execute(_columns(_letters.error).where(_letters.id == letter_id)).one_or_none()
    if row is None:
        raise NotFound("There is no such dead letter.")
    return LetterRow._make(row)


def body_of(session: Session, letter_id: int) -> Any:
    """The message of a letter that is there."""
    return session.scalars(select(_letters.body).where(_letters.id == letter_id)).one()


def count_alike(session: Session, found: LetterRow) -> int:
    """Waiting letters of its task and cause, itself included; at most dead_letters.BATCH + 1."""
    alike = select(_letters.id).where(IS_WAITING, _letters.task == found.task, _has_cause(found.cause))
    return len(session.scalars(alike.limit(dead_letters.BATCH + 1)).all())


def replay(session: Session, letter_id: int, at: datetime) -> Replayed:
    """Store the visits of one letter; again it changes nothing. For `Database.write_as`. Raises NotFound."""
    letter(session, letter_id)
    return _recorded(session, letter_id, dead_letters.replay_where(session, at, _letters.id == letter_id))


def replay_alike(session: Session, letter_id: int, at: datetime) -> Replayed:
    """Store the visits of the waiting letters with the task and cause of this one, at most dead_letters.BATCH. For
    `Database.write_as`. Raises NotFound."""
    found = letter(session, letter_id)
    alike = (_letters.task == found.task, _has_cause(found.cause))
    return _recorded(session, letter_id, dead_letters.replay_where(session, at, *alike))


def _recorded(session: Session, letter_id: int, result: Replayed) -> Replayed:
    if result.last_id:
        after = {"stored": result.stored, "failed": result.failed}
        recording.record(session, "dead_letter.replay", Subject("dead_letter", letter_id), after=after)
    else:
        recording.no_change(session)
    return result


def drop(session: Session, letter_id: int, reason: str) -> None:
    """Delete a letter for good. For `Database.write_as`. `reason`: recorded. Raises InvalidInput, NotFound."""
    text = " ".join(reason.split())
    if not text or len(text) > MAX_REASON:
        raise InvalidInput({"reason": f"Say why, in at most {MAX_REASON} characters: it is recorded."})
    found = letter(session, letter_id)
    affected_rows(session, delete(DeadLetter).where(DeadLetter.id == letter_id))
    before = {"task": found.task, "cause": found.cause, "failed_at": found.failed_at}
    recording.record(session, "dead_letter.drop", Subject("dead_letter", letter_id), before=before, reason=text)
