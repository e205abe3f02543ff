"""Starts a sign-in: with name and password, or on the provider's own page."""

import time
from dataclasses import replace
from typing import Annotated, Any
from urllib.parse import urlencode

from aiohttp import web
from pydantic import BaseModel, Field

from domain.permissions import Area
from host.api.fields import Strict
from host.api.registry import call, redirect
from host.app_keys import SETTINGS
from host.auth.token_cipher import TOKEN_CIPHER
from host.http import request_keys
from host.http.problems import Problem, RateLimited
from host.identity import areas, attempts, password_sign_in
from host.identity.attempts import Attempt
from host.identity.errors import (
    LinkRefused,
    LoginFailed,
    NoRegistration,
    NoResume,
    NoSavedTransaction,
    NoSecondFactor,
    NotOffered,
    NoUnlock,
    ProviderRateLimited,
    SignInError,
    TransactionOver,
    UnhandledStatus,
)
from host.identity.password_sign_in import Credentials
from host.identity.provider import PROVIDER
from host.rate_limits import policies

RETRY_AFTER_S = 10
MAX_AUTH_AGE_S = 10**9


class Login(Strict):
    """A `returnTo` that is not a path of this site becomes /; `fingerprint` comes from the provider's frame."""

    username: Annotated[str, Field(max_length=254)]
    password: Annotated[str, Field(max_length=1000)]
    returnTo: Annotated[str, Field(max_length=4096)] = "/"
    area: Area = "learner"
    fingerprint: Annotated[str, Field(max_length=2000, pattern=r"^[\x21-\x7e]*$")] = ""


class RedirectTo(BaseModel):
    """The address that the browser loads next."""

    redirect: str


class SignedIn(RedirectTo):
    """`passwordExpiresSoon`: to be said before the browser goes on."""

    passwordExpiresSoon: bool = False


@call("auth/login", Login, SignedIn, caller="anyone", refusals=(401, 409, 429, 503))
async def login(request: web.Request, body: Login) -> SignedIn:
    """Sign in with name and password. The reply's address leads to the provider, which redirects to /logincallback."""
    _require_credentials(body)
    await policies.limit_sign_in(request, body.area, body.username)
    provider = request.app[PROVIDER]
    target = areas.return_to(body.returnTo)
    if not provider.has_extensions:
        # Without the authn API, the password can only be entered on the provider's own page.
        return SignedIn(redirect=f"/api/auth/start?{urlencode({'returnTo': target, 'area': body.area})}")
    credentials = Credentials(body.username.strip(), body.password, body.fingerprint)
    attempt = attempts.new_attempt(target, body.area, time.time())
    try:
        async with provider.wire.deadline():
            proven = await password_sign_in.prove(provider, credentials, password_sign_in.on_behalf(request))
            address = await provider.authorize_address(attempt, sessionToken=proven.session_token)
    except SignInError as error:
        raise problem_of(error) from None
    request.setdefault(request_keys.COOKIES, {}).update(_with_attempt_cookie(request, attempt))
    return SignedIn(redirect=address, passwordExpiresSoon=proven.expires_soon)


def _require_credentials(body: Login) -> None:
    errors = {}
    if not body.username.strip():
        errors["username"] = "Enter your user name or email address."
    if not body.password:
        errors["password"] = "Enter your password."  # noqa: S105 an error message
    if errors:
        raise Problem(422, errors=errors)


def _with_attempt_cookie(request: web.Request, attempt: Attempt) -> request_keys.Cookies:
    app = request.app
    return attempts.attempt_cookies(request, attempt, app[TOKEN_CIPHER], is_secure=app[SETTINGS].is_secure)


_STATUS = {
    (NoSavedTransaction, NoResume): 404,
    (NoSecondFactor,): 403,
    (NotOffered, NoRegistration, NoUnlock): 409,
    (TransactionOver, LinkRefused): 410,
}


def problem_of(error: SignInError) -> Problem:
    """The problem response for an error of a sign-in."""
    if isinstance(error, UnhandledStatus):
        flow = "unlockAccount" if error.status == "LOCKED_OUT" else "authenticate"
        return Problem(409, str(error), providerStatus=error.status, flow=flow)
    if isinstance(error, LoginFailed):
        return Problem(401, error.summary)
    if isinstance(error, ProviderRateLimited):
        return Problem(429, str(error), headers={"Retry-After": str(error.retry_after_s)})
    status = next((status for kinds, status in _STATUS.items() if isinstance(error, kinds)), 503)
    return Problem(status, str(error), headers={"Retry-After": str(RETRY_AFTER_S)} if status == 503 else None)


class StartSignIn(BaseModel):
    """`maxAge`: seconds that the sign-in at the provider may be old; `acrValues`: how strong it must be; `access`: also
    ask for the scopes of the account pages, `silent` without showing a page of the provider. Invalid values are
    ignored."""

    returnTo: str = "/"
    area: str = "learner"
    maxAge: str = ""
    acrValues: str = ""
    access: str = ""


@redirect("auth/start", StartSignIn)
async def start(request: web.Request) -> web.Response:
    """Redirect to the provider's own page, or to our sign-in page with the key of an error."""
    area = request.query.get("area", "learner")
    area = area if area in areas.PAGES else "learner"
    target = areas.return_to(request.query.get("returnTo", "/"))
    required = _reauthentication(request)
    provider, access = request.app[PROVIDER], request.query.get("access", "")
    attempt = attempts.new_attempt(target, area, time.time(), is_step_up="acr_values" in required)
    attempt = replace(attempt, asks_account=access in ("account", "silent"), is_silent=access == "silent")
    if attempt.is_silent:
        required["prompt"] = "none"
    try:
        await policies.limit_sign_in(request, area)
        async with provider.wire.deadline():
            address = await provider.authorize_address(attempt, **required)
    except (RateLimited, SignInError) as error:
        key = error.key if isinstance(error, SignInError) else "tooMany"
        failed = areas.without_account(target) if attempt.is_silent else areas.sign_in_failed(area, key, target)
        return redirect_to(failed, {})
    return redirect_to(address, _with_attempt_cookie(request, attempt))


def _reauthentication(request: web.Request) -> dict[str, str]:
    """Parameters that request a newer (max_age) or a stronger (acr_values) sign-in of a signed-in person."""
    age, acr = request.query.get("maxAge", ""), request.query.get("acrValues", "")
    params: dict[str, str] = {}
    if age.isascii() and age.isdigit() and int(age[:12]) <= MAX_AUTH_AGE_S:
        params["max_age"] = age
    if acr and len(acr) <= 200 and acr.isascii() and acr.isprintable():
        params["acr_values"] = acr
    return params


def redirect_to(address: str, cookies: request_keys.Cookies) -> web.Response:
    """A redirect that is not cached and sends no referrer to the next page."""
    headers: dict[str, Any] = {"Location": address, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
    response = web.Response(status=303, headers=headers)
    for name, (value, attributes) in cookies.items():
        response.set_cookie(name, value, **attributes)
    return response
