"""/cart: the learner's cart, and the products that a link or a form brought along. A guest's cart is in the browser."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any

from typing_extensions import TypedDict

from domain.cart import views as cart_views
from domain.cart.owners import Owner, RequestedLine
from domain.cart.promises import Promise
from domain.checkout import cart_links
from domain.coupons import queries as coupon_queries
from domain.display_text import moment_text
from domain.errors import ServiceUnavailable
from domain.routes import Page, by_id
from domain.shop_settings.shop import ShopSettings
from domain.typed_values import is_number
from host.api.cart_schemas import CartLineSchema, CartSchema, cart_schema
from host.auth import guest_lines
from host.loaders import client_rendered
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

# The form that was refused, for the part without script: what it said, why not, and the id of the field at fault.
NOTHING_REFUSED = dict.fromkeys(("message", "field", "do", "id", "quantity", "code"), "")


class OfferedLines(TypedDict):
    """Products that the visitor may put in the cart with one press: opening the page changes nothing. `lines` empty:
    they are not sold, or the link has expired. `coupon`: the code that a link carries; None for none. `isGift`: for
    somebody else, which needs an account. Of a link: its `token`, what has changed since it was made, in words, and
    until when it keeps these prices for whoever signs in (`promise`, a sentence); "": it keeps none."""

    lines: list[CartLineSchema]
    coupon: str | None
    isGift: bool
    token: str
    changes: list[str]
    promise: str


class CartProps(TypedDict):
    """`cart`: of the learner who is signed in; null for guests, whose cart is in the browser, and while the database
    does not answer in time. `offered` null: nothing was brought along."""

    title: str
    html: str
    cart: CartSchema | None
    offered: OfferedLines | None


@page("cart")
async def load(request: PageRequest, route: Page) -> PageResult[CartProps] | PageResult:
    """While the database does not answer in time, the browser shows what it has stored."""
    waiting: PageResult = await client_rendered.load(request, route)
    token = request.query.get("cartToken", "")
    own: dict[str, Any] | None = None
    offered: dict[str, Any] | None = None
    with suppress(ServiceUnavailable):
        own, offered = await _own_cart(request), await _offered(request)
    no_script = {
        "refused": NOTHING_REFUSED,
        "token": token,
        "is_kept": "kept" in request.query,
        "key": request.form_key("cart"),
        "can_check_out": by_id()["checkout"].served and by_id()["completed"].served,
    }
    return replace(waiting, props={**waiting.props, "cart": own, "offered": offered}, no_script=no_script)


async def _own_cart(request: PageRequest) -> dict[str, Any] | None:
    if request.session is None:
        return None
    learner_id, shop = request.session.auth.learner_id, request.settings.shop
    view = await request.db.read(cart_views.learner_cart, learner_id, request.at, shop)
    return cart_schema(view, request.at, shop).model_dump(mode="json")


async def _offered(request: PageRequest) -> dict[str, Any] | None:
    """What ?add=, ?cartToken= and ?kept= name: the last one what a guest has added without script."""
    product_id, secret = request.query.get("add", ""), request.query.get("cartToken", "")
    if secret:
        return await _of_link(request, secret)
    if is_number(product_id):
        lines = await _priced(request, [RequestedLine(int(product_id))])
        return _offer(lines, isGift=request.query.get("gift") == "1")
    if "kept" in request.query:
        return _offer(await _priced(request, guest_lines.from_text(request.query["kept"])))
    return None


async def _of_link(request: PageRequest, secret: str) -> dict[str, Any]:
    link = await request.db.read(cart_links.read, secret, request.at)
    if link is None:
        return _offer([])
    if link.is_unopened and request.is_persons():
        # What is counted late is no reason to show no cart.
        with suppress(ServiceUnavailable):
            await request.db.write(cart_links.note_opened, secret, request.at)
    ids = [] if link.coupon_id is None else [link.coupon_id]
    terms = await request.db.read(coupon_queries.by_ids, ids, request.at) if ids else {}
    learner_id, shop = _learner_id(request), request.settings.shop
    return _offer(
        await _priced(request, link.lines, link.promised),
        coupon=next((coupon.name for coupon in terms.values()), None),
        token=secret,
        changes=await request.db.read(cart_links.changes, link, learner_id, shop, request.at),
        promise=_promise_text(link.promised_until, shop),
    )


def _offer(lines: list[dict[str, Any]], **about: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {"coupon": None, "isGift": False, "token": "", "changes": [], "promise": ""}
    return {"lines": lines, **plain, **about}


def _promise_text(until: datetime | None, shop: ShopSettings) -> str:
    if until is None:
        return ""
    return f"Whoever signs in and buys until {moment_text(until, shop.locale or None)} pays these prices."


def _learner_id(request: PageRequest) -> int | None:
    return None if request.session is None else request.session.auth.learner_id


async def _priced(
    request: PageRequest, lines: Sequence[RequestedLine], promised: Mapping[int, Promise] | None = None
) -> list[dict[str, Any]]:
    owner, shop = Owner(_learner_id(request)), request.settings.shop
    view = await request.db.read(cart_views.guest_cart, owner, lines, request.at, shop, request.scope, promised)
    lines_schema: list[dict[str, Any]] = cart_schema(view, request.at, shop).model_dump(mode="json")["lines"]
    return lines_schema
