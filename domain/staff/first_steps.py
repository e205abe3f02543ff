"""What a new school does first: for the first page of its staff, until something is for sale."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, exists, select
from sqlalchemy.orm import Session

from domain.permissions import Permission
from domain.tables import Category, Product, StaffRole


@dataclass(frozen=True)
class FirstStep:
    """`kind` is one of KINDS."""

    kind: str
    is_done: bool


# Step -> who takes it, and the rows of which one shows that it is done.
KINDS: dict[str, tuple[Permission, Select[Any]]] = {
    "category": (Permission.CATALOGUE_WRITE, select(Category.id)),
    "course": (Permission.CATALOGUE_WRITE, select(Product.id).where(Product.kind == "course")),
    "publish": (Permission.CATALOGUE_PUBLISH, select(Product.id).where(Product.status == "published")),
    "colleague": (Permission.STAFF_WRITE, select(StaffRole.learner_id).where(StaffRole.role != "administrator")),
}
_WAS_OPEN = exists().where(Product.status.in_(("published", "retired")))


def first_steps(session: Session, permissions: Collection[Permission]) -> list[FirstStep]:
    """In their order; none once anything was published, and none for people who publish nothing."""
    if Permission.CATALOGUE_PUBLISH not in permissions or session.scalar(select(_WAS_OPEN)):
        return []
    return [
        FirstStep(kind, bool(session.scalar(select(rows.exists()))))
        for kind, (permission, rows) in KINDS.items()
        if permission in permissions
    ]
