"""Calls of whoever applies for an organisation: their own applications, in a session of any area."""

from datetime import UTC, datetime
from typing import Annotated, cast

from aiohttp import web
from pydantic import BaseModel, Field

from contracts.tasks import Topic
from domain.errors import InvalidInput
from domain.organisations.applications import applying
from domain.organisations.applications.applying import NewApplication
from domain.permissions import Actor, Area
from host.api.admin.actions import FormField, action
from host.api.admin.outcome import StaffOutcome
from host.api.fields import SAFE, WHOLE, Strict
from host.api.registry import call
from host.app_keys import DATABASE
from host.auth import area_access, area_guard
from host.http import request_keys
from host.messaging.outbox_wake import OUTBOX_WAKER
from host.rate_limits import policies

MAX_FIELD = 6_000
NO_TERMS = "Accept the terms to apply."


class ApplicationForm(Strict):
    """`domains`: of email addresses of the organisation, as many as there are."""

    name: Annotated[str, Field(max_length=500)]
    slug: Annotated[str, Field(max_length=200)]
    website: Annotated[str, Field(max_length=500)]
    size: Annotated[int, Field(ge=0, le=SAFE), WHOLE]
    domains: Annotated[list[Annotated[str, Field(max_length=300)]], Field(max_length=50)]
    request: Annotated[str, Field(max_length=MAX_FIELD)]
    acceptsTerms: bool


class ApplicationAnswer(Strict):
    text: Annotated[str, Field(max_length=applying.MAX_TEXT), FormField("Your answer", "text")]


class StoredApplication(BaseModel):
    """`href`: the page of the application."""

    id: int
    href: str


@call("organization/applications", ApplicationForm, StoredApplication, caller="learner", status=201, refusals=(429,))
async def apply(request: web.Request, body: ApplicationForm) -> StoredApplication:
    """Apply for a new organisation, whose owner the caller becomes; at most three a day. 403 without a verified email
    address."""
    actor, at = await _applicant(request)
    new = _new_application(body)
    number = await request.app[DATABASE].write_as(actor, applying.apply, actor.learner_id, new, at)
    request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    return StoredApplication(id=number, href=f"{area_guard.APPLICATION_PATH}?application={number}")


@call("organization/applications/{id}/resubmit", ApplicationForm, StaffOutcome, caller="learner", refusals=(404, 429))
async def resubmit(request: web.Request, body: ApplicationForm) -> StaffOutcome:
    """Apply again for one's own organisation that was declined."""
    actor, at = await _applicant(request)
    number, new = request[request_keys.PATH_ID], _new_application(body)
    await request.app[DATABASE].write_as(actor, applying.resubmit, actor.learner_id, number, new, at)
    request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    return StaffOutcome(text="Your application is with us again.")


@action(
    "organization/applications/{id}/answer",
    ApplicationAnswer,
    "Answer our question",
    "Send answer",
    caller="learner",
    refusals=(404, 429),
)
async def answer(request: web.Request, body: ApplicationAnswer) -> StaffOutcome:
    """Answer the staff's question, or add something, while nothing is decided."""
    actor, at = await _applicant(request)
    number = request[request_keys.PATH_ID]
    await request.app[DATABASE].write_as(actor, applying.answer, actor.learner_id, number, body.text, at)
    request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    return StaffOutcome(text="Your answer is with us.")


async def _applicant(request: web.Request) -> tuple[Actor, datetime]:
    auth = request[request_keys.AUTH_SESSION]
    await policies.limit_area_call(request, auth)
    actor = area_access.actor_of(request, auth, cast("Area", auth.area), ())
    return actor, datetime.now(UTC)


def _new_application(body: ApplicationForm) -> NewApplication:
    """Raises InvalidInput."""
    if not body.acceptsTerms:
        raise InvalidInput({"acceptsTerms": NO_TERMS})
    return NewApplication(body.name, body.slug, body.website, body.size, tuple(body.domains), body.request)
