"""A new slug for a product; the old one redirects to it forever."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.catalogue.changes import bump_version
from domain.crawlers import page_changes
from domain.errors import Refused
from domain.publishing import slugs
from domain.tables import FormerSlug, Product, ShopItem


def rename(session: Session, product: Product, new_slug: str, at: datetime) -> None:
    """Give the product a new slug. Its present slug changes nothing; a former slug of its own may be used again.

    Raises Refused for an invalid slug, for another product's slug, and for one that another product once had.
    """
    old_slug = product.slug
    if new_slug == old_slug:
        return
    _refuse(session, product, new_slug)
    own = session.get(FormerSlug, (product.kind, new_slug))
    if own is not None:
        session.delete(own)
    session.add(FormerSlug(kind=product.kind, slug=old_slug, product_id=product.id, replaced_at=at))
    product.slug, product.updated_at = new_slug, at
    _rename_pictures(session, product, old_slug)
    session.flush()
    page_changes.note_move(session, product, at)
    bump_version(session)


def _refuse(session: Session, product: Product, slug: str) -> None:
    if not slug or slug != slugs.slug_from(slug):
        raise Refused(f"{slug!r} is no slug: use lowercase letters and digits, joined by hyphens.")
    if session.scalar(select(Product.id).where(Product.kind == product.kind, Product.slug == slug)) is not None:
        raise Refused(f"Another {product.kind} is called {slug}.")
    former = session.get(FormerSlug, (product.kind, slug))
    if former is not None and former.product_id != product.id:
        raise Refused(f"{slug} is an old address of another {product.kind} and redirects to it.")


def _rename_pictures(session: Session, product: Product, old_slug: str) -> None:
    """URLs of generated pictures contain the slug."""

    def renamed(src: str) -> str:
        before, old_part, after = src.rpartition(f"/{old_slug}/")
        return f"{before}/{product.slug}/{after}" if old_part and src.startswith("/pictures/") else src

    product.image = renamed(product.image)
    details = session.get(ShopItem, product.id) if product.kind == "item" else None
    if details is not None:
        details.images = [picture | {"src": renamed(picture["src"])} for picture in details.images]
