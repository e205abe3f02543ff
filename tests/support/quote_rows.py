"""Rows of quotes, as short as lists need them."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.tables import SeatQuote


def seat_quote(session: Session, organisation_id: int, learner_id: int, at: datetime, **about: Any) -> SeatQuote:
    """An open quote of two seats for 20.00, whose price and body nobody reads."""
    seq = session.scalars(select(func.coalesce(func.max(SeatQuote.seq), 0))).one() + 1
    facts = {"term_days": 365, "name": "Seats: Vat", "quantity": 2, "unit_minor": 1_000, "currency": "USD"}
    amounts = {"tax_minor": 0, "total_minor": 2_000}
    documents: dict[str, Any] = {"billing": {}, "quote": {}, "body": {}, "digest": "0" * 64}
    row = SeatQuote(
        number=f"Q{at.year}-{seq:06}",
        year=at.year,
        seq=seq,
        organisation_id=organisation_id,
        learner_id=learner_id,
        issued_at=at,
        valid_until=at + timedelta(days=30),
        **{**facts, **amounts, **documents, **about},
    )
    session.add(row)
    session.flush()
    return row
