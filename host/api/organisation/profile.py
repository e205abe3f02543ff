"""Calls about what an organisation says of itself, and about its join codes."""

from collections.abc import Callable
from typing import Annotated

from aiohttp import web
from pydantic import Field
from sqlalchemy.orm import Session

from domain.organisations import profile
from domain.organisations.joining import codes
from domain.permissions import Permission, Tenant
from host.api.admin.actions import FormField, action
from host.api.admin.outcome import StaffOutcome, target
from host.api.fields import EmptyRequest, Strict
from host.app_keys import DATABASE
from host.http import request_keys

WRITE = Permission.PROFILE_WRITE
CODE_ENDS = "The code of now opens nothing any more."
Domain = Annotated[str, Field(max_length=300)]


class OrganisationName(Strict):
    name: Annotated[str, Field(max_length=profile.MAX_NAME), FormField("New name")]


class NewDomain(Strict):
    domain: Annotated[
        Domain,
        FormField("Domain", hint="Such as example.org: never a public mail host. We check that it is yours."),
    ]


class OwnDomain(Strict):
    domain: Annotated[Domain, FormField("Domain", "choice")]


@action("organization/profile/name", OrganisationName, "Change the name", "Save name", permission=WRITE)
async def put_name(request: web.Request, body: OrganisationName) -> StaffOutcome:
    """Change the name of the organisation, as members and the partner link show it."""
    return await _change(request, profile.rename, body.name, "The name is changed.")


@action("organization/profile/request-domain", NewDomain, "Add an email domain", "Ask for it", permission=WRITE)
async def request_domain(request: web.Request, body: NewDomain) -> StaffOutcome:
    """Ask the shop to approve an email domain."""
    text = "We look at it, and you see it here when it is approved."
    return await _change(request, profile.request_domain, body.domain, text)


@action(
    "organization/profile/remove-domain",
    OwnDomain,
    "Remove a domain",
    "Remove domain",
    question="Who has joined with it stays; nobody else joins with it.",
    is_dangerous=True,
    permission=WRITE,
    refusals=(404,),
)
async def remove_domain(request: web.Request, body: OwnDomain) -> StaffOutcome:
    """Nobody joins with this email domain any more."""
    return await _change(request, profile.remove_domain, body.domain, "The domain is removed.")


async def _change(
    request: web.Request, write: Callable[[Session, Tenant, str], None], value: str, text: str
) -> StaffOutcome:
    """Change what the own organisation says of itself, and say what was done."""
    actor = request[request_keys.ACTOR]
    await request.app[DATABASE].write_as(actor, write, actor.tenant, value)
    return StaffOutcome(text=text)


@action(
    "organization/contracts/{id}/new-code",
    EmptyRequest,
    "New join code",
    "Make a new code",
    question=CODE_ENDS,
    is_dangerous=True,
    permission=WRITE,
)
async def new_code(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """Give a contract a new join code; the former one opens nothing any more."""
    code = await _change_code(request, is_on=True)
    return StaffOutcome(text=f"The new code is {codes.shown(code or '')}.")


@action(
    "organization/contracts/{id}/no-code",
    EmptyRequest,
    "No join code",
    "Switch the code off",
    question=CODE_ENDS,
    is_dangerous=True,
    permission=WRITE,
)
async def no_code(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """Nobody joins a contract by code any more."""
    await _change_code(request, is_on=False)
    return StaffOutcome(text="There is no join code any more.")


async def _change_code(request: web.Request, *, is_on: bool) -> str | None:
    number, actor, _ = target(request)
    return await request.app[DATABASE].write_as(actor, codes.change, actor.tenant, number, is_on=is_on)
