"""Loads the orders of orders.json: everything that happens to them, in the order in which it happened."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from domain import money
from domain.checkout import placement
from domain.checkout import quote as checkout_quote
from domain.checkout.differences import Seen
from domain.checkout.form_fields import VAT_CHECKED
from domain.checkout.placement import OrderRequest, Placed
from domain.checkout.priced import RequestedItem
from domain.documents.issuer import Issuer
from domain.identity import learners
from domain.identity.learners import Identity
from domain.money import Currency
from domain.orders.settings import Context, OrderSettings
from domain.payments.gateway import DEMO_GATEWAY
from domain.readable_codes import ALPHABET
from domain.seed.orders.actions import ACTIONS, OrderAction
from domain.seed.orders.gateway import DemoShop
from domain.seed.prices import price
from domain.shop_settings.shop import ShopSettings
from domain.tables import Coupon, Learner, Order, Outbox, Payment, Product, ShopItem

FILE = Path(__file__).parent / "orders.json"
# When the first buyers came: before the first order.
BUYER_AGE = timedelta(days=190)
# Open orders of a demo stay open for a while.
OPEN_FOR = timedelta(days=30)
ISSUER = Issuer("Meridian Learning", ("1 Meridian Way", "Portland, OR 97201", "United States"), "EU999999999")
# The terms of the policy page, of which the orders of a real shop get a copy when they are placed.
REFUND_TERMS: Mapping[str, Any] = {
    "course": {"days": 14, "from": "payment", "unless": "certificate"},
    "bundle": {"days": 14, "from": "payment", "unless": "certificate"},
    "download": {"days": 14, "from": "payment", "confirm": "deleted"},
    "voucher": {"days": 14, "from": "payment", "unless": "used"},
    "seats": {"days": 14, "from": "payment", "unless": "used"},
    "goods": {"days": 14, "from": "delivery", "confirm": "returned"},
    "withdrawn_days": 60,
}

Row = dict[str, Any]


@dataclass
class DemoOrder:
    """A row of the file with its place in it; `order`: once it is placed."""

    number: int
    row: Row
    placed_at: datetime
    order: Order | None = None


@dataclass(frozen=True)
class Moment:
    """`action` "": the order is placed. `units` as of Step."""

    at: datetime
    demo_order: DemoOrder
    action: str = ""
    units: Mapping[int, int] | None = None


def add(session: Session, at: datetime, currency: Currency) -> None:
    """Add the orders, unless the shop has any."""
    if session.scalar(select(Order.id).limit(1)) is not None:
        return
    last_row = session.scalar(select(func.max(Outbox.id))) or 0
    rows: Row = json.loads(FILE.read_text("utf-8"))
    loader = _Loader(session, rows, at, currency)
    demo_orders = [
        DemoOrder(number, row, at - timedelta(days=row["days"])) for number, row in enumerate(rows["orders"], 1)
    ]
    for moment in sorted(
        (moment for demo_order in demo_orders for moment in _moments(demo_order)), key=lambda moment: moment.at
    ):
        loader.carry_out(moment)
    _settle_down(session, last_row)


def _moments(demo_order: DemoOrder) -> Iterator[Moment]:
    """What happens to a demo order, from texts such as "ask@100:1=2,2=1": the action, hours after placing, and units of
    lines."""
    yield Moment(demo_order.placed_at, demo_order)
    for text in demo_order.row.get("then", ()):
        about, _, units = text.partition(":")
        action, _, hours = about.partition("@")
        pairs = (pair.split("=") for pair in units.split(",") if pair)
        by_line = {int(line): int(quantity) for line, quantity in pairs}
        yield Moment(demo_order.placed_at + timedelta(hours=float(hours or 0.1)), demo_order, action, by_line)


def _settle_down(session: Session, last_row: int) -> None:
    """Mails about the past are not sent, and no gateway is asked about these payments."""
    session.execute(delete(Outbox).where(Outbox.id > last_row))
    session.execute(update(Payment).where(Payment.gateway == DEMO_GATEWAY).values(poll_at=None))
    session.flush()


class _Loader:
    """Carries out one moment after the other."""

    def __init__(self, session: Session, rows: Row, at: datetime, currency: Currency):
        self._session, self._rows = session, rows
        self._shop = ShopSettings(currency, "US", "", "exclusive", ISSUER.locale)
        self._settings = self._order_settings(currency)
        columns = select(Product.slug, Product.id, ShopItem.fulfilment)
        products = session.execute(columns.outerjoin(ShopItem, ShopItem.id == Product.id)).all()
        self._products: dict[str, int] = {row.slug: row.id for row in products}
        self._shipped = {row.id for row in products if row.fulfilment == "shipped"}
        coupons = session.execute(select(Coupon.display_code, Coupon.id)).all()
        self._coupons: dict[str, int] = {row.display_code: row.id for row in coupons}
        self._learners = {subject: self._learner(subject, row, at) for subject, row in rows["buyers"].items()}

    def _order_settings(self, currency: Currency) -> OrderSettings:
        # A fixed seed: every load gives orders the same codes.
        chance = Random(20260301)  # noqa: S311 not used for secrets

        def new_code(length: int) -> str:
            return "".join(chance.choice(ALPHABET) for _ in range(length))

        return OrderSettings(
            gateway=DEMO_GATEWAY,
            refund_auto_max_minor=money.to_minor(price("500", currency), currency),
            refund_terms=dict(REFUND_TERMS),
            issuer=ISSUER,
            new_code=new_code,
        )

    def _learner(self, subject: str, row: Row, at: datetime) -> int:
        """A buyer of the file has a number; the others are people of the demo shop."""
        identity = Identity(learners.DEVELOPMENT_ISSUER, subject, row["name"], f"{subject}@example.test")
        learner: Learner = learners.create(self._session, identity, at - BUYER_AGE)
        if "number" in row:
            learner.student_number = learners.normalised_student_number(row["number"])
            self._session.flush()
        return learner.id

    def carry_out(self, moment: Moment) -> None:
        demo_order = moment.demo_order
        if demo_order.order is None:
            demo_order.order = self._place(demo_order)
            return
        shop = DemoShop(self._settings)
        ACTIONS[moment.action](self._session, OrderAction(demo_order.order, shop, moment.at, moment.units or {}))

    def _place(self, demo_order: DemoOrder) -> Order:
        settings = self._settings
        if demo_order.row.get("is_open"):
            settings = replace(settings, payment_window=OPEN_FOR)
        request, context = self._request(demo_order), Context(demo_order.placed_at, settings)
        priced = checkout_quote.price(self._session, request, self._shop, context.at)
        # Priced once: in this transaction nothing changes meanwhile.
        request = replace(request, seen=priced.seen)
        placed = placement.place(self._session, request, lambda *_: priced, context)
        if not isinstance(placed, Placed):
            raise AssertionError(f"demo order {demo_order.number}: {placed}")
        return self._session.get_one(Order, placed.order_id)

    def _request(self, demo_order: DemoOrder) -> OrderRequest:
        row = demo_order.row
        lines = [self._line(text, row) for text in row["lines"]]
        is_shipped = any(line.product_id in self._shipped for line in lines)
        address = self._rows["buyers"][row["buyer"]]["address"]
        return OrderRequest(
            learner_id=self._learners[row["buyer"]],
            form_key=f"demo-{demo_order.number}",
            seen=Seen(),
            lines=lines,
            billing=_billing(address, is_shipped=is_shipped),
            delivery={name: text for name, text in address.items() if name != "vat_id"} if is_shipped else None,
            service=row.get("service"),
            coupon_id=self._coupons[row["coupon"]] if "coupon" in row else None,
            terms_date=date(2026, 1, 1).isoformat(),
        )

    def _line(self, text: str, row: Row) -> RequestedItem:
        """Such as "desk-notes*2 BOOKS20": slug, pieces, code of the line."""
        about, _, code = text.partition(" ")
        slug, _, quantity = about.partition("*")
        gift = row.get("gifts", {}).get(slug)
        coupon_id = self._coupons[code] if code else None
        return RequestedItem(self._products[slug], int(quantity or 1), coupon_id, gift)


def _billing(address: Mapping[str, str], *, is_shipped: bool) -> Mapping[str, str]:
    """The billing address of a demo order: of private people who get nothing sent, no more than the tax needs."""
    if "vat_id" in address:
        return {**address, "vat_checked": VAT_CHECKED}
    if is_shipped or "company_name" in address:
        return address
    return {name: address[name] for name in ("name", "country", "country_area") if name in address}
