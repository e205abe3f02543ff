"""Calls about what an organisation says of itself, and about its join codes."""

from collections.abc import Callable
from typing import Annotated

from aiohttp import web
from pydantic import Field
from sqlalchemy.orm import Session

from domain.organisations import profile
from domain.organisations.joining import codes
from domain.permissions import Permission, Tenant
from host.api.admin.outcome import StaffOutcome, target
from host.api.fields import EmptyRequest, Strict
from host.api.registry import call
from host.app_keys import DATABASE
from host.http import request_keys


class OrganisationName(Strict):
    name: Annotated[str, Field(max_length=500)]


class OrganisationDomain(Strict):
    domain: Annotated[str, Field(max_length=300)]


@call(
    "organization/profile/name",
    OrganisationName,
    StaffOutcome,
    area="organisation",
    permission=Permission.PROFILE_WRITE,
)
async def put_name(request: web.Request, body: OrganisationName) -> StaffOutcome:
    """Change the name of the organisation, as members and the partner link show it."""
    return await _change(request, profile.rename, body.name, "The name is changed.")


@call(
    "organization/profile/request-domain",
    OrganisationDomain,
    StaffOutcome,
    area="organisation",
    permission=Permission.PROFILE_WRITE,
)
async def request_domain(request: web.Request, body: OrganisationDomain) -> StaffOutcome:
    """Ask the shop to approve an email domain."""
    text = "We look at it, and you see it here when it is approved."
    return await _change(request, profile.request_domain, body.domain, text)


@call(
    "organization/profile/remove-domain",
    OrganisationDomain,
    StaffOutcome,
    area="organisation",
    permission=Permission.PROFILE_WRITE,
    refusals=(404,),
)
async def remove_domain(request: web.Request, body: OrganisationDomain) -> StaffOutcome:
    """Nobody joins with this email domain any more."""
    return await _change(request, profile.remove_domain, body.domain, "The domain is removed.")


async def _change(
    request: web.Request, write: Callable[[Session, Tenant, str], None], value: str, text: str
) -> StaffOutcome:
    """Change what the own organisation says of itself, and say what was done."""
    actor = request[request_keys.ACTOR]
    await request.app[DATABASE].write_as(actor, write, actor.tenant, value)
    return StaffOutcome(text=text)


@call(
    "organization/contracts/{id}/new-code",
    EmptyRequest,
    StaffOutcome,
    area="organisation",
    permission=Permission.PROFILE_WRITE,
    is_body_optional=True,
)
async def new_code(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """Give a contract a new join code; the former one opens nothing any more."""
    code = await _change_code(request, is_on=True)
    return StaffOutcome(text=f"The new code is {codes.shown(code or '')}.")


@call(
    "organization/contracts/{id}/no-code",
    EmptyRequest,
    StaffOutcome,
    area="organisation",
    permission=Permission.PROFILE_WRITE,
    is_body_optional=True,
)
async def no_code(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """Nobody joins a contract by code any more."""
    await _change_code(request, is_on=False)
    return StaffOutcome(text="There is no join code any more.")


async def _change_code(request: web.Request, *, is_on: bool) -> str | None:
    number, actor, _ = target(request)
    return await request.app[DATABASE].write_as(actor, codes.change, actor.tenant, number, is_on=is_on)
