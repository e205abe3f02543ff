"""A part of the catalogue: what the contracts name to which somebody is restricted, and nothing else."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, false, or_, select
from sqlalchemy.orm import Session

from domain.tables import ContractProduct, Product

_named = ContractProduct.__table__.c


@dataclass(frozen=True)
class Narrowed:
    """`contracts`: ids of those whose products are seen; `has_all_courses`: one of them names every course."""

    contracts: tuple[int, ...]
    has_all_courses: bool

    def condition(self) -> ColumnElement[bool]:
        """Of rows of products. Written out, not IN: what that becomes is only known at execution."""
        found: list[ColumnElement[bool]] = []
        if self.contracts:
            ours = or_(*(_named.contract_id == one for one in self.contracts))
            found.append(Product.__table__.c.id.in_(select(_named.product_id).where(ours)))
        if self.has_all_courses:
            found.append(Product.__table__.c.kind == "course")
        return or_(*found) if found else false()


def conditions(only: Narrowed | None) -> tuple[ColumnElement[bool], ...]:
    return () if only is None else (only.condition(),)


def within(session: Session, only: Narrowed | None, product_id: int) -> bool:
    """Whether somebody who sees no more than `only` sees this product."""
    if only is None:
        return True
    return session.scalar(select(Product.id).where(Product.id == product_id, only.condition())) is not None


def all_within(session: Session, only: Narrowed) -> set[int]:
    """Ids of everything in it, sold or not."""
    return set(session.scalars(select(Product.id).where(only.condition())))


def keep(session: Session, only: Narrowed | None, rows: Iterable[Any]) -> list[Any]:
    """Those rows (with an id) that are in it."""
    found = list(rows)
    if only is None or not found:
        return found
    ids = [row.id for row in found]
    seen = set(session.scalars(select(Product.id).where(Product.id.in_(ids), only.condition())))
    return [row for row in found if row.id in seen]
