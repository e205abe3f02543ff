"""Redirects of products: from former slugs, and from retired products to their successors.

A redirect always names the final target, so that browsers follow one hop.
"""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.tables import FormerSlug, Product

# A longer chain of successors is a mistake in the data.
MAX_CHAIN_LENGTH = 10


@dataclass(frozen=True)
class RedirectTarget:
    """The parts of a product's URL."""

    id: int
    kind: str
    slug: str


def redirect_target(session: Session, kind: str, former_slug: str) -> Product | None:
    """The product that once had this slug, with any status."""
    owner = select(FormerSlug.product_id).where(FormerSlug.kind == kind, FormerSlug.slug == former_slug)
    return session.scalar(select(Product).where(Product.id == owner.scalar_subquery()))


def successor(session: Session, product: Any) -> RedirectTarget | None:
    """The first published product in the chain of successors. `product`: a Product or its row."""
    seen = {product.id}
    next_id = product.successor_id
    while next_id is not None and next_id not in seen and len(seen) <= MAX_CHAIN_LENGTH:
        seen.add(next_id)
        columns = (Product.id, Product.kind, Product.slug, Product.status, Product.successor_id)
        row = session.execute(select(*columns).where(Product.id == next_id)).one_or_none()
        if row is None:
            return None
        if row.status == "published":
            return RedirectTarget(row.id, row.kind, row.slug)
        next_id = row.successor_id
    return None
