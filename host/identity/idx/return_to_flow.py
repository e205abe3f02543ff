"""The way back into a transaction: by the link of a mail, or from another provider."""

import hmac
import logging
import re

from aiohttp import web

from domain.errors import Unavailable
from domain.sign_ins import NoRole
from host import keys
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
from host.identity.idx import going
from host.identity.idx import meta as metas
from host.identity.idx.meta import Open
from host.identity.sign_in import led
from host.problems import Problem

log = logging.getLogger("coursefront.identity")

GOES_ON = "/verify"
HINT, HINT_S = "otp_hint", 300
_OTP = re.compile(r"[A-Za-z0-9]{1,20}")
# The forms that take the code of a mail.
_TAKE_CODES = ("challenge-authenticator", "enroll-authenticator")


def is_of_transaction(request: web.Request) -> bool:
    """Told by what the query brings: `otp` of a mail; a code of an interaction, or its error."""
    query = request.query
    if "otp" in query or "interaction_code" in query:
        return True
    if attempts.is_begun(request.cookies, query.get("state", "")):
        return False
    if query.get("error") == "interaction_required":
        return True
    # Neither code nor error, and no attempt of this state: it is the transaction's, when this browser has one.
    return not ({"code", "error"} & set(query)) and metas.cookie_name(request.app[keys.SETTINGS]) in request.cookies


async def returned(request: web.Request) -> web.Response:
    """A redirect, signed in or not; cookies that the steps set go along."""
    area, target = "learner", "/"
    try:
        async with request.app[keys.PROVIDER].wire.patience():
            one = await _saved(request)
            area, target = one.meta.area, one.meta.return_to
            where = await (_by_mail(request, one) if "otp" in request.query else _from_elsewhere(request, one))
    except _OtherClient:
        return _hinted(request)
    except (SignInError, NoRole, Unavailable, Problem) as error:
        where = areas.failed(area, _key_of(error), target)
    return led(where, request.get(keys.COOKIES, {}))


class _OtherClient(Exception):
    """The link was opened where nothing was begun."""


def _key_of(error: Exception) -> str:
    if isinstance(error, TokenRefused):
        log.error("an id token was refused: %s", error.why)
    if isinstance(error, SignInError):
        return error.key
    return "noRole" if isinstance(error, NoRole) else "unknown"


async def _saved(request: web.Request) -> Open:
    """The transaction of this browser and this state. Raises NoTransaction, ForeignInteraction, _OtherClient."""
    is_mail = "otp" in request.query
    try:
        one = await metas.load(request)
    except (NoSavedTransaction, TransactionOver):
        if is_mail:
            raise _OtherClient from None
        raise NoTransaction from None
    error = request.query.get("error")
    if error is not None and error != "interaction_required":
        raise RefusedByProvider(error)
    if not hmac.compare_digest(one.meta.state.encode(), request.query.get("state", "").encode("utf-8", "replace")):
        if is_mail:
            raise _OtherClient
        raise ForeignInteraction
    return one


async def _by_mail(request: web.Request, one: Open) -> str:
    """The code is the answer to the step that waits for it, if it still does."""
    otp = request.query["otp"]
    step = next((name for name in _TAKE_CODES if one.meta.last.form(name) is not None), None)
    if step is None or not _OTP.fullmatch(otp):
        return GOES_ON
    transaction = await going.proceeded(request, one, step, {"passcode": otp})
    return transaction.redirect or GOES_ON


async def _from_elsewhere(request: web.Request, one: Open) -> str:
    if "error" in request.query:
        # More is wanted of the person: where the transaction stands, /verify shows.
        return GOES_ON
    code = request.query.get("interaction_code")
    if not code:
        raise NoInteractionCode
    await going.sign_in(request, one, code)
    return areas.return_to(one.meta.return_to)


def _hinted(request: web.Request) -> web.Response:
    """The page says the code, to be typed where the sign-in began."""
    otp = request.query["otp"]
    is_code = bool(_OTP.fullmatch(otp))
    attributes = {"path": "/", "max_age": HINT_S, "samesite": "Lax", "secure": request.app[keys.SETTINGS].is_secure}
    where = areas.failed("learner", "otherClient" if is_code else "noTransaction")
    return led(where, {HINT: (otp, attributes)} if is_code else {})
