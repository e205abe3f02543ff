"""The wishlist of a learner, and what a guest's own list looks like today."""

from datetime import UTC, datetime
from typing import Annotated

from aiohttp import web
from pydantic import BaseModel, Field

from domain import wishlist
from domain.money import from_minor, to_minor
from domain.wishlist import ShownWish
from host import keys, sessions, throttles, viewers
from host.calls import call, query
from host.calls.cart import LIMITED
from host.calls.cart_forms import Changed, ProductFacts, changed, facts, minor
from host.calls.forms import SAFE, WHOLE, Id, Nothing, Strict


class WishForm(ProductFacts):
    """Prices of one unit; `price` below `seenPrice` is a drop."""

    listPrice: int
    price: int
    seenPrice: int | None
    isSold: bool
    isOwned: bool


class Wishlist(BaseModel):
    wishes: list[WishForm]


class WishedFor(Strict):
    id: Id
    seenPrice: Annotated[int, Field(ge=0, le=10**12 - 1), WHOLE] | None = None


class WishedForAll(Strict):
    wishes: Annotated[list[WishedFor], Field(max_length=wishlist.MOST_WISHES)]


class IsWished(Strict):
    wished: Annotated[bool, Field(strict=True)]


class One(Strict):
    id: Annotated[Id, Field(le=SAFE)]


@query("wishlist", Nothing, Wishlist, who="learner", refusals=LIMITED)
async def whole(request: web.Request, _asked: Nothing) -> Wishlist:
    """The learner's wishes, the newest first."""
    who = request[keys.SIGNED_IN]
    await throttles.cart_call(request, who)
    return _form(await request.app[keys.DATABASE].read(wishlist.of_learner, who.learner_id, datetime.now(UTC)))


@call("wishlist/{id}", IsWished, Changed, method="PUT", who="learner", refusals=LIMITED)
async def set_wish(request: web.Request, body: IsWished) -> Changed:
    """Wish for a product, or no longer."""
    who, product_id = request[keys.SIGNED_IN], request[keys.PATH_ID]
    await throttles.cart_call(request, who)
    db = request.app[keys.DATABASE]
    if body.wished:
        return Changed(**changed(await db.run(wishlist.put, who.learner_id, product_id, datetime.now(UTC))))
    await db.run(wishlist.take_off, who.learner_id, product_id)
    return Changed(**changed(None))


@call("wishlist/move", One, Changed, who="learner", refusals=LIMITED)
async def move(request: web.Request, body: One) -> Changed:
    """From the wishlist into the cart, in one step."""
    who = request[keys.SIGNED_IN]
    await throttles.cart_call(request, who)
    refusal = await request.app[keys.DATABASE].run(wishlist.move, who.learner_id, body.id, datetime.now(UTC))
    return Changed(**changed(refusal))


@call("wishlist/merge", WishedForAll, Wishlist, who="learner", refusals=LIMITED)
async def merge(request: web.Request, body: WishedForAll) -> Wishlist:
    """A guest's wishes join the learner's. Repeating it changes nothing."""
    who, now, db = request[keys.SIGNED_IN], datetime.now(UTC), request.app[keys.DATABASE]
    await throttles.cart_call(request, who)
    prices = {one.id: None if one.seenPrice is None else from_minor(one.seenPrice) for one in body.wishes}
    await db.run(wishlist.merge, who.learner_id, prices, now)
    return _form(await db.read(wishlist.of_learner, who.learner_id, now))


@call("wishlist/look", WishedForAll, Wishlist, refusals=LIMITED)
async def look(request: web.Request, body: WishedForAll) -> Wishlist:
    """A guest's list as it stands today, in its order."""
    who, now = await sessions.optional(request), datetime.now(UTC)
    await throttles.cart_call(request, who)
    prices = {one.id: None if one.seenPrice is None else from_minor(one.seenPrice) for one in body.wishes}
    learner_id, only = None if who is None else who.learner_id, await viewers.narrowed(request)
    return _form(await request.app[keys.DATABASE].read(wishlist.look, learner_id, prices, now, only))


def _form(wishes: list[ShownWish]) -> Wishlist:
    made = [
        {
            **facts(one.product),
            "listPrice": to_minor(one.product.card.list_price),
            "price": to_minor(one.price),
            "seenPrice": minor(one.seen_price),
            "isSold": one.is_sold,
            "isOwned": one.is_owned,
        }
        for one in wishes
    ]
    return Wishlist.model_validate({"wishes": made})
