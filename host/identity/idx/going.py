"""How a transaction goes on: one request to the provider for each step, and what follows from its answer."""

import time
from contextlib import suppress
from dataclasses import replace

from aiohttp import web

from host import keys
from host.identity import areas, arriving, authn
from host.identity.attempts import Cookies
from host.identity.errors import (
    NoRegistration,
    NoSavedTransaction,
    NotOffered,
    NoUnlock,
    ProviderAway,
    ProviderBusy,
    SignInError,
    TransactionOver,
)
from host.identity.idx import meta as metas
from host.identity.idx.answers import Answer, Json
from host.identity.idx.engine import Engine
from host.identity.idx.inputs import Filling, Values
from host.identity.idx.meta import Meta, Open
from host.identity.idx.steps import LEAST_POLL_MS, shown
from host.identity.idx.wire import Transaction
from host.problems import Problem

# Specification §9: after a failure the next look is 2^n s later, and after five of them it is given up.
MOST_FAILURES = 5


def engine_of(request: web.Request) -> Engine:
    return Engine(request.app[keys.PROVIDER], authn.on_behalf(request))


def _origin(request: web.Request) -> str:
    return request.app[keys.PROVIDER].origin


def set_cookies(request: web.Request, cookies: Cookies) -> None:
    request.setdefault(keys.COOKIES, {}).update(cookies)


async def begin(request: web.Request, meta: Meta, token: str) -> Transaction:
    """A new transaction at the first step of its flow. Raises NoRegistration, NoUnlock, LinkRefused."""
    engine = engine_of(request)
    handle = await engine.interact(meta, token)
    meta = replace(meta, interaction_handle=handle)
    answer = await engine.introspect(meta)
    if not token:
        request.app[keys.FEATURES].learn(answer)
        answer = await _entered(engine, meta.flow, answer)
    one, cookies = await metas.keep_new(request, meta.after(answer))
    set_cookies(request, cookies)
    return await ended(request, one, answer)


async def _entered(engine: Engine, flow: str, answer: Answer) -> Answer:
    """The way into a flow from the first answer, which is that of signing in."""
    if flow == "register":
        if answer.form("select-enroll-profile") is None:
            raise NoRegistration
        return await engine.submit(*_plain(answer.form("select-enroll-profile")))
    if flow == "unlockAccount":
        if answer.form("unlock-account") is None:
            raise NoUnlock
        return await engine.submit(*_plain(answer.form("unlock-account")))
    if flow == "recoverPassword" and answer.form("recover") is not None:
        return await engine.submit(*_plain(answer.form("recover")))
    return answer


def _plain(form: Json | None) -> tuple[Json, Json]:
    """A form that asks for nothing, and what it fixes."""
    if form is None:
        raise NotOffered
    return form, Filling({}).body(form)


async def resumed(request: web.Request, one: Open) -> Transaction:
    """As it stands at the provider; as it was last seen while that is away."""
    try:
        answer = await engine_of(request).introspect(one.meta)
    except (ProviderAway, ProviderBusy):
        return shown(one, _origin(request))
    return await went_on(request, one, answer)


async def proceeded(request: web.Request, one: Open, step: str, values: Values) -> Transaction:
    """One step with what was typed. Raises NotOffered, and Problem 422 for what is missing."""
    form = one.meta.last.form(step)
    if form is None or "rel" not in form:
        raise NotOffered
    filling = Filling(values)
    body = filling.body(form)
    if filling.errors:
        raise Problem(422, errors=filling.errors)
    answer = await engine_of(request).submit(form, body)
    name = values.get("identifier") or values.get("email")
    meta = replace(one.meta, username=name[:254]) if isinstance(name, str) else one.meta
    return await went_on(request, replace(one, meta=meta), answer)


async def resent(request: web.Request, one: Open) -> Transaction:
    answer = await engine_of(request).submit(*_plain(one.meta.last.action("resend")))
    return await went_on(request, one, answer)


async def cancelled(request: web.Request, one: Open) -> Transaction:
    """Nothing is left of it, here or there."""
    form = one.meta.last.action("cancel")
    if form is not None:
        # Here it is over all the same; there it will be, in its time.
        with suppress(SignInError):
            await engine_of(request).submit(*_plain(form))
    await _finish(request, one)
    return shown(one, _origin(request), status="CANCELED", steps=[], messages=[], canCancel=False, canResend=False)


async def polled(request: web.Request, one: Open) -> Transaction:
    """A look whether the person has answered elsewhere: not more often than every 500 ms, whoever asks."""
    now, form = time.time(), one.meta.last.polling
    if form is None:
        return await resumed(request, one)
    if now < one.meta.poll_at:
        return shown(one, _origin(request), retryAfterMs=_ms(one.meta.poll_at - now))
    try:
        answer = await engine_of(request).submit(*_plain(form))
        if answer.status == 429:
            raise ProviderBusy(1)
    except ProviderBusy:
        return await _missed(request, one, now)
    except ProviderAway as error:
        # What answers has failed; only where nothing comes back a later look may help.
        if error.status:
            raise
        return await _missed(request, one, now)
    meta = replace(one.meta, poll_at=now + LEAST_POLL_MS / 1000, failures=0)
    return await went_on(request, replace(one, meta=meta), answer)


def _ms(seconds: float) -> int:
    return max(1, round(seconds * 1000))


async def _missed(request: web.Request, one: Open, now: float) -> Transaction:
    """No answer, or 429: the next look after 1, 2, 4, 8 and 16 s. Raises ProviderAway when those have passed too."""
    failures = one.meta.failures
    if failures >= MOST_FAILURES:
        await metas.save(request, one, replace(one.meta, failures=0))
        raise ProviderAway
    pause_s = 2**failures
    missed = replace(one.meta, failures=failures + 1, poll_at=now + pause_s)
    # Where another tab was faster, its answer is the newer one.
    one = await metas.save(request, one, missed) or await metas.load(request)
    return shown(one, _origin(request), retryAfterMs=_ms(pause_s))


async def went_on(request: web.Request, one: Open, answer: Answer) -> Transaction:
    """Keeps the answer; where another tab was faster, looks how it stands now. Raises TransactionOver when the
    provider has forgotten it, NoSavedTransaction when the other tab ended it."""
    if answer.is_expired:
        raise TransactionOver if await _finish(request, one) else NoSavedTransaction
    if answer.interaction_code is not None:
        return await ended(request, one, answer)
    saved = await metas.save(request, one, one.meta.after(answer))
    if saved is None:
        return await resumed(request, await metas.load(request))
    return await ended(request, saved, answer)


async def ended(request: web.Request, one: Open, answer: Answer) -> Transaction:
    """Signed in when the answer brings a code; else what it shows."""
    code = answer.interaction_code
    if code is None:
        if answer.is_over:
            await _finish(request, one)
        return shown(one, _origin(request))
    await sign_in(request, one, code)
    return shown(
        one,
        _origin(request),
        status="SUCCESS",
        steps=[],
        messages=[],
        canCancel=False,
        canResend=False,
        redirect=areas.return_to(one.meta.return_to),
    )


async def sign_in(request: web.Request, one: Open, code: str) -> None:
    """The session, as cookies. Whatever comes of it, the transaction is over. Raises NoRole, TokenRefused, …"""
    await _finish(request, one)
    grant = await request.app[keys.PROVIDER].exchange(one.meta.attempt, code, "interaction_code")
    set_cookies(request, await arriving.arrived(request, grant, one.meta.area))


async def _finish(request: web.Request, one: Open) -> bool:
    """False when another tab had ended it: the browser's cookie may be a newer one's then, and is left alone."""
    is_mine = await metas.end(request, one)
    if is_mine:
        set_cookies(request, metas.ended(request.app[keys.SETTINGS]))
    return is_mine
