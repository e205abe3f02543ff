"""Dead rows of the outbox and dead letters that a command replays: by number, or all of them, recorded."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.outbox import outbox_rows
from domain.visits import dead_letters
from domain.visits.dead_letters import Replayed

MAX_RECORDED = 100


def replay_rows(session: Session, ids: Collection[int] | None, topic: str | None, at: datetime) -> int:
    """Queue dead rows again, all of them (or of `topic`) for `ids` None. For `Database.write_as`. Raises
    NotReplayable."""
    count = outbox_rows.replay_all(session, topic, at) if ids is None else outbox_rows.replay(session, ids, at)
    _record(session, "outbox.replay", Subject("outbox", topic or "all"), count, ids)
    return count


def replay_letters(session: Session, ids: Collection[int] | None, at: datetime, after_id: int) -> Replayed:
    """Store the visits of the next waiting letters again, of all for `ids` None. For `Database.write_as`."""
    done = dead_letters.replay(session, ids, at, after_id)
    _record(session, "dead_letters.replay", Subject("dead_letters", "all"), done.stored, ids)
    return done


def _record(session: Session, action: str, subject: Subject, count: int, ids: Collection[int] | None) -> None:
    if not count:
        recording.no_change(session)
        return
    named = {} if ids is None else {"ids": sorted(ids)[:MAX_RECORDED]}
    recording.record(session, action, subject, after={"replayed": count, **named})
