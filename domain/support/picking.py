"""What fits the text in a field in which staff pick one of many things."""

from typing import NamedTuple

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session

from domain.support.learners import finding
from domain.tables import Category, Instructor, Organisation, Product

MAX_OPTIONS = 10
Named = type[Organisation] | type[Category] | type[Instructor]


class PickedThing(NamedTuple):
    """`value`: as calls take it. `detail`: tells things with the same name apart."""

    value: str
    text: str
    detail: str


def products(session: Session, text: str) -> list[PickedThing]:
    """Products that are not drafts, by a part of their name or the beginning of their slug. The value is the slug with
    the kind before it."""
    return _products(session, text, Product.status != "draft")


def published(session: Session, text: str, kind: str) -> list[PickedThing]:
    """Published courses or items, by their slugs."""
    found = _products(session, text, Product.status == "published", Product.kind == kind)
    return [PickedThing(row.value.partition(":")[2], row.text, row.value.partition(":")[2]) for row in found]


def organisations(session: Session, text: str) -> list[PickedThing]:
    """Approved organisations, by a part of their name or the beginning of their slug."""
    return _named(session, text, Organisation, Organisation.state == "approved")


def categories(session: Session, text: str) -> list[PickedThing]:
    return _named(session, text, Category)


def instructors(session: Session, text: str) -> list[PickedThing]:
    return _named(session, text, Instructor)


def people(session: Session, text: str) -> list[PickedThing]:
    """People with an account, as the search for a learner finds them. The value is the student number."""
    hits, _ = finding.find(session, text)
    return [
        PickedThing(hit.student_number, hit.name or hit.email, f"{hit.email}, {hit.student_number}")
        for hit in hits[:MAX_OPTIONS]
    ]


_KINDS = {"course": "Course", "item": "Shop item"}


def _products(session: Session, text: str, *conditions: ColumnElement[bool]) -> list[PickedThing]:
    query = select(Product.kind, Product.slug, Product.name, Product.status).where(_fits(Product, text), *conditions)
    found = session.execute(query.order_by(Product.name, Product.id).limit(MAX_OPTIONS))
    return [PickedThing(f"{kind}:{slug}", name, f"{_KINDS[kind]}, {status}") for kind, slug, name, status in found]


def _named(session: Session, text: str, table: Named, *conditions: ColumnElement[bool]) -> list[PickedThing]:
    query = select(table.slug, table.name).where(_fits(table, text), *conditions)
    found = session.execute(query.order_by(table.name, table.id).limit(MAX_OPTIONS))
    return [PickedThing(slug, name, slug) for slug, name in found]


def _fits(table: Named | type[Product], text: str) -> ColumnElement[bool]:
    text = text.strip()
    begins = table.slug.startswith(text.casefold(), autoescape=True)
    return or_(table.name.icontains(text, autoescape=True), begins)
