"""Begins the change of what was chosen, and the one that undoes it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import func, insert, literal, select, update
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.display_text import count_text, moment_text
from domain.errors import InvalidInput, Refused
from domain.jobs import job_rows
from domain.jobs.job_rows import NewJob
from domain.permissions import Actor
from domain.publishing.bulk.job import KIND
from domain.publishing.bulk.operations import OPERATIONS, locked_change, permission_of, require, require_purpose
from domain.publishing.bulk.price_rows import OTHER_PREVIEW, has_preview
from domain.publishing.bulk.rest import require_ended
from domain.tables import BulkChange, BulkChangeRow, Category, Job

# How long after its end a change can be undone: what has stood for a day others have built on.
UNDO_WITHIN = timedelta(days=1)


@dataclass(frozen=True)
class BulkAction:
    """`category`: the short name of the new one. `reason`: of a retirement. `preview`: of prices, its number: what was
    seen there is set."""

    action: Literal["category", "publish", "retire", "price"]
    category: str | None = None
    reason: str = ""
    preview: int | None = None


def start(session: Session, actor: Actor, change_id: int, wanted: BulkAction) -> None:
    """Begin a job that changes each row; the same again begins nothing. For `Database.write_as`. Raises NotFound,
    MissingPermission, Refused for one that was chosen for another purpose or begun with another action, InvalidInput.
    """
    change, operation = locked_change(session, change_id), OPERATIONS[wanted.action]
    require(actor, operation.permission)
    require_purpose(change, wanted.action)
    if wanted.preview != (change.pricing["number"] if has_preview(change.pricing) else None):
        raise Refused(OTHER_PREVIEW)
    if change.action is not None:
        begun = (change.action, change.category, change.reason)
        if begun != (wanted.action, wanted.category, _reason(change, wanted)):
            raise Refused("This change has begun already. Choose the rows again for another.")
        recording.no_change(session)
        return
    _require(session, wanted)
    change.action, change.category, change.reason = wanted.action, wanted.category, _reason(change, wanted)
    rows = update(BulkChangeRow).where(BulkChangeRow.bulk_change_id == change_id)
    session.execute(rows.values(target=wanted.category))
    _start_job(session, actor, change, change.pricing["name"] if change.pricing else operation.name)


def undo(session: Session, actor: Actor, change_id: int) -> int:
    """Begin the change that gives the changed rows what they had; its id. Those that somebody else has changed since
    are refused. For `Database.write_as`. Raises NotFound, MissingPermission, Refused for a change that cannot be
    undone, and a day after its end."""
    former = locked_change(session, change_id)
    require(actor, permission_of(former))
    require_undoable(session, former, actor.at)
    change = BulkChange(
        kind=former.kind,
        purpose=former.purpose,
        chosen_by=actor.learner_id,
        chosen_at=actor.at,
        action=OPERATIONS[former.action or ""].undone_by,
        category=former.category,
        reason="",
        undoes_id=former.id,
    )
    session.add(change)
    session.flush()
    rows = BulkChangeRow.__table__.c
    values = (literal(change.id), rows.product_id, literal("chosen"), rows.before, literal(""), rows.prices)
    changed = select(*values).where(rows.bulk_change_id == former.id, rows.state == "changed")
    names = ["bulk_change_id", "product_id", "state", "target", "note", "prices"]
    session.execute(insert(BulkChangeRow).from_select(names, changed))
    _start_job(session, actor, change, "Undo the change of {}")
    return change.id


def stop(session: Session, actor: Actor, change_id: int) -> bool:
    """Change no more rows; whether this ended it. For `Database.write_as`. Raises NotFound, MissingPermission."""
    change = locked_change(session, change_id)
    require(actor, permission_of(change))
    if change.job_id is None:
        recording.no_change(session)
        return False
    return job_rows.stop_as_staff(session, change.job_id, (KIND,), actor.at)


def require_undoable(session: Session, change: BulkChange, at: datetime) -> None:
    """Raises Refused with the reason."""
    if change.action is None or OPERATIONS[change.action].undone_by is None or change.undoes_id is not None:
        raise Refused("This change cannot be undone.")
    if session.scalar(select(BulkChange.id).where(BulkChange.undoes_id == change.id)) is not None:
        raise Refused("This change was undone before.")
    require_ended(session, change)
    until = undoable_until(session, change)
    if until is not None and at > until:
        raise Refused(f"This change could be undone until {moment_text(until)}.")
    changed = select(BulkChangeRow.product_id).where(
        BulkChangeRow.bulk_change_id == change.id, BulkChangeRow.state == "changed"
    )
    if session.scalar(changed.limit(1)) is None:
        raise Refused("Nothing was changed.")


def undoable_until(session: Session, change: BulkChange) -> datetime | None:
    """None while the change has not ended."""
    ended_at = session.scalar(select(Job.ended_at).where(Job.id == change.job_id))
    return None if ended_at is None else ended_at + UNDO_WITHIN


def _reason(change: BulkChange, wanted: BulkAction) -> str:
    reason = change.pricing["reason"] if wanted.action == "price" and change.pricing else wanted.reason
    return str(reason).strip()


def _require(session: Session, wanted: BulkAction) -> None:
    if wanted.action == "retire" and not wanted.reason.strip():
        raise InvalidInput({"reason": "Say why, for the record."})
    if wanted.action == "category":
        known = select(Category.id).where(Category.slug == wanted.category)
        if session.scalar(known) is None:
            raise InvalidInput({"category": "Choose a category."})


def _start_job(session: Session, actor: Actor, change: BulkChange, name: str) -> None:
    """`name`: with {} for how many of what it changes."""
    rows = (BulkChangeRow.bulk_change_id == change.id, BulkChangeRow.state == "chosen")
    number = session.scalar(select(func.count()).where(*rows)) or 0
    if number == 0:
        raise Refused("There is nothing to change.")
    name = name.format(f"{count_text(number)} {change.kind if number == 1 else f'{change.kind}s'}")
    about = {"name": name, "bulk_change_id": change.id, "learner_id": actor.learner_id, "number": number}
    new = NewJob(KIND, about, f"{KIND}:{change.id}", actor.learner_id)
    change.job_id = job_rows.start_as_staff(session, new, actor.at)
    session.flush()
