"""What a browser asks about signing in: who am I, sign me out, is there a provider."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

from aiohttp import web
from pydantic import BaseModel

from domain import sessions, sign_ins
from domain.sessions import Origin
from host import keys
from host import sessions as halves
from host.calls import call, query
from host.calls.forms import Nothing
from host.identity import user_info
from host.identity.provider import Provider
from host.identity.sign_in import Led


class Me(BaseModel):
    """`roles` as our tables have them now; `isRestricted`: sees what their contract names and nothing else."""

    id: int
    email: str
    name: str
    area: str
    roles: list[str]
    isRestricted: bool
    studentNumber: str


class Standing(BaseModel):
    learner: Me
    expiresAt: datetime


@query("auth/session", Nothing, Standing, who="learner")
async def session(request: web.Request, _asked: Nothing) -> Standing:
    """Who is signed in, and until when."""
    who = request[keys.SIGNED_IN]
    found = await request.app[keys.DATABASE].read(sign_ins.person, who.learner_id, datetime.now(UTC))
    me = Me(
        id=found.id,
        email=found.email,
        name=found.name,
        area=who.area,
        roles=list(found.roles),
        isRestricted=found.is_restricted,
        studentNumber=found.student_number,
    )
    return Standing(learner=me, expiresAt=who.expires_at)


@call("auth/logout", Nothing, Led, refusals=(503,), is_body_optional=True)
async def logout(request: web.Request, _asked: Nothing) -> Led:
    """The end of the sign-in, here and at the provider, where the answer leads. Without a live one it leads home."""
    app, who = request.app, await halves.optional(request)
    request.setdefault(keys.COOKIES, {}).update(user_info.signed_out(app[keys.SETTINGS]))
    request[keys.HEADERS] = {"Clear-Site-Data": '"cache"'}
    if who is None:
        return Led(redirect="/")
    sealed = await app[keys.DATABASE].run(sessions.end, who.session_id, datetime.now(UTC))
    tokens = opened(request, sealed)
    provider = app[keys.PROVIDER]
    address, _ = await asyncio.gather(provider.logout_address(tokens.id_token), _revoked(provider, tokens))
    return Led(redirect=address or "/")


def opened(request: web.Request, sealed: Origin) -> Origin:
    """The provider's tokens of a sign-in, readable; "" where there are none any more."""
    secret = request.app[keys.SECRET]
    id_token, access_token = (secret.opened(one) or "" for one in (sealed.id_token, sealed.access_token))
    return replace(sealed, id_token=id_token, access_token=access_token)


async def _revoked(provider: Provider, tokens: Origin) -> None:
    if tokens.access_token:
        await provider.revoke(tokens.access_token)


class AboutProvider(BaseModel):
    """`frame`: address of the page that knows the browser's fingerprint; `hasAuthn` false: only `auth/start`."""

    origin: str
    frame: str | None
    hasAuthn: bool
    hasRegistration: bool
    isReachable: bool


@query("auth/provider", Nothing, AboutProvider, fresh_s=60)
async def about(request: web.Request, _asked: Nothing) -> AboutProvider:
    """What the sign-in pages need to know about the provider."""
    provider = request.app[keys.PROVIDER]
    has = provider.has_extensions and bool(provider.issuer)
    frame = f"{provider.origin}/auth/services/devicefingerprint" if has else None
    return AboutProvider(
        origin=provider.origin,
        frame=frame,
        hasAuthn=has,
        hasRegistration=await request.app[keys.FEATURES].has_registration(),
        isReachable=provider.state == "up",
    )
