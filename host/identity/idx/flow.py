"""The steps of a sign-in flow (transaction): one request to the provider each, and the handling of its response."""

import time
from contextlib import suppress
from dataclasses import replace

from aiohttp import web

from host.app_keys import SETTINGS
from host.http import request_keys
from host.http.problems import Problem
from host.http.request_keys import Cookies
from host.identity import areas, open_session, password_sign_in
from host.identity.account.profile import lacks_details
from host.identity.errors import (
    NoRegistration,
    NoSavedTransaction,
    NoSecondFactor,
    NotOffered,
    NoUnlock,
    ProviderRateLimited,
    ProviderUnavailable,
    SignInError,
    TransactionOver,
)
from host.identity.idx import flow_state
from host.identity.idx.client import IdxClient
from host.identity.idx.enrolment import next_skip, next_way
from host.identity.idx.flow_state import FlowState, OpenFlow
from host.identity.idx.form_inputs import FormFiller, Values
from host.identity.idx.provider_features import FEATURES
from host.identity.idx.response import IdxResponse, Json
from host.identity.idx.schemas import Transaction
from host.identity.idx.step_view import MIN_POLL_MS, transaction_view
from host.identity.provider import PROVIDER

# Specification §9: after the n-th failure in a row the next poll is 2^n s later (n from 0); the sixth is final.
MAX_FAILURES = 5


def client_of(request: web.Request) -> IdxClient:
    return IdxClient(request.app[PROVIDER], password_sign_in.on_behalf(request))


def _origin(request: web.Request) -> str:
    return request.app[PROVIDER].origin


def set_cookies(request: web.Request, cookies: Cookies) -> None:
    request.setdefault(request_keys.COOKIES, {}).update(cookies)


async def begin(request: web.Request, state: FlowState, token: str) -> Transaction:
    """Start a transaction at the first step of its flow. Raises NoRegistration, NoUnlock, LinkRefused."""
    client = client_of(request)
    handle = await client.interact(state, token)
    state = replace(state, interaction_handle=handle)
    response = await client.introspect(state)
    if not token:
        request.app[FEATURES].update(response)
        response = await _select_flow(client, state.flow, response)
        expected = request.app[FEATURES].required_ways
        state = replace(state, ways=expected, ways_left=expected)
    state, response = await _open_next(request, state.after(response), response)
    open_flow, cookies = await flow_state.create(request, state)
    set_cookies(request, cookies)
    return await complete(request, open_flow, response)


async def _select_flow(client: IdxClient, flow: str, response: IdxResponse) -> IdxResponse:
    """Enter a flow from the first response, which is that of the flow `authenticate`."""
    if flow == "register":
        if response.form("select-enroll-profile") is None:
            raise NoRegistration
        return await client.submit(*_without_input(response.form("select-enroll-profile")))
    if flow == "unlockAccount":
        if response.form("unlock-account") is None:
            raise NoUnlock
        return await client.submit(*_without_input(response.form("unlock-account")))
    if flow == "recoverPassword" and response.form("recover") is not None:
        return await client.submit(*_without_input(response.form("recover")))
    return response


def _without_input(form: Json | None) -> tuple[Json, Json]:
    """A form without inputs, and its fixed values. Raises NotOffered when there is no such form."""
    if form is None:
        raise NotOffered
    return form, FormFiller({}).body(form)


async def resume(request: web.Request, open_flow: OpenFlow) -> Transaction:
    """Return the current state from the provider; the last stored one while the provider is unavailable."""
    try:
        response = await client_of(request).introspect(open_flow.state)
    except (ProviderUnavailable, ProviderRateLimited):
        return transaction_view(open_flow, _origin(request))
    return await advance(request, open_flow, response, opens_next=False)


async def proceed(request: web.Request, open_flow: OpenFlow, step: str, values: Values) -> Transaction:
    """Submit a step with the typed values. Raises NotOffered, and Problem 422 for missing or invalid values."""
    form = open_flow.state.last.form(step)
    if form is None or "rel" not in form:
        raise NotOffered
    filler = FormFiller(values)
    body = filler.body(form)
    if filler.errors:
        raise Problem(422, errors=filler.errors)
    response = await client_of(request).submit(form, body)
    name = values.get("identifier") or values.get("email")
    state = replace(open_flow.state, username=name[:254]) if isinstance(name, str) else open_flow.state
    return await advance(request, replace(open_flow, state=state), response)


async def resend(request: web.Request, open_flow: OpenFlow) -> Transaction:
    """Send the code of the current step again."""
    response = await client_of(request).submit(*_without_input(open_flow.state.last.action("resend")))
    return await advance(request, open_flow, response)


async def cancel(request: web.Request, open_flow: OpenFlow) -> Transaction:
    """Cancel the transaction here and at the provider."""
    form = open_flow.state.last.action("cancel")
    if form is not None:
        # When the provider refuses or is unavailable, the transaction expires there by itself.
        with suppress(SignInError):
            await client_of(request).submit(*_without_input(form))
    await _finish(request, open_flow)
    return transaction_view(
        open_flow, _origin(request), status="CANCELED", steps=[], messages=[], canCancel=False, canResend=False
    )


async def poll(request: web.Request, open_flow: OpenFlow) -> Transaction:
    """Poll whether the person has reacted elsewhere. At most one poll of a transaction in MIN_POLL_MS reaches the
    provider, from all tabs together."""
    now, form = time.time(), open_flow.state.last.polling
    if form is None:
        return await resume(request, open_flow)
    if now < open_flow.state.poll_at:
        return transaction_view(open_flow, _origin(request), retryAfterMs=_ms(open_flow.state.poll_at - now))
    try:
        response = await client_of(request).submit(*_without_input(form))
        if response.status == 429:
            raise ProviderRateLimited(1)
    except ProviderRateLimited:
        return await _count_failure(request, open_flow, now)
    except ProviderUnavailable as error:
        # A 5xx response is final; a later poll may help only when there was no response.
        if error.status:
            raise
        return await _count_failure(request, open_flow, now)
    state = replace(open_flow.state, poll_at=now + MIN_POLL_MS / 1000, failures=0)
    return await advance(request, replace(open_flow, state=state), response)


def _ms(seconds: float) -> int:
    return max(1, round(seconds * 1000))


async def _count_failure(request: web.Request, open_flow: OpenFlow, now: float) -> Transaction:
    """After no response or a 429, schedule the next poll in 1, 2, 4, 8 or 16 s. Raises ProviderUnavailable for the
    sixth failure in a row."""
    failures = open_flow.state.failures
    if failures >= MAX_FAILURES:
        await flow_state.save(request, open_flow, replace(open_flow.state, failures=0))
        raise ProviderUnavailable
    pause_s = 2**failures
    state = replace(open_flow.state, failures=failures + 1, poll_at=now + pause_s)
    # When another tab saved first, its state is the newer one.
    open_flow = await flow_state.save(request, open_flow, state) or await flow_state.load(request)
    return transaction_view(open_flow, _origin(request), retryAfterMs=_ms(pause_s))


async def advance(
    request: web.Request, open_flow: OpenFlow, response: IdxResponse, *, opens_next: bool = True
) -> Transaction:
    """Save a response and return its view; when another tab saved first, return the current state. `opens_next`: where
    the response lists the ways to set up and there is nothing to choose, that of the first one, or of none. Raises
    TransactionOver when the transaction expired at the provider, NoSavedTransaction when another tab ended it."""
    if response.is_expired:
        raise TransactionOver if await _finish(request, open_flow) else NoSavedTransaction
    state = open_flow.state.after(response)
    if opens_next:
        state, response = await _open_next(request, state, response)
    if response.interaction_code is not None:
        return await complete(request, open_flow, response)
    if state.flow == "register" and state.ways:
        request.app[FEATURES].required_ways = state.ways
    saved = await flow_state.save(request, open_flow, state)
    if saved is None:
        return await resume(request, await flow_state.load(request))
    return await complete(request, saved, response)


async def _open_next(request: web.Request, state: FlowState, response: IdxResponse) -> tuple[FlowState, IdxResponse]:
    """State and response of the way that opens by itself, or of the end of a registration that needs no more; the given
    ones where the person chooses."""
    chosen = next_way(state.flow, response) or next_skip(state.flow, state.return_to, response)
    # Without an answer the list is shown: what was submitted before it counts.
    with suppress(ProviderUnavailable, ProviderRateLimited):
        if chosen is not None:
            response = await client_of(request).submit(*chosen)
            return state.after(response), response
    return state, response


async def complete(request: web.Request, open_flow: OpenFlow, response: IdxResponse) -> Transaction:
    """Sign in when the response has an interaction code; otherwise return the view of its steps."""
    code = response.interaction_code
    if code is None:
        if response.is_over:
            await _finish(request, open_flow)
        return transaction_view(open_flow, _origin(request))
    address = await sign_in(request, open_flow, code)
    return transaction_view(
        open_flow,
        _origin(request),
        status="SUCCESS",
        steps=[],
        messages=[],
        canCancel=False,
        canResend=False,
        redirect=address,
    )


async def sign_in(request: web.Request, open_flow: OpenFlow, code: str) -> str:
    """End the transaction, exchange the code and set the session's cookies. Returns the next address: that of the
    provider's own page when a second factor is missing, which it must ask for. Raises NoRole, SignInError."""
    await _finish(request, open_flow)
    state, acr_values = open_flow.state, request.app[SETTINGS].second_factor_acr
    grant = await request.app[PROVIDER].exchange(state.attempt, code, "interaction_code")
    try:
        opened = await open_session.open_session(request, grant, state.area, state.return_to)
    except NoSecondFactor:
        if not acr_values:
            raise
        return areas.step_up_address(state.area, state.return_to, acr_values)
    set_cookies(request, opened.cookies)
    if state.flow == "register" and await lacks_details(request, grant.access_token):
        return areas.details_address(opened.address)
    return opened.address


async def _finish(request: web.Request, open_flow: OpenFlow) -> bool:
    """End the transaction. False when another tab had ended it: the cookie may then belong to a newer transaction and
    is not deleted."""
    was_open = await flow_state.end(request, open_flow)
    if was_open:
        set_cookies(request, flow_state.cleared_cookie(request.app[SETTINGS]))
    return was_open
