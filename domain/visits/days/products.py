"""Products that visits name, by the slug of a course, also a former one, or the id of an item."""

from collections.abc import Collection

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.database.parts import parts_of
from domain.tables import FormerSlug, Product
from domain.typed_values import is_number

Products = dict[tuple[str, str], str]
# Names in one statement.
_CHUNK = 500


def known_products(session: Session) -> Products:
    """Kind and slug or id -> the key in reports."""
    former = session.execute(select(FormerSlug.slug, FormerSlug.product_id).where(FormerSlug.kind == "course"))
    products: Products = {("course", slug): str(product_id) for slug, product_id in former}
    for product_id, kind, slug in session.execute(select(Product.id, Product.kind, Product.slug)):
        products[kind, slug if kind == "course" else str(product_id)] = str(product_id)
    return products


def products_named(session: Session, names: Collection[tuple[str, str]]) -> Products:
    """The products among `known_products` that have these names: reports see few of many thousands."""
    found: Products = {}
    for slugs in parts_of(sorted({name for kind, name in names if kind == "course"}), _CHUNK):
        former = select(FormerSlug.slug, FormerSlug.product_id)
        current = select(Product.slug, Product.id)
        # A course that has the slug now comes last, and stays.
        for query in (
            former.where(FormerSlug.kind == "course", FormerSlug.slug.in_(slugs)),
            current.where(Product.kind == "course", Product.slug.in_(slugs)),
        ):
            found |= {("course", slug): str(product_id) for slug, product_id in session.execute(query)}
    ids = {name for kind, name in names if kind == "item" and is_number(name, 17)}
    for part in parts_of(sorted(map(int, ids)), _CHUNK):
        items = session.scalars(select(Product.id).where(Product.kind == "item", Product.id.in_(part)))
        found |= {("item", str(product_id)): str(product_id) for product_id in items}
    return found
