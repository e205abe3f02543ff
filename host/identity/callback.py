"""/logincallback: the way back from the provider. Answered here, never by React; every end of it is a redirect."""

import logging
import time

from aiohttp import web

from domain.errors import Unavailable
from domain.sign_ins import NoRole
from host import keys
from host.identity import areas, arriving, attempts
from host.identity.attempts import Attempt
from host.identity.errors import LoginFailed, OtherIssuer, RefusedByProvider, SignInError, TokenRefused
from host.identity.idx import returning
from host.identity.provider import Provider
from host.identity.sign_in import led

log = logging.getLogger("coursefront.identity")


async def callback(request: web.Request) -> web.Response:
    """Where the person wanted to go, signed in; or the sign-in page, told why not."""
    settings, state = request.app[keys.SETTINGS], request.query.get("state", "")
    if returning.is_of_transaction(request):
        return await returning.returned(request)
    try:
        attempt = attempts.found(request.cookies, state, request.app[keys.SECRET], time.time())
    except SignInError as error:
        return led(areas.failed("learner", error.key), {})
    # Whatever comes of it, this attempt counts once.
    spent = attempts.spent(state, is_secure=settings.is_secure)
    try:
        cookies = await _signed_in(request, attempt)
    except (SignInError, NoRole, Unavailable) as error:
        return led(areas.failed(attempt.area, _key_of(error), attempt.return_to), spent)
    return led(areas.return_to(attempt.return_to), {**spent, **cookies})


def _key_of(error: Exception) -> str:
    match error:
        case TokenRefused():
            log.error("an id token was refused: %s", error.why)
            return error.key
        case SignInError():
            return error.key
        case NoRole():
            return "noRole"
        case _:
            return "unknown"


async def _signed_in(request: web.Request, attempt: Attempt) -> attempts.Cookies:
    provider, code = request.app[keys.PROVIDER], _code(request, request.app[keys.PROVIDER])
    async with provider.wire.patience():
        grant = await provider.exchange(attempt, code)
    return await arriving.arrived(request, grant, attempt.area)


def _code(request: web.Request, provider: Provider) -> str:
    """In this order: whose answer it is, whether it is one, what it brings. The state was right already."""
    query = request.query
    if query.get("iss", provider.issuer) != provider.issuer:
        raise OtherIssuer
    if "error" in query:
        raise RefusedByProvider(query["error"])
    if not query.get("code"):
        raise LoginFailed
    return query["code"]
