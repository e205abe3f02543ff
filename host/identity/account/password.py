"""The password at the provider, by its status: NOT_ENROLLED offers a first one, ACTIVE all the rest."""

from datetime import datetime
from typing import Annotated, Any, Literal

from aiohttp import web
from pydantic import BaseModel, Field

from host.calls import call, query
from host.calls.forms import Nothing, Strict
from host.identity.account.asking import REFUSALS, Asking, Theirs, asking, read
from host.problems import Problem

Status = Literal["NOT_ENROLLED", "ACTIVE"]
Secret = Annotated[str, Field(min_length=1, max_length=1000)]
PATH = "/password"
_INSTEAD = {
    "NOT_ENROLLED": "This account has no password yet. Choose a first one.",
    "ACTIVE": "This account has a password already. Change it, with the current one.",
}


class Password(BaseModel):
    status: Status
    lastUpdated: datetime | None


class First(Strict):
    password: Secret


class Change(Strict):
    password: Secret
    currentPassword: Secret


class _Password(Theirs):
    status: str
    lastUpdated: datetime | None = None


def _form(data: Any) -> Password:
    """Any other status than the two is nothing to be changed here."""
    found = read(_Password, data)
    if found.status == "ACTIVE":
        return Password(status="ACTIVE", lastUpdated=found.lastUpdated)
    if found.status == "NOT_ENROLLED":
        return Password(status="NOT_ENROLLED", lastUpdated=None)
    raise Problem(409, f"The password cannot be changed here while its status is {found.status[:40]}.")


async def _must_be(them: Asking, status: Status) -> None:
    found = _form(await them.ask("GET", PATH))
    if found.status != status:
        raise Problem(409, _INSTEAD[found.status])


@query("account/password", Nothing, Password, who="learner", refusals=REFUSALS)
async def state(request: web.Request, _asked: Nothing) -> Password:
    """Whether there is a password, and since when."""
    async with asking(request) as them:
        return _form(await them.ask("GET", PATH))


@call("account/password", First, Password, who="learner", refusals=REFUSALS)
async def enroll(request: web.Request, body: First) -> Password:
    """A first password."""
    async with asking(request, "password") as them:
        await _must_be(them, "NOT_ENROLLED")
        return _form(await them.ask("POST", PATH, {"profile": {"password": body.password}}))


@call("account/password", Change, Password, method="PUT", who="learner", refusals=REFUSALS)
async def change(request: web.Request, body: Change) -> Password:
    """A new password in the place of the current one."""
    async with asking(request, "password", "currentPassword") as them:
        await _must_be(them, "ACTIVE")
        return _form(await them.ask("PUT", PATH, {"profile": body.model_dump()}))


@call(
    "account/password",
    Nothing,
    Password,
    method="DELETE",
    who="learner",
    refusals=REFUSALS,
    is_body_optional=True,
)
async def remove(request: web.Request, _asked: Nothing) -> Password:
    """No password any more: the other ways to sign in remain."""
    async with asking(request) as them:
        await _must_be(them, "ACTIVE")
        await them.ask("DELETE", PATH)
    return Password(status="NOT_ENROLLED", lastUpdated=None)
