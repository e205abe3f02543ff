"""Calls about the price of a course or shop item: set, plan, withdraw."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any

from aiohttp import web
from pydantic import Field
from sqlalchemy.orm import Session

from config.settings import Settings
from domain import money
from domain.display_text import count_text, moment_text, price_text
from domain.money import Currency
from domain.permissions import Permission
from domain.publishing.editing import price_history
from domain.publishing.editing.price_history import NewPrice, PriceEffects
from domain.publishing.editing.stored_course import Edit, NewerVersion
from domain.publishing.editing.stored_product import StoredProduct
from host.api.admin.actions import FormField, action
from host.api.admin.courses import product_conflict
from host.api.admin.outcome import ActionPreview, StaffOutcome
from host.api.fields import SAFE, WHOLE, EmptyRequest, Instant, Strict
from host.api.registry import call
from host.app_keys import DATABASE, SETTINGS
from host.http import request_keys

Minor = Annotated[int, Field(ge=0, le=SAFE), WHOLE]


class PriceSetting(Strict):
    """Amounts in minor units. `startsAt` null: at once; `endsAt`: of the sale, null: it stays."""

    version: Annotated[int, Field(ge=0, le=SAFE), WHOLE]
    listPrice: Annotated[Minor, FormField("List price", "money")]
    salePrice: Annotated[Minor | None, FormField("Sale price", "money", "Below the list price. Empty: no sale.")] = None
    startsAt: Annotated[Instant | None, FormField("From (empty: at once)")] = None
    endsAt: Annotated[Instant | None, FormField("End of the sale (empty: none)")] = None
    reason: Annotated[str, Field(max_length=500), FormField("Reason", hint="It is recorded for good.")] = ""


class PriceSaved(StaffOutcome):
    """`version`: of the product, to send with the next change."""

    version: int


@action(
    "admin/products/{id}/price",
    PriceSetting,
    "Set a price",
    "Save price",
    method="PUT",
    permission=Permission.PRICES_WRITE,
    refusals=(409,),
    reply=PriceSaved,
)
async def set_price(request: web.Request, body: PriceSetting) -> PriceSaved:
    """Set or plan the price of a course or shop item. 409 when somebody else has changed the product since."""
    return await _set(request, body, only_draft=False)


@set_price.preview("confirmed")
async def preview_price(request: web.Request, body: PriceSetting) -> ActionPreview:
    """What the price would change for buyers. 422 for a sale that ends before it begins."""
    product_id, at = request[request_keys.PATH_ID], request[request_keys.ACTOR].at
    settings = request.app[SETTINGS]
    new = _new_price(body, settings.shop.currency)

    def read(session: Session) -> PriceEffects:
        return price_history.effects(session, product_id, new, settings.shop.currency, at)

    return ActionPreview(effects=_effect_texts(new, await request.app[DATABASE].read(read), at, settings))


@action(
    "admin/products/{id}/draft-price",
    PriceSetting,
    "Set a price",
    "Save price",
    method="PUT",
    permission=Permission.CATALOGUE_WRITE,
    refusals=(409,),
    reply=PriceSaved,
)
async def set_draft_price(request: web.Request, body: PriceSetting) -> PriceSaved:
    """Set or plan the price of a draft, by those who write its texts. 403 for what is on sale."""
    return await _set(request, body, only_draft=True)


@call("admin/prices/{id}/withdraw", EmptyRequest, PriceSaved, permission=Permission.PRICES_WRITE)
async def withdraw_price(request: web.Request, body: EmptyRequest) -> PriceSaved:
    """Withdraw a planned price. 403 for one that has begun, 404 for one that is not planned any more."""
    actor, change_id = request[request_keys.ACTOR], request[request_keys.PATH_ID]
    version = await request.app[DATABASE].write_as(actor, price_history.withdraw, actor, change_id)
    return PriceSaved(version=version, text="The planned price is withdrawn.")


async def _set(request: web.Request, body: PriceSetting, *, only_draft: bool) -> PriceSaved:
    actor, currency = request[request_keys.ACTOR], request.app[SETTINGS].shop.currency
    product_id, new = request[request_keys.PATH_ID], _new_price(body, currency)
    arguments = (Edit(actor, product_id, body.version), new, currency)

    def stored(_session: Session, product: StoredProduct) -> dict[str, Any]:
        return stored_price(product, currency)

    try:
        version = await request.app[DATABASE].write_as(actor, price_history.change, *arguments, only_draft=only_draft)
    except NewerVersion:
        raise await product_conflict(request, product_id, stored) from None
    is_planned = body.startsAt is not None and body.startsAt > actor.at
    return PriceSaved(version=version, text="The price is planned." if is_planned else "The price is saved.")


def stored_price(stored: StoredProduct, currency: Currency) -> dict[str, Any]:
    """The price of a product by the names of its call."""
    product = stored.product
    return {
        "listPrice": money.to_minor(product.list_price, currency),
        "salePrice": None if product.sale_price is None else money.to_minor(product.sale_price, currency),
        "endsAt": product.sale_until,
    }


def _new_price(body: PriceSetting, currency: Currency) -> NewPrice:
    sale = None if body.salePrice is None else money.from_minor(body.salePrice, currency)
    return NewPrice(money.from_minor(body.listPrice, currency), sale, body.startsAt, body.endsAt, body.reason)


def _effect_texts(new: NewPrice, found: PriceEffects, at: datetime, settings: Settings) -> list[str]:
    currency, locale = settings.shop.currency, settings.locale

    def amount(value: Decimal) -> str:
        return price_text(money.to_minor(value, currency), currency, locale)

    paid, now = amount(new.list_price if new.sale_price is None else new.sale_price), amount(found.now)
    is_planned = new.starts_at is not None and new.starts_at > at
    texts = [f"Buyers pay {paid} at once, instead of {now}." if paid != now else f"Buyers go on paying {paid}."]
    if new.starts_at is not None and new.starts_at > at:
        texts = [f"Buyers pay {paid} from {moment_text(new.starts_at, locale)} on, and {now} until then."]
    if new.sale_price is not None and new.ends_at is not None:
        texts.append(f"The sale ends on {moment_text(new.ends_at, locale)}: then they pay {amount(new.list_price)}.")
    elif new.sale_price is not None:
        texts.append("The sale has no end.")
    if found.carts:
        carts = "1 cart holds it and shows" if found.carts == 1 else f"{count_text(found.carts)} carts hold it and show"
        texts.append(f"{carts} the new price{' then' if is_planned else ''}.")
    if found.planned:
        others = "1 other price stays" if found.planned == 1 else f"{count_text(found.planned)} other prices stay"
        texts.append(f"{others} planned.")
    return texts
