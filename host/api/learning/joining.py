"""Joining organisations: by invitation, by code, or by the domain of a verified email address."""

from datetime import UTC, datetime
from typing import Annotated, cast

from aiohttp import web
from pydantic import BaseModel, Field

from domain.errors import InvalidInput
from domain.organisations.joining import accepting
from domain.organisations.joining.accepting import Joined, Joiner
from domain.permissions import Actor, Area
from host.api.fields import Id, Strict
from host.api.registry import call
from host.app_keys import DATABASE
from host.auth import area_access
from host.http import request_keys
from host.rate_limits import policies

Token = Annotated[str, Field(max_length=200)]


class InvitationAcceptance(Strict):
    """`token`: of the link, "" for an invitation to one's own verified address. `sharesProgress`: managers may see how
    far one is, where the contract shows names."""

    token: Token = ""
    sharesProgress: bool = False


class InvitationRefusal(Strict):
    token: Token = ""


class JoinRequest(Strict):
    """Either a join code, or the organisation that the domain of one's address belongs to."""

    code: Annotated[str, Field(max_length=64)] = ""
    organisationId: Id | None = None
    sharesProgress: bool = False


class JoinedOrganisation(BaseModel):
    """`isNew` false: one belonged to it already."""

    organisation: str
    isNew: bool


class DeclinedInvitation(BaseModel):
    isDeclined: bool


@call("learning/invitations/{id}/accept", InvitationAcceptance, JoinedOrganisation, caller="learner", refusals=(429,))
async def accept(request: web.Request, body: InvitationAcceptance) -> JoinedOrganisation:
    """Join by an invitation; the same learner again gets the same answer. 404, always the same, for one that is not
    theirs, is closed or too old; 403 while no seat is free."""
    actor, joiner = await _joiner(request, body.sharesProgress)
    number = request[request_keys.PATH_ID]
    joined = await request.app[DATABASE].write_as(actor, accepting.accept, joiner, number, body.token)
    return _answer(joined)


@call("learning/invitations/{id}/decline", InvitationRefusal, DeclinedInvitation, caller="learner", refusals=(429,))
async def decline(request: web.Request, body: InvitationRefusal) -> DeclinedInvitation:
    """Decline an invitation. 404 as when it is accepted."""
    actor, joiner = await _joiner(request, shares_progress=False)
    number = request[request_keys.PATH_ID]
    await request.app[DATABASE].write_as(actor, accepting.decline, actor.learner_id, number, body.token, joiner.at)
    return DeclinedInvitation(isDeclined=True)


@call("learning/join", JoinRequest, JoinedOrganisation, caller="learner", refusals=(404, 429))
async def join(request: web.Request, body: JoinRequest) -> JoinedOrganisation:
    """Join by a code, or by the domain of one's verified address. 404, always the same, for a code that opens nothing
    and for another organisation."""
    if bool(body.code) == (body.organisationId is not None):
        raise InvalidInput({"code": "Send either a code or an organisation."})
    actor, joiner = await _joiner(request, body.sharesProgress)
    db = request.app[DATABASE]
    if body.organisationId is None:
        return _answer(await db.write_as(actor, accepting.join_by_code, joiner, body.code))
    return _answer(await db.write_as(actor, accepting.join_by_domain, joiner, body.organisationId))


async def _joiner(request: web.Request, shares_progress: bool) -> tuple[Actor, Joiner]:
    auth = request[request_keys.AUTH_SESSION]
    await policies.limit(request, *policies.LEARNING_CODES)
    actor = area_access.actor_of(request, auth, cast("Area", auth.area), ())
    return actor, Joiner(auth.learner_id, datetime.now(UTC), shares_progress)


def _answer(joined: Joined) -> JoinedOrganisation:
    return JoinedOrganisation(organisation=joined.organisation, isNew=joined.is_new)
