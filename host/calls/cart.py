"""The cart: the specification's two calls for a learner's lines, and our own for what they cost."""

from datetime import UTC, datetime
from typing import Annotated, Literal

from aiohttp import web
from pydantic import BaseModel, Field

from domain import cart
from domain.cart import Change
from domain.money import from_minor
from host import guests, keys, sessions, throttles, viewers
from host.calls import call, query
from host.calls.cart_forms import (
    CartForm,
    Changed,
    ChangedCart,
    WantedLines,
    cart_form,
    changed,
    wanted_of,
)
from host.calls.forms import SAFE, WHOLE, Id, Nothing, Strict

LIMITED = (429, 503)


class LearnerCourse(Strict):
    """CourseID names a course or a shop item: their ids come from one sequence."""

    AAUserID: Id
    CourseID: Id


class Done(BaseModel):
    """`Message` is for people, "" on success."""

    Status: Literal["success", "failed"]
    Message: str


@call("SetAAUserCourse", LearnerCourse, Done, who="learner", refusals=LIMITED)
async def set_course(request: web.Request, body: LearnerCourse) -> Done:
    """Put a course or shop item into the learner's cart. Success too when it is there already."""
    who = request[keys.SIGNED_IN]
    await throttles.cart_call(request, who)
    refusal = await request.app[keys.DATABASE].run(cart.put, who.learner_id, body.CourseID, datetime.now(UTC))
    return Done(Status="success" if refusal is None else "failed", Message=refusal or "")


@call("DelAAUserCourse", LearnerCourse, Done, who="learner", refusals=LIMITED)
async def delete_course(request: web.Request, body: LearnerCourse) -> Done:
    """Take a line out of the learner's cart and give its code back. Success too when it is not there."""
    who = request[keys.SIGNED_IN]
    await throttles.cart_call(request, who)
    await request.app[keys.DATABASE].run(cart.take_out, who.learner_id, body.CourseID)
    return Done(Status="success", Message="")


@query("cart", Nothing, CartForm, who="learner", refusals=LIMITED)
async def whole(request: web.Request, _asked: Nothing) -> CartForm:
    """The learner's cart with every step of its prices."""
    who, now = request[keys.SIGNED_IN], datetime.now(UTC)
    await throttles.cart_call(request, who)
    return cart_form(await request.app[keys.DATABASE].read(cart.of_learner, who.learner_id, now), now)


class Lines(Strict):
    lines: WantedLines


@call("cart/quote", Lines, CartForm, refusals=LIMITED)
async def quote(request: web.Request, body: Lines) -> CartForm:
    """What these lines cost, with the coupon of whoever asks; what a partner's visitor may not see is missing."""
    who, now = await sessions.optional(request), datetime.now(UTC)
    await throttles.cart_call(request, who)
    owner, only = guests.owner_of(request, who), await viewers.narrowed(request)
    view = await request.app[keys.DATABASE].read(cart.of_guest, owner, wanted_of(body.lines), now, only)
    return cart_form(view, now)


class LineChange(Strict):
    """What is left out stays as it is."""

    quantity: Annotated[int, Field(ge=1, le=cart.LARGEST_QUANTITY), WHOLE] | None = None
    saved: Annotated[bool, Field(strict=True)] | None = None


@call("cart/lines/{id}", LineChange, ChangedCart, method="PUT", who="learner", refusals=LIMITED)
async def change_line(request: web.Request, body: LineChange) -> ChangedCart:
    """Another quantity of a line, or the line saved for later and back."""
    who, now = request[keys.SIGNED_IN], datetime.now(UTC)
    await throttles.cart_call(request, who)
    db, asked = request.app[keys.DATABASE], Change(body.quantity, body.saved)
    refusal = await db.run(cart.change, who.learner_id, request[keys.PATH_ID], asked, now)
    view = await db.read(cart.of_learner, who.learner_id, now)
    return ChangedCart(**changed(refusal), cart=cart_form(view, now))


class SeenPrice(Strict):
    id: Id
    price: Annotated[int, Field(ge=0, le=SAFE), WHOLE]


class SeenPrices(Strict):
    lines: Annotated[list[SeenPrice], Field(max_length=cart.MOST_LINES)]


@call("cart/seen", SeenPrices, Changed, method="PUT", who="learner", refusals=LIMITED)
async def seen(request: web.Request, body: SeenPrices) -> Changed:
    """The learner was told of these prices of one unit, after sale; another one is told again."""
    who = request[keys.SIGNED_IN]
    await throttles.cart_call(request, who)
    prices = {line.id: from_minor(line.price) for line in body.lines}
    await request.app[keys.DATABASE].run(cart.seen, who.learner_id, prices, datetime.now(UTC))
    return Changed(**changed(None))


class MergedLine(BaseModel):
    id: int
    outcome: Literal["added", "kept", "refused"]
    message: str


class MergedCart(BaseModel):
    lines: list[MergedLine]
    cart: CartForm


@call("cart/merge", Lines, MergedCart, who="learner", refusals=LIMITED)
async def merge(request: web.Request, body: Lines) -> MergedCart:
    """A guest's lines join the learner's cart; each is answered. Repeating it changes nothing."""
    who, now = request[keys.SIGNED_IN], datetime.now(UTC)
    await throttles.cart_call(request, who)
    db, lines = request.app[keys.DATABASE], wanted_of(body.lines)
    merged = await db.run(cart.merge, who.learner_id, lines, guests.guest_of(request), now)
    view = await db.read(cart.of_learner, who.learner_id, now)
    return MergedCart(lines=[MergedLine(**vars(one)) for one in merged], cart=cart_form(view, now))
