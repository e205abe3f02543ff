"""POST /api/cart/links: a link that opens this cart on another device."""

from datetime import UTC, datetime
from typing import Annotated

from aiohttp import web
from pydantic import BaseModel, Field

from domain.cart.lines import MAX_LINES
from domain.checkout import cart_links
from host.api.cart_schemas import RequestedLineSchema, requested_lines
from host.api.fields import Strict
from host.api.registry import call
from host.app_keys import DATABASE, SETTINGS
from host.auth import guests, sessions
from host.rate_limits import policies


class LinkedLines(Strict):
    lines: Annotated[list[RequestedLineSchema], Field(min_length=1, max_length=MAX_LINES)]


class CartLink(BaseModel):
    """`url` shows the lines to everyone who opens it, until `expiresAt`."""

    url: str
    expiresAt: datetime


@call("cart/links", LinkedLines, CartLink, caller="anyone", refusals=(429, 503))
async def create_link(request: web.Request, body: LinkedLines) -> CartLink:
    """Store lines and the visitor's cart coupon for 24 hours, under a secret link for another device."""
    session, now = await sessions.current_session(request), datetime.now(UTC)
    await policies.limit_cart_call(request, session)
    owner, lines = guests.owner_of(request, session), requested_lines(body.lines)
    secret = await request.app[DATABASE].write(cart_links.create, owner, lines, now)
    origin = request.app[SETTINGS].site_origin
    return CartLink(url=f"{origin}/cart?cartToken={secret}", expiresAt=now + cart_links.TTL)
