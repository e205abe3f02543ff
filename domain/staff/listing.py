"""The staff as administrators see them: roles, since when and by whom, and their last sign-in to the area."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session, aliased

from domain.database.list_page import ListSource
from domain.errors import NotFound
from domain.identity.sign_in import STAFF_SIGN_IN
from domain.permissions import Role
from domain.staff import recorded_events as events
from domain.tables import Learner, StaffRole


class StaffMember(NamedTuple):
    """`granted_by`: the name of whoever gave the first of their roles; None: a command, or nobody knows any more.
    `last_sign_in` None: never since sign-ins are recorded. `amr`: how they proved who they are at that sign-in."""

    learner_id: int
    name: str
    email: str
    student_number: str
    roles: tuple[Role, ...]
    since: datetime
    granted_by: str | None
    last_sign_in: datetime | None
    amr: tuple[str, ...]


@dataclass(frozen=True)
class GrantedRole:
    """`granted_by`: the name of whoever gave it; None: a command, or nobody knows any more."""

    role: Role
    granted_at: datetime
    granted_by: str | None


_OWN_ROLES = select(func.group_concat(StaffRole.role)).where(StaffRole.learner_id == Learner.id).scalar_subquery()
_SINCE = select(func.min(StaffRole.granted_at)).where(StaffRole.learner_id == Learner.id).scalar_subquery()

_GIVER = aliased(Learner)
_other = aliased(StaffRole)
_EARLIEST = select(func.min(_other.granted_at)).where(_other.learner_id == StaffRole.learner_id)
# One name for several roles that were given at once.
_GRANTED_BY = (
    select(func.min(_GIVER.name))
    .select_from(StaffRole)
    .join(_GIVER, _GIVER.id == StaffRole.granted_by)
    .where(
        StaffRole.learner_id == Learner.id,
        StaffRole.granted_at == _EARLIEST.correlate(StaffRole).scalar_subquery(),
    )
    .correlate(Learner)
    .scalar_subquery()
)


def _with_role(role: str) -> ColumnElement[bool]:
    return Learner.id.in_(select(StaffRole.learner_id).where(StaffRole.role == role))


def _member(cells: Iterable[Any]) -> StaffMember:
    learner_id, name, email, student_number, roles, since, granted_by, last_sign_in, signed_in = cells
    return StaffMember(
        *(learner_id, name, email, student_number.upper()),
        *(tuple(sorted(roles.split(","))), since, granted_by or None, last_sign_in),
        tuple((signed_in or {}).get("methods", ())),
    )


_ROWS = select(
    *(Learner.id, Learner.name, Learner.email, Learner.student_number, _OWN_ROLES, _SINCE, _GRANTED_BY),
    events.latest_of(STAFF_SIGN_IN, Learner.id, "occurred_at"),
    events.latest_of(STAFF_SIGN_IN, Learner.id, "after"),
).where(Learner.id.in_(select(StaffRole.learner_id)))

MEMBERS: ListSource[StaffMember] = ListSource(
    rows=_ROWS, make=_member, key=Learner.__table__.c.id, filters={"role": _with_role}
)


def member(session: Session, learner_id: int) -> StaffMember:
    """A person with at least one role. Raises NotFound."""
    row = session.execute(_ROWS.where(Learner.id == learner_id)).one_or_none()
    if row is None:
        raise NotFound("There is nobody of the staff with this number.")
    return _member(row)


def all_members(session: Session) -> list[StaffMember]:
    return [_member(row) for row in session.execute(_ROWS.order_by(Learner.id))]


def granted_roles(session: Session, learner_id: int) -> list[GrantedRole]:
    """The roles of a person, the oldest first."""
    giver = aliased(Learner)
    query = select(StaffRole.role, StaffRole.granted_at, giver.name).outerjoin(giver, giver.id == StaffRole.granted_by)
    rows = session.execute(
        query.where(StaffRole.learner_id == learner_id).order_by(StaffRole.granted_at, StaffRole.role)
    )
    return [GrantedRole(*row) for row in rows]
