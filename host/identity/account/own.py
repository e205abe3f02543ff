"""What we ourselves hold on a person: their sign-ins, everything as one file, and the end of it."""

import asyncio
from datetime import UTC, datetime
from typing import Annotated, Any

from aiohttp import web
from pydantic import BaseModel, Field, RootModel

from domain import account, sessions
from domain.sessions import Origin, SignedIn
from host import keys, throttles
from host.calls import call, query
from host.calls.forms import Nothing, Strict
from host.identity import standing, user_info
from host.identity.sign_in import Led


class OwnSession(BaseModel):
    """`browser` such as Firefox, "" when it did not say."""

    id: str
    isThis: bool
    area: str
    browser: str
    createdAt: datetime
    expiresAt: datetime


class OwnSessions(BaseModel):
    sessions: list[OwnSession]


class Export(RootModel[dict[str, Any]]):
    """Everything we hold on the learner; its parts are named in docs/wire.md."""


class Farewell(Strict):
    confirm: Annotated[str, Field(max_length=254)]


async def _running(request: web.Request, who: SignedIn) -> OwnSessions:
    found = await request.app[keys.DATABASE].read(sessions.running, who.learner_id, datetime.now(UTC))
    made = [
        OwnSession(
            id=str(one.id),
            isThis=one.id == who.session_id,
            area=one.area,
            browser=one.browser,
            createdAt=one.created_at,
            expiresAt=one.expires_at,
        )
        for one in found
    ]
    return OwnSessions(sessions=made)


@query("account/sessions", Nothing, OwnSessions, who="learner", refusals=(429,))
async def listing(request: web.Request, _asked: Nothing) -> OwnSessions:
    """The learner's sign-ins that still run."""
    await throttles.account_call(request)
    return await _running(request, request[keys.SIGNED_IN])


@call(
    "account/sessions/{id}",
    Nothing,
    OwnSessions,
    method="DELETE",
    who="learner",
    refusals=(429,),
    is_body_optional=True,
)
async def end(request: web.Request, _asked: Nothing) -> OwnSessions:
    """The end of a sign-in, at once; of this one too."""
    await throttles.account_call(request)
    who, one, app = request[keys.SIGNED_IN], request[keys.PATH_ID], request.app
    sealed = await app[keys.DATABASE].run(sessions.end_own, who.learner_id, one, datetime.now(UTC))
    if one == who.session_id:
        _signed_out(request)
    await _revoked(request, [standing.opened(request, sealed)])
    return await _running(request, who)


@query("account/export", Nothing, Export, who="learner", refusals=(429,))
async def export(request: web.Request, _asked: Nothing) -> Export:
    """Everything we hold on the learner, as one file."""
    who, at = request[keys.SIGNED_IN], datetime.now(UTC)
    await throttles.account_call(request)
    found = await request.app[keys.DATABASE].read(account.export, who.learner_id, at)
    name = f"account-{who.learner_id}-{at:%Y-%m-%d}.json"
    request[keys.HEADERS] = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Export(found)


@call("account", Farewell, Led, method="DELETE", who="learner", refusals=(429,))
async def farewell(request: web.Request, body: Farewell) -> Led:
    """The account is deleted: what we hold on the person goes, or says nothing of them any more."""
    await throttles.account_call(request)
    app, who = request.app, request[keys.SIGNED_IN]
    here = standing.opened(request, await app[keys.DATABASE].read(sessions.origin_of, who.session_id))
    sealed = await app[keys.DATABASE].run(account.forget, who.learner_id, body.confirm)
    _signed_out(request)
    # Not before it is done: whoever mistyped the address is still signed in, there too.
    address, _ = await asyncio.gather(
        app[keys.PROVIDER].logout_address(here.id_token),
        _revoked(request, [standing.opened(request, one) for one in sealed]),
    )
    return Led(redirect=address or "/")


def _signed_out(request: web.Request) -> None:
    request.setdefault(keys.COOKIES, {}).update(user_info.signed_out(request.app[keys.SETTINGS]))
    request[keys.HEADERS] = {"Clear-Site-Data": '"cache"'}


async def _revoked(request: web.Request, origins: list[Origin]) -> None:
    """As well as may be: at a provider that is away the tokens end by themselves."""
    provider = request.app[keys.PROVIDER]
    tokens = [one.access_token for one in origins if one.access_token and one.issuer == provider.issuer]
    await asyncio.gather(*(provider.revoke(one) for one in tokens))
