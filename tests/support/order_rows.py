"""Creates orders for tests: a test passes the columns it is about, the rest gets defaults."""

from typing import Any

from sqlalchemy.orm import Session

from domain.tables import Order, OrderLine
from tests.support.factories import NOON

ADDRESS = {"name": "Ada Lovelace", "street_address": "12 St James's Square", "city": "London", "country_code": "GB"}


def order(session: Session, learner_id: int, code: str = "BADECUFIGOHAKELIMONU", **about: Any) -> Order:
    """A paid order in USD, without lines."""
    facts: dict[str, Any] = {
        "state": "paid",
        "currency": "USD",
        "price_mode": "exclusive",
        "tax_kind": "none",
        "engine_version": 1,
        "form_key": code,
        "content_digest": "0" * 64,
        "email": "ada@example.test",
        "terms_date": "2026-01-01",
        "quote": {},
        "billing": ADDRESS,
        "refund_terms": {},
        "placed_at": NOON,
        "paid_at": NOON,
        "changed_at": NOON,
        **dict.fromkeys(("subtotal_minor", "discount_minor", "delivery_minor", "tax_minor", "total_minor"), 0),
        **about,
    }
    row = Order(code=code, learner_id=learner_id, email_key=facts["email"].casefold(), **facts)
    session.add(row)
    session.flush()
    return row


def open_order(session: Session, learner_id: int, **about: Any) -> Order:
    """The learner's open order: placed, not paid."""
    return order(session, learner_id, state="placed", open_learner_id=learner_id, paid_at=None, **about)


def order_line(session: Session, order_id: int, number: int = 1, **about: Any) -> OrderLine:
    """A line without tax; `unit_minor` and `quantity` give its other amounts, unless a test passes them."""
    unit, quantity = about.get("unit_minor", 10_000), about.get("quantity", 1)
    facts: dict[str, Any] = {
        "kind": "product",
        "name": f"Line {number}",
        "unit_minor": unit,
        "quantity": quantity,
        "list_minor": unit,
        "net_minor": unit * quantity,
        "tax_minor": 0,
        "steps": [],
        "taxes": [],
        **about,
    }
    facts.setdefault("total_minor", facts["net_minor"] + facts["tax_minor"])
    row = OrderLine(order_id=order_id, number=number, **facts)
    session.add(row)
    session.flush()
    return row
