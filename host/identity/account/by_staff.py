"""Calls by which staff sign a learner out, export their data, or delete their account: they end sessions at the
provider too."""

from typing import Annotated, Literal

from aiohttp import web
from pydantic import Field

from contracts.tasks import Topic
from domain.display_text import count_text
from domain.errors import Refused
from domain.orders.settings import Context
from domain.permissions import Permission
from domain.support.learners import account
from host.api.admin.actions import FormField, RecordedReason, action
from host.api.admin.outcome import StaffOutcome, target
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
    "invoices stay as long as the law says. This cannot be undone.",
    is_dangerous=True,
    area="admin",
    permission=Permission.LEARNERS_ERASE,
    max_auth_age_s=MAX_AUTH_AGE_S,
    refusals=(409,),
)
async def erase(request: web.Request, body: EraseLearner) -> StaffOutcome:
    """Delete an account: all data about the person is deleted or anonymised. 409 while a debit or a refund is under
    way, or goods have not been sent yet, and for the last administrator."""
    learner_id, actor, at = target(request)
    app, keeps = request.app, body.certificates == "keep"
    context = Context(at, app[SETTINGS].orders)
    try:
        encrypted = await app[DATABASE].write_as(
            actor, account.erase, learner_id, body.confirm, body.reason, context, keep_certificates=keeps
        )
    except Refused as refusal:
        raise Problem(409, str(refusal)) from refusal
    app[OUTBOX_WAKER].wake(Topic.PAYMENTS)
    await revoke_at_provider(request, [decrypt_tokens(request.app, tokens) for tokens in encrypted])
    return StaffOutcome(text="The account is deleted.")
