"""Calls for the password at the provider: set a first one (status NOT_ENROLLED), change or remove it (ACTIVE)."""

from datetime import datetime
from typing import Annotated, Any, Literal

from aiohttp import web
from pydantic import BaseModel, Field

from host.api.fields import EmptyRequest, Strict
from host.api.registry import call, query
from host.http.problems import Problem
from host.identity.account.myaccount_client import (
    NO_SIGN_IN,
    REFUSALS,
    MyAccountClient,
    ProviderModel,
    myaccount_client,
    read,
)

Status = Literal["NOT_ENROLLED", "ACTIVE"]
Secret = Annotated[str, Field(min_length=1, max_length=1000)]
PATH = "/password"
_STATUS_ERRORS = {
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


class _Password(ProviderModel):
    status: str
    lastUpdated: datetime | None = None


def _password_schema(data: Any) -> Password:
    """The provider's reply as a model. Raises Problem 409 for any other status than the two."""
    password = read(_Password, data)
    if password.status == "ACTIVE":
        return Password(status="ACTIVE", lastUpdated=password.lastUpdated)
    if password.status == "NOT_ENROLLED":
        return Password(status="NOT_ENROLLED", lastUpdated=None)
    raise Problem(409, f"The password cannot be changed here while its status is {password.status[:40]}.")


async def _require_status(client: MyAccountClient, status: Status) -> None:
    password = _password_schema(await client.call("GET", PATH))
    if password.status != status:
        raise Problem(409, _STATUS_ERRORS[password.status])


@query("account/password", EmptyRequest, Password, caller="learner", no_sign_in=NO_SIGN_IN, refusals=REFUSALS)
async def state(request: web.Request, _body: EmptyRequest) -> Password:
    """Return whether the account has a password, and when it was last changed."""
    async with myaccount_client(request) as client:
        return _password_schema(await client.call("GET", PATH))


@call("account/password", First, Password, caller="learner", no_sign_in=NO_SIGN_IN, refusals=REFUSALS)
async def enroll(request: web.Request, body: First) -> Password:
    """Set a first password."""
    async with myaccount_client(request, "password") as client:
        await _require_status(client, "NOT_ENROLLED")
        return _password_schema(await client.call("POST", PATH, {"profile": {"password": body.password}}))


@call("account/password", Change, Password, method="PUT", caller="learner", no_sign_in=NO_SIGN_IN, refusals=REFUSALS)
async def change(request: web.Request, body: Change) -> Password:
    """Change the password; the current one is required."""
    async with myaccount_client(request, "password", "currentPassword") as client:
        await _require_status(client, "ACTIVE")
        return _password_schema(await client.call("PUT", PATH, {"profile": body.model_dump()}))


@call(
    "account/password",
    EmptyRequest,
    Password,
    method="DELETE",
    caller="learner",
    no_sign_in=NO_SIGN_IN,
    refusals=REFUSALS,
)
async def remove(request: web.Request, _body: EmptyRequest) -> Password:
    """Remove the password; the other sign-in methods remain."""
    async with myaccount_client(request) as client:
        await _require_status(client, "ACTIVE")
        await client.call("DELETE", PATH)
    return Password(status="NOT_ENROLLED", lastUpdated=None)
