"""Calls about the invitations of the own organisation. No answer tells whether an address has an account."""

from datetime import UTC, datetime
from typing import Annotated

from aiohttp import web
from pydantic import Field

from contracts.tasks import Topic
from domain.organisations import memberships
from domain.organisations.joining import closing, inviting
from domain.organisations.joining.inviting import NewInvitation
from domain.permissions import Permission
from host.api.admin.actions import FormField, action
from host.api.admin.outcome import StaffOutcome, target
from host.api.fields import EmptyRequest, Strict
from host.api.organisation.members import MAX_AUTH_AGE_S
from host.app_keys import DATABASE
from host.auth import area_access
from host.http import request_keys
from host.messaging.outbox_wake import OUTBOX_WAKER


class InvitationForm(Strict):
    """`courses`: slugs, separated by spaces, commas or lines, which the member gets on joining. `contractId` "": the
    newest contract that runs."""

    email: Annotated[str, Field(max_length=254), FormField("Email")]
    name: Annotated[str, Field(max_length=inviting.MAX_NAME), FormField("Name")] = ""
    team: Annotated[str, Field(max_length=memberships.MAX_TEAM), FormField("Team", hint="Reports are by team.")] = ""
    role: Annotated[
        str,
        Field(max_length=20),
        FormField(
            "Role",
            "choice",
            options={"member": "Member", "manager": "Manager", "owner": "Owner"},
            is_required=True,
        ),
    ] = "member"
    courses: Annotated[
        str,
        Field(max_length=2_000),
        FormField(
            "Courses",
            hint="Short names as in the shop's addresses, with spaces between. They get a seat for these on joining.",
        ),
    ] = ""
    contractId: Annotated[
        str,
        Field(max_length=20, pattern="^[0-9]{0,15}$"),
        FormField("Contract", "choice", is_required=True),
    ] = ""


@action(
    "organization/invitations",
    InvitationForm,
    "Invite somebody",
    "Send invitation",
    text="They get a mail with a link that is valid for 14 days, and read what managers will see before they accept.",
    permission=Permission.MEMBERS_WRITE,
    refusals=(404,),
)
async def invite(request: web.Request, body: InvitationForm) -> StaffOutcome:
    """Invite somebody by mail, with a link that is valid for 14 days. Who invites an owner must have signed in
    recently."""
    actor, at = request[request_keys.ACTOR], datetime.now(UTC)
    if body.role == "owner":
        await area_access.require_recent_sign_in(request, request[request_keys.AUTH_SESSION], MAX_AUTH_AGE_S)
    courses = tuple(body.courses.replace(",", " ").replace(";", " ").split())
    contract_id = int(body.contractId) if body.contractId else None
    new = NewInvitation(body.email, body.name, body.team, body.role, courses, contract_id)
    await request.app[DATABASE].write_as(actor, inviting.invite, actor, new, at)
    request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    return StaffOutcome(text="The invitation is on its way.")


@action(
    "organization/invitations/{id}/resend",
    EmptyRequest,
    "Send it again",
    "Send again",
    text="The same link, valid for 14 days more. An address gets three mails at most, an hour apart.",
    permission=Permission.MEMBERS_WRITE,
)
async def resend(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """Send the mail of an open invitation again, at most three times in all."""
    number, actor, at = target(request)
    await request.app[DATABASE].write_as(actor, inviting.resend, actor, number, at)
    request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    return StaffOutcome(text="The invitation is on its way again.")


@action(
    "organization/invitations/{id}/cancel",
    EmptyRequest,
    "Take it back",
    "Take back",
    question="Its link opens nothing any more, and its seat becomes free.",
    is_dangerous=True,
    permission=Permission.MEMBERS_WRITE,
)
async def cancel(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """Take an invitation back: its link opens nothing any more."""
    number, actor, at = target(request)
    await request.app[DATABASE].write_as(actor, closing.cancel, actor.tenant, number, at)
    return StaffOutcome(text="The invitation is taken back.")
