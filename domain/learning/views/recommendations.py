"""Courses for a learner to take next: what replaces a retired one of theirs, what they saved, and the next level of
what they study. Never one that they have."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Select, literal, or_, select, union_all
from sqlalchemy.orm import Session

from domain.catalogue import CARD_COLUMNS, CardRow, CatalogueScope
from domain.catalogue.scope import scope_conditions
from domain.learning.views.records import OwnCourse
from domain.tables import Enrolment, Product, WishlistEntry

MAX_RECOMMENDED = 4
# Of the newest courses: those before them say less about what comes next.
_STUDIED = 3
_NEXT_LEVEL = {"beginner": "intermediate", "intermediate": "advanced"}
# Why a course is recommended, the best reason first.
REASONS = ("successor", "saved", "next-level")


@dataclass(frozen=True)
class Recommendation:
    """`reason`: one of REASONS."""

    card: CardRow
    reason: str


def recommended(
    session: Session, learner_id: int, courses: Sequence[OwnCourse], scope: CatalogueScope | None
) -> tuple[Recommendation, ...]:
    """At most MAX_RECOMMENDED, within what the learner may see of the catalogue. One statement."""
    saved = select(WishlistEntry.product_id).where(WishlistEntry.learner_id == learner_id)
    parts = [_part(learner_id, "saved", Product.id.in_(saved), scope)]
    if successors := [course.row.successor_id for course in courses if course.row.successor_id is not None]:
        parts.append(_part(learner_id, "successor", Product.id.in_(successors), scope))
    if next_levels := _next_levels(courses):
        parts.append(_part(learner_id, "next-level", or_(*next_levels), scope))
    found: dict[int, Recommendation] = {}
    rows = session.execute(union_all(*parts)).all() if len(parts) > 1 else session.execute(parts[0]).all()
    for row in sorted(rows, key=lambda row: REASONS.index(row.reason)):
        card = CardRow._make(row[: len(CARD_COLUMNS)])
        found.setdefault(card.id, Recommendation(card, row.reason))
    return tuple(found.values())[:MAX_RECOMMENDED]


def _next_levels(courses: Sequence[OwnCourse]) -> list[ColumnElement[bool]]:
    pairs = {
        (course.row.category_id, _NEXT_LEVEL[course.row.level])
        for course in courses[:_STUDIED]
        if course.row.level in _NEXT_LEVEL
    }
    return [(Product.category_id == category_id) & (Product.level == level) for category_id, level in sorted(pairs)]


def _part(
    learner_id: int, reason: str, condition: ColumnElement[bool], scope: CatalogueScope | None
) -> Select[*tuple[object, ...]]:
    owned = select(Enrolment.id).where(Enrolment.learner_id == learner_id, Enrolment.product_id == Product.id)
    best = (
        select(*CARD_COLUMNS, literal(reason).label("reason"))
        .where(condition, Product.kind == "course", Product.status == "published", ~owned.exists())
        .where(*scope_conditions(scope))
        .order_by(Product.popularity.desc(), Product.id.desc())
        .limit(MAX_RECOMMENDED)
        .subquery()
    )
    return select(*best.c)
