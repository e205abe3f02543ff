"""Client of the provider's MyAccount API, called with the access token of the signed-in person, and the translation of
its refusals into problems.

Addresses are built from the provider's origin and checked ids only; links in replies are never followed.
"""

import logging
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from aiohttp import web
from pydantic import BaseModel, TypeAdapter, ValidationError

from domain.identity import sessions
from host.app_keys import DATABASE, SETTINGS
from host.auth import sessions as auth_sessions
from host.http import request_keys
from host.http.problems import Problem
from host.identity import password_sign_in, session_api, session_cookies
from host.identity.errors import (
    LoginFailed,
    NoAccount,
    NoProviderToken,
    NoScope,
    ProviderUnavailable,
    SignInError,
    text_of,
)
from host.identity.login_api import problem_of
from host.identity.provider import PROVIDER, Provider
from host.identity.provider_http import ProviderReply, ProviderRequest
from host.rate_limits import policies

log = logging.getLogger("coursefront.identity")

BASE_PATH = "/idp/myaccount"
# Specification §9: identity API version.
ACCEPT = "application/json; okta-version=1.0.0"
# Specification §5.
NO_SIGN_IN = str(NoProviderToken())
REFUSALS = (400, 401, 403, 404, 409, 422, 429, 503)
# The provider's names of fields -> ours.
_FIELDS = {"phoneNumber": "number", "verificationCode": "code"}
_CAUSE = re.compile(r"(?:profile\.)?(\w{1,64}): (.{1,500})")
_PAIR = re.compile(r'(\w+)="?([^",]*)"?')
_WRONG_CODE = "E0000004"
T = TypeVar("T")


@dataclass(frozen=True)
class MyAccountClient:
    """Calls the API for one person. `names`: the fields of our call, to which refusals may refer."""

    request: web.Request
    provider: Provider
    token: str
    names: frozenset[str]

    async def call(self, method: str, path: str, body: Any = None) -> Any:
        """The JSON of a successful reply, None for an empty one. Raises Problem, SignInError."""
        headers = {
            **password_sign_in.on_behalf(self.request),
            "Authorization": f"Bearer {self.token}",
            "Accept": ACCEPT,
        }
        sent = ProviderRequest(body, headers=headers)
        reply = await self.provider.wire.request(method, f"{self.provider.origin}{BASE_PATH}{path}", sent)
        if reply.status in (200, 201, 204):
            return reply.data
        if reply.status == 401 and reply.get("errorCode") != _WRONG_CODE:
            raise await _session_expired(self.request)
        if reply.status == 403 and _bearer_error(reply).get("error") == "insufficient_scope":
            log.error("%s needs a scope that the provider did not grant: see OIDC_ACCOUNT_SCOPES", path.split("/")[1])
            raise Problem(403, str(NoScope()))
        raise _refusal(reply, self.names)


@asynccontextmanager
async def myaccount_client(request: web.Request, *names: str) -> AsyncIterator[MyAccountClient]:
    """Provide a client whose calls share the provider's deadline. Turns sign-in errors into problems: 503 when the
    deadline expires or the provider is unavailable."""
    await policies.limit(request, "account_calls_per_learner_minute")
    provider = request.app[PROVIDER]
    try:
        token = await _token(request, provider)
        async with provider.wire.deadline():
            yield MyAccountClient(request, provider, token, frozenset(names))
    except NoProviderToken as error:
        raise Problem(401, str(error), headers={"WWW-Authenticate": "Bearer"}) from None
    except NoAccount as error:
        raise Problem(409, str(error)) from None
    except SignInError as error:
        raise problem_of(error) from None


def path_id(request: web.Request, name: str = "id") -> str:
    """An id in the call's path; the pattern of the path has checked it."""
    return request[request_keys.PATH_IDS][name]


async def _token(request: web.Request, provider: Provider) -> str:
    """The session's access token. Raises NoProviderToken when another provider issued it, NoAccount without the
    provider's extensions."""
    tokens = await session_api.own_tokens(request)
    if not tokens.access_token or tokens.issuer != provider.issuer:
        raise NoProviderToken
    if not provider.has_extensions:
        raise NoAccount
    return tokens.access_token


async def _session_expired(request: web.Request) -> Problem:
    """End our session, since the provider no longer accepts its token."""
    app, session = request.app, request[request_keys.AUTH_SESSION]
    await app[DATABASE].write(sessions.end, session.session_id, datetime.now(UTC))
    return auth_sessions.session_expired(session_cookies.sign_out_cookies(app[SETTINGS]))


def _refusal(reply: ProviderReply, names: frozenset[str]) -> Problem:
    """A refusal with the provider's message. Raises ProviderUnavailable for an unexpected status."""
    text = text_of(reply.data)
    step_up = _step_up(_bearer_error(reply))
    if reply.status == 403 and step_up is not None:
        return Problem(403, "insufficient_authentication_context", **step_up)
    if reply.status == 401:
        return Problem(422, text, {"code": text or str(LoginFailed())})
    if reply.status not in (400, 403, 404, 409):
        raise ProviderUnavailable
    return Problem(reply.status, text, _field_errors(reply, names) or None)


def _bearer_error(reply: ProviderReply) -> Mapping[str, str]:
    """The parameters of `WWW-Authenticate: Bearer`; {} without any."""
    return dict(_PAIR.findall(reply.headers.get("WWW-Authenticate", "")[:1000]))


def _step_up(params: Mapping[str, str]) -> dict[str, Any] | None:
    """The requirements of a newer or stronger sign-in; None when the provider does not require one."""
    if params.get("error") != "insufficient_authentication_context":
        return None
    age = params.get("max_age", "")
    return {"maxAge": int(age) if re.fullmatch("[0-9]{1,9}", age) else None, "acrValues": params.get("acr_values")}


def _field_errors(reply: ProviderReply, names: frozenset[str]) -> dict[str, str]:
    """The causes that refer to a field of our call, by field."""
    causes = reply.get("errorCauses")
    errors: dict[str, str] = {}
    for cause in causes if isinstance(causes, list) else []:
        match = _CAUSE.match(text_of(cause))
        if match is None:
            continue
        name = _FIELDS.get(match[1], match[1])
        if name in names:
            errors.setdefault(name, _as_sentence(match[2]))
    return errors


def _as_sentence(text: str) -> str:
    sentence = text[0].upper() + text[1:]
    return sentence if sentence[-1] in ".!?" else f"{sentence}."


class ProviderModel(BaseModel):
    """An object of the provider's API, with the fields that we read."""


def read(kind: type[T], data: Any) -> T:
    """Validate a reply. Raises ProviderUnavailable when it does not have the expected form."""
    try:
        return TypeAdapter(kind).validate_python(data)
    except ValidationError:
        raise ProviderUnavailable from None
