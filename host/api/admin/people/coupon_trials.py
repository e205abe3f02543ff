"""Calls about trials of the special offer: what one would take, starting it, and stopping it."""

from datetime import datetime
from typing import Annotated, Literal

from aiohttp import web
from pydantic import Field
from sqlalchemy.orm import Session

from domain.coupons.trials import changes
from domain.coupons.trials.changes import TrialDraft
from domain.coupons.trials.schedule import BLOCK_HOURS, MAX_PAIRS, MIN_PAIRS, SETTLING_HOURS
from domain.display_text import count_text, decimal_text, moment_text, money_text
from domain.locales import shop_locale
from domain.permissions import Permission
from domain.reports import coupon_trials
from domain.shop_settings.shop import ShopSettings
from domain.text_direction import isolated
from host.api.admin.actions import FormField, RecordedReason, action
from host.api.admin.outcome import ActionPreview, StaffOutcome, target
from host.api.fields import WHOLE, Instant, Strict
from host.app_keys import DATABASE, SETTINGS
from host.http import request_keys

PATH = "/admin/coupons/trials"
OVER = "The trial is over already."
_PAIRS_HINT = f"{MIN_PAIRS} to {MAX_PAIRS}. More pairs make the result surer: four times as many halve its range."


class NewTrial(Strict):
    """`pairs`: of blocks of `blockHours` hours, in one of which the offer is shown."""

    startsAt: Annotated[Instant, FormField("From", hint="A whole hour. From midnight on, blocks are halves of days.")]
    blockHours: Annotated[
        Literal["6", "12", "24"],
        FormField(
            "Hours of a block",
            options={str(hours): f"{hours} hours" for hours in BLOCK_HOURS},
            hint=f"Sessions that begin in the first {SETTLING_HOURS} hours of each are left out.",
        ),
    ] = "12"
    pairs: Annotated[int, Field(ge=MIN_PAIRS, le=MAX_PAIRS), WHOLE, FormField("Pairs of blocks", hint=_PAIRS_HINT)] = 28
    reason: RecordedReason = ""

    def draft(self) -> TrialDraft:
        return TrialDraft(self.startsAt, self.pairs, int(self.blockHours))


class TrialReason(Strict):
    reason: Annotated[RecordedReason, Field(min_length=1)]


@action(
    "admin/coupons/trials",
    NewTrial,
    "Start a trial of the special offer",
    "Start the trial",
    status=201,
    permission=Permission.COUPONS_WRITE,
)
async def start_trial(request: web.Request, body: NewTrial) -> StaffOutcome:
    """Start a trial of the special offer. 403 without an offer, or while another trial runs or is planned."""
    actor = request[request_keys.ACTOR]
    db = request.app[DATABASE]
    trial_id = await db.write_as(actor, changes.start, body.draft(), actor.learner_id, actor.at, body.reason)
    text = f"The trial begins on {moment_text(body.startsAt)}."
    return StaffOutcome(text=text, href=f"{PATH}/{trial_id}")


@start_trial.preview("confirmed")
async def preview_trial(request: web.Request, body: NewTrial) -> ActionPreview:
    """The dates of the trial, and how sure its result will be. Starts nothing."""
    at, shop = request[request_keys.ACTOR].at, request.app[SETTINGS].shop
    return ActionPreview(effects=await request.app[DATABASE].read(_effects, body.draft(), at, shop))


def _effects(session: Session, draft: TrialDraft, at: datetime, shop: ShopSettings) -> list[str]:
    """Raises InvalidInput, Refused."""
    offer, plan = changes.require_startable(session, draft, at), draft.plan("")
    blocks = f"{count_text(2 * plan.pairs)} blocks of {plan.block_hours} hours"
    margins = coupon_trials.expected_margins(session, plan.pairs, plan.block_hours, at, shop.currency.code)
    return [
        f"From {moment_text(plan.starts_at)} until {moment_text(plan.ends_at)}, {isolated(offer.name)} is shown in one "
        f"half of {blocks} and hidden in the other. Chance decides which.",
        "Hidden means that no visitor is offered it. Whoever has the code can use it all the time.",
        f"The first result can be seen when {MIN_PAIRS} pairs are counted: on "
        f"{moment_text(plan.countable_at(MIN_PAIRS - 1))}. The whole trial is counted on "
        f"{moment_text(plan.countable_at(plan.pairs - 1))}.",
        _expected(margins, shop),
    ]


def _expected(margins: tuple[float, float] | None, shop: ShopSettings) -> str:
    if margins is None:
        return (
            "How sure the result will be is not known: the blocks before now, by which that is foreseen, had too few "
            "sessions."
        )
    paid, net = margins
    amount = money_text(round(100 * net), shop.currency, shop_locale())
    return (
        "As people came and bought lately, a change can be told from chance at the end if it is larger than "
        f"{decimal_text(100 * paid, 2)} paid sessions of 100, or than {amount} for 100 sessions."
    )


@action(
    "admin/coupons/trials/{id}/stop",
    TrialReason,
    "Stop the trial",
    "Stop the trial",
    text="From then on the offer is shown to everybody. Pairs that are over still count.",
    is_dangerous=True,
    question="A stopped trial cannot go on. Whoever stops as soon as a result pleases sees differences that are none.",
    permission=Permission.COUPONS_WRITE,
)
async def stop_trial(request: web.Request, body: TrialReason) -> StaffOutcome:
    """Stop a trial that runs or is planned."""
    trial_id, actor, at = target(request)
    is_stopped = await request.app[DATABASE].write_as(actor, changes.stop, trial_id, at, body.reason)
    return StaffOutcome(text="The trial is stopped: the offer is shown to everybody." if is_stopped else OVER)
