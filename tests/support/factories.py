"""Creates rows for tests: a test passes the columns it is about, the rest gets defaults."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import delete
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.permissions import Actor, SystemActor
from domain.tables import (
    CartLine,
    Category,
    Certificate,
    Contract,
    ContractProduct,
    Coupon,
    Course,
    Enrolment,
    Learner,
    Membership,
    Organisation,
    Product,
    Reservation,
    Review,
    ShopItem,
    StaffRole,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def category(session: Session, slug: str = "tax", name: str = "Tax", position: int = 0) -> Category:
    row = Category(slug=slug, name=name, description=f"About {name}.", position=position)
    session.add(row)
    session.flush()
    return row


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
    row = Product(slug=slug, category_id=category_id, **facts)
    session.add(row)
    session.flush()
    return row


def course(session: Session, category_id: int, slug: str = "vat-basics", **about: Any) -> Product:
    detail = {"description": f"All of {slug}.", "sections": [], **about.pop("detail", {})}
    row = product(session, category_id, slug, **about)
    session.add(Course(id=row.id, **detail))
    session.flush()
    return row


def item(session: Session, category_id: int, slug: str = "tax-tables", **about: Any) -> Product:
    detail = {
        "description": f"All of {slug}.",
        "sku": f"SKU-{slug}",
        "delivery": "In 3 days.",
        **about.pop("detail", {}),
    }
    facts: dict[str, Any] = {"kind": "item", "item_kind": "book", "level": None, "language": None, "duration_min": None}
    row = product(session, category_id, slug, **{**facts, "lesson_count": None, **about})
    session.add(ShopItem(id=row.id, **detail))
    session.flush()
    return row


def review(session: Session, course_id: int, rating: int = 5, **about: Any) -> Review:
    facts: dict[str, Any] = {
        "author": "Ada L.",
        "title": "Clear",
        "body": "It helped me at work.",
        "reviewed_at": NOON,
        **about,
    }
    row = Review(course_id=course_id, rating=rating, **facts)
    session.add(row)
    session.flush()
    return row


def learner(session: Session, name: str = "Ada Lovelace", **about: Any) -> Learner:
    subject = about.pop("subject", name.casefold().replace(" ", "-"))
    facts: dict[str, Any] = {"student_number": f"s-{subject}", "email": f"{subject}@example.test", "created_at": NOON}
    row = Learner(issuer="https://id.example", subject=subject, name=name, **{**facts, **about})
    session.add(row)
    session.flush()
    return row


def certificate(session: Session, enrolment: Enrolment, code: str = "c", **about: Any) -> Certificate:
    facts = {"number": 1, "holder_name": "Ada Lovelace", "course_name": "VAT basics", "rule_text": "Finish it."}
    times = {"completed_at": NOON, "issued_at": NOON}
    owner = {"learner_id": enrolment.learner_id, "product_id": enrolment.product_id}
    row = Certificate(code=code, enrolment_id=enrolment.id, **{**facts, **times, **owner, **about})
    session.add(row)
    session.flush()
    row.status_index = row.id
    session.flush()
    return row


def coupon(session: Session, display_code: str = "SPRING", **about: Any) -> Coupon:
    facts: dict[str, Any] = {"kind": "percent", "value": Decimal(10), "created_at": NOON, **about}
    row = Coupon(code=display_code.casefold(), display_code=display_code, **facts)
    session.add(row)
    session.flush()
    return row


def coupon_use(session: Session, coupon_id: int, learner_id: int, **about: Any) -> Reservation:
    """A use on a line of the learner's cart."""
    facts: dict[str, Any] = {"product_id": 1, "slot": 1, "reserved_at": NOON, "expires_at": NOON, **about}
    key = f"cart:{learner_id}:{facts['product_id']}"
    row = Reservation(kind="coupon", resource_id=coupon_id, learner_id=learner_id, owner_key=key, **facts)
    session.add(row)
    session.flush()
    return row


def cart_line(session: Session, learner_id: int, product_id: int, **about: Any) -> CartLine:
    row = CartLine(learner_id=learner_id, product_id=product_id, **{"added_at": NOON, **about})
    session.add(row)
    session.flush()
    return row


def organisation(session: Session, slug: str = "northwind", name: str = "Northwind", **about: Any) -> Organisation:
    row = Organisation(slug=slug, name=name, **about)
    session.add(row)
    session.flush()
    return row


def contract(session: Session, organisation_id: int, *product_ids: int, **about: Any) -> Contract:
    """A contract for these products. `prices`: product id -> its contract price."""
    prices = about.pop("prices", {})
    facts: dict[str, Any] = {"starts_at": NOON - timedelta(days=1), "kind": "percent", "value": Decimal(15), **about}
    row = Contract(organisation_id=organisation_id, **facts)
    session.add(row)
    session.flush()
    for product_id in {*product_ids, *prices}:
        session.add(ContractProduct(contract_id=row.id, product_id=product_id, price=prices.get(product_id)))
    session.flush()
    return row


def member(session: Session, learner_id: int, organisation_id: int, **about: Any) -> Membership:
    row = Membership(learner_id=learner_id, organisation_id=organisation_id, **{"joined_at": NOON, **about})
    session.add(row)
    session.flush()
    return row


def staff(session: Session, learner_id: int, *roles: str) -> None:
    """Give a learner these staff roles and no others."""
    session.execute(delete(StaffRole).where(StaffRole.learner_id == learner_id))
    session.add_all(StaffRole(learner_id=learner_id, role=role, granted_at=NOON) for role in roles)
    session.flush()


def actor(learner_id: int, *roles: str, **about: Any) -> Actor:
    """Somebody of the staff who makes a call at noon; without `roles` an administrator."""
    facts: dict[str, Any] = {"area": "admin", "request_id": "0" * 16, "at": NOON, **about}
    return Actor(learner_id, roles=roles or ("administrator",), **facts)


def run_as_system(session: Session, change: Callable[[Session, int, datetime], bool], id_: int, at: datetime) -> bool:
    """Do a change that begins by itself at its time, recorded as `adapters/periodic.py` does it."""
    return recording.run(session, SystemActor("system", at), change, id_, at)
