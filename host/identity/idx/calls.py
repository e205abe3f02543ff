"""The calls of a transaction (docs/wire.md, "identity: browser ⇄ host")."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Literal

from aiohttp import web
from pydantic import Field, StrictBool, StrictStr

from domain.sign_ins import NoRole
from host import keys, throttles
from host.calls import call, query
from host.calls.forms import Nothing, Strict
from host.identity import areas
from host.identity.areas import Area
from host.identity.errors import TEXTS, NoResume, NoSavedTransaction, SignInError
from host.identity.idx import going
from host.identity.idx import meta as metas
from host.identity.idx.meta import Open
from host.identity.idx.wire import Transaction
from host.identity.sign_in import problem_of
from host.problems import Problem

REFUSALS = (404, 409, 410, 429, 503)


class Beginning(Strict):
    """`token` of a mail: recovery, unlocking or activation; `username` only fills the field."""

    flow: Literal["authenticate", "register", "recoverPassword", "unlockAccount"]
    returnTo: Annotated[str, Field(max_length=4096)] = "/"
    area: Area = "learner"
    username: Annotated[str, Field(max_length=254)] = ""
    token: Annotated[str, Field(max_length=500, pattern=r"^[\x21-\x7e]*$")] = ""


@call("auth/idx/start", Beginning, Transaction, refusals=REFUSALS)
async def start(request: web.Request, body: Beginning) -> Transaction:
    """Begins signing in, registering, recovering a password or unlocking an account."""
    await throttles.sign_in(request, body.area)
    meta = metas.fresh(body.flow, body.area, areas.return_to(body.returnTo), body.username.strip())
    return await _said(request, lambda: going.begin(request, meta, body.token))


@query("auth/idx", Nothing, Transaction, refusals=REFUSALS)
async def resume(request: web.Request, _asked: Nothing) -> Transaction:
    """The transaction as it stands: in another tab, after a reload, back from another provider."""

    async def go() -> Transaction:
        try:
            one = await metas.load(request)
        except NoSavedTransaction:
            raise NoResume from None
        return await going.resumed(request, one)

    return await _said(request, go)


class Proceeding(Strict):
    step: Annotated[str, Field(max_length=100)]
    values: Annotated[dict[str, StrictStr | StrictBool], Field(max_length=30)]


@call("auth/idx/proceed", Proceeding, Transaction, refusals=REFUSALS)
async def proceed(request: web.Request, body: Proceeding) -> Transaction:
    """One step of those that were offered, with the values of its inputs."""

    async def go(one: Open) -> Transaction:
        name = body.values.get("identifier") or body.values.get("email")
        await throttles.step(request, one.meta.flow, one.meta.area, name if isinstance(name, str) else "")
        return await going.proceeded(request, one, body.step, body.values)

    return await _going_on(request, go)


@call("auth/idx/poll", Nothing, Transaction, refusals=REFUSALS)
async def poll(request: web.Request, _asked: Nothing) -> Transaction:
    """Whether the person has answered elsewhere; `retryAfterMs` says when to ask again."""
    return await _going_on(request, lambda one: going.polled(request, one))


@call("auth/idx/resend", Nothing, Transaction, refusals=REFUSALS)
async def resend(request: web.Request, _asked: Nothing) -> Transaction:
    """The code once more; the one before it does not count any longer."""

    async def go(one: Open) -> Transaction:
        await throttles.message(request)
        return await going.resent(request, one)

    return await _going_on(request, go)


@call("auth/idx/cancel", Nothing, Transaction, refusals=REFUSALS)
async def cancel(request: web.Request, _asked: Nothing) -> Transaction:
    """Ends the transaction."""
    return await _going_on(request, lambda one: going.cancelled(request, one))


async def _going_on(request: web.Request, go: Callable[[Open], Awaitable[Transaction]]) -> Transaction:
    async def load_and_go() -> Transaction:
        return await go(await metas.load(request))

    return await _said(request, load_and_go)


async def _said(request: web.Request, go: Callable[[], Awaitable[Transaction]]) -> Transaction:
    """Within the provider's deadline, and with what went wrong said as calls say it."""
    try:
        async with request.app[keys.PROVIDER].wire.patience():
            return await go()
    except SignInError as error:
        raise problem_of(error) from None
    except NoRole:
        raise Problem(403, TEXTS["noRole"]) from None
