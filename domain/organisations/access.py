"""What a learner's organisations give and allow: prices of their contracts, and to restricted members nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from domain.catalogue import Narrowed
from domain.coupons.terms import Terms
from domain.pricing import Offer
from domain.tables import Contract, ContractProduct, Membership, Organisation


@dataclass(frozen=True)
class Shelf:
    """What a contract names: all courses, single products with their own price (None: the contract's), or both."""

    contract_id: int
    has_all_courses: bool
    prices: dict[int, Decimal | None]

    def holds(self, product: Any) -> bool:
        return product.id in self.prices or (self.has_all_courses and product.kind == "course")


@dataclass(frozen=True)
class Agreement:
    """A running contract of one organisation."""

    organisation_id: int
    organisation: str
    kind: str
    value: Decimal
    starts_at: datetime
    ends_at: datetime | None
    shelf: Shelf

    def terms_for(self, product: Any) -> Terms | None:
        """The contract's price of a product, to be checked like any coupon; None when it has none."""
        if not self.shelf.holds(product):
            return None
        own = self.shelf.prices.get(product.id)
        if own is None and not self.value and self.kind != "price":
            return None
        kind, value = (self.kind, self.value) if own is None else ("price", own)
        offer = Offer(self.organisation, kind, value)  # type: ignore[arg-type]
        return Terms(offer, self.starts_at, self.ends_at, organisation_id=self.organisation_id)


@dataclass(frozen=True)
class Access:
    """Of one person: `organisations` they belong to, running `agreements`, and the `shelves` to which they are
    restricted (None: they see everything)."""

    organisations: frozenset[int] = frozenset()
    agreements: tuple[Agreement, ...] = ()
    shelves: tuple[Shelf, ...] | None = None

    @property
    def is_restricted(self) -> bool:
        return self.shelves is not None

    @property
    def narrowed(self) -> Narrowed | None:
        """The part of the catalogue that a restricted person sees."""
        if self.shelves is None:
            return None
        contracts = tuple(sorted(shelf.contract_id for shelf in self.shelves))
        return Narrowed(contracts, any(shelf.has_all_courses for shelf in self.shelves))

    def allows(self, product: Any) -> bool:
        """Whether the person may see and buy a product (a row with id and kind)."""
        return self.shelves is None or any(shelf.holds(product) for shelf in self.shelves)

    def terms_for(self, product: Any) -> tuple[Terms, ...]:
        return tuple(terms for one in self.agreements if (terms := one.terms_for(product)) is not None)


ANYBODY = Access()


def access_of(session: Session, learner_id: int | None, at: datetime) -> Access:
    """What the records say about a learner; whoever is not signed in belongs to nothing and is not restricted."""
    if learner_id is None:
        return ANYBODY
    memberships = session.execute(
        select(Membership.organisation_id, Membership.is_restricted)
        .join(Organisation, Organisation.id == Membership.organisation_id)
        .where(Membership.learner_id == learner_id, Organisation.state == "approved")
    ).all()
    if not memberships:
        return ANYBODY
    organisations = frozenset(one.organisation_id for one in memberships)
    agreements = tuple(_agreements(session, organisations, at))
    narrowing = {one.organisation_id for one in memberships if one.is_restricted}
    # A restricted member of an organisation without a running contract sees nothing.
    shelves = tuple(one.shelf for one in agreements if one.organisation_id in narrowing) if narrowing else None
    return Access(organisations, agreements, shelves)


def access_of_partner(session: Session, slug: str, at: datetime) -> Access:
    """What a visitor sees who came through an organisation's doorway: its courses alone when the contract says so."""
    contracts = select(Organisation.id).where(Organisation.slug == slug, Organisation.state == "approved")
    organisation_id = session.scalar(contracts)
    if organisation_id is None:
        return ANYBODY
    shelves = _shelves_of_restricted(session, organisation_id, at)
    return Access(shelves=shelves) if shelves else ANYBODY


def _running(at: datetime) -> tuple[Any, ...]:
    return (Contract.starts_at <= at, or_(Contract.ends_at.is_(None), Contract.ends_at > at))


def _agreements(session: Session, organisations: frozenset[int], at: datetime) -> list[Agreement]:
    found = session.execute(
        select(Contract, Organisation.name)
        .join(Organisation, Organisation.id == Contract.organisation_id)
        .where(Contract.organisation_id.in_(organisations), *_running(at))
        .order_by(Contract.id)
    ).all()
    shelves = _shelves(session, [contract for contract, _ in found])
    return [
        Agreement(one.organisation_id, name, one.kind, one.value, one.starts_at, one.ends_at, shelves[one.id])
        for one, name in found
    ]


def _shelves(session: Session, contracts: Sequence[Contract]) -> dict[int, Shelf]:
    made = {one.id: Shelf(one.id, one.has_all_courses, {}) for one in contracts}
    named = select(ContractProduct).where(ContractProduct.contract_id.in_(made))
    for row in session.scalars(named) if made else ():
        made[row.contract_id].prices[row.product_id] = row.price
    return made


def _shelves_of_restricted(session: Session, organisation_id: int, at: datetime) -> tuple[Shelf, ...]:
    of_organisation = (Contract.organisation_id == organisation_id, Contract.is_restricted)
    contracts = session.scalars(select(Contract).where(*of_organisation, *_running(at)).order_by(Contract.id)).all()
    return tuple(_shelves(session, contracts).values())
