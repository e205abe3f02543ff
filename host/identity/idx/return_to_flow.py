"""Redirects back into a transaction: by the link of a mail, or from another identity provider."""

import hmac
import logging
import re

from aiohttp import web

from domain.errors import ServiceUnavailable
from domain.identity.sign_in import NoRole
from domain.permissions import Area
from host.app_keys import SETTINGS
from host.auth.private_pages import document_session
from host.http import request_keys
from host.http.problems import Problem
from host.identity import areas, attempts
from host.identity.errors import (
    ForeignInteraction,
    NoInteractionCode,
    NoSavedTransaction,
    NoTransaction,
    RefusedByProvider,
    SignInError,
    TokenRefused,
    TransactionOver,
)
from host.identity.idx import flow, flow_state
from host.identity.idx.flow_state import OpenFlow
from host.identity.login_api import redirect_to
from host.identity.provider import PROVIDER

log = logging.getLogger("coursefront.identity")

CONTINUABLE = "/verify"
HINT, HINT_S = "otp_hint", 300
_OTP = re.compile(r"[A-Za-z0-9]{1,20}")
# The forms that accept the code of a mail.
_CODE_STEPS = ("challenge-authenticator", "enroll-authenticator")


def is_of_transaction(request: web.Request) -> bool:
    """Whether a callback belongs to a transaction: the query has `otp` of a mail, an interaction code or its error."""
    query = request.query
    if "otp" in query or "interaction_code" in query:
        return True
    if attempts.has_attempt(request.cookies, query.get("state", "")):
        return False
    if query.get("error") == "interaction_required":
        return True
    # Neither code nor error, and no attempt with this state: the browser's transaction, if any.
    return not ({"code", "error"} & set(query)) and flow_state.cookie_name(request.app[SETTINGS]) in request.cookies


async def return_to_flow(request: web.Request) -> web.Response:
    """Continue the transaction and redirect, with the cookies that its steps set."""
    area: Area = "learner"
    target = "/"
    try:
        async with request.app[PROVIDER].wire.deadline():
            open_flow = await _load(request)
            area, target = open_flow.state.area, open_flow.state.return_to
            continue_flow = _use_mail_code if "otp" in request.query else _use_interaction_code
            address = await continue_flow(request, open_flow)
    except _OtherBrowser:
        return _redirect_with_hint(request)
    except NoTransaction as error:
        address = await address_without_attempt(request, error.key)
    except (SignInError, NoRole, ServiceUnavailable, Problem) as error:
        address = areas.sign_in_failed(area, _key_of(error), target)
    return redirect_to(address, request.get(request_keys.COOKIES, {}))


async def address_without_attempt(request: web.Request, key: str) -> str:
    """Where a callback leads that belongs to no attempt: most often it was opened again, from the history or by a
    second press. Whoever is signed in goes on to the site, everybody else to the sign-in page with the error `key`."""
    try:
        is_signed_in = await document_session(request) is not None
    except ServiceUnavailable:
        is_signed_in = False
    return "/" if is_signed_in else areas.sign_in_failed("learner", key)


class _OtherBrowser(Exception):
    """The mail link was opened in a browser without this transaction."""


def _key_of(error: Exception) -> str:
    if isinstance(error, TokenRefused):
        log.error("refused an id token: %s", error.reason)
    if isinstance(error, SignInError):
        return error.key
    return "noRole" if isinstance(error, NoRole) else "unknown"


async def _load(request: web.Request) -> OpenFlow:
    """The transaction of this browser, if the state matches. Raises NoTransaction, RefusedByProvider,
    ForeignInteraction, _OtherBrowser."""
    is_mail = "otp" in request.query
    try:
        open_flow = await flow_state.load(request)
    except (NoSavedTransaction, TransactionOver):
        if is_mail:
            raise _OtherBrowser from None
        raise NoTransaction from None
    error = request.query.get("error")
    if error is not None and error != "interaction_required":
        raise RefusedByProvider(error)
    if not hmac.compare_digest(
        open_flow.state.state.encode(), request.query.get("state", "").encode("utf-8", "replace")
    ):
        if is_mail:
            raise _OtherBrowser
        raise ForeignInteraction
    return open_flow


async def _use_mail_code(request: web.Request, open_flow: OpenFlow) -> str:
    """Submit the code to the step that expects it, if the transaction is still there. Returns the next address."""
    otp = request.query["otp"]
    step = next((name for name in _CODE_STEPS if open_flow.state.last.form(name) is not None), None)
    if step is None or not _OTP.fullmatch(otp):
        return CONTINUABLE
    transaction = await flow.proceed(request, open_flow, step, {"passcode": otp})
    return transaction.redirect or CONTINUABLE


async def _use_interaction_code(request: web.Request, open_flow: OpenFlow) -> str:
    """Sign in with the interaction code. Returns the next address."""
    if "error" in request.query:
        # interaction_required: the person must complete another step, which /verify shows.
        return CONTINUABLE
    code = request.query.get("interaction_code")
    if not code:
        raise NoInteractionCode
    return await flow.sign_in(request, open_flow, code)


def _redirect_with_hint(request: web.Request) -> web.Response:
    """Redirect to a page that shows the code, to be typed in the browser where the sign-in began."""
    otp = request.query["otp"]
    is_code = bool(_OTP.fullmatch(otp))
    attributes = {"path": "/", "max_age": HINT_S, "samesite": "Lax", "secure": request.app[SETTINGS].is_secure}
    address = areas.sign_in_failed("learner", "otherClient" if is_code else "noTransaction")
    return redirect_to(address, {HINT: (otp, attributes)} if is_code else {})
