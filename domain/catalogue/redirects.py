"""Where a product lives now: former slugs, and what follows what is no longer sold.

Always the last address, never one that leads on to another.
"""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.tables import FormerSlug, Product

# A chain of successors longer than this is a mistake in the records.
LONGEST_CHAIN = 10


@dataclass(frozen=True)
class Address:
    """What the address of a product is made of."""

    id: int
    kind: str
    slug: str


def moved_to(session: Session, kind: str, former_slug: str) -> Product | None:
    """The product that once had this slug, whatever its status is now."""
    owner = select(FormerSlug.product_id).where(FormerSlug.kind == kind, FormerSlug.slug == former_slug)
    return session.scalar(select(Product).where(Product.id == owner.scalar_subquery()))


def successor(session: Session, product: Any) -> Address | None:
    """The first product after this one (itself or its row) that is sold, however many retired ones lie between."""
    seen = {product.id}
    following = product.successor_id
    while following is not None and following not in seen and len(seen) <= LONGEST_CHAIN:
        seen.add(following)
        columns = (Product.id, Product.kind, Product.slug, Product.status, Product.successor_id)
        row = session.execute(select(*columns).where(Product.id == following)).one_or_none()
        if row is None:
            return None
        if row.status == "published":
            return Address(row.id, row.kind, row.slug)
        following = row.successor_id
    return None
