"""Phone numbers at the provider: added, proved by a code, removed."""

from typing import Annotated, Literal

from aiohttp import web
from pydantic import BaseModel, Field

from host import throttles
from host.calls import call, query
from host.calls.forms import Nothing, Strict
from host.identity.account.asking import REFUSALS, Asking, Theirs, asked_id, asking, read
from host.identity.account.emails import Code

Way = Literal["SMS", "CALL"]


class Phone(BaseModel):
    id: str
    number: str
    isVerified: bool


class Phones(BaseModel):
    phones: list[Phone]


class Number(Strict):
    number: Annotated[str, Field(min_length=1, max_length=40)]
    method: Way = "SMS"


class Method(Strict):
    method: Way = "SMS"


class Added(BaseModel):
    """A code was sent to the number."""

    phone: Phone


class _Profile(Theirs):
    phoneNumber: str


class _Phone(Theirs):
    id: str
    status: str
    profile: _Profile


def _form(one: _Phone) -> Phone:
    return Phone(id=one.id, number=one.profile.phoneNumber, isVerified=one.status == "VERIFIED")


async def _all(them: Asking) -> Phones:
    return Phones(phones=[_form(one) for one in read(list[_Phone], await them.ask("GET", "/phones"))])


@query("account/phones", Nothing, Phones, who="learner", refusals=REFUSALS)
async def listing(request: web.Request, _asked: Nothing) -> Phones:
    """The account's phone numbers."""
    async with asking(request) as them:
        return await _all(them)


@call("account/phones", Number, Added, who="learner", refusals=REFUSALS)
async def add(request: web.Request, body: Number) -> Added:
    """A number more; a code is sent there, or spoken."""
    await throttles.message(request)
    sent = {"profile": {"phoneNumber": body.number.strip()}, "sendCode": True, "method": body.method}
    async with asking(request, "number", "method") as them:
        return Added(phone=_form(read(_Phone, await them.ask("POST", "/phones", sent))))


@call(
    "account/phones/{id}",
    Nothing,
    Nothing,
    method="DELETE",
    who="learner",
    refusals=REFUSALS,
    has_text_ids=True,
    is_body_optional=True,
)
async def remove(request: web.Request, _asked: Nothing) -> Nothing:
    """A number less."""
    async with asking(request) as them:
        await them.ask("DELETE", f"/phones/{asked_id(request)}")
    return Nothing()


@call("account/phones/{id}/challenge", Method, Nothing, who="learner", refusals=REFUSALS, has_text_ids=True)
async def challenge(request: web.Request, body: Method) -> Nothing:
    """Another code to a number."""
    await throttles.message(request)
    async with asking(request, "method") as them:
        await them.ask("POST", f"/phones/{asked_id(request)}/challenge", {"method": body.method})
    return Nothing()


@call("account/phones/{id}/verify", Code, Phones, who="learner", refusals=REFUSALS, has_text_ids=True)
async def verify(request: web.Request, body: Code) -> Phones:
    """The code proves the number."""
    async with asking(request, "code") as them:
        await them.ask("POST", f"/phones/{asked_id(request)}/verify", {"verificationCode": body.code})
        return await _all(them)
