"""Calls for email addresses at the provider: list, add, verify by a code, make primary, remove."""

from datetime import datetime
from typing import Annotated

from aiohttp import web
from pydantic import BaseModel, Field

from domain.identity import learners
from host.api.fields import EmptyRequest, Strict
from host.api.registry import call, query
from host.app_keys import DATABASE
from host.http import request_keys
from host.identity.account.myaccount_client import (
    NO_SIGN_IN,
    REFUSALS,
    MyAccountClient,
    ProviderModel,
    myaccount_client,
    path_id,
    read,
)
from host.identity.errors import ProviderUnavailable
from host.rate_limits import policies


class Email(BaseModel):
    id: str
    email: str
    isPrimary: bool
    isVerified: bool


class Emails(BaseModel):
    emails: list[Email]


class Address(Strict):
    """`isPrimary`: the address becomes the primary one when its code confirms it."""

    email: Annotated[str, Field(min_length=1, max_length=254)]
    isPrimary: Annotated[bool, Field(strict=True)] = False


class Code(Strict):
    code: Annotated[str, Field(min_length=1, max_length=64)]


class EmailChallenge(BaseModel):
    """A code was sent to the address."""

    email: Email
    challengeId: str


class Challenge(BaseModel):
    challengeId: str
    expiresAt: datetime


class _Profile(ProviderModel):
    email: str


class _Email(ProviderModel):
    id: str
    status: str
    roles: Annotated[list[str], Field(default_factory=list)]
    profile: _Profile


class _Challenge(ProviderModel):
    id: str
    expiresAt: datetime


def _email_schema(email: _Email) -> Email:
    is_primary = "PRIMARY" in email.roles
    return Email(id=email.id, email=email.profile.email, isPrimary=is_primary, isVerified=email.status == "VERIFIED")


async def _list_emails(client: MyAccountClient) -> Emails:
    emails = read(list[_Email], await client.call("GET", "/emails"))
    return Emails(emails=[_email_schema(email) for email in emails])


async def _send_challenge(client: MyAccountClient, email_id: str) -> Challenge:
    challenge = read(_Challenge, await client.call("POST", f"/emails/{email_id}/challenge", {}))
    return Challenge(challengeId=challenge.id, expiresAt=challenge.expiresAt)


async def _add_email(client: MyAccountClient, email: str, *, is_primary: bool) -> EmailChallenge:
    """Add an address (`sendEmail` off), then send the code with a challenge, whose id is needed to verify it."""
    role = "PRIMARY" if is_primary else "SECONDARY"
    body = {"profile": {"email": email}, "sendEmail": False, "role": role}
    added = read(_Email, await client.call("POST", "/emails", body))
    challenge = await _send_challenge(client, _checked_id(added.id))
    return EmailChallenge(email=_email_schema(added), challengeId=challenge.challengeId)


def _checked_id(email_id: str) -> str:
    """An id from the provider's reply, safe for use in a path. Raises ProviderUnavailable for any other."""
    if not email_id.isascii() or not email_id.replace("-", "").replace("_", "").isalnum():
        raise ProviderUnavailable
    return email_id


@query("account/emails", EmptyRequest, Emails, caller="learner", no_sign_in=NO_SIGN_IN, refusals=REFUSALS)
async def listing(request: web.Request, _body: EmptyRequest) -> Emails:
    """List the account's email addresses."""
    async with myaccount_client(request) as client:
        return await _list_emails(client)


@call("account/emails", Address, EmailChallenge, caller="learner", no_sign_in=NO_SIGN_IN, refusals=REFUSALS)
async def add(request: web.Request, body: Address) -> EmailChallenge:
    """Add an email address; a code is sent to it."""
    await policies.limit(request, "recoveries_per_address_hour")
    async with myaccount_client(request, "email") as client:
        return await _add_email(client, body.email.strip(), is_primary=body.isPrimary)


@call(
    "account/emails/{id}",
    EmptyRequest,
    EmptyRequest,
    method="DELETE",
    caller="learner",
    no_sign_in=NO_SIGN_IN,
    refusals=REFUSALS,
    has_text_ids=True,
)
async def remove(request: web.Request, _body: EmptyRequest) -> EmptyRequest:
    """Remove an email address; the primary one cannot be removed."""
    async with myaccount_client(request) as client:
        await client.call("DELETE", f"/emails/{path_id(request)}")
    return EmptyRequest()


@call(
    "account/emails/{id}/challenge",
    EmptyRequest,
    Challenge,
    caller="learner",
    no_sign_in=NO_SIGN_IN,
    refusals=REFUSALS,
    has_text_ids=True,
)
async def challenge(request: web.Request, _body: EmptyRequest) -> Challenge:
    """Send another code to an email address."""
    await policies.limit(request, "recoveries_per_address_hour")
    async with myaccount_client(request) as client:
        return await _send_challenge(client, path_id(request))


@call(
    "account/emails/{id}/challenge/{challengeId}/verify",
    Code,
    Emails,
    caller="learner",
    no_sign_in=NO_SIGN_IN,
    refusals=REFUSALS,
    has_text_ids=True,
)
async def verify(request: web.Request, body: Code) -> Emails:
    """Verify an email address by its code; a primary one replaces the account's current address."""
    email_id, challenge_id = path_id(request), path_id(request, "challengeId")
    async with myaccount_client(request, "code") as client:
        await client.call(
            "POST", f"/emails/{email_id}/challenge/{challenge_id}/verify", {"verificationCode": body.code}
        )
        emails = await _list_emails(client)
    await _relabel_learner(request, emails)
    return emails


async def _relabel_learner(request: web.Request, emails: Emails) -> None:
    """Store the verified primary address as the learner's email address in our database."""
    primary = next((email.email for email in emails.emails if email.isPrimary and email.isVerified), None)
    if primary is not None:
        await request.app[DATABASE].write(
            learners.relabel, request[request_keys.AUTH_SESSION].learner_id, email=primary
        )


@call(
    "account/emails/{id}/primary",
    EmptyRequest,
    EmailChallenge,
    method="PUT",
    caller="learner",
    no_sign_in=NO_SIGN_IN,
    refusals=REFUSALS,
    has_text_ids=True,
)
async def make_primary(request: web.Request, _body: EmptyRequest) -> EmailChallenge:
    """Make an existing address the primary one, once it is verified by a code that is sent to it."""
    await policies.limit(request, "recoveries_per_address_hour")
    async with myaccount_client(request, "email") as client:
        email = read(_Email, await client.call("GET", f"/emails/{path_id(request)}"))
        return await _add_email(client, email.profile.email, is_primary=True)
