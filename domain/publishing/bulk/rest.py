"""Chooses what a bulk change has left: the rows that it refused, or did not come to before it failed or was stopped."""

from sqlalchemy import insert, literal, select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.errors import NotFound, Refused
from domain.permissions import Actor
from domain.publishing.bulk.operations import new_change, permission_of, require
from domain.tables import BulkChange, BulkChangeRow, Job

LEFT = ("chosen", "refused")


def choose_rest(session: Session, actor: Actor, change_id: int) -> int:
    """The id of a new change of these rows, which changes nothing yet. For `Database.write_as`. Raises NotFound,
    MissingPermission, Refused while the former one has not ended, and when it has left nothing."""
    former = session.get(BulkChange, change_id)
    if former is None:
        raise NotFound("There is no such bulk change.")
    require(actor, permission_of(former))
    require_ended(session, former)
    change = new_change(actor, former.kind, former.purpose)
    session.add(change)
    session.flush()
    rows = BulkChangeRow.__table__.c
    left = select(literal(change.id), rows.product_id, literal("chosen"), literal("")).where(
        rows.bulk_change_id == change_id, rows.state.in_(LEFT)
    )
    names = ["bulk_change_id", "product_id", "state", "note"]
    session.execute(insert(BulkChangeRow).from_select(names, left))
    if session.scalar(select(BulkChangeRow.product_id).where(BulkChangeRow.bulk_change_id == change.id)) is None:
        raise Refused("This change has left nothing.")
    recording.no_change(session)
    return change.id


def require_ended(session: Session, change: BulkChange) -> None:
    """Raises Refused for one that has not begun, and for one that still runs."""
    state = session.scalar(select(Job.state).where(Job.id == change.job_id))
    if state in (None, "queued", "running"):
        raise Refused("Wait until this change has ended, or stop it first.")
