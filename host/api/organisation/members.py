"""Calls about the members of the own organisation."""

from typing import Annotated

from aiohttp import web
from pydantic import Field

from domain.organisations import memberships
from domain.organisations.members import member_of
from domain.permissions import Permission
from domain.text_direction import isolated
from host.api.admin.actions import FormField, RecordedReason, action
from host.api.admin.outcome import ActionPreview, StaffOutcome, target
from host.api.fields import Strict
from host.app_keys import DATABASE
from host.auth import area_access
from host.http import request_keys

# For a change of who owns the organisation.
MAX_AUTH_AGE_S = 600
Team = Annotated[
    str,
    Field(max_length=memberships.MAX_TEAM),
    FormField("Team", hint="Reports are by team. Leave it empty for none."),
]


class MemberTeam(Strict):
    """`team` "": none."""

    team: Team = ""


class MemberRole(Strict):
    role: Annotated[str, Field(max_length=20), FormField("Role", "choice")]
    reason: RecordedReason = ""


class MemberRemoval(Strict):
    reason: RecordedReason = ""


@action(
    "organization/members/{id}/team",
    MemberTeam,
    "Change the team",
    "Save team",
    permission=Permission.MEMBERS_WRITE,
)
async def put_team(request: web.Request, body: MemberTeam) -> StaffOutcome:
    """Put a member into a team, or into none."""
    number, actor, _ = target(request)
    await request.app[DATABASE].write_as(actor, memberships.change_team, actor, number, body.team)
    return StaffOutcome(text="The team is changed.")


@action(
    "organization/members/{id}/role",
    MemberRole,
    "Change the role",
    "Save role",
    permission=Permission.OWNERSHIP_WRITE,
    max_auth_age_s=MAX_AUTH_AGE_S,
)
async def put_role(request: web.Request, body: MemberRole) -> StaffOutcome:
    """Make somebody an owner, a manager or a member. Nobody changes their own role, and the last owner stays one."""
    number, actor, _ = target(request)
    await request.app[DATABASE].write_as(actor, memberships.change_role, actor, number, body.role, body.reason)
    return StaffOutcome(text="The role is changed.")


_RIGHTS = {
    "owner": "{name} may buy seats in the name of the organisation, change its profile, and change all roles, yours "
    "too.",
    "manager": "{name} may invite people, give seats out and read reports, but neither buy seats nor change roles.",
    "member": "{name} may open none of these pages. Courses, progress and certificates stay theirs.",
}


@put_role.preview("confirmed")
async def preview_role(request: web.Request, body: MemberRole) -> ActionPreview:
    """What somebody may do in the new role. Changes nothing."""
    number, actor, _ = target(request)
    found = await request.app[DATABASE].read(member_of, actor.tenant, number)
    name = isolated(found.name or found.email)
    return ActionPreview(effects=[text.format(name=name) for role, text in _RIGHTS.items() if role == body.role])


@action(
    "organization/members/{id}/remove",
    MemberRemoval,
    "Remove from the organisation",
    "Remove",
    question="Their seats become free, and access that came with them ends. Progress and certificates stay theirs.",
    is_dangerous=True,
    permission=Permission.MEMBERS_WRITE,
)
async def remove(request: web.Request, body: MemberRemoval) -> StaffOutcome:
    """End a membership: its seat becomes free, and access that came with it ends; progress and certificates stay the
    person's. An owner, who may remove owners, must have signed in recently."""
    number, actor, at = target(request)
    if "owner" in actor.roles:
        await area_access.require_recent_sign_in(request, request[request_keys.AUTH_SESSION], MAX_AUTH_AGE_S)
    await request.app[DATABASE].write_as(actor, memberships.remove, actor, number, body.reason, at)
    return StaffOutcome(text="The membership has ended.")
