"""Orders of a running site, placed and paid as the checkout and the gateway's events do it, without their pages."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain import money
from domain.checkout import placement
from domain.checkout import quote as checkout_quote
from domain.checkout.placement import OrderRequest, Placed, Seen
from domain.checkout.priced import RequestedItem
from domain.database.database import Database, database_url
from domain.orders.settings import Context
from domain.shop_settings.shop import ShopSettings
from domain.tables import Coupon, Learner, Order, Product
from tests.domain.orders import selling
from tests.journeys.conftest import Visitor
from tests.support.site import Site

SHOP = ShopSettings(money.currency("USD"), "US", "", "exclusive")
ADDRESS = {
    "name": "Ada Lovelace",
    "street_address": "1 Congress Avenue",
    "city": "Austin",
    "country_area": "TX",
    "postal_code": "78701",
    "country": "US",
}


@contextmanager
def writing(site: Site) -> Iterator[Session]:
    db = Database(database_url(None, site.var_dir), busy_ms=30_000)
    try:
        with db.write_session() as session:
            yield session
    finally:
        db.engine.dispose()


def place(session: Session, learner_id: int, *slugs: str, coupon: str = "", at: datetime | None = None) -> Order:
    """A placed order of these products, each once; `coupon` is that of the whole cart."""
    at = at or datetime.now(UTC)
    ids = {slug: session.scalars(select(Product.id).where(Product.slug == slug)).one() for slug in slugs}
    coupon_id = session.scalars(select(Coupon.id).where(Coupon.code == coupon)).one() if coupon else None
    request = OrderRequest(
        learner_id,
        form_key=f"journey-{at.isoformat()}-{'-'.join(slugs)}",
        seen=Seen(),
        lines=[RequestedItem(ids[slug]) for slug in slugs],
        billing=ADDRESS,
        delivery=ADDRESS,
        coupon_id=coupon_id,
        terms_date="2026-01-01",
    )
    request = replace(request, seen=price(session, request, at).seen)
    result = placement.place(session, request, price, Context(at, selling.SETTINGS))
    assert isinstance(result, Placed), result
    return session.get_one(Order, result.order_id)


def price(session: Session, request: OrderRequest, at: datetime) -> Any:
    return checkout_quote.price(session, request, SHOP, at)


def pay(session: Session, order: Order, at: datetime | None = None, **about: Any) -> str:
    return selling.apply(session, order, selling.snapshot(order, **about), at=at or datetime.now(UTC))


def new_learner(site: Site, name: str) -> tuple[int, dict[str, Any]]:
    """A learner with an address, and both halves of a sign-in as `dev token` prints them."""
    token = json.loads(site.dev("token", name))
    with writing(site) as session:
        learner = session.get_one(Learner, token["AAUserID"])
        learner.email = learner.email or f"{name}@example.test"
    return token["AAUserID"], token


async def sign_in(visitor: Visitor, token: dict[str, Any]) -> None:
    """Both cookies of a sign-in, without its pages."""
    user = {"accessToken": token["accessToken"], "user": {"AAUserID": token["AAUserID"], "Email": ""}}
    name, _, value = token["cookie"].partition("=")
    url, end = f"http://localhost:{visitor.site.port}", (datetime.now(UTC) + timedelta(minutes=45)).timestamp()
    await visitor.context.add_cookies(
        [
            {"name": "userInfo", "value": quote(json.dumps(user)), "url": url, "expires": end},
            {"name": name, "value": value, "url": url, "expires": end, "httpOnly": True},
        ]
    )
