"""What fits the text in a field in which staff pick one of many things."""

from typing import NamedTuple

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from domain.tables import Organisation, Product

MAX_OPTIONS = 10


class PickedOrganisation(NamedTuple):
    slug: str
    name: str


class PickedProduct(NamedTuple):
    kind: str
    slug: str
    name: str
    status: str


def products(session: Session, text: str) -> list[PickedProduct]:
    """Products that are not drafts, by a part of their name or the beginning of their slug."""
    text = text.strip()
    fits = or_(Product.name.icontains(text, autoescape=True), Product.slug.startswith(text.casefold(), autoescape=True))
    query = select(Product.kind, Product.slug, Product.name, Product.status).where(fits, Product.status != "draft")
    return [
        PickedProduct._make(row) for row in session.execute(query.order_by(Product.name, Product.id).limit(MAX_OPTIONS))
    ]


def organisations(session: Session, text: str) -> list[PickedOrganisation]:
    """Approved organisations, by a part of their name or the beginning of their slug."""
    text = text.strip()
    begins = Organisation.slug.startswith(text.casefold(), autoescape=True)
    fits = or_(Organisation.name.icontains(text, autoescape=True), begins)
    query = select(Organisation.slug, Organisation.name).where(fits, Organisation.state == "approved")
    found = session.execute(query.order_by(Organisation.name, Organisation.id).limit(MAX_OPTIONS))
    return [PickedOrganisation._make(row) for row in found]
