"""The few words about a product that its social card shows."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.tables import Category, Product


@dataclass(frozen=True)
class ProductLabel:
    """`category` is the slug; `level` is None for an item, `item_kind` for a course."""

    name: str
    slug: str
    level: str | None
    item_kind: str | None
    category: str
    category_name: str


def product_label(session: Session, kind: str, product_id: int) -> ProductLabel | None:
    """None for a product that is not public, or of another kind."""
    columns = (Product.name, Product.slug, Product.level, Product.item_kind, Category.slug, Category.name)
    row = session.execute(
        select(*columns)
        .join(Category, Category.id == Product.category_id)
        .where(Product.id == product_id, Product.kind == kind, Product.status.in_(("published", "retired")))
    ).one_or_none()
    return None if row is None else ProductLabel(*row)
