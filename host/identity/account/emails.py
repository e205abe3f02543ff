"""E-mail addresses at the provider: added, proved by a code, made primary, removed."""

from datetime import datetime
from typing import Annotated

from aiohttp import web
from pydantic import BaseModel, Field

from domain import learners
from host import keys, throttles
from host.calls import call, query
from host.calls.forms import Nothing, Strict
from host.identity.account.asking import REFUSALS, Asking, Theirs, asked_id, asking, read
from host.identity.errors import ProviderAway


class Email(BaseModel):
    id: str
    email: str
    isPrimary: bool
    isVerified: bool


class Emails(BaseModel):
    emails: list[Email]


class Address(Strict):
    """`isPrimary`: it is to take the place of the one that is, once it is proved."""

    email: Annotated[str, Field(min_length=1, max_length=254)]
    isPrimary: Annotated[bool, Field(strict=True)] = False


class Code(Strict):
    code: Annotated[str, Field(min_length=1, max_length=64)]


class Sent(BaseModel):
    """A code was sent to the address."""

    email: Email
    challengeId: str


class Challenge(BaseModel):
    challengeId: str
    expiresAt: datetime


class _Profile(Theirs):
    email: str


class _Email(Theirs):
    id: str
    status: str
    roles: Annotated[list[str], Field(default_factory=list)]
    profile: _Profile


class _Challenge(Theirs):
    id: str
    expiresAt: datetime


def _form(one: _Email) -> Email:
    is_primary = "PRIMARY" in one.roles
    return Email(id=one.id, email=one.profile.email, isPrimary=is_primary, isVerified=one.status == "VERIFIED")


async def _all(them: Asking) -> Emails:
    return Emails(emails=[_form(one) for one in read(list[_Email], await them.ask("GET", "/emails"))])


async def _challenged(them: Asking, email_id: str) -> Challenge:
    made = read(_Challenge, await them.ask("POST", f"/emails/{email_id}/challenge", {}))
    return Challenge(challengeId=made.id, expiresAt=made.expiresAt)


async def _added(them: Asking, email: str, *, is_primary: bool) -> Sent:
    """The code is sent by the challenge that follows: its id is what proves the address."""
    role = "PRIMARY" if is_primary else "SECONDARY"
    body = {"profile": {"email": email}, "sendEmail": False, "role": role}
    one = read(_Email, await them.ask("POST", "/emails", body))
    return Sent(email=_form(one), challengeId=(await _challenged(them, _checked(one.id))).challengeId)


def _checked(email_id: str) -> str:
    """An id that the provider named goes into an address only in the form that ids have."""
    if not email_id.isascii() or not email_id.replace("-", "").replace("_", "").isalnum():
        raise ProviderAway
    return email_id


@query("account/emails", Nothing, Emails, who="learner", refusals=REFUSALS)
async def listing(request: web.Request, _asked: Nothing) -> Emails:
    """The account's addresses."""
    async with asking(request) as them:
        return await _all(them)


@call("account/emails", Address, Sent, who="learner", refusals=REFUSALS)
async def add(request: web.Request, body: Address) -> Sent:
    """An address more; a code is sent there."""
    await throttles.message(request)
    async with asking(request, "email") as them:
        return await _added(them, body.email.strip(), is_primary=body.isPrimary)


@call(
    "account/emails/{id}",
    Nothing,
    Nothing,
    method="DELETE",
    who="learner",
    refusals=REFUSALS,
    has_text_ids=True,
    is_body_optional=True,
)
async def remove(request: web.Request, _asked: Nothing) -> Nothing:
    """An address less; the primary one stays."""
    async with asking(request) as them:
        await them.ask("DELETE", f"/emails/{asked_id(request)}")
    return Nothing()


@call(
    "account/emails/{id}/challenge",
    Nothing,
    Challenge,
    who="learner",
    refusals=REFUSALS,
    has_text_ids=True,
    is_body_optional=True,
)
async def challenge(request: web.Request, _asked: Nothing) -> Challenge:
    """Another code to an address."""
    await throttles.message(request)
    async with asking(request) as them:
        return await _challenged(them, asked_id(request))


@call(
    "account/emails/{id}/challenge/{challengeId}/verify",
    Code,
    Emails,
    who="learner",
    refusals=REFUSALS,
    has_text_ids=True,
)
async def verify(request: web.Request, body: Code) -> Emails:
    """The code proves the address; a primary one is the account's from now on."""
    one, challenge_id = asked_id(request), asked_id(request, "challengeId")
    async with asking(request, "code") as them:
        await them.ask("POST", f"/emails/{one}/challenge/{challenge_id}/verify", {"verificationCode": body.code})
        found = await _all(them)
    await _told(request, found)
    return found


async def _told(request: web.Request, found: Emails) -> None:
    """Our label of the learner goes with the primary address."""
    primary = next((one.email for one in found.emails if one.isPrimary and one.isVerified), None)
    if primary is not None:
        await request.app[keys.DATABASE].run(learners.relabel, request[keys.SIGNED_IN].learner_id, email=primary)


@call(
    "account/emails/{id}/primary",
    Nothing,
    Sent,
    method="PUT",
    who="learner",
    refusals=REFUSALS,
    has_text_ids=True,
    is_body_optional=True,
)
async def make_primary(request: web.Request, _asked: Nothing) -> Sent:
    """An address that is there becomes the account's own, once a code has proved it."""
    await throttles.message(request)
    async with asking(request, "email") as them:
        one = read(_Email, await them.ask("GET", f"/emails/{asked_id(request)}"))
        return await _added(them, one.profile.email, is_primary=True)
