"""Ready-made things for tests; each takes what the test is about and fills in the rest."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy.orm import Session

from domain.tables import Category, Course, Product, Review, ShopItem

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def category(session: Session, slug: str = "tax", name: str = "Tax", position: int = 0) -> Category:
    made = Category(slug=slug, name=name, description=f"About {name}.", position=position)
    session.add(made)
    session.flush()
    return made


def product(session: Session, category_id: int, slug: str, **about: Any) -> Product:
    facts: dict[str, Any] = {
        "kind": "course",
        "name": slug.replace("-", " ").title(),
        "subtitle": f"What {slug} is about.",
        "level": "beginner",
        "language": "en",
        "duration_min": 90,
        "lesson_count": 6,
        "list_price": Decimal("100.00"),
        "image": f"/pictures/course/tax/{slug}/0.svg",
        "image_alt": "A picture",
        "status": "published",
        "published_at": NOON,
        "updated_at": NOON,
        **about,
    }
    made = Product(slug=slug, category_id=category_id, **facts)
    session.add(made)
    session.flush()
    return made


def course(session: Session, category_id: int, slug: str = "vat-basics", **about: Any) -> Product:
    detail = {"description": f"All of {slug}.", "sections": [], **about.pop("detail", {})}
    made = product(session, category_id, slug, **about)
    session.add(Course(id=made.id, **detail))
    session.flush()
    return made


def item(session: Session, category_id: int, slug: str = "tax-tables", **about: Any) -> Product:
    detail = {
        "description": f"All of {slug}.",
        "sku": f"SKU-{slug}",
        "delivery": "In 3 days.",
        **about.pop("detail", {}),
    }
    facts: dict[str, Any] = {"kind": "item", "item_kind": "book", "level": None, "language": None, "duration_min": None}
    made = product(session, category_id, slug, **{**facts, "lesson_count": None, **about})
    session.add(ShopItem(id=made.id, **detail))
    session.flush()
    return made


def review(session: Session, course_id: int, rating: int = 5, **about: Any) -> Review:
    facts: dict[str, Any] = {"author": "Ada L.", "title": "Clear", "body": "It helped me at work.", "at": NOON, **about}
    made = Review(course_id=course_id, rating=rating, **facts)
    session.add(made)
    session.flush()
    return made
