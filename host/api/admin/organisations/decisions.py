"""Deciding about applications, and about the email domains of an organisation."""

from typing import Annotated, Literal

from aiohttp import web
from pydantic import Field

from contracts.tasks import Topic
from domain.organisations import profile
from domain.organisations.applications import deciding
from domain.organisations.applications.applying import MAX_TEXT
from domain.permissions import Permission
from host.api.admin.actions import FormField, action
from host.api.admin.outcome import StaffOutcome, target
from host.api.fields import Strict
from host.app_keys import DATABASE
from host.messaging.outbox_wake import OUTBOX_WAKER

Text = Annotated[str, Field(max_length=MAX_TEXT)]
READ = "The applicant reads it."
DECIDE = Permission.ORGANISATIONS_DECIDE


class Question(Strict):
    text: Annotated[Text, FormField("Question", "text", hint=READ)]


class Approval(Strict):
    """`domains`: whether the email domains that were asked for are approved as well."""

    domains: Annotated[Literal["approve", "leave"], FormField("Email domains", is_required=True)] = "leave"


class Refusal(Strict):
    text: Annotated[Text, FormField("Reason", "text", hint=READ)]


class DomainDecision(Strict):
    domain: Annotated[str, Field(max_length=300), FormField("Domain", "choice")]


@action("admin/organisations/{id}/ask", Question, "Ask for information", "Send question", permission=DECIDE)
async def ask(request: web.Request, body: Question) -> StaffOutcome:
    """Ask the applicant for information, by mail and on the page of their application."""
    number, actor, at = target(request)
    await request.app[DATABASE].write_as(actor, deciding.ask, number, body.text, actor.learner_id, at)
    request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    return StaffOutcome(text="The question is on its way.")


@action(
    "admin/organisations/{id}/approve",
    Approval,
    "Approve",
    "Approve organisation",
    text="Its area opens to the applicant, who becomes its owner. A contract is made after it.",
    permission=DECIDE,
)
async def approve(request: web.Request, body: Approval) -> StaffOutcome:
    """Open the area to an organisation that has applied."""
    number, actor, at = target(request)
    has_domains = body.domains == "approve"
    await request.app[DATABASE].write_as(actor, deciding.approve, number, actor.learner_id, at, has_domains=has_domains)
    request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    return StaffOutcome(text="The organisation is approved.")


@action(
    "admin/organisations/{id}/decline",
    Refusal,
    "Decline",
    "Decline application",
    question="The applicant reads the reason, and may apply again.",
    is_dangerous=True,
    permission=DECIDE,
)
async def decline(request: web.Request, body: Refusal) -> StaffOutcome:
    """Decline an application with a reason, which the applicant reads."""
    number, actor, at = target(request)
    await request.app[DATABASE].write_as(actor, deciding.decline, number, body.text, actor.learner_id, at)
    request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    return StaffOutcome(text="The application is declined.")


@action(
    "admin/organisations/{id}/approve-domain",
    DomainDecision,
    "Approve a domain",
    "Approve domain",
    text="People with a verified address of this domain may join by one press, where a contract says so.",
    permission=DECIDE,
)
async def approve_domain(request: web.Request, body: DomainDecision) -> StaffOutcome:
    """Approve an email domain that an organisation has asked for: people with such an address may join by one press,
    where a contract says so."""
    number, actor, _ = target(request)
    await request.app[DATABASE].write_as(actor, profile.decide_domain, number, body.domain, is_approved=True)
    return StaffOutcome(text=f"{body.domain} is approved.")


@action(
    "admin/organisations/{id}/remove-domain",
    DomainDecision,
    "Remove a domain",
    "Remove domain",
    question="Who has joined with it stays; nobody else joins with it.",
    is_dangerous=True,
    permission=DECIDE,
)
async def remove_domain(request: web.Request, body: DomainDecision) -> StaffOutcome:
    """Refuse an email domain that an organisation has asked for, or take back one that was approved."""
    number, actor, _ = target(request)
    await request.app[DATABASE].write_as(actor, profile.decide_domain, number, body.domain, is_approved=False)
    return StaffOutcome(text=f"{body.domain} is removed.")
