"""What organisations give their members: prices of contracts, and limits to the products that contracts cover."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple, cast

from sqlalchemy import bindparam, or_, select
from sqlalchemy.orm import Session

from domain.catalogue.scope import CatalogueScope
from domain.coupons.terms import Terms
from domain.database.prepared_select import SelectByIds
from domain.identity.own_memberships import OwnMembership, approved, own_memberships
from domain.pricing.offers import Kind, Offer, OfferRef, Window
from domain.tables import Contract, ContractProduct, Organisation


@dataclass(frozen=True)
class ContractScope:
    """What a contract covers: all courses, single products with their own price (None: the contract's), or both."""

    contract_id: int
    has_all_courses: bool
    prices: dict[int, Decimal | None]

    def contains(self, product: Any) -> bool:
        return product.id in self.prices or (self.has_all_courses and product.kind == "course")


@dataclass(frozen=True)
class RunningContract:
    """A running contract of one organisation."""

    organisation_id: int
    organisation: str
    kind: Kind
    value: Decimal
    starts_at: datetime
    ends_at: datetime | None
    scope: ContractScope

    def terms_for(self, product: Any) -> Terms | None:
        """The contract's terms for a product, which are checked like a coupon's; None when there are none."""
        if not self.scope.contains(product):
            return None
        own_price = self.scope.prices.get(product.id)
        if own_price is None and not self.value and self.kind != "price":
            return None
        kind, value = (self.kind, self.value) if own_price is None else ("price", own_price)
        ref, window = OfferRef("contract", self.scope.contract_id), Window(self.starts_at, self.ends_at)
        offer = Offer(self.organisation, kind, value, ref=ref, window=window)
        return Terms(offer, self.starts_at, self.ends_at, organisation_id=self.organisation_id)


@dataclass(frozen=True)
class Access:
    """The access of one person: their `organisations`, the `running_contracts` of these, and the `scopes` to which the
    person is restricted (None: they see everything)."""

    organisations: frozenset[int] = frozenset()
    running_contracts: tuple[RunningContract, ...] = ()
    scopes: tuple[ContractScope, ...] | None = None

    @property
    def is_restricted(self) -> bool:
        return self.scopes is not None

    @property
    def catalogue_scope(self) -> CatalogueScope | None:
        """The part of the catalogue that a restricted person sees."""
        if self.scopes is None:
            return None
        contracts = tuple(sorted(scope.contract_id for scope in self.scopes))
        return CatalogueScope(contracts, any(scope.has_all_courses for scope in self.scopes))

    def allows(self, product: Any) -> bool:
        """Whether the person may see and buy a product (a row with id and kind)."""
        return self.scopes is None or any(scope.contains(product) for scope in self.scopes)

    def terms_for(self, product: Any) -> tuple[Terms, ...]:
        return tuple(terms for contract in self.running_contracts if (terms := contract.terms_for(product)) is not None)


PUBLIC_ACCESS = Access()


def access_of(session: Session, learner_id: int | None, at: datetime) -> Access:
    """A learner's access; visitors who are not signed in (None) have no organisation and no restriction."""
    if learner_id is None:
        return PUBLIC_ACCESS
    return access_of_member(session, approved(own_memberships(session, learner_id)), at)


def access_of_member(session: Session, memberships: Sequence[OwnMembership], at: datetime) -> Access:
    """The access that all `memberships` of one person in approved organisations give."""
    if not memberships:
        return PUBLIC_ACCESS
    organisations = frozenset(own.organisation_id for own in memberships)
    contracts = tuple(_running_contracts(session, organisations, at))
    restricting = {own.organisation_id for own in memberships if own.is_restricted}
    # A restricted member of an organisation without a running contract sees nothing.
    scopes = tuple(contract.scope for contract in contracts if contract.organisation_id in restricting)
    return Access(organisations, contracts, scopes if restricting else None)


def access_of_organisation(session: Session, organisation_id: int, at: datetime) -> Access:
    """The access of an unrestricted member of one organisation; of nobody for one that is not approved."""
    is_approved = (Organisation.id == organisation_id, Organisation.state == "approved")
    if session.scalar(select(Organisation.id).where(*is_approved)) is None:
        return PUBLIC_ACCESS
    organisations = frozenset([organisation_id])
    return Access(organisations, tuple(_running_contracts(session, organisations, at)))


def access_of_partner(session: Session, slug: str, at: datetime) -> Access:
    """The access of a visitor who followed an organisation's partner link: restricted if one of its contracts is."""
    query = select(Organisation.id).where(Organisation.slug == slug, Organisation.state == "approved")
    organisation_id = session.scalar(query)
    if organisation_id is None:
        return PUBLIC_ACCESS
    scopes = _scopes_of_restricted(session, organisation_id, at)
    return Access(scopes=scopes) if scopes else PUBLIC_ACCESS


def _is_running(at: Any) -> tuple[Any, ...]:
    return (Contract.starts_at <= at, or_(Contract.ends_at.is_(None), Contract.ends_at > at))


_contracts, _prices = Contract.__table__.c, ContractProduct.__table__.c


class _ContractRow(NamedTuple):
    id: int
    organisation_id: int
    has_all_courses: bool
    kind: str
    value: Decimal
    starts_at: datetime
    ends_at: datetime | None
    organisation: str


# Each page of a member needs both, if only for the session.
_RUNNING = SelectByIds(
    lambda ids: (
        select(*(_contracts[name] for name in _ContractRow._fields[:-1]), Organisation.name)
        .join(Organisation, Organisation.id == _contracts.organisation_id)
        .where(_contracts.organisation_id.in_(ids), *_is_running(bindparam("at")))
        .order_by(_contracts.id)
    ),
    _ContractRow._make,
)
_PRICES = SelectByIds(
    lambda ids: select(_prices.contract_id, _prices.product_id, _prices.price).where(_prices.contract_id.in_(ids)),
    tuple,
)


def _running_contracts(session: Session, organisations: frozenset[int], at: datetime) -> list[RunningContract]:
    rows = _RUNNING.all(session, sorted(organisations), at=at)
    scopes = _scopes(session, rows)
    return [
        RunningContract(
            *(row.organisation_id, row.organisation, cast("Kind", row.kind), row.value),
            *(row.starts_at, row.ends_at, scopes[row.id]),
        )
        for row in rows
    ]


def _scopes(session: Session, contracts: Sequence[_ContractRow | Contract]) -> dict[int, ContractScope]:
    scopes = {row.id: ContractScope(row.id, row.has_all_courses, {}) for row in contracts}
    for contract_id, product_id, price in _PRICES.all(session, scopes):
        scopes[contract_id].prices[product_id] = price
    return scopes


def _scopes_of_restricted(session: Session, organisation_id: int, at: datetime) -> tuple[ContractScope, ...]:
    of_organisation = (Contract.organisation_id == organisation_id, Contract.is_restricted)
    contracts = session.scalars(select(Contract).where(*of_organisation, *_is_running(at)).order_by(Contract.id)).all()
    return tuple(_scopes(session, contracts).values())
