"""An order with its payment, as placing writes them, without going through a checkout."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.orm import Session

from domain.orders.settings import OrderSettings
from domain.payments.attempts import PayingShop
from domain.tables import Order, OrderLine, Payment
from tests.support import factories
from tests.support.factories import NOON

SHOP = PayingShop("shop-uid", "https://shop.example", OrderSettings())
CODE = "ABCDEFGHJK2345678NPQ"


def order(session: Session, code: str = CODE, name: str = "Ada Lovelace", **about: Any) -> Order:
    learner = factories.learner(session, name)
    amounts = {"subtotal_minor": 5_000, "discount_minor": 0, "delivery_minor": 0, "tax_minor": 0, "total_minor": 5_000}
    facts = {
        "open_learner_id": learner.id,
        "state": "placed",
        "currency": "USD",
        "reserved_until": NOON + timedelta(minutes=36),
        "placed_at": NOON,
        "changed_at": NOON,
        **amounts,
        **about,
    }
    fixed = {"price_mode": "exclusive", "tax_kind": "none", "engine_version": 1, "content_digest": "0" * 64}
    person = {"email": "ada@example.test", "email_key": "ada@example.test", "terms_date": "2026-01-01"}
    documents: dict[str, Any] = {"quote": {}, "billing": {}, "refund_terms": {}}
    row = Order(code=code, learner_id=learner.id, form_key=f"key-{code}", **fixed, **person, **documents, **facts)
    session.add(row)
    session.flush()
    return row


def line(session: Session, placed: Order, number: int = 1, total: int = 5_000, **about: Any) -> OrderLine:
    facts = {"name": "A course", "quantity": 1, "list_minor": total, "unit_minor": total, "net_minor": total, **about}
    row = OrderLine(
        order_id=placed.id, number=number, kind="product", tax_minor=0, total_minor=total, steps=[], taxes=[], **facts
    )
    session.add(row)
    session.flush()
    return row


def payment(session: Session, placed: Order, number: int = 1, at: datetime = NOON, **about: Any) -> Payment:
    facts = {"state": "new", "amount_minor": placed.total_minor, "currency": placed.currency, **about}
    row = Payment(
        order_id=placed.id, number=number, gateway="stripe", key=f"{placed.code}-{number}", created_at=at, **facts
    )
    session.add(row)
    session.flush()
    return row


def placed_order(session: Session, **about: Any) -> tuple[Order, Payment]:
    row = order(session, **about)
    line(session, row)
    return row, payment(session, row)
