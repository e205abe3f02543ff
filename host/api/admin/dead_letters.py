"""Calls about dead letters."""

from aiohttp import web

from domain.display_text import count_text
from domain.permissions import Permission
from domain.support import letters
from domain.visits.dead_letters import Replayed
from host.api.admin.outcome import Reason, StaffOutcome, target
from host.api.fields import EmptyRequest, Strict
from host.api.registry import call
from host.app_keys import DATABASE


class LetterDrop(Strict):
    reason: Reason


@call(
    "admin/dead-letters/{id}/replay",
    EmptyRequest,
    StaffOutcome,
    area="admin",
    permission=Permission.MAIL_REPLAY,
    is_body_optional=True,
)
async def replay(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """Store the visits of a dead letter. What is stored already counts once."""
    number, actor, at = target(request)
    return _outcome(await request.app[DATABASE].write_as(actor, letters.replay, number, at))


@call(
    "admin/dead-letters/{id}/replay-alike",
    EmptyRequest,
    StaffOutcome,
    area="admin",
    permission=Permission.MAIL_REPLAY,
    is_body_optional=True,
)
async def replay_alike(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """Store the visits of all dead letters of this task that failed for the same reason, at most 1,000 of them."""
    number, actor, at = target(request)
    return _outcome(await request.app[DATABASE].write_as(actor, letters.replay_alike, number, at))


@call("admin/dead-letters/{id}/drop", LetterDrop, StaffOutcome, area="admin", permission=Permission.MAIL_REPLAY)
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
