"""Calls by which staff sign a learner out, export their data, delete their account, or confirm what another
administrator has asked for: they end sessions at the provider too."""

from typing import Annotated, Literal

from aiohttp import web
from pydantic import Field

from contracts.tasks import Topic
from domain.display_text import count_text
from domain.errors import Refused
from domain.orders.settings import Context
from domain.permissions import Permission
from domain.staff import confirmations
from domain.staff.confirmations import GraveRequest, OwnChange, Waiting
from domain.support.learners import account
from host.api.admin.actions import FormField, RecordedReason, action
from host.api.admin.outcome import StaffOutcome, target
from host.api.admin.people.confirmations import CONFIRMED_FIRST, waiting_outcome
from host.api.fields import EmptyRequest, Strict
from host.api.registry import call
from host.app_keys import DATABASE, SETTINGS
from host.auth.token_cipher import decrypt_tokens
from host.http.problems import Problem
from host.identity.account.our_records import MAX_AUTH_AGE_S, Export, revoke_at_provider
from host.messaging.outbox_wake import OUTBOX_WAKER


class SignOut(Strict):
    reason: RecordedReason


class EraseLearner(Strict):
    """`confirm`: the account's email address, as typed. `certificates`: they stay valid and keep the name, or are
    revoked and lose it."""

    confirm: Annotated[
        str,
        Field(max_length=254),
        FormField("Email address of the account", hint="Type it, so that nobody deletes the wrong one."),
    ]
    certificates: Annotated[
        Literal["revoke", "keep"],
        FormField(
            "Certificates",
            options={"revoke": "Revoke them and remove the name", "keep": "Keep them valid, with the name"},
        ),
    ]
    reason: RecordedReason


@action(
    "admin/learners/{id}/sign-out",
    SignOut,
    "Sign out everywhere",
    "Sign out",
    question="All their sessions end, in every browser.",
    is_dangerous=True,
    area="admin",
    permission=Permission.LEARNERS_WRITE,
)
async def sign_out(request: web.Request, body: SignOut) -> StaffOutcome:
    """End all sessions of a learner."""
    learner_id, actor, at = target(request)
    ended = await request.app[DATABASE].write_as(actor, account.end_sessions, learner_id, body.reason, at)
    await revoke_at_provider(request, [decrypt_tokens(request.app, tokens) for tokens in ended])
    number = f"{count_text(len(ended))} sessions" if len(ended) > 1 else "One session"
    return StaffOutcome(text=f"{number} ended." if ended else "Nobody was signed in.")


@call(
    "admin/learners/{id}/export",
    EmptyRequest,
    Export,
    area="admin",
    permission=Permission.LEARNERS_READ,
    max_auth_age_s=MAX_AUTH_AGE_S,
)
async def export(request: web.Request, _body: EmptyRequest) -> Export:
    """All data that is stored about a learner, as they would get it themselves. It is recorded who took it."""
    learner_id, actor, at = target(request)
    currency = request.app[SETTINGS].shop.currency
    return Export(await request.app[DATABASE].write_as(actor, account.export, learner_id, at, currency))


@action(
    "admin/learners/{id}/erase",
    EraseLearner,
    "Delete the account",
    "Delete account",
    question="Everything about the person is deleted or made anonymous, also what they wrote to us. Orders with "
    f"invoices stay as long as the law says. This cannot be undone. {CONFIRMED_FIRST}",
    is_dangerous=True,
    area="admin",
    permission=Permission.LEARNERS_ERASE,
    max_auth_age_s=MAX_AUTH_AGE_S,
    refusals=(409,),
)
async def erase(request: web.Request, body: EraseLearner) -> StaffOutcome:
    """Delete an account, when another administrator has confirmed it: all data about the person is deleted or
    anonymised. 409 while a debit or a refund is under way, or goods have not been sent yet, for the last administrator,
    and while the same waits already."""
    learner_id, actor, at = target(request)
    app, keeps = request.app, body.certificates == "keep"
    context, values = Context(at, app[SETTINGS].orders), {"keeps_certificates": keeps}
    wanted = GraveRequest("learner.erase", learner_id, actor.learner_id, at, body.reason, values)
    try:
        done = await app[DATABASE].write_as(actor, account.ask_to_erase, wanted, body.confirm, context)
    except Refused as refusal:
        raise Problem(409, str(refusal)) from refusal
    _wake(app)
    if isinstance(done, Waiting):
        return waiting_outcome(done)
    await revoke_at_provider(request, [decrypt_tokens(request.app, tokens) for tokens in done])
    return StaffOutcome(text="The account is deleted.")


@action(
    "admin/confirmations/{id}/confirm",
    EmptyRequest,
    "Confirm it",
    "Confirm",
    question="It is done at once, as it was asked for. This cannot be undone here.",
    is_dangerous=True,
    area="admin",
    permission=Permission.STAFF_WRITE,
    max_auth_age_s=MAX_AUTH_AGE_S,
    refusals=(409,),
)
async def confirm(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """Make a change that another administrator has asked for. 403 for their own; 409 when it no longer waits, when who
    asked for it may not do it any more, and when what it was decided upon has changed, and as the change."""
    number, actor, at = target(request)
    app = request.app
    try:
        context = Context(at, app[SETTINGS].orders)
        made = await app[DATABASE].write_as(actor, confirmations.confirm, number, actor, context)
    except OwnChange:
        raise
    except Refused as refusal:
        raise Problem(409, str(refusal)) from refusal
    _wake(app)
    await revoke_at_provider(request, [decrypt_tokens(request.app, tokens) for tokens in made.ended])
    return StaffOutcome(text="It is confirmed and done.")


def _wake(app: web.Application) -> None:
    for topic in (Topic.PAYMENTS, Topic.MAIL):
        app[OUTBOX_WAKER].wake(topic)
