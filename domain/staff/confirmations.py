"""Grave changes by staff, which another administrator confirms where there is one.

waiting → confirmed, refused, withdrawn by whoever asked, or expired. What is changed, and what has to be checked first,
is declared by the module of its noun (`declare`); this one knows who may decide, and that each step is recorded.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from contracts.payloads import ConfirmationItem
from contracts.tasks import OutboxKind
from domain.audit import recording
from domain.audit.recording import Subject
from domain.database.database import affected_rows
from domain.display_text import moment_text
from domain.errors import Conflict, InvalidInput, NotFound, Refused
from domain.identity.sessions import ProviderTokens
from domain.outbox import queue as outbox_queue
from domain.permissions import Actor, Permission, permissions_of
from domain.tables import Learner, PendingAction, StaffRole
from domain.text_direction import isolated

# As long as a weekend and a day: somebody has worked meanwhile.
WAITS = timedelta(hours=72)
MAX_REASON = 500
ADMINISTRATOR = "administrator"


class OwnChange(Refused):
    """Somebody decides about what they have asked for, or withdraws what somebody else has."""


@dataclass(frozen=True)
class GraveRequest:
    """A grave change that somebody wants to make. `kind` of KINDS, about this learner or member of the staff; `values`
    of its form as JSON. `by`: who wants it."""

    kind: str
    learner_id: int
    by: int
    at: datetime
    reason: str
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def subject(self) -> Subject:
        return Subject(KINDS[self.kind].subject, self.learner_id)


@dataclass(frozen=True)
class Waiting:
    """The change waits, with this number, until then."""

    number: int
    until: datetime


@dataclass(frozen=True)
class ConfirmedChange:
    """The change is made. `is_change` false: it was so before. `ended`: the provider's tokens of sessions that it has
    ended."""

    is_change: bool = True
    ended: Sequence[ProviderTokens] = ()


@dataclass(frozen=True)
class Kind:
    """`text`: what is done, with {name} for whom it is about; `subject`: of its events."""

    text: str
    subject: str
    permission: Permission


@dataclass(frozen=True)
class GraveChange:
    """`check` raises as `make` would and changes nothing. `seen`: as JSON, what the change is decided upon. `make`
    makes and records it; its last argument is what the host passed to `ask` or `confirm` (`means`)."""

    check: Callable[[Session, GraveRequest], None]
    seen: Callable[[Session, GraveRequest], Mapping[str, Any]]
    make: Callable[[Session, GraveRequest, Any], ConfirmedChange]


KINDS: Mapping[str, Kind] = {
    "learner.erase": Kind("Delete the account of learner {name}", "learner", Permission.LEARNERS_ERASE),
    "staff.add": Kind("Make {name} an administrator", "staff", Permission.STAFF_WRITE),
    "staff.remove": Kind("Take the role of administrator from {name}", "staff", Permission.STAFF_WRITE),
}
_CHANGES: dict[str, GraveChange] = {}


def declare(kind: str, change: GraveChange) -> None:
    """How a kind of KINDS is checked and made."""
    _CHANGES[kind] = change


def ask(session: Session, wanted: GraveRequest, means: Any = None) -> Waiting | ConfirmedChange:
    """Have other administrators confirm a change; where there are none, make it, which is recorded too. For
    `Database.write_as`. Raises InvalidInput without a reason, Conflict while the same change waits, and as the change.
    """
    if not 0 < len(wanted.reason.strip()) <= MAX_REASON:
        raise InvalidInput({"reason": "Say why, for the record."})
    # FOR UPDATE also keeps the snapshot of MariaDB from beginning before the change has its own locks.
    others = _administrators(session) - {wanted.by}
    change = _CHANGES[wanted.kind]
    if not others:
        made = change.make(session, wanted, means)
        about = {"change": wanted.kind}
        recording.record(session, "confirmation.skip", wanted.subject, after=about, reason=wanted.reason)
        return made
    change.check(session, wanted)
    row = _insert(session, wanted, _digest(change.seen(session, wanted)))
    items = [ConfirmationItem(pending_id=row.id, learner_id=learner_id) for learner_id in sorted(others)]
    outbox_queue.enqueue_all(session, OutboxKind.STAFF_CONFIRMATION, items, wanted.at)
    after = {"change": wanted.kind, "until": row.expires_at, **wanted.values}
    recording.record(session, "confirmation.ask", wanted.subject, after=after, reason=wanted.reason)
    return Waiting(row.id, row.expires_at)


def _administrators(session: Session) -> set[int]:
    is_one = StaffRole.role == ADMINISTRATOR
    return set(session.scalars(select(StaffRole.learner_id).where(is_one).with_for_update()))


def _insert(session: Session, wanted: GraveRequest, seen: str) -> PendingAction:
    key = f"{wanted.kind}:{wanted.learner_id}"
    query = select(PendingAction).where(PendingAction.open_key == key).with_for_update()
    if (known := session.scalars(query, execution_options={"populate_existing": True}).one_or_none()) is not None:
        if known.expires_at > wanted.at:
            asked = moment_text(known.requested_at)
            raise Conflict(f"{name_of(session, known.requested_by)} has asked for the same on {asked}, and it waits.")
        _expire(session, known, wanted.at)
    row = PendingAction(
        action=wanted.kind,
        learner_id=wanted.learner_id,
        values=dict(wanted.values),
        seen=seen,
        reason=wanted.reason.strip(),
        state="waiting",
        open_key=key,
        requested_by=wanted.by,
        requested_at=wanted.at,
        expires_at=wanted.at + WAITS,
    )
    session.add(row)
    session.flush()
    return row


def _digest(seen: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(seen, sort_keys=True).encode()).hexdigest()


def confirm(session: Session, number: int, actor: Actor, means: Any = None) -> ConfirmedChange:
    """Make a change that somebody else has asked for. For `Database.write_as`. Raises NotFound; Refused for their own;
    Conflict when it no longer waits, when who asked for it is no administrator any more, and when what it was decided
    upon has changed; and as the change."""
    row = _close(session, number, actor, "confirmed")
    _require_still(session, row, actor)
    wanted = _request_of(row, actor.at)
    change = _CHANGES[row.action]
    if _digest(change.seen(session, wanted)) != row.seen:
        raise Conflict("What this is about has changed since it was asked for. Have it withdrawn and asked for anew.")
    made = change.make(session, wanted, means)
    _record(session, "confirmation.confirm", row)
    return made


def refuse(session: Session, number: int, answer: str, actor: Actor) -> None:
    """Refuse what somebody else has asked for, with a reason that they read. For `Database.write_as`. Raises as
    `confirm`, and InvalidInput without a reason."""
    if not 0 < len(answer.strip()) <= MAX_REASON:
        raise InvalidInput({"answer": "Say why: whoever asked for it reads it."})
    row = _close(session, number, actor, "refused")
    row.answer = answer.strip()
    _record(session, "confirmation.refuse", row, reason=row.answer)


def withdraw(session: Session, number: int, actor: Actor) -> None:
    """No longer ask for it. For `Database.write_as`. Raises NotFound; Refused for what somebody else has asked for;
    Conflict when it no longer waits."""
    row = _close(session, number, actor, "withdrawn")
    _record(session, "confirmation.withdraw", row)


def expired(session: Session, at: datetime) -> list[int]:
    """The numbers of those that nobody has decided about in time."""
    is_due = (PendingAction.state == "waiting", PendingAction.expires_at <= at)
    return list(session.scalars(select(PendingAction.id).where(*is_due).order_by(PendingAction.id).limit(100)))


def expire(session: Session, number: int, at: datetime) -> bool:
    """End what nobody has decided about in time. For `Database.write_as`. False when somebody was faster."""
    row = session.get(PendingAction, number, with_for_update=True, populate_existing=True)
    if row is None or row.state != "waiting" or row.expires_at > at:
        recording.no_change(session)
        return False
    _expire(session, row, at)
    return True


def _expire(session: Session, row: PendingAction, at: datetime) -> None:
    row.state, row.open_key, row.decided_at = "expired", None, at
    session.flush()
    _record(session, "confirmation.expire", row)


def _close(session: Session, number: int, actor: Actor, state: str) -> PendingAction:
    """The row in its new state, which it gets once: by an UPDATE with what must be so as its condition."""
    is_own = PendingAction.requested_by == actor.learner_id
    may = (is_own if state == "withdrawn" else ~is_own, PendingAction.state == "waiting")
    ended = update(PendingAction).where(PendingAction.id == number, PendingAction.expires_at > actor.at, *may)
    decided = {"state": state, "open_key": None, "decided_by": actor.learner_id, "decided_at": actor.at}
    changed = affected_rows(session, ended.values(**decided))
    row = session.get(PendingAction, number, with_for_update=True, populate_existing=True)
    if row is None:
        raise NotFound("There is nothing to confirm with this number.")
    if not changed:
        raise _refusal(session, row, actor, state)
    return row


def _refusal(session: Session, row: PendingAction, actor: Actor, state: str) -> Refused | Conflict:
    if row.state == "waiting" and row.expires_at > actor.at:
        if state == "withdrawn":
            return OwnChange("Only who has asked for it can withdraw it. You can refuse it.")
        return OwnChange("Nobody confirms what they have asked for themselves.")
    if row.decided_by is None:
        return Conflict(f"Its time was over on {moment_text(row.expires_at)}, and nobody had confirmed it.")
    at = moment_text(row.decided_at or row.expires_at)
    return Conflict(f"{name_of(session, row.decided_by)} has {row.state} it on {at}.")


def _require_still(session: Session, row: PendingAction, actor: Actor) -> None:
    """The roles of this moment count, of both. All of an administrator are read, so that none is given meanwhile."""
    query = select(StaffRole.learner_id, StaffRole.role).with_for_update()
    held: dict[int, set[str]] = {}
    for learner_id, role in session.execute(query):
        held.setdefault(learner_id, set()).add(role)
    needed = KINDS[row.action].permission
    if needed not in permissions_of("admin", held.get(actor.learner_id, ())):
        raise OwnChange(f"This needs the permission {needed}.")
    if needed not in permissions_of("admin", held.get(row.requested_by, ())):
        asker = name_of(session, row.requested_by)
        raise Conflict(f"{asker} has asked for it and may not do it any more. It can only be refused.")


def _request_of(row: PendingAction, at: datetime) -> GraveRequest:
    return GraveRequest(row.action, row.learner_id, row.requested_by, at, row.reason, row.values)


def _record(session: Session, action: str, row: PendingAction, reason: str = "") -> None:
    subject = Subject(KINDS[row.action].subject, row.learner_id)
    recording.record(session, action, subject, after={"change": row.action, **row.values}, reason=reason or row.reason)


def name_of(session: Session, learner_id: int) -> str:
    """The name of a member of the staff, for a sentence."""
    learner = session.get_one(Learner, learner_id)
    return isolated(learner.name or learner.student_number.upper())
