"""Wishlist calls: a learner's stored list, and current data for the list in a guest's browser."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated

from aiohttp import web
from pydantic import BaseModel, Field

from domain import wishlist
from domain.money import Currency, from_minor, to_minor
from domain.shop_settings.shop import ShopSettings
from domain.wishlist import WishlistItem
from host.api.cart import LIMITED
from host.api.cart_schemas import OutcomeSchema, ProductFacts, facts, lowest_before, minor, outcome
from host.api.fields import SAFE, WHOLE, EmptyRequest, Id, Strict
from host.api.registry import call, query
from host.app_keys import DATABASE, SETTINGS
from host.auth import catalogue_scope, sessions
from host.http import request_keys
from host.rate_limits import policies


class WishlistItemSchema(ProductFacts):
    """Prices of one unit; `price` below `seenPrice` is a price drop."""

    listPrice: int
    price: int
    seenPrice: int | None
    lowestBefore: int | None
    isAvailable: bool
    isOwned: bool


class Wishlist(BaseModel):
    items: list[WishlistItemSchema]


class WishlistEntrySchema(Strict):
    id: Id
    seenPrice: Annotated[int, Field(ge=0, le=10**12 - 1), WHOLE] | None = None


class WishlistEntries(Strict):
    items: Annotated[list[WishlistEntrySchema], Field(max_length=wishlist.MAX_ITEMS)]


class WishlistMembership(Strict):
    wished: Annotated[bool, Field(strict=True)]


class ProductReference(Strict):
    id: Annotated[Id, Field(le=SAFE)]


@query("wishlist", EmptyRequest, Wishlist, caller="learner", refusals=LIMITED)
async def read_wishlist(request: web.Request, _body: EmptyRequest) -> Wishlist:
    """Return the learner's wishlist, newest items first."""
    session = request[request_keys.AUTH_SESSION]
    await policies.limit_cart_call(request, session)
    now = datetime.now(UTC)
    items = await request.app[DATABASE].read(wishlist.learner_wishlist, session.learner_id, now)
    return _wishlist_schema(items, now, request.app[SETTINGS].shop)


@call("wishlist/{id}", WishlistMembership, OutcomeSchema, method="PUT", caller="learner", refusals=LIMITED)
async def set_membership(request: web.Request, body: WishlistMembership) -> OutcomeSchema:
    """Add a product to the learner's wishlist, or remove it."""
    session, product_id = request[request_keys.AUTH_SESSION], request[request_keys.PATH_ID]
    await policies.limit_cart_call(request, session)
    db = request.app[DATABASE]
    if body.wished:
        return OutcomeSchema(**outcome(await db.write(wishlist.add, session.learner_id, product_id, datetime.now(UTC))))
    await db.write(wishlist.remove, session.learner_id, product_id)
    return OutcomeSchema(**outcome(None))


@call("wishlist/move", ProductReference, OutcomeSchema, caller="learner", refusals=LIMITED)
async def move(request: web.Request, body: ProductReference) -> OutcomeSchema:
    """Move a product from the wishlist to the cart, in one transaction."""
    session = request[request_keys.AUTH_SESSION]
    await policies.limit_cart_call(request, session)
    refusal = await request.app[DATABASE].write(wishlist.move, session.learner_id, body.id, datetime.now(UTC))
    return OutcomeSchema(**outcome(refusal))


@call("wishlist/merge", WishlistEntries, Wishlist, caller="learner", refusals=LIMITED)
async def merge(request: web.Request, body: WishlistEntries) -> Wishlist:
    """Merge a guest's wishlist into the learner's. Repeating the call changes nothing."""
    session, now, db = request[request_keys.AUTH_SESSION], datetime.now(UTC), request.app[DATABASE]
    shop = request.app[SETTINGS].shop
    await policies.limit_cart_call(request, session)
    prices = _seen_prices(body, shop.currency)
    await db.write(wishlist.merge, session.learner_id, prices, now)
    return _wishlist_schema(await db.read(wishlist.learner_wishlist, session.learner_id, now), now, shop)


@call("wishlist/preview", WishlistEntries, Wishlist, caller="anyone", refusals=LIMITED)
async def preview(request: web.Request, body: WishlistEntries) -> Wishlist:
    """Return current data for the items of a guest's wishlist, in its order."""
    session, now = await sessions.current_session(request), datetime.now(UTC)
    shop = request.app[SETTINGS].shop
    await policies.limit_cart_call(request, session)
    prices = _seen_prices(body, shop.currency)
    learner_id, scope = None if session is None else session.learner_id, await catalogue_scope.scope_of(request)
    items = await request.app[DATABASE].read(wishlist.preview, learner_id, prices, now, scope)
    return _wishlist_schema(items, now, shop)


def _seen_prices(body: WishlistEntries, currency: Currency) -> dict[int, Decimal | None]:
    return {
        entry.id: None if entry.seenPrice is None else from_minor(entry.seenPrice, currency) for entry in body.items
    }


def _wishlist_schema(items: list[WishlistItem], at: datetime, shop: ShopSettings) -> Wishlist:
    currency = shop.currency
    rows = [
        {
            **facts(item.product),
            "listPrice": to_minor(item.product.card.list_price, currency),
            "price": to_minor(item.price, currency),
            "seenPrice": minor(item.seen_price, currency),
            "lowestBefore": lowest_before(item.product, at, shop),
            "isAvailable": item.is_available,
            "isOwned": item.is_owned,
        }
        for item in items
    ]
    return Wishlist.model_validate({"items": rows})
