"""Calls about the price of a course or shop item: set, plan, withdraw."""

from typing import Annotated

from aiohttp import web
from pydantic import BaseModel, Field

from domain import money
from domain.permissions import Permission
from domain.publishing.editing import price_history
from domain.publishing.editing.price_history import NewPrice
from domain.publishing.editing.stored_course import Edit, NewerVersion
from host.api.fields import SAFE, WHOLE, EmptyRequest, Instant, Strict
from host.api.registry import call
from host.app_keys import DATABASE, SETTINGS
from host.http import request_keys
from host.http.problems import Problem

Minor = Annotated[int, Field(ge=0, le=SAFE), WHOLE]


class PriceSetting(Strict):
    """Amounts in minor units. `startsAt` null: at once; `endsAt`: of the sale, null: it stays."""

    version: Annotated[int, Field(ge=0, le=SAFE), WHOLE]
    listPrice: Minor
    salePrice: Minor | None = None
    startsAt: Instant | None = None
    endsAt: Instant | None = None
    reason: Annotated[str, Field(max_length=500)] = ""


class PriceSaved(BaseModel):
    """`version`: of the product, to send with the next change."""

    version: int


@call(
    "admin/products/{id}/price",
    PriceSetting,
    PriceSaved,
    method="PUT",
    area="admin",
    permission=Permission.PRICES_WRITE,
    refusals=(409,),
)
async def set_price(request: web.Request, body: PriceSetting) -> PriceSaved:
    """Set or plan the price of a course or shop item. 409 when somebody else has changed the product since."""
    return await _set(request, body, only_draft=False)


@call(
    "admin/products/{id}/draft-price",
    PriceSetting,
    PriceSaved,
    method="PUT",
    area="admin",
    permission=Permission.CATALOGUE_WRITE,
    refusals=(409,),
)
async def set_draft_price(request: web.Request, body: PriceSetting) -> PriceSaved:
    """Set or plan the price of a draft, by those who write its texts. 403 for what is on sale."""
    return await _set(request, body, only_draft=True)


@call(
    "admin/prices/{id}/withdraw",
    EmptyRequest,
    PriceSaved,
    area="admin",
    permission=Permission.PRICES_WRITE,
)
async def withdraw_price(request: web.Request, body: EmptyRequest) -> PriceSaved:
    """Withdraw a planned price. 403 for one that has begun, 404 for one that is not planned any more."""
    actor, change_id = request[request_keys.ACTOR], request[request_keys.PATH_ID]
    return PriceSaved(version=await request.app[DATABASE].write_as(actor, price_history.withdraw, actor, change_id))


async def _set(request: web.Request, body: PriceSetting, *, only_draft: bool) -> PriceSaved:
    actor, currency = request[request_keys.ACTOR], request.app[SETTINGS].shop.currency
    sale = None if body.salePrice is None else money.from_minor(body.salePrice, currency)
    new = NewPrice(money.from_minor(body.listPrice, currency), sale, body.startsAt, body.endsAt, body.reason)
    arguments = (Edit(actor, request[request_keys.PATH_ID], body.version), new, currency)
    try:
        version = await request.app[DATABASE].write_as(actor, price_history.change, *arguments, only_draft=only_draft)
    except NewerVersion:
        raise Problem(
            409, "Somebody else has changed this since. Load the page again and look at its prices."
        ) from None
    return PriceSaved(version=version)
