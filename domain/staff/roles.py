"""Gives and takes roles of the staff. All rows are locked meanwhile: they are few, and an administrator must stay. The
role of an administrator is given and taken when another administrator has confirmed it."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import RecordedEvent, Subject
from domain.errors import InvalidInput, NotFound, Refused
from domain.identity import sessions
from domain.identity.learners import normalised_student_number
from domain.permissions import ROLES, Role, SystemActor
from domain.staff import confirmations
from domain.staff.confirmations import ADMINISTRATOR, ConfirmedChange, GraveChange, GraveRequest, Waiting
from domain.tables import Learner, StaffRole

STAFF_ROLES: tuple[Role, ...] = tuple(ROLES["admin"])
_NO_PERSON = "Nobody has this student number. They must have signed in once."


class OwnRoles(Refused):
    """Somebody tries to change their own roles."""

    def __init__(self) -> None:
        super().__init__("Nobody changes their own roles. Ask another administrator.")


class LastAdministrator(Refused):
    """Without an administrator nobody could give a role again."""

    def __init__(self) -> None:
        super().__init__("This is the last administrator. Make somebody else an administrator first.")


def find_person(session: Session, student_number: str) -> int:
    """The learner of a student number. Raises InvalidInput."""
    is_theirs = Learner.student_number == normalised_student_number(student_number)
    learner_id = session.scalar(select(Learner.id).where(is_theirs))
    if learner_id is None:
        raise InvalidInput({"studentNumber": _NO_PERSON})
    return learner_id


@dataclass(frozen=True)
class RoleChange:
    """A role that somebody gets or loses. `by`: who does it, None for a command; `reason` as typed, which only a
    command may leave out."""

    learner_id: int
    role: Role
    by: int | None
    at: datetime
    reason: str = ""


def add_role(session: Session, change: RoleChange) -> bool:
    """Give a person a role, recorded; False when they have it already. Raises OwnRoles, NotFound for an unknown person,
    InvalidInput for an unknown role."""
    _require_role(change.role)
    _require_reason(change)
    held = _lock_roles(session, change.learner_id, change.by)
    _require_person(session, change.learner_id)
    if change.role in held:
        recording.no_change(session)
        return False
    session.add(StaffRole(learner_id=change.learner_id, role=change.role, granted_by=change.by, granted_at=change.at))
    _record(session, "staff.add", change, held, held | {change.role})
    return True


def remove_role(session: Session, change: RoleChange) -> bool:
    """Take a role from a person, recorded; False when they do not have it. The last role ends their sessions in the
    area. Raises OwnRoles, LastAdministrator, InvalidInput for an unknown role."""
    learner_id, role = change.learner_id, change.role
    _require_role(role)
    _require_reason(change)
    held = _lock_roles(session, learner_id, change.by)
    if role not in held:
        recording.no_change(session)
        return False
    if role == ADMINISTRATOR:
        _require_another_administrator(session, learner_id)
    session.execute(delete(StaffRole).where(StaffRole.learner_id == learner_id, StaffRole.role == role))
    left = held - {role}
    if not left:
        sessions.revoke_area(session, learner_id, "admin", change.at)
    _record(session, "staff.remove", change, held, left)
    return True


def give_by_staff(session: Session, change: RoleChange) -> Waiting | bool:
    """Give a role as somebody of the staff; that of an administrator waits for a confirmation. Raises as `add_role` and
    `confirmations.ask`."""
    if change.role != ADMINISTRATOR or ADMINISTRATOR in _roles(session, change.learner_id):
        return add_role(session, change)
    return _ask(session, "staff.add", change)


def take_by_staff(session: Session, change: RoleChange) -> Waiting | bool:
    """Take a role as somebody of the staff; that of an administrator waits for a confirmation. Raises as `remove_role`
    and `confirmations.ask`."""
    if change.role != ADMINISTRATOR or ADMINISTRATOR not in _roles(session, change.learner_id):
        return remove_role(session, change)
    return _ask(session, "staff.remove", change)


def _ask(session: Session, kind: str, change: RoleChange) -> Waiting | bool:
    if change.by is None:
        raise LookupError("a command needs no confirmation")
    asked = confirmations.ask(session, GraveRequest(kind, change.learner_id, change.by, change.at, change.reason))
    return asked if isinstance(asked, Waiting) else asked.is_change


def _roles(session: Session, learner_id: int) -> set[Role]:
    return set(session.scalars(select(StaffRole.role).where(StaffRole.learner_id == learner_id)))


def _administrator(wanted: GraveRequest) -> RoleChange:
    return RoleChange(wanted.learner_id, ADMINISTRATOR, wanted.by, wanted.at, wanted.reason)


def _check_giving(session: Session, wanted: GraveRequest) -> None:
    _lock_roles(session, wanted.learner_id, wanted.by)
    _require_person(session, wanted.learner_id)


def _check_taking(session: Session, wanted: GraveRequest) -> None:
    _lock_roles(session, wanted.learner_id, wanted.by)
    _require_another_administrator(session, wanted.learner_id)


def _seen(session: Session, wanted: GraveRequest) -> dict[str, list[Role]]:
    return {"roles": sorted(_lock_roles(session, wanted.learner_id, None))}


confirmations.declare(
    "staff.add",
    GraveChange(
        _check_giving, _seen, lambda session, wanted, _: ConfirmedChange(add_role(session, _administrator(wanted)))
    ),
)
confirmations.declare(
    "staff.remove",
    GraveChange(
        _check_taking, _seen, lambda session, wanted, _: ConfirmedChange(remove_role(session, _administrator(wanted)))
    ),
)


def remove_all(session: Session, learner_id: int, at: datetime) -> None:
    """Take all roles from somebody whose account is deleted: the last statements of that transaction. Raises
    LastAdministrator."""
    held = _lock_roles(session, learner_id, None)
    if ADMINISTRATOR in held:
        _require_another_administrator(session, learner_id)
    if held:
        session.execute(delete(StaffRole).where(StaffRole.learner_id == learner_id))
        event = RecordedEvent("staff.remove", Subject("staff", learner_id), {"roles": sorted(held)}, {"roles": []})
        recording.append(session, SystemActor("system", at), [event])


def _require_person(session: Session, learner_id: int) -> None:
    """Raises NotFound, also for an account that was deleted."""
    if session.scalar(select(Learner.id).where(Learner.id == learner_id, Learner.issuer != "")) is None:
        raise NotFound("There is no such person.")


def _require_role(role: Role) -> None:
    if role not in STAFF_ROLES:
        raise InvalidInput({"role": f"Choose one of {', '.join(STAFF_ROLES)}."})


def _require_reason(change: RoleChange) -> None:
    if change.by is not None and not change.reason.strip():
        raise InvalidInput({"reason": "Say why, for the record."})


def _lock_roles(session: Session, learner_id: int, by: int | None) -> set[Role]:
    """The roles of a person, while nobody else's can change. Raises OwnRoles."""
    if learner_id == by:
        raise OwnRoles
    rows = session.execute(select(StaffRole.learner_id, StaffRole.role).with_for_update()).all()
    return {role for owner_id, role in rows if owner_id == learner_id}


def _require_another_administrator(session: Session, learner_id: int) -> None:
    others = (StaffRole.role == ADMINISTRATOR, StaffRole.learner_id != learner_id)
    # Locked before: FOR UPDATE reads what is committed now, and not what was when the transaction began.
    if not session.execute(select(StaffRole.learner_id).where(*others).with_for_update()).all():
        raise LastAdministrator


def _record(session: Session, action: str, change: RoleChange, held: set[Role], now: set[Role]) -> None:
    before, after = {"roles": sorted(held)}, {"roles": sorted(now)}
    recording.record(
        session, action, Subject("staff", change.learner_id), before=before, after=after, reason=change.reason
    )
