"""Begins the change of what was chosen, and the one that undoes it."""

from dataclasses import dataclass
from typing import Literal

from sqlalchemy import func, insert, literal, select, update
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.display_text import count_text
from domain.errors import InvalidInput, NotFound, Refused
from domain.jobs import job_rows
from domain.jobs.job_rows import NewJob
from domain.permissions import Actor
from domain.publishing.bulk.job import KIND
from domain.publishing.bulk.rest import require_ended
from domain.tables import BulkChange, BulkChangeRow, Category

UNDOABLE = ("category", "retire")
_VERBS = {"category": "Change the category of", "publish": "Publish", "retire": "Retire"}


@dataclass(frozen=True)
class BulkAction:
    """`category`: the short name of the new one. `reason`: of a retirement."""

    action: Literal["category", "publish", "retire"]
    category: str | None = None
    reason: str = ""


def start(session: Session, actor: Actor, change_id: int, wanted: BulkAction) -> None:
    """Begin a job that changes each row; the same again begins nothing. For `Database.write_as`. Raises NotFound,
    Refused for one that was begun with another action, InvalidInput."""
    change = _locked(session, change_id)
    if change.action is not None:
        if (change.action, change.category, change.reason) != (wanted.action, wanted.category, wanted.reason.strip()):
            raise Refused("This change has begun already. Choose the rows again for another.")
        recording.no_change(session)
        return
    _require(session, wanted)
    change.action, change.category, change.reason = wanted.action, wanted.category, wanted.reason.strip()
    rows = update(BulkChangeRow).where(BulkChangeRow.bulk_change_id == change_id)
    session.execute(rows.values(target=wanted.category))
    _start_job(session, actor, change, _VERBS[wanted.action])


def undo(session: Session, actor: Actor, change_id: int) -> int:
    """Begin the change that gives the changed rows what they had; its id. Those that somebody else has changed since
    are refused. For `Database.write_as`. Raises NotFound, Refused for a change that cannot be undone."""
    former = _locked(session, change_id)
    require_undoable(session, former)
    change = BulkChange(
        kind=former.kind,
        chosen_by=actor.learner_id,
        chosen_at=actor.at,
        action="category" if former.action == "category" else "publish",
        category=former.category,
        reason="",
        undoes_id=former.id,
    )
    session.add(change)
    session.flush()
    rows = BulkChangeRow.__table__.c
    changed = select(literal(change.id), rows.product_id, literal("chosen"), rows.before, literal("")).where(
        rows.bulk_change_id == former.id, rows.state == "changed"
    )
    names = ["bulk_change_id", "product_id", "state", "target", "note"]
    session.execute(insert(BulkChangeRow).from_select(names, changed))
    _start_job(session, actor, change, "Undo the change of")
    return change.id


def require_undoable(session: Session, change: BulkChange) -> None:
    """Raises Refused with the reason."""
    if change.action not in UNDOABLE or change.undoes_id is not None:
        raise Refused("This change cannot be undone.")
    if session.scalar(select(BulkChange.id).where(BulkChange.undoes_id == change.id)) is not None:
        raise Refused("This change was undone before.")
    require_ended(session, change)
    changed = select(BulkChangeRow.product_id).where(
        BulkChangeRow.bulk_change_id == change.id, BulkChangeRow.state == "changed"
    )
    if session.scalar(changed.limit(1)) is None:
        raise Refused("Nothing was changed.")


def _locked(session: Session, change_id: int) -> BulkChange:
    change = session.get(BulkChange, change_id, with_for_update=True, populate_existing=True)
    if change is None:
        raise NotFound("There is no such bulk change.")
    return change


def _require(session: Session, wanted: BulkAction) -> None:
    if wanted.action == "retire" and not wanted.reason.strip():
        raise InvalidInput({"reason": "Say why, for the record."})
    if wanted.action == "category":
        known = select(Category.id).where(Category.slug == wanted.category)
        if session.scalar(known) is None:
            raise InvalidInput({"category": "Choose a category."})


def _start_job(session: Session, actor: Actor, change: BulkChange, verb: str) -> None:
    counted = select(func.count()).where(BulkChangeRow.bulk_change_id == change.id)
    number = session.scalar(counted) or 0
    noun = change.kind if number == 1 else f"{change.kind}s"
    name = f"{verb} {count_text(number)} {noun}"
    about = {"name": name, "bulk_change_id": change.id, "learner_id": actor.learner_id, "number": number}
    new = NewJob(KIND, about, f"{KIND}:{change.id}", actor.learner_id)
    change.job_id = job_rows.start_as_staff(session, new, actor.at)
    session.flush()
