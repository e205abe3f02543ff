"""Calls about one change of many courses or items: choosing them, changing them by a job, stopping and undoing it.

All need the permission catalogue.bulk, and that of what is done (`domain/publishing/bulk/operations.py`): of what was
chosen before, the rules check it.
"""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from aiohttp import web
from pydantic import BaseModel, Field

from domain import money
from domain.errors import InvalidInput
from domain.money import Currency
from domain.permissions import MissingPermission, Permission
from domain.publishing.bulk import actions as bulk_actions
from domain.publishing.bulk import choice as bulk_choice
from domain.publishing.bulk import price_rows, price_rules
from domain.publishing.bulk import rest as bulk_rest
from domain.publishing.bulk.actions import BulkAction
from domain.publishing.bulk.choice import MAX_IDS, ChosenProducts
from domain.publishing.bulk.operations import OPERATIONS, Purpose
from domain.publishing.bulk.price_rules import PriceChangeKind, PriceRule, Rounding
from domain.typed_values import read_percent
from host.api.admin.actions import FormField, action
from host.api.admin.outcome import Reason, StaffOutcome
from host.api.admin.prices import Minor
from host.api.fields import SAFE, WHOLE, EmptyRequest, Id, Instant, Strict
from host.api.registry import call
from host.app_keys import DATABASE, SETTINGS
from host.auth import area_access
from host.http import request_keys

BULK = Permission.CATALOGUE_BULK
FilterName = Annotated[str, Field(max_length=20)]
FilterValue = Annotated[str, Field(max_length=100)]


class BulkChoice(Strict):
    """One of both is null. `ids`: the chosen rows; `filters`: of the list, name -> value: everything they leave.
    `purpose`: what may be done with them."""

    kind: Literal["course", "item"]
    purpose: Purpose = "catalogue"
    ids: Annotated[list[Id], Field(max_length=MAX_IDS)] | None = None
    filters: Annotated[dict[FilterName, FilterValue], Field(max_length=10)] | None = None


class BulkChosen(BaseModel):
    id: int


class BulkCategory(Strict):
    """`category`: the short name of the new one."""

    category: Annotated[str, Field(max_length=191), FormField("New category", "choice")]


class BulkRetirement(Strict):
    reason: Annotated[Reason, FormField("Reason", hint="For the record.")]


CHANGES: dict[PriceChangeKind, str] = {
    "set": "Set the list price",
    "raise": "Raise the list price by percent",
    "lower": "Lower the list price by percent",
    "sale": "Set a sale price",
    "sale_percent": "Sale by percent below the list price",
    "end_sale": "End the sale",
}


class BulkPrices(Strict):
    """`amount` in minor units, of a set price; `percent`: of the list price. `rounding`: of what comes of it."""

    change: Annotated[PriceChangeKind, FormField("What becomes of the prices", options=dict(CHANGES))]
    amount: Annotated[
        Minor | None, FormField("Amount", "money", is_required=True, shown_if=("change", price_rules.BY_AMOUNT))
    ] = None
    percent: Annotated[
        str,
        Field(max_length=12),
        FormField(
            "Percent",
            "percent",
            is_required=True,
            shown_if=("change", price_rules.BY_PERCENT),
            maximum=price_rules.MAX_PERCENT,
        ),
    ] = ""
    rounding: Annotated[Rounding, FormField("Rounding", shown_if=("change", price_rules.BY_PERCENT))] = "exact"
    startsAt: Annotated[Instant | None, FormField("From (empty: at once)", shown_if=("change", price_rules.SALES))] = (
        None
    )
    endsAt: Annotated[
        Instant | None, FormField("End of the sale (empty: none)", shown_if=("change", price_rules.SALES))
    ] = None
    reason: Annotated[Reason, FormField("Reason", hint="It is recorded for good with each price.")] = ""


class PreviewedPrices(Strict):
    """`version`: the number of the preview that was looked at."""

    version: Annotated[int, Field(ge=1, le=SAFE), WHOLE]


@call("admin/bulk", BulkChoice, BulkChosen, status=201, permission=BULK, refusals=(404,))
async def choose_products(request: web.Request, body: BulkChoice) -> BulkChosen:
    """Choose courses or items for one change. Nothing is changed yet. 403 when nothing or too much matches, and without
    the permission of the purpose."""
    if (body.ids is None) == (body.filters is None):
        raise InvalidInput({"ids": "Choose rows, or everything that matches the filters."})
    choice = ChosenProducts(body.kind, body.ids, body.filters or {}, body.purpose)
    return BulkChosen(id=await _write(request, bulk_choice.choose, choice))


@action(
    "admin/bulk/{id}/category",
    BulkCategory,
    "Category",
    "Change category",
    text="It can be undone.",
    permission=OPERATIONS["category"].permission,
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
    permission=OPERATIONS["publish"].permission,
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
    permission=OPERATIONS["retire"].permission,
)
async def retire_products(request: web.Request, body: BulkRetirement) -> StaffOutcome:
    """Begin to retire what was chosen. A row that is not published is refused."""
    return await _start(request, BulkAction("retire", reason=body.reason))


@action(
    "admin/bulk/{id}/prices",
    BulkPrices,
    "New prices",
    "Show the new prices",
    text="Nothing is changed yet: each price is shown before and after.",
    is_editor=True,
    permission=OPERATIONS["price"].permission,
)
async def preview_prices(request: web.Request, body: BulkPrices) -> StaffOutcome:
    """Store what becomes of each chosen price, for the page to show; none changes. 403 once the change has begun."""
    change_id, currency = request[request_keys.PATH_ID], request.app[SETTINGS].shop.currency
    preview = await _write(request, price_rows.begin_preview, change_id, _rule(body, currency))
    after: int | None = 0
    while after is not None:
        after = await _write(request, price_rows.preview_rows, change_id, preview, after)
    return StaffOutcome(text="This is what would become of the prices.")


@action(
    "admin/bulk/{id}/price",
    PreviewedPrices,
    "Change the prices",
    "Change the prices",
    text="A price that somebody else changes meanwhile stays as it is.",
    question="Buyers pay the new prices at once, or from the beginning of the sale. It can be undone for a day.",
    is_dangerous=True,
    permission=OPERATIONS["price"].permission,
)
async def change_prices(request: web.Request, body: PreviewedPrices) -> StaffOutcome:
    """Begin to set the prices of a preview. 403 when there is a newer one, and when another change has begun."""
    return await _start(request, BulkAction("price", preview=body.version))


@action(
    "admin/bulk/{id}/undo",
    EmptyRequest,
    "Undo",
    "Undo this change",
    text="The changed rows get what they had. Those that somebody has changed since stay as they are.",
    permission=BULK,
)
async def undo_bulk_change(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """Begin to give the changed rows what they had. 403 for what was published, for what was undone before, and a day
    after the end of the change."""
    undo_id = await _write(request, bulk_actions.undo, request[request_keys.PATH_ID])
    return StaffOutcome(text="It is being undone.", href=f"/admin/bulk/{undo_id}")


@action("admin/bulk/{id}/choose-rest", EmptyRequest, "The rest", "Choose the rest", permission=BULK)
async def choose_rest(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """Choose the rows that a change has refused or not come to. Nothing is changed yet. 403 while it has not ended."""
    chosen_id = await _write(request, bulk_rest.choose_rest, request[request_keys.PATH_ID])
    return StaffOutcome(text="The rest is chosen.", href=f"/admin/bulk/{chosen_id}")


@action(
    "admin/bulk/{id}/stop",
    EmptyRequest,
    "Stop",
    "Change no more",
    question="What was changed stays so.",
    is_dangerous=True,
    permission=BULK,
)
async def stop_bulk_change(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """Change no more rows. Those that were changed stay so."""
    is_stopped = await _write(request, bulk_actions.stop, request[request_keys.PATH_ID])
    return StaffOutcome(text="No more rows are changed." if is_stopped else "It had ended before.")


async def _start(request: web.Request, change: BulkAction) -> StaffOutcome:
    await _write(request, bulk_actions.start, request[request_keys.PATH_ID], change)
    return StaffOutcome(text="It has begun. You may leave this page.")


async def _write(request: web.Request, change: Callable[..., Any], *arguments: Any) -> Any:
    """As whoever makes the call; a permission that they lack is recorded. Raises what `change` raises."""
    actor = request[request_keys.ACTOR]
    try:
        return await request.app[DATABASE].write_as(actor, change, actor, *arguments)
    except MissingPermission as missing:
        await area_access.record_missing(request, actor, missing)
        raise


def _rule(body: BulkPrices, currency: Currency) -> PriceRule:
    """Raises InvalidInput for a percentage that is no number."""
    is_by_percent, is_sale = body.change in price_rules.BY_PERCENT, body.change in price_rules.SALES
    has_amount = body.change in price_rules.BY_AMOUNT and body.amount is not None
    try:
        percent = read_percent(body.percent) if is_by_percent and body.percent else None
    except ValueError:
        raise InvalidInput({"percent": "Write a percentage such as 12.5."}) from None
    return PriceRule(
        body.change,
        currency,
        money.from_minor(body.amount or 0, currency) if has_amount else None,
        percent,
        body.rounding if is_by_percent else "exact",
        body.startsAt if is_sale else None,
        body.endsAt if is_sale else None,
        body.reason.strip(),
    )
