"""Calls about one change of many courses or items: choosing them, changing them by a job, stopping and undoing it."""

from typing import Annotated, Literal

from aiohttp import web
from pydantic import BaseModel, Field

from domain.errors import InvalidInput
from domain.jobs import job_rows
from domain.permissions import Permission
from domain.publishing.bulk import actions as bulk_actions
from domain.publishing.bulk import choice as bulk_choice
from domain.publishing.bulk import rest as bulk_rest
from domain.publishing.bulk import views as bulk_views
from domain.publishing.bulk.actions import BulkAction
from domain.publishing.bulk.choice import MAX_IDS, ChosenProducts
from domain.publishing.bulk.job import KIND
from host.api.admin.actions import FormField, action
from host.api.admin.outcome import Reason, StaffOutcome, target
from host.api.fields import EmptyRequest, Id, Strict
from host.api.registry import call
from host.app_keys import DATABASE
from host.http import request_keys

WRITE, PUBLISH = Permission.CATALOGUE_WRITE, Permission.CATALOGUE_PUBLISH
FilterName = Annotated[str, Field(max_length=20)]
FilterValue = Annotated[str, Field(max_length=100)]


class BulkChoice(Strict):
    """One of both is null. `ids`: the chosen rows; `filters`: of the list, name -> value: everything they leave."""

    kind: Literal["course", "item"]
    ids: Annotated[list[Id], Field(max_length=MAX_IDS)] | None = None
    filters: Annotated[dict[FilterName, FilterValue], Field(max_length=10)] | None = None


class BulkChosen(BaseModel):
    id: int


class BulkCategory(Strict):
    """`category`: the short name of the new one."""

    category: Annotated[str, Field(max_length=191), FormField("New category", "choice")]


class BulkRetirement(Strict):
    reason: Annotated[Reason, FormField("Reason", hint="For the record.")]


@call("admin/bulk", BulkChoice, BulkChosen, status=201, permission=WRITE, refusals=(404,))
async def choose_products(request: web.Request, body: BulkChoice) -> BulkChosen:
    """Choose courses or items for one change. Nothing is changed yet. 403 when nothing or too much matches."""
    if (body.ids is None) == (body.filters is None):
        raise InvalidInput({"ids": "Choose rows, or everything that matches the filters."})
    actor, choice = request[request_keys.ACTOR], ChosenProducts(body.kind, body.ids, body.filters or {})
    return BulkChosen(id=await request.app[DATABASE].write_as(actor, bulk_choice.choose, actor, choice))


@action(
    "admin/bulk/{id}/category",
    BulkCategory,
    "Category",
    "Change category",
    text="It can be undone.",
    permission=WRITE,
)
async def change_categories(request: web.Request, body: BulkCategory) -> StaffOutcome:
    """Begin to change the category of what was chosen. 403 when another change of it has begun."""
    return await _start(request, BulkAction("category", category=body.category))


@action(
    "admin/bulk/{id}/publish",
    EmptyRequest,
    "Publish",
    "Publish them",
    text="What lacks something for its page is left as it is. Retired ones are sold again.",
    question="It cannot be undone.",
    is_dangerous=True,
    permission=PUBLISH,
)
async def publish_products(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """Begin to publish what was chosen. A row that lacks something for its page is refused."""
    return await _start(request, BulkAction("publish"))


@action(
    "admin/bulk/{id}/retire",
    BulkRetirement,
    "Retire",
    "Retire them",
    text="They are sold no more; owners keep them. It can be undone.",
    question="Nobody can buy them any more.",
    is_dangerous=True,
    permission=PUBLISH,
)
async def retire_products(request: web.Request, body: BulkRetirement) -> StaffOutcome:
    """Begin to retire what was chosen. A row that is not published is refused."""
    return await _start(request, BulkAction("retire", reason=body.reason))


@action(
    "admin/bulk/{id}/undo",
    EmptyRequest,
    "Undo",
    "Undo this change",
    text="The changed rows get what they had. Those that somebody has changed since stay as they are.",
    permission=PUBLISH,
)
async def undo_bulk_change(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """Begin to give the changed rows what they had. 403 for what was published, and for what was undone before."""
    change_id, actor, _ = target(request)
    undo_id = await request.app[DATABASE].write_as(actor, bulk_actions.undo, actor, change_id)
    return StaffOutcome(text="It is being undone.", href=f"/admin/bulk/{undo_id}")


@action("admin/bulk/{id}/choose-rest", EmptyRequest, "The rest", "Choose the rest", permission=WRITE)
async def choose_rest(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """Choose the rows that a change has refused or not come to. Nothing is changed yet. 403 while it has not ended."""
    change_id, actor, _ = target(request)
    chosen_id = await request.app[DATABASE].write_as(actor, bulk_rest.choose_rest, actor, change_id)
    return StaffOutcome(text="The rest is chosen.", href=f"/admin/bulk/{chosen_id}")


@action(
    "admin/bulk/{id}/stop",
    EmptyRequest,
    "Stop",
    "Change no more",
    question="What was changed stays so.",
    is_dangerous=True,
    permission=WRITE,
)
async def stop_bulk_change(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """Change no more rows. Those that were changed stay so."""
    change_id, actor, at = target(request)
    db = request.app[DATABASE]
    view = await db.read(bulk_views.bulk_view, change_id, at)
    is_stopped = view.job is not None and await db.write_as(actor, job_rows.stop_as_staff, view.job.id, (KIND,), at)
    return StaffOutcome(text="No more rows are changed." if is_stopped else "It had ended before.")


async def _start(request: web.Request, change: BulkAction) -> StaffOutcome:
    change_id, actor, _ = target(request)
    await request.app[DATABASE].write_as(actor, bulk_actions.start, actor, change_id, change)
    return StaffOutcome(text="It has begun. You may leave this page.")
