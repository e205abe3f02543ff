"""Ready-made things for tests; each takes what the test is about and fills in the rest."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy.orm import Session

from domain.tables import (
    CartLine,
    Category,
    Contract,
    ContractProduct,
    Coupon,
    CouponUse,
    Course,
    Learner,
    Membership,
    Organisation,
    Product,
    Review,
    ShopItem,
)

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


def learner(session: Session, name: str = "Ada Lovelace", **about: Any) -> Learner:
    subject = about.pop("subject", name.casefold().replace(" ", "-"))
    facts: dict[str, Any] = {"student_number": f"s-{subject}", "email": f"{subject}@example.test", "created_at": NOON}
    made = Learner(issuer="https://id.example", subject=subject, name=name, roles=[], **{**facts, **about})
    session.add(made)
    session.flush()
    return made


def coupon(session: Session, shown: str = "SPRING", **about: Any) -> Coupon:
    facts: dict[str, Any] = {"kind": "percent", "value": Decimal(10), "created_at": NOON, **about}
    made = Coupon(code=shown.casefold(), shown=shown, **facts)
    session.add(made)
    session.flush()
    return made


def coupon_use(session: Session, coupon_id: int, learner_id: int, **about: Any) -> CouponUse:
    facts: dict[str, Any] = {"product_id": 1, "order_id": 5, "nth": 1, "state": "committed", "held_at": NOON, **about}
    made = CouponUse(coupon_id=coupon_id, learner_id=learner_id, **facts)
    session.add(made)
    session.flush()
    return made


def cart_line(session: Session, learner_id: int, product_id: int, **about: Any) -> CartLine:
    made = CartLine(learner_id=learner_id, product_id=product_id, **{"added_at": NOON, **about})
    session.add(made)
    session.flush()
    return made


def organisation(session: Session, slug: str = "northwind", name: str = "Northwind", **about: Any) -> Organisation:
    made = Organisation(slug=slug, name=name, **about)
    session.add(made)
    session.flush()
    return made


def contract(session: Session, organisation_id: int, *product_ids: int, **about: Any) -> Contract:
    """It names the products; prices of their own come as `prices`, id -> price."""
    prices = about.pop("prices", {})
    facts: dict[str, Any] = {"starts_at": NOON - timedelta(days=1), "kind": "percent", "value": Decimal(15), **about}
    made = Contract(organisation_id=organisation_id, **facts)
    session.add(made)
    session.flush()
    for one in {*product_ids, *prices}:
        session.add(ContractProduct(contract_id=made.id, product_id=one, price=prices.get(one)))
    session.flush()
    return made


def member(session: Session, learner_id: int, organisation_id: int, **about: Any) -> Membership:
    made = Membership(learner_id=learner_id, organisation_id=organisation_id, **{"joined_at": NOON, **about})
    session.add(made)
    session.flush()
    return made
