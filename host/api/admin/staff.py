"""Calls about the staff: giving and taking roles."""

from collections.abc import Callable
from typing import Annotated

from aiohttp import web
from pydantic import BaseModel, Field
from sqlalchemy.orm import Session

from domain import staff
from domain.permissions import Permission
from domain.staff import RoleChange
from host.api.fields import Strict
from host.api.registry import call
from host.app_keys import DATABASE
from host.http import request_keys

MAX_AUTH_AGE_S = 600
Reason = Annotated[str, Field(max_length=500)]
RoleName = Annotated[str, Field(max_length=20)]


class NewStaff(Strict):
    studentNumber: Annotated[str, Field(max_length=40)]
    role: RoleName
    reason: Reason


class StaffRoleChange(Strict):
    role: RoleName
    reason: Reason


class StaffChanged(BaseModel):
    """`changed` false: it was so before."""

    learnerId: int
    changed: bool


@call(
    "admin/staff",
    NewStaff,
    StaffChanged,
    area="admin",
    permission=Permission.STAFF_WRITE,
    max_auth_age_s=MAX_AUTH_AGE_S,
)
async def add_somebody(request: web.Request, body: NewStaff) -> StaffChanged:
    """Give a role to the person with a student number."""
    actor = request[request_keys.ACTOR]

    def add(session: Session) -> StaffChanged:
        learner_id = staff.find_person(session, body.studentNumber)
        change = RoleChange(learner_id, body.role, actor.learner_id, actor.at, body.reason)
        return StaffChanged(learnerId=learner_id, changed=staff.add_role(session, change))

    return await request.app[DATABASE].write_as(actor, add)


@call(
    "admin/staff/{id}/add",
    StaffRoleChange,
    StaffChanged,
    area="admin",
    permission=Permission.STAFF_WRITE,
    max_auth_age_s=MAX_AUTH_AGE_S,
)
async def add_role(request: web.Request, body: StaffRoleChange) -> StaffChanged:
    """Give a role to somebody of the staff."""
    return await _changed(request, body, staff.add_role)


@call(
    "admin/staff/{id}/remove",
    StaffRoleChange,
    StaffChanged,
    area="admin",
    permission=Permission.STAFF_WRITE,
    max_auth_age_s=MAX_AUTH_AGE_S,
)
async def remove_role(request: web.Request, body: StaffRoleChange) -> StaffChanged:
    """Take a role from somebody of the staff. The last role ends their sessions in the area."""
    return await _changed(request, body, staff.remove_role)


async def _changed(
    request: web.Request, body: StaffRoleChange, change: Callable[[Session, RoleChange], bool]
) -> StaffChanged:
    actor, learner_id = request[request_keys.ACTOR], request[request_keys.PATH_ID]
    about = RoleChange(learner_id, body.role, actor.learner_id, actor.at, body.reason)
    return StaffChanged(learnerId=learner_id, changed=await request.app[DATABASE].write_as(actor, change, about))
