"""The beginning of a sign-in: with name and password, or straight to the provider's own page."""

import time
from typing import Annotated, Any
from urllib.parse import urlencode

from aiohttp import web
from pydantic import BaseModel, Field

from host import keys, throttles
from host.calls import call
from host.calls.forms import Strict
from host.identity import areas, attempts, authn
from host.identity.areas import Area
from host.identity.attempts import Attempt
from host.identity.authn import Credentials
from host.identity.errors import (
    LinkRefused,
    LoginFailed,
    NoRegistration,
    NoResume,
    NoSavedTransaction,
    NotOffered,
    NoUnlock,
    ProviderBusy,
    SignInError,
    TransactionOver,
    UnhandledStatus,
)
from host.limits import TooMany
from host.problems import Problem

RETRY_S = 10
LONGEST_AGE_S = 10**9


class Login(Strict):
    """`returnTo` that is no path of this site becomes /; `fingerprint` is what the provider's frame said."""

    username: Annotated[str, Field(max_length=254)]
    password: Annotated[str, Field(max_length=1000)]
    returnTo: Annotated[str, Field(max_length=4096)] = "/"
    area: Area = "learner"
    fingerprint: Annotated[str, Field(max_length=2000, pattern=r"^[\x21-\x7e]*$")] = ""


class Led(BaseModel):
    """Where the browser goes now."""

    redirect: str


@call("auth/login", Login, Led, refusals=(401, 409, 429, 503))
async def login(request: web.Request, body: Login) -> Led:
    """Name and password; the answer leads to the provider, which comes back to /logincallback."""
    _check(body)
    await throttles.sign_in(request, body.area, body.username)
    provider = request.app[keys.PROVIDER]
    target = areas.return_to(body.returnTo)
    if not provider.has_extensions:
        # It wants to be told the password itself.
        return Led(redirect=f"/api/auth/start?{urlencode({'returnTo': target, 'area': body.area})}")
    given = Credentials(body.username.strip(), body.password, body.fingerprint)
    attempt = attempts.begun(target, body.area, time.time())
    try:
        async with provider.wire.patience():
            token = await authn.session_token(provider, given, authn.on_behalf(request))
            address = await provider.authorize_address(attempt, sessionToken=token)
    except SignInError as error:
        raise problem_of(error) from None
    request.setdefault(keys.COOKIES, {}).update(_kept(request, attempt))
    return Led(redirect=address)


def _check(body: Login) -> None:
    errors = {}
    if not body.username.strip():
        errors["username"] = "Enter your user name or e-mail address."
    if not body.password:
        errors["password"] = "Enter your password."  # noqa: S105 what to do about it
    if errors:
        raise Problem(422, errors=errors)


def _kept(request: web.Request, attempt: Attempt) -> attempts.Cookies:
    app = request.app
    return attempts.kept(request, attempt, app[keys.SECRET], is_secure=app[keys.SETTINGS].is_secure)


_STATUS = {
    (NoSavedTransaction, NoResume): 404,
    (NotOffered, NoRegistration, NoUnlock): 409,
    (TransactionOver, LinkRefused): 410,
}


def problem_of(error: SignInError) -> Problem:
    """How a call says what happened at the provider."""
    if isinstance(error, UnhandledStatus):
        flow = "unlockAccount" if error.status == "LOCKED_OUT" else "authenticate"
        return Problem(409, str(error), providerStatus=error.status, flow=flow)
    if isinstance(error, LoginFailed):
        return Problem(401, error.summary)
    if isinstance(error, ProviderBusy):
        return Problem(429, str(error), headers={"Retry-After": str(error.retry_after_s)})
    status = next((status for kinds, status in _STATUS.items() if isinstance(error, kinds)), 503)
    return Problem(status, str(error), headers={"Retry-After": str(RETRY_S)} if status == 503 else None)


async def start(request: web.Request) -> web.Response:
    """GET /api/auth/start?returnTo=&area=&maxAge=&acrValues=

    303 to the provider's own page, or back to ours with what went wrong.
    """
    area = request.query.get("area", "learner")
    area = area if area in areas.PAGES else "learner"
    target = areas.return_to(request.query.get("returnTo", "/"))
    attempt = attempts.begun(target, area, time.time())
    provider = request.app[keys.PROVIDER]
    try:
        await throttles.sign_in(request, area)
        async with provider.wire.patience():
            address = await provider.authorize_address(attempt, **_again(request))
    except TooMany:
        return led(areas.failed(area, "tooMany", target), {})
    except SignInError as error:
        return led(areas.failed(area, error.key, target), {})
    return led(address, _kept(request, attempt))


def _again(request: web.Request) -> dict[str, str]:
    """What is wanted of a person who is signed in already: a fresh proof, or a stronger one."""
    age, acr = request.query.get("maxAge", ""), request.query.get("acrValues", "")
    made: dict[str, str] = {}
    if age.isascii() and age.isdigit() and int(age[:12]) <= LONGEST_AGE_S:
        made["max_age"] = age
    if acr and len(acr) <= 200 and acr.isascii() and acr.isprintable():
        made["acr_values"] = acr
    return made


def led(address: str, cookies: attempts.Cookies) -> web.Response:
    """A redirect that nobody keeps and that tells the next page nothing."""
    headers: dict[str, Any] = {"Location": address, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
    response = web.Response(status=303, headers=headers)
    for name, (value, attributes) in cookies.items():
        response.set_cookie(name, value, **attributes)
    return response
