"""Calls about the staff: giving and taking roles."""

from collections.abc import Callable
from typing import Annotated

from aiohttp import web
from pydantic import Field
from sqlalchemy.orm import Session

from contracts.tasks import Topic
from domain.permissions import Permission
from domain.staff import listing as staff_listing
from domain.staff import roles as staff_roles
from domain.staff.confirmations import ADMINISTRATOR, Waiting
from domain.staff.roles import RoleChange
from host.api.admin.actions import FormField, RecordedReason, action
from host.api.admin.outcome import ActionPreview, Undo, UndoableOutcome
from host.api.admin.people.confirmations import CONFIRMED_FIRST, waiting_outcome
from host.api.fields import Strict
from host.app_keys import DATABASE
from host.http import request_keys
from host.messaging.outbox_wake import OUTBOX_WAKER

MAX_AUTH_AGE_S = 600
PATH = "/admin/staff"
NUMBER = "It is on their page “Profile”, such as S-7KQ2-M9XD. They must have signed in once."
RoleName = Annotated[str, Field(max_length=20), FormField("Role", "choice")]


class NewStaff(Strict):
    studentNumber: Annotated[str, Field(max_length=40), FormField("Student number", hint=NUMBER)]
    role: RoleName
    reason: RecordedReason


class RoleToGive(Strict):
    role: Annotated[str, Field(max_length=20), FormField("Role to give", "choice")]
    reason: RecordedReason


class RoleToTake(Strict):
    role: Annotated[str, Field(max_length=20), FormField("Role to take", "choice")]
    reason: RecordedReason


class StaffChanged(UndoableOutcome):
    """`changed` false: it was so before."""

    learnerId: int
    changed: bool


@action(
    "admin/staff",
    NewStaff,
    "Give somebody a role",
    "Give role",
    permission=Permission.STAFF_WRITE,
    max_auth_age_s=MAX_AUTH_AGE_S,
    reply=StaffChanged,
    refusals=(409,),
)
async def add_somebody(request: web.Request, body: NewStaff) -> StaffChanged:
    """Give a role to the person with a student number. That of an administrator waits until another administrator has
    confirmed it; 409 while the same waits already."""
    actor = request[request_keys.ACTOR]

    def add(session: Session) -> StaffChanged:
        learner_id = staff_roles.find_person(session, body.studentNumber)
        change = RoleChange(learner_id, body.role, actor.learner_id, actor.at, body.reason)
        changed = staff_roles.give_by_staff(session, change)
        if isinstance(changed, Waiting):
            return _waits(learner_id, changed)
        text = _has_role(body.role)
        return StaffChanged(learnerId=learner_id, changed=changed, text=text, href=f"{PATH}/{learner_id}")

    return _notify(request, await request.app[DATABASE].write_as(actor, add))


@action(
    "admin/staff/{id}/add",
    RoleToGive,
    "Give a role",
    "Give role",
    permission=Permission.STAFF_WRITE,
    max_auth_age_s=MAX_AUTH_AGE_S,
    reply=StaffChanged,
    refusals=(409,),
)
async def add_role(request: web.Request, body: RoleToGive) -> StaffChanged:
    """Give a role to somebody of the staff. That of an administrator waits for another one, as above."""
    changed, _ = await _change(request, body, staff_roles.give_by_staff)
    if isinstance(changed, Waiting):
        return _notify(request, _waits(request[request_keys.PATH_ID], changed))
    return _outcome(request, changed, _has_role(body.role), _undo(request, "remove", body))


@action(
    "admin/staff/{id}/remove",
    RoleToTake,
    "Take a role",
    "Take role",
    is_dangerous=True,
    permission=Permission.STAFF_WRITE,
    max_auth_age_s=MAX_AUTH_AGE_S,
    reply=StaffChanged,
    refusals=(409,),
)
async def remove_role(request: web.Request, body: RoleToTake) -> StaffChanged:
    """Take a role from somebody of the staff. The last role ends their sessions in the area. That of an administrator
    waits for another one, as above."""
    changed, left = await _change(request, body, staff_roles.take_by_staff)
    if isinstance(changed, Waiting):
        return _notify(request, _waits(request[request_keys.PATH_ID], changed))
    outcome = _outcome(
        request, changed, f"They do not have the role {body.role} any more.", _undo(request, "add", body)
    )
    # Without a role nobody has a page.
    outcome.href = None if left else PATH
    return outcome


@remove_role.preview("confirmed")
async def preview_removal(request: web.Request, body: RoleToTake) -> ActionPreview:
    """When the role counts no more. Takes nothing."""
    if body.role == ADMINISTRATOR:
        return ActionPreview(effects=[CONFIRMED_FIRST])
    held = await request.app[DATABASE].read(staff_listing.granted_roles, request[request_keys.PATH_ID])
    if [granted.role for granted in held] == [body.role]:
        return ActionPreview(effects=["It is their last role: they are signed out of this area at once."])
    return ActionPreview(effects=[f"The role {body.role} counts no more from their next step on."])


def _has_role(role: str) -> str:
    return f"They have the role {role} now."


def _outcome(request: web.Request, changed: bool, text: str, undo: Undo) -> StaffChanged:
    learner_id = request[request_keys.PATH_ID]
    return StaffChanged(learnerId=learner_id, changed=changed, text=text, undo=undo if changed else None)


def _waits(learner_id: int, asked: Waiting) -> StaffChanged:
    waiting = waiting_outcome(asked)
    return StaffChanged(learnerId=learner_id, changed=False, text=waiting.text, href=waiting.href)


def _notify(request: web.Request, outcome: StaffChanged) -> StaffChanged:
    """Send the mails to the other administrators, which are in the outbox, without waiting for its next turn."""
    request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    return outcome


def _undo(request: web.Request, call: str, body: RoleToGive | RoleToTake) -> Undo:
    return Undo(call=f"{PATH}/{request[request_keys.PATH_ID]}/{call}", body={"role": body.role, "reason": "Undone"})


async def _change(
    request: web.Request, body: RoleToGive | RoleToTake, change: Callable[[Session, RoleChange], Waiting | bool]
) -> tuple[Waiting | bool, int]:
    """Whether it was changed or waits, and how many roles are left."""
    actor, learner_id = request[request_keys.ACTOR], request[request_keys.PATH_ID]
    about = RoleChange(learner_id, body.role, actor.learner_id, actor.at, body.reason)

    def make(session: Session) -> tuple[Waiting | bool, int]:
        changed = change(session, about)
        return changed, len(staff_listing.granted_roles(session, learner_id))

    return await request.app[DATABASE].write_as(actor, make)
