"""POST /api/cart/links: a link that opens this cart on another device, or one that a program makes for a person."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Literal

from aiohttp import web
from pydantic import BaseModel, Field

from domain.cart.lines import MAX_LINES
from domain.cart.owners import RequestedLine
from domain.checkout import cart_links
from domain.checkout.cart_links import PromisedLine
from domain.money import to_minor
from domain.shop_settings.shop import ShopSettings
from host.api.cart_schemas import RequestedLineSchema, minor, requested_lines
from host.api.fields import Strict
from host.api.registry import call
from host.app_keys import DATABASE, SETTINGS
from host.auth import guests, sessions
from host.http import csrf
from host.http.user_agents import browser_family
from host.rate_limits import policies
from host.urls import href_of

UNKNOWN_PROGRAM = "other"
NOTES = {
    "inclusive": "Prices include tax. Delivery of goods is added at the checkout.",
    "exclusive": "Tax and delivery of goods are added at the checkout.",
}


class LinkedLines(Strict):
    lines: Annotated[list[RequestedLineSchema], Field(min_length=1, max_length=MAX_LINES)]


class PromisedPrice(BaseModel):
    """A line of a link that a program made, in minor units. `reason`: whether `price`, of one unit, is the list price
    or that of a sale, which ends at `saleUntil` (null: with no end that is known)."""

    id: int
    name: str
    url: str
    quantity: int
    listPrice: int
    salePrice: int | None
    saleUntil: datetime | None
    reason: Literal["list", "sale"]
    price: int
    total: int


class CartLink(BaseModel):
    """`url` shows the lines to everyone who opens it, until `expiresAt`. Of a link that a program made: `lines` with
    the prices that hold until `promisedUntil`, their `total` before tax and delivery as `note` says, in minor units of
    `currency`. A link from a page of the shop promises none: `lines` is empty, `promisedUntil` and `total` are
    null."""

    url: str
    expiresAt: datetime
    promisedUntil: datetime | None = None
    currency: str
    lines: list[PromisedPrice] = []
    total: int | None = None
    note: str = ""


@call("cart/links", LinkedLines, CartLink, caller="anyone", refusals=(429, 503))
async def create_link(request: web.Request, body: LinkedLines) -> CartLink:
    """Make a link, good for 24 hours, that shows these products to a person, who looks, signs in and pays.

    From a program, which is whoever sends no Origin, no Sec-Fetch-Site and no cookie of ours: at most 20 products and
    10 links a minute from one address. Today's list and sale prices are kept for those 24 hours for whoever opens the
    link and signs in; no coupon counts, no stock is reserved. When a line cannot be bought there is no link, and
    `errors` says why, by line. From a page of the shop: a link to this cart for another device, with its coupon.
    """
    session, now = await sessions.current_session(request), datetime.now(UTC)
    settings = request.app[SETTINGS]
    if session is None and guests.guest_key_of(request) is None and not csrf.is_from_page(request):
        await policies.limit(request, "program_links_per_address_minute")
        wanted = [RequestedLine(line.id, line.quantity) for line in body.lines]
        agent = browser_family(request.headers.get("User-Agent", "")) or UNKNOWN_PROGRAM
        secret, lines = await request.app[DATABASE].write(cart_links.create_promised, wanted, agent, now)
        return _promised(_url(settings.site_origin, secret), lines, settings.site_origin, settings.shop, now)
    await policies.limit_cart_call(request, session)
    owner = guests.owner_of(request, session)
    secret = await request.app[DATABASE].write(cart_links.create, owner, requested_lines(body.lines), now)
    url = _url(settings.site_origin, secret)
    return CartLink(url=url, expiresAt=now + cart_links.TTL, currency=settings.shop.currency.code)


def _url(origin: str, secret: str) -> str:
    return f"{origin}/cart?cartToken={secret}"


def _promised(url: str, lines: Sequence[PromisedLine], origin: str, shop: ShopSettings, now: datetime) -> CartLink:
    prices = [_price(line, origin, shop, now) for line in lines]
    until = now + cart_links.TTL
    return CartLink(
        url=url,
        expiresAt=until,
        promisedUntil=until,
        currency=shop.currency.code,
        lines=prices,
        total=sum(price.total for price in prices),
        note=NOTES[shop.price_mode],
    )


def _price(line: PromisedLine, origin: str, shop: ShopSettings, now: datetime) -> PromisedPrice:
    card, promise, currency = line.product.card, line.promise, shop.currency
    is_sale = promise.unit < promise.list_price
    return PromisedPrice(
        id=card.id,
        name=card.name,
        url=origin + href_of(card.kind, card.id, card.slug),
        quantity=line.quantity,
        listPrice=to_minor(promise.list_price, currency),
        salePrice=minor(promise.sale_price, currency) if is_sale else None,
        saleUntil=card.sale_until if is_sale else None,
        reason="sale" if is_sale else "list",
        price=to_minor(promise.unit, currency),
        total=to_minor(line.total, currency),
    )
