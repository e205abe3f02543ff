"""Products that visits name, by the slug of a course, also a former one, or the id of an item."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.tables import FormerSlug, Product

Products = dict[tuple[str, str], str]


def known_products(session: Session) -> Products:
    """Kind and slug or id -> the key in reports."""
    former = session.execute(select(FormerSlug.slug, FormerSlug.product_id).where(FormerSlug.kind == "course"))
    products: Products = {("course", slug): str(product_id) for slug, product_id in former}
    for product_id, kind, slug in session.execute(select(Product.id, Product.kind, Product.slug)):
        products[kind, slug if kind == "course" else str(product_id)] = str(product_id)
    return products
