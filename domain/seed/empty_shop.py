"""Whether a database is of a new shop, which alone gets the demo data. Apart from these, which few starts load."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.tables import Product


def is_empty(session: Session) -> bool:
    """Whether there is no product."""
    return session.scalar(select(Product.id).limit(1)) is None
