"""A bulk change as its page shows it: what was chosen and begun, how far it is, and what came of each row."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import bindparam, false, func, or_, select
from sqlalchemy.orm import Session

from domain.database.list_page import ListSource
from domain.errors import NotFound, Refused
from domain.jobs import job_rows
from domain.jobs.job_rows import JobView
from domain.jobs.listing import JobRow, jobs_of_kind
from domain.permissions import Permission
from domain.publishing.bulk.actions import require_undoable, undoable_until
from domain.publishing.bulk.job import KIND
from domain.publishing.bulk.operations import OPERATIONS, PURPOSES, permission_of
from domain.publishing.bulk.rest import LEFT
from domain.tables import BulkChange, BulkChangeRow, Category, Enrolment, Job, Learner, Product

ROW_STATES = {"chosen": "Chosen", "changed": "Changed", "unchanged": "Nothing to change", "refused": "Refused"}


@dataclass(frozen=True)
class BulkView:
    """`job` None: nothing has begun. `number`: of its rows. `owners`: people who have access to one of the courses.
    `left`: rows that it has not changed and might. `undone_by`: the change that undoes this one. `permission`: of
    whoever may read and carry on with it. `pricing`: what the preview of prices showed, with its number. `states`: how
    many rows there are of each. `undoable_until`: None before it has ended, and for what is not undone."""

    id: int
    kind: str
    purpose: str
    permission: Permission
    action: str | None
    category: str | None
    reason: str
    pricing: Mapping[str, Any] | None
    states: Mapping[str, int]
    chosen_by: str
    chosen_at: datetime
    number: int
    left: int
    owners: int
    job: JobView | None
    undoes_id: int | None
    undone_by: int | None
    may_be_undone: bool
    undoable_until: datetime | None


class BulkRow(NamedTuple):
    product_id: int
    name: str
    kind: str
    status: str
    category: str
    state: str
    note: str
    prices: Mapping[str, Any] | None


def bulk_view(session: Session, change_id: int, at: datetime) -> BulkView:
    """Raises NotFound."""
    change = session.get(BulkChange, change_id)
    if change is None:
        raise NotFound("There is no such bulk change.")
    states = _states(session, change_id)
    return BulkView(
        id=change.id,
        kind=change.kind,
        purpose=change.purpose,
        permission=permission_of(change),
        action=change.action,
        category=session.scalar(select(Category.name).where(Category.slug == change.category)),
        reason=change.reason,
        pricing=change.pricing,
        states=states,
        chosen_by=session.scalar(select(Learner.name).where(Learner.id == change.chosen_by)) or "",
        chosen_at=change.chosen_at,
        number=sum(states.values()),
        left=sum(states.get(state, 0) for state in LEFT),
        owners=_count_owners(session, change_id, at),
        job=None if change.job_id is None else job_rows.job_view(session, change.job_id, (KIND,)),
        undoes_id=change.undoes_id,
        undone_by=session.scalar(select(BulkChange.id).where(BulkChange.undoes_id == change_id)),
        may_be_undone=_may_be_undone(session, change, at),
        undoable_until=_undoable_until(session, change),
    )


_rows, _products, _categories = BulkChangeRow.__table__.c, Product.__table__.c, Category.__table__.c
# Rows of the change that `rows_of` names: the statements are compiled once for all changes.
_ROWS = ListSource(
    rows=select(
        *(_products.id, _products.name, _products.kind, _products.status, _categories.name),
        *(_rows.state, _rows.note, _rows.prices),
    )
    .join_from(BulkChangeRow.__table__, Product.__table__, _products.id == _rows.product_id)
    .join(Category.__table__, _categories.id == _products.category_id)
    .where(_rows.bulk_change_id == bindparam("bulk_change")),
    make=BulkRow._make,
    key=_rows.product_id,
    filters={"result": _rows.state.__eq__},
)


@lru_cache
def jobs_for(purposes: tuple[str, ...]) -> ListSource[JobRow]:
    """The changes that somebody may read who may choose for these purposes."""
    jobs = jobs_of_kind(KIND)
    if len(purposes) == len(PURPOSES):
        return jobs
    # Not IN: its statement could not be compiled once.
    is_for_them = or_(false(), *(BulkChange.purpose == purpose for purpose in purposes))
    theirs = select(BulkChange.job_id).where(is_for_them, BulkChange.job_id.is_not(None))
    is_theirs = Job.__table__.c.id.in_(theirs)
    return replace(jobs, rows=jobs.rows.where(is_theirs), counted=jobs.to_count.where(is_theirs))


def rows_of(change_id: int) -> ListSource[BulkRow]:
    """Its courses or items, those that were made last first."""
    return replace(_ROWS, parameters={"bulk_change": lambda: change_id})


def _states(session: Session, change_id: int) -> dict[str, int]:
    count = select(BulkChangeRow.state, func.count()).where(BulkChangeRow.bulk_change_id == change_id)
    return dict(session.execute(count.group_by(BulkChangeRow.state)).all())


def _undoable_until(session: Session, change: BulkChange) -> datetime | None:
    is_undoable = change.action is not None and OPERATIONS[change.action].undone_by is not None
    return undoable_until(session, change) if is_undoable and change.undoes_id is None else None


def _count_owners(session: Session, change_id: int, at: datetime) -> int:
    count = select(func.count(func.distinct(Enrolment.learner_id)))
    chosen = select(BulkChangeRow.product_id).where(BulkChangeRow.bulk_change_id == change_id)
    has_access = or_(Enrolment.access_until.is_(None), Enrolment.access_until > at)
    return session.scalar(count.where(Enrolment.product_id.in_(chosen), has_access)) or 0


def _may_be_undone(session: Session, change: BulkChange, at: datetime) -> bool:
    try:
        require_undoable(session, change, at)
    except Refused:
        return False
    return True
