"""The small shop behind the tests of the host: enough for two pages, and one of everything that is special."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.search import index as search_index
from domain.tables import CatalogueVersion, CourseInstructor, Instructor, Product
from tests.support import factories
from tests.support.factories import NOON

HOSTILE = "</script><script>alert(1)</script> & \"Sons\" <b>'é'</b> \u2028📚"
SALE_ENDS = datetime(2100, 1, 1, tzinfo=UTC)
# What is published: 30 courses and 2 items.
PUBLISHED = 32
PLAIN = 26

VAT: dict[str, Any] = {
    "name": "VAT basics",
    "subtitle": "File a return without fear.",
    "list_price": Decimal("100.00"),
    "sale_price": Decimal("80.00"),
    "sale_until": SALE_ENDS,
    "lowest_before": Decimal("90.00"),
    "rating": 4.5,
    "rating_count": 12,
    "duration_min": 95,
    "popularity": 100,
    "featured": 1,
    "detail": {
        "description": "Read **every** line.",
        "outcomes": ["File a return"],
        "faq": [{"question": "Is it hard?", "answer": "No."}],
        "sections": [
            {"title": "First", "lessons": [{"title": "Rates", "minutes": 60, "preview": "Look inside."}]},
            {"title": "Then", "lessons": [{"title": "Returns", "minutes": 35}]},
        ],
    },
}


def fill(session: Session) -> None:
    tax, data = factories.category(session), factories.category(session, "data", "Data", 1)
    law = factories.category(session, "law", "Law", 2)
    vat = factories.course(session, tax.id, "vat-basics", **VAT)
    _instructor(session, vat.id)
    _reviews(session, vat.id)
    factories.course(session, tax.id, "script-course", name=HOSTILE, subtitle=HOSTILE, popularity=90)
    for number in range(1, PLAIN + 1):
        about = {
            "list_price": Decimal(number),
            "popularity": 50 - number,
            "published_at": NOON + timedelta(days=number),
        }
        factories.course(session, data.id, f"course-{number:02}", **about)
    for slug in ("contracts", "privacy"):
        factories.course(session, law.id, slug)
    _gone(session, tax.id, vat.id)
    _items(session, tax.id)
    session.add(CatalogueVersion(id=1, number=1))
    search_index.index_products(session, session.scalars(select(Product.id)).all())


def _instructor(session: Session, course_id: int) -> None:
    ada = Instructor(slug="ada", name="Ada Lovelace", title="Adviser", bio="Twenty years of returns.")
    session.add(ada)
    session.flush()
    session.add(CourseInstructor(course_id=course_id, instructor_id=ada.id, position=0))


def _reviews(session: Session, course_id: int) -> None:
    factories.review(session, course_id, 5, author="Grace H.", body="It answered every question that I had at work.")
    factories.review(session, course_id, 4, author="Alan T.", title="Good", reviewed_at=NOON - timedelta(days=1))


def _gone(session: Session, category_id: int, successor_id: int) -> None:
    """What once was, and what is not yet."""
    # Retired in a far future is retired today, whenever that is: people still come to their pages.
    factories.course(
        session, category_id, "old-course", status="retired", successor_id=successor_id, retired_at=SALE_ENDS
    )
    factories.course(session, category_id, "ended-course", status="retired", retired_at=SALE_ENDS)
    factories.course(session, category_id, "draft-course", status="draft")
    factories.course(session, category_id, "coming-course", status="scheduled")
    factories.item(session, category_id, "old-item", status="retired", successor_id=successor_id)
    factories.item(session, category_id, "ended-item", status="retired")


def _items(session: Session, category_id: int) -> None:
    factories.item(session, category_id, "tax-tables", name="Tax tables", list_price=Decimal("19.90"), popularity=3)
    factories.item(session, category_id, "sold-out", list_price=Decimal("5.00"), detail={"stock": 0}, popularity=2)
