"""Calls for phone numbers at the provider: list, add, verify by a code, remove."""

from typing import Annotated, Literal

from aiohttp import web
from pydantic import BaseModel, Field

from host.api.fields import EmptyRequest, Strict
from host.api.registry import call, query
from host.identity.account.emails import Code
from host.identity.account.myaccount_client import (
    NO_SIGN_IN,
    REFUSALS,
    MyAccountClient,
    ProviderModel,
    myaccount_client,
    path_id,
    read,
)
from host.rate_limits import policies

CodeChannel = Literal["SMS", "CALL"]


class Phone(BaseModel):
    id: str
    number: str
    isVerified: bool


class Phones(BaseModel):
    phones: list[Phone]


class PhoneNumber(Strict):
    number: Annotated[str, Field(min_length=1, max_length=40)]
    method: CodeChannel = "SMS"


class Method(Strict):
    method: CodeChannel = "SMS"


class Added(BaseModel):
    """A code was sent to the number."""

    phone: Phone


class _Profile(ProviderModel):
    phoneNumber: str


class _Phone(ProviderModel):
    id: str
    status: str
    profile: _Profile


def _phone_schema(phone: _Phone) -> Phone:
    return Phone(id=phone.id, number=phone.profile.phoneNumber, isVerified=phone.status == "VERIFIED")


async def _list_phones(client: MyAccountClient) -> Phones:
    phones = read(list[_Phone], await client.call("GET", "/phones"))
    return Phones(phones=[_phone_schema(phone) for phone in phones])


@query("account/phones", EmptyRequest, Phones, caller="learner", no_sign_in=NO_SIGN_IN, refusals=REFUSALS)
async def listing(request: web.Request, _body: EmptyRequest) -> Phones:
    """List the account's phone numbers."""
    async with myaccount_client(request) as client:
        return await _list_phones(client)


@call("account/phones", PhoneNumber, Added, caller="learner", no_sign_in=NO_SIGN_IN, refusals=REFUSALS)
async def add(request: web.Request, body: PhoneNumber) -> Added:
    """Add a phone number; a code is sent to it by SMS or spoken in a call."""
    await policies.limit(request, "recoveries_per_address_hour")
    payload = {"profile": {"phoneNumber": body.number.strip()}, "sendCode": True, "method": body.method}
    async with myaccount_client(request, "number", "method") as client:
        return Added(phone=_phone_schema(read(_Phone, await client.call("POST", "/phones", payload))))


@call(
    "account/phones/{id}",
    EmptyRequest,
    EmptyRequest,
    method="DELETE",
    caller="learner",
    no_sign_in=NO_SIGN_IN,
    refusals=REFUSALS,
    has_text_ids=True,
)
async def remove(request: web.Request, _body: EmptyRequest) -> EmptyRequest:
    """Remove a phone number."""
    async with myaccount_client(request) as client:
        await client.call("DELETE", f"/phones/{path_id(request)}")
    return EmptyRequest()


@call(
    "account/phones/{id}/challenge",
    Method,
    EmptyRequest,
    caller="learner",
    no_sign_in=NO_SIGN_IN,
    refusals=REFUSALS,
    has_text_ids=True,
)
async def challenge(request: web.Request, body: Method) -> EmptyRequest:
    """Send another code to a phone number."""
    await policies.limit(request, "recoveries_per_address_hour")
    async with myaccount_client(request, "method") as client:
        await client.call("POST", f"/phones/{path_id(request)}/challenge", {"method": body.method})
    return EmptyRequest()


@call(
    "account/phones/{id}/verify",
    Code,
    Phones,
    caller="learner",
    no_sign_in=NO_SIGN_IN,
    refusals=REFUSALS,
    has_text_ids=True,
)
async def verify(request: web.Request, body: Code) -> Phones:
    """Verify a phone number by its code."""
    async with myaccount_client(request, "code") as client:
        await client.call("POST", f"/phones/{path_id(request)}/verify", {"verificationCode": body.code})
        return await _list_phones(client)
