"""The calls of sign-in flows, and facts about the provider (docs/contracts.md, "identity: browser ⇄ host")."""

from collections.abc import Awaitable, Callable
from typing import Annotated

from aiohttp import web
from pydantic import BaseModel, Field, StrictBool, StrictStr

from domain.identity.sign_in import NoRole
from domain.permissions import Area
from host.api.fields import EmptyRequest, Strict
from host.api.registry import call, query
from host.http.problems import Problem
from host.identity import areas
from host.identity.errors import TEXTS, NoResume, NoSavedTransaction, SignInError
from host.identity.idx import flow as idx_flow
from host.identity.idx import flow_state
from host.identity.idx.flow_state import OpenFlow
from host.identity.idx.provider_features import FEATURES
from host.identity.idx.schemas import FlowName, Transaction
from host.identity.login_api import problem_of
from host.identity.provider import PROVIDER
from host.rate_limits import policies

REFUSALS = (404, 409, 410, 429, 503)


class StartFlow(Strict):
    """`token` of a mail link: recovery, unlocking or activation. `username` only prefills the field."""

    flow: FlowName
    returnTo: Annotated[str, Field(max_length=4096)] = "/"
    area: Area = "learner"
    username: Annotated[str, Field(max_length=254)] = ""
    token: Annotated[str, Field(max_length=500, pattern=r"^[\x21-\x7e]*$")] = ""


@call("auth/idx/start", StartFlow, Transaction, caller="anyone", refusals=REFUSALS)
async def start(request: web.Request, body: StartFlow) -> Transaction:
    """Start signing in, registering, recovering a password or unlocking an account."""
    await policies.limit_sign_in(request, body.area)
    state = flow_state.new_state(body.flow, body.area, areas.return_to(body.returnTo), body.username.strip())
    return await _transaction(request, lambda: idx_flow.begin(request, state, body.token))


@query("auth/idx", EmptyRequest, Transaction, caller="anyone", refusals=REFUSALS)
async def resume(request: web.Request, _body: EmptyRequest) -> Transaction:
    """Return this browser's transaction: in another tab, after a reload, back from another identity provider."""

    async def go() -> Transaction:
        try:
            open_flow = await flow_state.load(request)
        except NoSavedTransaction:
            raise NoResume from None
        return await idx_flow.resume(request, open_flow)

    return await _transaction(request, go)


class ProceedFlow(Strict):
    step: Annotated[str, Field(max_length=100)]
    values: Annotated[dict[str, StrictStr | StrictBool], Field(max_length=30)]


@call("auth/idx/proceed", ProceedFlow, Transaction, caller="anyone", refusals=REFUSALS)
async def proceed(request: web.Request, body: ProceedFlow) -> Transaction:
    """Submit one of the offered steps with the values of its inputs."""

    async def go(open_flow: OpenFlow) -> Transaction:
        name = body.values.get("identifier") or body.values.get("email")
        await policies.limit_flow_step(
            request, open_flow.state.flow, open_flow.state.area, name if isinstance(name, str) else ""
        )
        return await idx_flow.proceed(request, open_flow, body.step, body.values)

    return await _run_step(request, go)


@call("auth/idx/poll", EmptyRequest, Transaction, caller="anyone", refusals=REFUSALS)
async def poll(request: web.Request, _body: EmptyRequest) -> Transaction:
    """Poll whether the person has reacted elsewhere; `retryAfterMs` says when to poll again."""
    return await _run_step(request, lambda open_flow: idx_flow.poll(request, open_flow))


@call("auth/idx/resend", EmptyRequest, Transaction, caller="anyone", refusals=REFUSALS)
async def resend(request: web.Request, _body: EmptyRequest) -> Transaction:
    """Send the code again; the previous one becomes invalid."""

    async def go(open_flow: OpenFlow) -> Transaction:
        await policies.limit(request, "recoveries_per_address_hour")
        return await idx_flow.resend(request, open_flow)

    return await _run_step(request, go)


@call("auth/idx/cancel", EmptyRequest, Transaction, caller="anyone", refusals=REFUSALS)
async def cancel(request: web.Request, _body: EmptyRequest) -> Transaction:
    """Cancel the transaction."""
    return await _run_step(request, lambda open_flow: idx_flow.cancel(request, open_flow))


async def _run_step(request: web.Request, go: Callable[[OpenFlow], Awaitable[Transaction]]) -> Transaction:
    async def load_and_go() -> Transaction:
        return await go(await flow_state.load(request))

    return await _transaction(request, load_and_go)


async def _transaction(request: web.Request, go: Callable[[], Awaitable[Transaction]]) -> Transaction:
    """Run `go` within the provider's deadline. Raises Problem for errors of sign-ins."""
    try:
        async with request.app[PROVIDER].wire.deadline():
            return await go()
    except SignInError as error:
        raise problem_of(error) from None
    except NoRole:
        raise Problem(403, TEXTS["noRole"]) from None


class AboutProvider(BaseModel):
    """`frame`: the provider's page that sends the browser's fingerprint; `hasAuthn` false: only `auth/start`."""

    origin: str
    frame: str | None
    hasAuthn: bool
    hasRegistration: bool
    isReachable: bool


@query("auth/provider", EmptyRequest, AboutProvider, caller="anyone", max_age_s=60)
async def about(request: web.Request, _body: EmptyRequest) -> AboutProvider:
    """Return what the sign-in pages need to know about the provider."""
    provider = request.app[PROVIDER]
    has_authn = provider.has_extensions and bool(provider.issuer)
    frame = f"{provider.origin}/auth/services/devicefingerprint" if has_authn else None
    return AboutProvider(
        origin=provider.origin,
        frame=frame,
        hasAuthn=has_authn,
        hasRegistration=await request.app[FEATURES].has_registration(),
        isReachable=provider.state == "up",
    )
