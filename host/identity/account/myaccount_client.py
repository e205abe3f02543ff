"""Questions to the provider's MyAccount, in the name of whoever is signed in; and how its refusals are said.

Addresses are made of the provider's own origin and checked ids: no link of an answer is ever followed.
"""

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from aiohttp import web
from pydantic import BaseModel, TypeAdapter, ValidationError

from domain import sessions
from host import keys, throttles
from host.identity import authn, standing, user_info
from host.identity.errors import (
    LoginFailed,
    NoAccount,
    NoProviderToken,
    ProviderAway,
    SignInError,
    text_of,
)
from host.identity.provider import Provider
from host.identity.sign_in import problem_of
from host.identity.transport import Reply, Sent
from host.problems import Problem

AT = "/idp/myaccount"
# Specification §9: identity API version.
ACCEPT = "application/json; okta-version=1.0.0"
REFUSALS = (400, 401, 403, 404, 409, 422, 429, 503)
# The provider's name of a field -> ours.
_FIELDS = {"phoneNumber": "number", "verificationCode": "code"}
_CAUSE = re.compile(r"(?:profile\.)?(\w{1,64}): (.{1,500})")
_PAIR = re.compile(r'(\w+)="?([^",]*)"?')
_WRONG_CODE = "E0000004"
T = TypeVar("T")


@dataclass(frozen=True)
class Asking:
    """One person's questions. `names`: fields that this call has, for refusals that name one."""

    request: web.Request
    provider: Provider
    token: str
    names: frozenset[str]

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        """The JSON of a good answer, None for an empty one. Raises Problem, SignInError."""
        headers = {
            **authn.on_behalf(self.request),
            "Authorization": f"Bearer {self.token}",
            "Accept": ACCEPT,
        }
        sent = Sent(body, headers=headers)
        reply = await self.provider.wire.ask(method, f"{self.provider.origin}{AT}{path}", sent)
        if reply.status in (200, 201, 204):
            return reply.data
        if reply.status == 401 and reply.get("errorCode") != _WRONG_CODE:
            raise await _over(self.request)
        raise _refused(reply, self.names)


@asynccontextmanager
async def asking(request: web.Request, *names: str) -> AsyncIterator[Asking]:
    """Everything inside has the provider's deadline together; past it, as for any trouble there, Problem 503."""
    await throttles.account_call(request)
    provider = request.app[keys.PROVIDER]
    try:
        token = await _token(request, provider)
        async with provider.wire.patience():
            yield Asking(request, provider, token, frozenset(names))
    except NoProviderToken as error:
        raise Problem(401, str(error), headers={"WWW-Authenticate": "Bearer"}) from None
    except NoAccount as error:
        raise Problem(409, str(error)) from None
    except SignInError as error:
        raise problem_of(error) from None


def asked_id(request: web.Request, name: str = "id") -> str:
    """A checked part of the call's address."""
    return request[keys.PATH_IDS][name]


async def _token(request: web.Request, provider: Provider) -> str:
    """Of this sign-in, for the provider that gave it and no other."""
    sealed = await request.app[keys.DATABASE].read(sessions.origin_of, request[keys.SIGNED_IN].session_id)
    origin = standing.opened(request, sealed)
    if not origin.access_token or origin.issuer != provider.issuer:
        raise NoProviderToken
    if not provider.has_extensions:
        raise NoAccount
    return origin.access_token


async def _over(request: web.Request) -> Problem:
    """The provider does not know this sign-in any more: neither do we."""
    app, who = request.app, request[keys.SIGNED_IN]
    await app[keys.DATABASE].run(sessions.end, who.session_id, datetime.now(UTC))
    return Problem(
        401,
        "Your sign-in is over. Please sign in again.",
        headers={"WWW-Authenticate": "Bearer"},
        cookies=user_info.signed_out(app[keys.SETTINGS]),
    )


def _refused(reply: Reply, names: frozenset[str]) -> Problem:
    """In the provider's words. Raises ProviderAway for an answer that is none of those it may give."""
    text = text_of(reply.data)
    stale = _stale(reply.headers.get("WWW-Authenticate", ""))
    if reply.status == 403 and stale is not None:
        return Problem(403, "insufficient_authentication_context", **stale)
    if reply.status == 401:
        return Problem(422, text, {"code": text or str(LoginFailed())})
    if reply.status not in (400, 403, 404, 409):
        raise ProviderAway
    return Problem(reply.status, text, _named(reply, names) or None)


def _stale(header: str) -> dict[str, Any] | None:
    """What a newer or stronger sign-in must bring; None when that is not what the provider wants."""
    said: Mapping[str, str] = dict(_PAIR.findall(header[:1000]))
    if said.get("error") != "insufficient_authentication_context":
        return None
    age = said.get("max_age", "")
    return {"maxAge": int(age) if re.fullmatch("[0-9]{1,9}", age) else None, "acrValues": said.get("acr_values")}


def _named(reply: Reply, names: frozenset[str]) -> dict[str, str]:
    """The causes that name a field of the call."""
    causes = reply.get("errorCauses")
    found: dict[str, str] = {}
    for cause in causes if isinstance(causes, list) else []:
        matched = _CAUSE.match(text_of(cause))
        if matched is None:
            continue
        name = _FIELDS.get(matched[1], matched[1])
        if name in names:
            found.setdefault(name, _sentence(matched[2]))
    return found


def _sentence(text: str) -> str:
    made = text[0].upper() + text[1:]
    return made if made[-1] in ".!?" else f"{made}."


class Theirs(BaseModel):
    """A record of the provider, as much of it as we read."""


def read(kind: type[T], data: Any) -> T:
    """An answer in the form it should have. Raises ProviderAway for any other."""
    try:
        return TypeAdapter(kind).validate_python(data)
    except ValidationError:
        raise ProviderAway from None
