"""Courses for a learner to take next: what replaces a retired one of theirs, what they saved, and the next level of
what they study, in the language in which they study it. Never one that they have."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement, Integer, Select, and_, bindparam, literal, or_, select, union_all
from sqlalchemy.orm import Session

from domain.catalogue.listing import CARD_COLUMNS, CardRow
from domain.catalogue.scope import CatalogueScope, scope_conditions
from domain.database.prepared_select import PreparedSelect
from domain.learning.views.records import CourseSummary
from domain.tables import Enrolment, Product, WishlistEntry

MAX_RECOMMENDED = 4
# How many of the newest courses count: those before them say less about what comes next.
_STUDIED = 3
# Retired courses whose successors are looked up.
_MAX_SUCCESSORS = 4
_NEXT_LEVEL = {"beginner": "intermediate", "intermediate": "advanced"}
# Why a course is recommended, the best reason first.
REASONS = ("successor", "saved", "next-level")

_products, _enrolments, _wishlist = Product.__table__.c, Enrolment.__table__.c, WishlistEntry.__table__.c


@dataclass(frozen=True)
class Recommendation:
    """`reason`: one of REASONS."""

    card: CardRow
    reason: str


def recommended(
    session: Session, learner_id: int, courses: Sequence[CourseSummary], scope: CatalogueScope | None
) -> tuple[Recommendation, ...]:
    """At most MAX_RECOMMENDED, within what the learner may see of the catalogue. One statement."""
    successors = [course.facts.successor_id for course in courses if course.facts.successor_id is not None]
    successors = successors[:_MAX_SUCCESSORS]
    levels = _next_levels(courses)
    values: dict[str, object] = {f"successor_{place}": id_ for place, id_ in enumerate(successors)}
    for place, (category_id, level, language) in enumerate(levels):
        values |= {f"category_{place}": category_id, f"level_{place}": level, f"language_{place}": language}
    found: dict[int, Recommendation] = {}
    rows = _statement(len(successors), len(levels), scope).all(session, learner=learner_id, **values)
    for row in sorted(rows, key=lambda row: REASONS.index(row.reason)):
        found.setdefault(row.card.id, row)
    return tuple(found.values())[:MAX_RECOMMENDED]


def _next_levels(courses: Sequence[CourseSummary]) -> list[tuple[int, str, str]]:
    """Categories, each with a level and a language."""
    triples = {
        (course.facts.category_id, _NEXT_LEVEL[course.facts.level], course.facts.language or "")
        for course in courses[:_STUDIED]
        if course.facts.level in _NEXT_LEVEL
    }
    return sorted(triples)


@lru_cache(100)
def _statement(successors: int, levels: int, scope: CatalogueScope | None) -> PreparedSelect[Recommendation]:
    """For so many successors, and so many categories with a level and a language."""
    saved = select(_wishlist.product_id).where(_wishlist.learner_id == bindparam("learner"))
    parts = [_part("saved", _products.id.in_(saved), scope)]
    if successors:
        ids = [bindparam(f"successor_{place}", type_=Integer()) for place in range(successors)]
        parts.append(_part("successor", _products.id.in_(ids), scope))
    if levels:
        triples = (
            and_(
                _products.category_id == bindparam(f"category_{place}"),
                _products.level == bindparam(f"level_{place}"),
                _products.language == bindparam(f"language_{place}"),
            )
            for place in range(levels)
        )
        parts.append(_part("next-level", or_(*triples), scope))
    together = union_all(*parts).subquery() if len(parts) > 1 else parts[0].subquery()
    return PreparedSelect(select(*together.c), _recommendation)


def _part(reason: str, condition: ColumnElement[bool], scope: CatalogueScope | None) -> Select[*tuple[Any, ...]]:
    own = (_enrolments.learner_id == bindparam("learner"), _enrolments.product_id == _products.id)
    owned = select(_enrolments.id).where(*own).correlate(Product.__table__)
    best = (
        select(*CARD_COLUMNS, literal(reason).label("reason"))
        .where(condition, _products.kind == "course", _products.status == "published", ~owned.exists())
        .where(*scope_conditions(scope))
        .order_by(_products.popularity.desc(), _products.id.desc())
        .limit(MAX_RECOMMENDED)
        .subquery()
    )
    return select(*best.c)


def _recommendation(cells: Iterable[Any]) -> Recommendation:
    *card, reason = cells
    return Recommendation(CardRow._make(card), reason)
