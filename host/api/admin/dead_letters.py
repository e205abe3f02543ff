"""Calls about dead letters."""

from aiohttp import web

from domain.display_text import count_text
from domain.permissions import Permission
from domain.support import letters
from domain.visits.dead_letters import Replayed
from host.api.admin.actions import RecordedReason, action
from host.api.admin.outcome import StaffOutcome, target
from host.api.fields import EmptyRequest, Strict
from host.app_keys import DATABASE

REPLAY = Permission.MAIL_REPLAY


class LetterDrop(Strict):
    reason: RecordedReason


@action(
    "admin/dead-letters/{id}/replay",
    EmptyRequest,
    "Replay this letter",
    "Replay",
    text="What is stored already counts once. A letter that fails again goes on waiting, with its new error.",
    permission=REPLAY,
)
async def replay(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """Store the visits of a dead letter. What is stored already counts once."""
    number, actor, at = target(request)
    return _outcome(await request.app[DATABASE].write_as(actor, letters.replay, number, at))


@action("admin/dead-letters/{id}/replay-alike", EmptyRequest, "Replay all alike", "Replay", permission=REPLAY)
async def replay_alike(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """Store the visits of all dead letters of this task that failed for the same reason, at most 1,000 of them."""
    number, actor, at = target(request)
    return _outcome(await request.app[DATABASE].write_as(actor, letters.replay_alike, number, at))


@action(
    "admin/dead-letters/{id}/drop",
    LetterDrop,
    "Drop this letter",
    "Drop letter",
    question="Its visits are lost for good, and no count will have them.",
    is_dangerous=True,
    permission=REPLAY,
)
async def drop(request: web.Request, body: LetterDrop) -> StaffOutcome:
    """Delete a dead letter for good, with the reason that is recorded."""
    number, actor, _ = target(request)
    await request.app[DATABASE].write_as(actor, letters.drop, number, body.reason)
    return StaffOutcome(text=f"Dead letter {count_text(number)} is deleted.")


def _outcome(result: Replayed) -> StaffOutcome:
    if not result.last_id:
        return StaffOutcome(text="It was replayed before.")
    failed = f", {count_text(result.failed)} failed again" if result.failed else ""
    return StaffOutcome(text=f"{count_text(result.stored)} replayed{failed}.")
