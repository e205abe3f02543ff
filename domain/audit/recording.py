"""Records events in the transaction of the change, and appends them to the chain as its last statements."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from sqlalchemy import Table, insert, select, update
from sqlalchemy.orm import Session

from domain.audit.changes import Fields, JsonFields, changed_fields
from domain.permissions import Actor, SystemActor
from domain.tables import AuditChain, AuditEvent

P = ParamSpec("P")
T = TypeVar("T")

EVENTS, CHAIN = cast("Table", AuditEvent.__table__), cast("Table", AuditChain.__table__)
CHAIN_ID = 1
MAX_REASON_LENGTH = 500
# Key in `session.info` of the events that a function of `run` has recorded so far; None: that it changed nothing.
_RECORDED = "audit"


class NotAudited(RuntimeError):
    """`record` was called in a transaction of `Database.write`: nobody knows who makes the change."""


class UnrecordedChange(RuntimeError):
    """A function of `Database.write_as` called neither `record` nor `no_change`; nothing was committed."""


@dataclass(frozen=True)
class Subject:
    """What an event is about: `kind` is a noun such as "course", `id` that of its row, or its code."""

    kind: str
    id: int | str


@dataclass(frozen=True)
class RecordedEvent:
    """An event that is not yet in the chain. `organisation_id`: whose it is, where the actor's session has none."""

    action: str
    subject: Subject
    before: JsonFields | None = None
    after: JsonFields | None = None
    reason: str = ""
    organisation_id: int | None = None


def record(
    session: Session,
    action: str,
    subject: Subject,
    *,
    before: Fields | None = None,
    after: Fields | None = None,
    reason: str = "",
    organisation_id: int | None = None,
) -> None:
    """Record an event of this transaction, such as "course.publish": it is committed with the change or not at all.

    `before` and `after`: fields of the subject, of which the event has the changed ones; personal values become
    "changed". `reason`: as typed, cut to 500 letters. Raises NotAudited outside of `Database.write_as`, TypeError for a
    value that has no form in JSON.
    """
    old, new = changed_fields(subject.kind, before, after)
    _recorded(session).append(
        RecordedEvent(action, subject, old, new, reason.strip()[:MAX_REASON_LENGTH], organisation_id)
    )


def no_change(session: Session) -> None:
    """Say that this transaction changes nothing that has to be recorded, for example because it was made before.
    Raises NotAudited outside of `Database.write_as`."""
    _recorded(session)
    session.info[_RECORDED].append(None)


@contextmanager
def savepoint(session: Session) -> Iterator[None]:
    """A part of a function of `run` that is rolled back alone when it raises: its events go with its rows. Raises
    NotAudited outside of `Database.write_as`."""
    recorded = _recorded(session)
    number = len(recorded)
    try:
        with session.begin_nested():
            yield
    except BaseException:
        del recorded[number:]
        raise


def _recorded(session: Session) -> list[RecordedEvent | None]:
    recorded: list[RecordedEvent | None] | None = session.info.get(_RECORDED)
    if recorded is None:
        raise NotAudited("use Database.write_as for a change that is recorded")
    return recorded


def run(
    session: Session,
    actor: Actor | SystemActor,
    fn: Callable[Concatenate[Session, P], T],
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """The value of `fn(session, …)`, whose events are appended as those of `actor`. Raises UnrecordedChange."""
    recorded: list[RecordedEvent | None] = []
    session.info[_RECORDED] = recorded
    try:
        value = fn(session, *args, **kwargs)
    finally:
        del session.info[_RECORDED]
    if not recorded:
        raise UnrecordedChange(
            f"{getattr(fn, '__qualname__', fn)} recorded nothing: call recording.record or no_change"
        )
    append(session, actor, [event for event in recorded if event is not None])
    return value


def append(session: Session, actor: Actor | SystemActor, events: Sequence[RecordedEvent]) -> None:
    """Append events to the chain. Whoever appends waits until the transaction before has ended, so that this comes
    after everything else that a transaction locks."""
    session.flush()
    if not events:
        return
    last, previous = _locked_end(session)
    rows = []
    for number, event in enumerate(events, last + 1):
        row = {**_columns(actor, event), "number": number, "previous_hash": previous}
        row["hash"] = previous = hash_of(row)
        rows.append(row)
    session.execute(insert(EVENTS), rows)
    session.execute(update(CHAIN).where(CHAIN.c.id == CHAIN_ID).values(number=last + len(rows), hash=previous))


def _locked_end(session: Session) -> tuple[int, str]:
    """Number and hash of the last event, 0 and "" before the first; its row stays locked until the commit."""
    query = select(CHAIN.c.number, CHAIN.c.hash).where(CHAIN.c.id == CHAIN_ID).with_for_update()
    row = session.execute(query).one_or_none()
    if row is None:
        # Should the row have been deleted, the first number is taken, and nothing can be appended any more.
        session.execute(insert(CHAIN).values(id=CHAIN_ID, number=0, hash=""))
        return 0, ""
    number, last = row
    return number, last


def _columns(actor: Actor | SystemActor, event: RecordedEvent) -> dict[str, Any]:
    return {
        "occurred_at": actor.at,
        "actor_id": actor.learner_id,
        "area": actor.area,
        "roles": list(actor.roles),
        "organisation_id": event.organisation_id if event.organisation_id is not None else actor.organisation_id,
        "action": event.action,
        "subject_type": event.subject.kind,
        "subject_id": str(event.subject.id),
        "before": event.before,
        "after": event.after,
        "reason": event.reason,
        "request_id": actor.request_id,
        "ip_network": actor.ip_network,
    }


# All columns but the id, which the database gives, and the hash.
_HASHED = [column.name for column in EVENTS.columns if column.name not in ("id", "hash")]


def hash_of(row: Mapping[Any, Any]) -> str:
    """The hash of an event's columns, the hash before it included, in hexadecimal."""
    form = [_text(row[name]) if name == "occurred_at" else row[name] for name in _HASHED]
    text = json.dumps(form, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _text(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")
