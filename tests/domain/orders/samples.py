"""Rows of orders for tests."""

from typing import Any

from sqlalchemy.orm import Session

from domain.tables import Order
from tests.support.factories import NOON


def unsaved_order(learner_id: int, code: str = "AAAAAAAAAAAAAAAAAAAA", **about: Any) -> Order:
    """An order in no state yet, of 50.00."""
    columns: dict[str, Any] = {
        "code": code,
        "learner_id": learner_id,
        "currency": "USD",
        "subtotal_minor": 5000,
        "discount_minor": 0,
        "delivery_minor": 0,
        "tax_minor": 0,
        "total_minor": 5000,
        "refunded_minor": 0,
        "price_mode": "exclusive",
        "tax_place": "US",
        "tax_kind": "none",
        "engine_version": 1,
        "form_key": code,
        "content_digest": "0" * 64,
        "email": "ada@example.test",
        "email_key": "ada@example.test",
        "terms_date": "2026-01-01",
        "quote": {},
        "billing": {"name": "Ada", "country": "US"},
        "refund_terms": {},
        **about,
    }
    return Order(**columns)


def order(session: Session, learner_id: int, state: str = "placed", **about: Any) -> Order:
    """An order in a state, without the events that lead there."""
    row = unsaved_order(learner_id, **{"placed_at": NOON, "changed_at": NOON, "event_count": 0, **about})
    row.event_chain = ""
    row.state = state
    session.add(row)
    session.flush()
    return row
