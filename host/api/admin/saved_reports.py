"""Actions about saved views of reports, and their mails."""

from datetime import UTC, datetime
from typing import Annotated, Literal

from aiohttp import web
from pydantic import Field
from sqlalchemy.orm import Session

from domain.display_text import day_text
from domain.permissions import Permission
from domain.reports.saved_views import subscriptions, view_queries, views
from domain.reports.saved_views.subscriptions import MailTimes
from domain.reports.saved_views.views import NewView
from domain.text_direction import isolated
from host.api.admin.actions import FormField, action
from host.api.admin.outcome import StaffOutcome, Undo, UndoableOutcome, target
from host.api.fields import WHOLE, EmptyRequest, Id, Strict
from host.app_keys import DATABASE, SETTINGS
from host.http import request_keys

PATH = "/admin/visits/saved"
_CALLS = "admin/saved-reports"
FREQUENCY_TEXTS = {"week": "Each Monday", "month": "On the first day of each month"}
Name = Annotated[str, Field(max_length=views.MAX_NAME), FormField("Name", hint="Such as: Newsletter, last 7 days")]
Shared = Annotated[bool, FormField("Share it with all staff who may read reports")]
Hour = Annotated[int, Field(ge=0, le=subscriptions.LAST_HOUR), WHOLE]
_HOUR = FormField("From which hour", hint="0 to 23, in the time zone of reports")
DEFAULT_HOUR = 8
FIXED = "fixed"


class ViewToSave(Strict):
    """`query`: as in the address of the report. `period` fixed: always the days of `query`, if the report has any."""

    name: Name
    report: Annotated[str, Field(max_length=20), FormField("Report", "fixed")]
    query: Annotated[str, Field(max_length=view_queries.MAX_QUERY), FormField("Values", "fixed")] = ""
    period: Annotated[str, Field(max_length=20), FormField("Period", "choice")] = FIXED
    isShared: Shared = False
    frequency: Annotated[
        Literal["never", "week", "month"],
        FormField("Mail it to me", "choice", options={"never": "Never", **FREQUENCY_TEXTS}),
    ] = "never"
    hour: Annotated[Hour, FormField(_HOUR.label, hint=_HOUR.hint, shown_if=("frequency", ("week", "month")))] = (
        DEFAULT_HOUR
    )


class ViewChange(Strict):
    name: Name
    isShared: Shared = False


class DeletedView(Strict):
    id: Annotated[Id, FormField("View", "choice")]


class MailChange(Strict):
    frequency: Annotated[Literal["week", "month"], FormField("How often", "choice", options=FREQUENCY_TEXTS)]
    hour: Annotated[Hour, _HOUR]


@action(_CALLS, ViewToSave, "Save a view", "Save", permission=Permission.REPORTS_READ, refusals=(404,))
async def save_view(request: web.Request, body: ViewToSave) -> StaffOutcome:
    """Save what a report shows, to open it again and, if they say how often, to get it by mail. 422 for values that the
    report does not know, 403 for one view or mail too many."""
    actor, at = request[request_keys.ACTOR], datetime.now(UTC)
    today = request.app[SETTINGS].day_rules.day_of(at)
    new = NewView(body.name, body.report, body.query, "" if body.period == FIXED else body.period, body.isShared)

    def save(session: Session) -> int:
        view_id = views.create(session, actor.learner_id, new, today, at)
        if body.frequency != "never":
            times = MailTimes(body.frequency, body.hour)
            subscriptions.start(session, actor.learner_id, view_id, times, at)
        return view_id

    await request.app[DATABASE].write_as(actor, save)
    return StaffOutcome(text=f"The view “{isolated(body.name.strip())}” is saved.", href=PATH)


@action(
    f"{_CALLS}/{{id}}/change",
    ViewChange,
    "Name and sharing",
    "Save",
    permission=Permission.REPORTS_READ,
    is_editor=True,
)
async def change_view(request: web.Request, body: ViewChange) -> StaffOutcome:
    """Rename one's own view, share it, or keep it for oneself: then others get it no more by mail. 404 for a private
    view of somebody else."""
    view_id, actor, _ = target(request)
    write = request.app[DATABASE].write_as
    await write(actor, views.change, actor.learner_id, view_id, body.name, is_shared=body.isShared)
    return StaffOutcome(text="The view is changed.")


@action(
    f"{_CALLS}/{{id}}/delete",
    EmptyRequest,
    "Delete it",
    "Delete",
    text=f"Nobody gets it by mail any more. For {views.KEEP_DELETED.days} days you can bring it back.",
    is_dangerous=True,
    permission=Permission.REPORTS_READ,
    reply=UndoableOutcome,
)
async def delete_view(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """Delete one's own view. 404 for a private view of somebody else."""
    view_id, actor, at = target(request)
    await request.app[DATABASE].write_as(actor, views.remove, actor.learner_id, view_id, at)
    undo = Undo(call=f"/{_CALLS}/bring-back", body={"id": view_id})
    return UndoableOutcome(text="The view is deleted.", href=PATH, undo=undo)


@action(
    f"{_CALLS}/bring-back",
    DeletedView,
    "Bring a deleted view back",
    "Bring back",
    text="Whoever got it by mail gets it again.",
    permission=Permission.REPORTS_READ,
    refusals=(404,),
)
async def bring_back(request: web.Request, body: DeletedView) -> StaffOutcome:
    """Bring one's own deleted view back. 404 for any other."""
    actor = request[request_keys.ACTOR]
    name = await request.app[DATABASE].write_as(actor, views.bring_back, actor.learner_id, body.id)
    return StaffOutcome(text=f"The view “{isolated(name)}” is back.")


@action(
    f"{_CALLS}/{{id}}/mail",
    MailChange,
    "Get it by mail",
    "Mail me",
    text="With its figures, the first rows and a file of all, over whole days until the day before.",
    permission=Permission.REPORTS_READ,
)
async def mail_view(request: web.Request, body: MailChange) -> StaffOutcome:
    """Get a view by mail, or at another time. 404 for a private view of somebody else, 403 without a verified address,
    and of a view whose days do not move."""
    view_id, actor, at = target(request)
    times = MailTimes(body.frequency, body.hour)
    await request.app[DATABASE].write_as(actor, subscriptions.start, actor.learner_id, view_id, times, at)
    zone = request.app[SETTINGS].day_rules.zone
    day = subscriptions.next_day(body.frequency, body.hour, zone, at)
    return StaffOutcome(text=f"The next mail comes on {day_text(day)}.")


@action(
    f"{_CALLS}/{{id}}/stop-mail",
    EmptyRequest,
    "Stop the mail",
    "Stop",
    permission=Permission.REPORTS_READ,
)
async def stop_mail(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """Get a view by mail no more. 404 when it is not mailed."""
    view_id, actor, _ = target(request)
    await request.app[DATABASE].write_as(actor, subscriptions.stop, actor.learner_id, view_id)
    return StaffOutcome(text="You do not get this view by mail any more.")
