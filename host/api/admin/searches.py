"""Actions about searches without results."""

from datetime import UTC, date, datetime
from typing import Annotated

from aiohttp import web
from pydantic import Field

from domain.permissions import Permission
from domain.search import unanswered
from domain.text_direction import isolated
from host.api.admin.actions import FormField, action
from host.api.admin.outcome import StaffOutcome, Undo, UndoableOutcome
from host.api.fields import Strict
from host.app_keys import DATABASE
from host.http.request_keys import ACTOR

Query = Annotated[str, Field(max_length=200), FormField("Search", "fixed")]
DISMISSED = "It no longer shows in this and later weeks. The searches of each day still count it."


class DismissedQuery(Strict):
    """`week`: its Monday."""

    query: Query
    week: Annotated[date, FormField("Week", "fixed")]


class ShownQuery(Strict):
    query: Query


@action(
    "admin/searches/dismiss",
    DismissedQuery,
    "Dismiss a search",
    "Dismiss",
    text=DISMISSED,
    permission=Permission.CATALOGUE_WRITE,
    reply=UndoableOutcome,
)
async def dismiss(request: web.Request, body: DismissedQuery) -> StaffOutcome:
    """Leave a search that is not worth a course out of the report of its week and of later ones."""
    write = request.app[DATABASE].write_as
    await write(request[ACTOR], unanswered.dismiss, body.query, body.week, datetime.now(UTC))
    undo = Undo(call="/admin/searches/bring-back", body={"query": body.query})
    return UndoableOutcome(text=f"The search “{isolated(body.query)}” is dismissed.", undo=undo)


@action(
    "admin/searches/bring-back",
    ShownQuery,
    "Bring a search back",
    "Bring back",
    text="It shows again, in every week.",
    permission=Permission.CATALOGUE_WRITE,
)
async def bring_back(request: web.Request, body: ShownQuery) -> StaffOutcome:
    """Show a dismissed search again."""
    await request.app[DATABASE].write_as(request[ACTOR], unanswered.bring_back, body.query)
    return StaffOutcome(text=f"The search “{isolated(body.query)}” shows again.")
