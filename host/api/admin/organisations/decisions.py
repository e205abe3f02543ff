"""Deciding about applications, and about the email domains of an organisation."""

from typing import Annotated, Literal

from aiohttp import web
from pydantic import Field

from contracts.tasks import Topic
from domain.organisations import profile
from domain.organisations.applications import deciding
from domain.permissions import Permission
from host.api.admin.outcome import StaffOutcome, target
from host.api.fields import Strict
from host.api.registry import call
from host.app_keys import DATABASE
from host.messaging.outbox_wake import OUTBOX_WAKER

Text = Annotated[str, Field(max_length=6_000)]
DECIDE = Permission.ORGANISATIONS_DECIDE


class Question(Strict):
    text: Text


class Approval(Strict):
    """`domains`: whether the email domains that were asked for are approved as well."""

    domains: Literal["approve", "leave"] = "leave"


class Refusal(Strict):
    text: Text


class DomainDecision(Strict):
    domain: Annotated[str, Field(max_length=300)]


@call("admin/organisations/{id}/ask", Question, StaffOutcome, area="admin", permission=DECIDE)
async def ask(request: web.Request, body: Question) -> StaffOutcome:
    """Ask the applicant for information, by mail and on the page of their application."""
    number, actor, at = target(request)
    await request.app[DATABASE].write_as(actor, deciding.ask, number, body.text, actor.learner_id, at)
    request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    return StaffOutcome(text="The question is on its way.")


@call("admin/organisations/{id}/approve", Approval, StaffOutcome, area="admin", permission=DECIDE)
async def approve(request: web.Request, body: Approval) -> StaffOutcome:
    """Open the area to an organisation that has applied."""
    number, actor, at = target(request)
    has_domains = body.domains == "approve"
    await request.app[DATABASE].write_as(actor, deciding.approve, number, actor.learner_id, at, has_domains=has_domains)
    request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    return StaffOutcome(text="The organisation is approved.")


@call("admin/organisations/{id}/decline", Refusal, StaffOutcome, area="admin", permission=DECIDE)
async def decline(request: web.Request, body: Refusal) -> StaffOutcome:
    """Decline an application with a reason, which the applicant reads."""
    number, actor, at = target(request)
    await request.app[DATABASE].write_as(actor, deciding.decline, number, body.text, actor.learner_id, at)
    request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    return StaffOutcome(text="The application is declined.")


@call("admin/organisations/{id}/approve-domain", DomainDecision, StaffOutcome, area="admin", permission=DECIDE)
async def approve_domain(request: web.Request, body: DomainDecision) -> StaffOutcome:
    """Approve an email domain that an organisation has asked for: people with such an address may join by one press,
    where a contract says so."""
    number, actor, _ = target(request)
    await request.app[DATABASE].write_as(actor, profile.decide_domain, number, body.domain, is_approved=True)
    return StaffOutcome(text=f"{body.domain} is approved.")


@call("admin/organisations/{id}/remove-domain", DomainDecision, StaffOutcome, area="admin", permission=DECIDE)
async def remove_domain(request: web.Request, body: DomainDecision) -> StaffOutcome:
    """Refuse an email domain that an organisation has asked for, or take back one that was approved."""
    number, actor, _ = target(request)
    await request.app[DATABASE].write_as(actor, profile.decide_domain, number, body.domain, is_approved=False)
    return StaffOutcome(text=f"{body.domain} is removed.")
