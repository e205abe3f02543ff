"""The part of the catalogue that a restricted member sees: the products of their contracts."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, false, or_, select
from sqlalchemy.orm import Session

from domain.tables import Contract, ContractProduct, Organisation, Product

_contract_products = ContractProduct.__table__.c


@dataclass(frozen=True)
class CatalogueScope:
    """`contracts`: ids of the contracts whose products are visible; `has_all_courses`: one includes every course."""

    contracts: tuple[int, ...]
    has_all_courses: bool

    def condition(self) -> ColumnElement[bool]:
        """A condition on rows of products. OR instead of IN: IN is expanded at execution (PreparedSelect)."""
        parts: list[ColumnElement[bool]] = []
        if self.contracts:
            named = or_(*(_contract_products.contract_id == contract_id for contract_id in self.contracts))
            parts.append(Product.__table__.c.id.in_(select(_contract_products.product_id).where(named)))
        if self.has_all_courses:
            parts.append(Product.__table__.c.kind == "course")
        return or_(*parts) if parts else false()


@dataclass(frozen=True)
class ScopeSummary:
    """What a scope holds: its published `courses` and `items`, both together by id of their category, and the names of
    the organisations whose contracts they are, with the logo of the first that has one ("" for none)."""

    courses: int
    items: int
    by_category: dict[int, int]
    organisations: tuple[str, ...]
    logo: str


class ScopeOwners(NamedTuple):
    """The organisations whose contracts a scope has, by name, and the logo of the first with one."""

    names: tuple[str, ...]
    logo: str


def owners(session: Session, scope: CatalogueScope) -> ScopeOwners:
    query = (
        select(Organisation.name, Organisation.logo)
        .where(Organisation.id.in_(select(Contract.organisation_id).where(Contract.id.in_(scope.contracts))))
        .order_by(Organisation.name, Organisation.id)
    )
    rows = session.execute(query).all() if scope.contracts else []
    return ScopeOwners(tuple(name for name, _ in rows), next((logo for _, logo in rows if logo), ""))


def summary(cells: Iterable[tuple[int, str, int]], owned_by: ScopeOwners) -> ScopeSummary:
    """`cells`: ids of categories, kinds, and how many published products of the scope are of both."""
    kinds, categories = Counter[str](), Counter[int]()
    for category_id, kind, count in cells:
        kinds[kind] += count
        categories[category_id] += count
    items = kinds.total() - kinds["course"]
    return ScopeSummary(kinds["course"], items, dict(categories), owned_by.names, owned_by.logo)


def scope_conditions(scope: CatalogueScope | None) -> tuple[ColumnElement[bool], ...]:
    return () if scope is None else (scope.condition(),)


def is_in_scope(session: Session, scope: CatalogueScope | None, product_id: int) -> bool:
    """Whether the product is visible within the scope; None is no restriction."""
    if scope is None:
        return True
    return session.scalar(select(Product.id).where(Product.id == product_id, scope.condition())) is not None


def filter_in_scope(session: Session, scope: CatalogueScope | None, rows: Iterable[Any]) -> list[Any]:
    """The rows whose product is in the scope. `rows` have the id of a product; None is no restriction."""
    products = list(rows)
    if scope is None or not products:
        return products
    ids = [row.id for row in products]
    visible = set(session.scalars(select(Product.id).where(Product.id.in_(ids), scope.condition())))
    return [row for row in products if row.id in visible]
