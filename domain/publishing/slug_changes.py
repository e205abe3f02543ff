"""A new slug for a product; the old one leads to it for good."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.errors import Refused
from domain.publishing import slugs
from domain.publishing.shelves import moved
from domain.tables import FormerSlug, Product, ShopItem


def rename(session: Session, product: Product, new_slug: str, at: datetime) -> None:
    """The slug it has already changes nothing. One it had before is taken back into use.

    Raises Refused for what is no slug, for another product's slug, and for one that another product once had.
    """
    old_slug = product.slug
    if new_slug == old_slug:
        return
    _refuse(session, product, new_slug)
    own = session.get(FormerSlug, (product.kind, new_slug))
    if own is not None:
        session.delete(own)
    session.add(FormerSlug(kind=product.kind, slug=old_slug, product_id=product.id, until=at))
    product.slug, product.updated_at = new_slug, at
    _move_pictures(session, product, old_slug)
    session.flush()
    moved(session)


def _refuse(session: Session, product: Product, slug: str) -> None:
    if not slug or slug not in (slugs.ascii_slug(slug), slugs.letter_slug(slug)):
        raise Refused(f"{slug!r} is no slug: small letters and digits, joined by hyphens.")
    if session.scalar(select(Product.id).where(Product.kind == product.kind, Product.slug == slug)) is not None:
        raise Refused(f"Another {product.kind} is called {slug}.")
    former = session.get(FormerSlug, (product.kind, slug))
    if former is not None and former.product_id != product.id:
        raise Refused(f"{slug} is an old address of another {product.kind} and leads there.")


def _move_pictures(session: Session, product: Product, old_slug: str) -> None:
    """Drawn pictures carry the slug in their address; the next import would move them anyway."""

    def moved_picture(src: str) -> str:
        before, found, after = src.rpartition(f"/{old_slug}/")
        return f"{before}/{product.slug}/{after}" if found and src.startswith("/pictures/") else src

    product.image = moved_picture(product.image)
    details = session.get(ShopItem, product.id) if product.kind == "item" else None
    if details is not None:
        details.images = [picture | {"src": moved_picture(picture["src"])} for picture in details.images]
