"""`dev order`: an order from the first click to the payment, in one call. It uses the functions of the checkout, and
pays at the stand-in of the payment gateway as its page would."""

import json
import secrets
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from sqlalchemy.orm import Session

from adapters.payments import opening, settling
from adapters.payments.sync_calls import GatewayService
from adapters.payments.transactions import BlockingTransactions
from config.settings import Settings
from domain import cart
from domain.cart.owners import Owner
from domain.checkout import placement
from domain.checkout import quote as checkout_quote
from domain.checkout.differences import Seen
from domain.checkout.placement import Failed, OrderRequest, Placed
from domain.checkout.priced import CheckoutPrice, RequestedItem
from domain.database.database import Database
from domain.errors import Refused
from domain.orders.explanation import order_rows
from domain.orders.settings import Context
from domain.payments import attempts, shop_uid
from domain.payments.attempts import OpenPage, PayingShop, PaymentRef
from domain.payments.gateway import GatewayError
from domain.publishing import prices as publishing_prices
from host import content
from host.checkout import order_terms
from host.cli.orders.gateway import account_of, with_gateway

# The card with which the stand-in's payments succeed.
CARD = "4242424242424242"
WITHOUT_PAYING = "none"
ADDRESS = {
    "street_address": "1 Market Street",
    "city": "San Francisco",
    "country_area": "CA",
    "postal_code": "94105",
    "country": "US",
}
WAIT_S = 20


def place_and_pay(db: Database, learner_id: int, slugs: list[str], card: str, settings: Settings) -> str:
    """{code, state, total} as JSON, the total in minor units. Raises Refused."""
    placed = _place(db, learner_id, slugs, settings)
    if placed.payment_id is not None and card != WITHOUT_PAYING:
        try:
            _pay(db, PaymentRef(placed.payment_id, placed.order_id, learner_id), card, settings)
        except (GatewayError, URLError) as error:
            raise Refused(f"Order {placed.code} is placed, but the payment gateway cannot be used: {error}") from error
    with db.read_session() as session:
        order = order_rows.order_by_code(session, placed.code)
        return json.dumps({"code": order.code, "state": order.state, "total": order.total_minor})


def _place(db: Database, learner_id: int, slugs: list[str], settings: Settings) -> Placed:
    at = datetime.now(UTC)

    def price(session: Session, request: OrderRequest, at: datetime) -> CheckoutPrice:
        return checkout_quote.price(session, request, settings.shop, at)

    with db.read_session() as session:
        policy = content.published(session).get(content.POLICY) or content.read(content.POLICY)
        ids = [publishing_prices.product_by_slug(session, slug).id for slug in slugs]
        units = {product_id: ids.count(product_id) for product_id in ids}
        request = OrderRequest(
            learner_id=learner_id,
            form_key=f"dev-{secrets.token_urlsafe(16)}",
            seen=Seen(),
            lines=[RequestedItem(product_id, number) for product_id, number in units.items()],
            billing=_address(session, learner_id),
            delivery=_address(session, learner_id),
            coupon_id=cart.cart_coupon.coupon_of(session, Owner(learner_id), at),
            terms_date=policy.updated,
        )
        priced = price(session, request, at)
        # An order of which nothing is sent has no address for it.
        is_sent = any(line.kind == "delivery" for line in priced.lines)
        request = replace(request, seen=priced.seen, delivery=request.delivery if is_sent else None)
    placed = db.write_sync(placement.place, request, price, Context(at, order_terms.placing_settings(settings, policy)))
    if isinstance(placed, Failed):
        raise Refused(f"Nothing was ordered: {' '.join(placed.refusals.values())}")
    if not isinstance(placed, Placed):
        raise Refused("Nothing was ordered: a price changed at this moment. Try again.")
    return placed


def _address(session: Session, learner_id: int) -> dict[str, str]:
    return {"name": order_rows.name_of(session, learner_id), **ADDRESS}


def _pay(db: Database, payment: PaymentRef, card: str, settings: Settings) -> None:
    """Open the payment's page, pay there, and retrieve what came of it. Raises GatewayError, URLError."""
    account, transactions = account_of(settings), BlockingTransactions(db)
    with db.read_session() as session:
        uid = shop_uid.read(session)
    if uid is None:
        raise Refused("The database is not prepared: run `python -m host prepare` first.")
    shop = PayingShop(uid, settings.site_origin, settings.orders)
    service = GatewayService(account)
    page = service.run(
        lambda gateway: opening.open_page(transactions, gateway, payment.learner_id, payment.order_id, shop)
    )
    if not isinstance(page, OpenPage):
        raise Refused(f"The order cannot be paid: {page}")
    with db.read_session() as session:
        session_id = attempts.session_ref(session, payment.id, shop).session_id
    call_standin(settings, "/dev/pay", {"session": session_id, "card": card})
    service.run(lambda gateway: settling.retrieve(transactions, gateway, payment, shop))


def call_standin(settings: Settings, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    """GET, or POST with a body, a call of /dev of the stand-in (docs/testing.md). Raises URLError."""
    data = None if body is None else json.dumps(body).encode()
    request = Request(  # noqa: S310 an address of our own settings
        f"{with_gateway(settings).payments_api_base}{path}", data, {"Content-Type": "application/json"}
    )
    with urlopen(request, timeout=WAIT_S) as answer:  # noqa: S310 as above
        result: dict[str, Any] = json.load(answer)
    return result
