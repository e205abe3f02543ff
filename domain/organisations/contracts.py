"""The contracts of one organisation, as its own people read them."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.permissions import Tenant
from domain.seats import seat_rows
from domain.tables import Contract, ContractProduct, Product


@dataclass(frozen=True)
class ContractProductView:
    """A product that a contract names; `price` None: the terms of the contract."""

    contract_id: int
    name: str
    price: Decimal | None


@dataclass(frozen=True)
class ContractView:
    """A contract and what it is worth; `kind` and `value` as in domain.pricing.Offer. `seats` None: no limit.
    `start_days`, `idle_days`: after which a seat may go back. `term_days`: as in tables.Contract."""

    id: int
    starts_at: datetime
    ends_at: datetime | None
    seats: int | None
    seat_kind: str
    kind: str
    value: Decimal
    has_all_courses: bool
    is_restricted: bool
    join_policy: str
    shows_names: bool
    seat_price: Decimal | None
    is_self_service: bool
    start_days: int
    idle_days: int
    join_code: str | None
    join_code_uses: int
    term_days: int | None
    joining_gives_seat: bool
    products: tuple[ContractProductView, ...]

    @property
    def is_unpaid(self) -> bool:
        return seat_rows.is_unpaid(self)

    def is_running(self, at: datetime) -> bool:
        return seat_rows.is_running(self, at)

    def sells_seats(self, at: datetime) -> bool:
        """Whether owners may buy seats themselves."""
        has_seats = self.seats is not None and self.seat_price is not None
        return self.is_self_service and has_seats and self.is_running(at)

    def days_left(self, at: datetime) -> int | None:
        """Whole days, rounded up; None without an end, and for one that does not run."""
        if self.ends_at is None or not self.is_running(at):
            return None
        return -((at - self.ends_at) // (self.ends_at.resolution * 86_400_000_000))


def contracts_of(session: Session, tenant: Tenant) -> tuple[ContractView, ...]:
    """All contracts of an organisation, the newest first."""
    own = Contract.organisation_id == tenant.organisation_id
    newest_first = select(Contract).where(own).order_by(Contract.starts_at.desc(), Contract.id.desc())
    contracts = session.scalars(newest_first).all()
    query = (
        select(ContractProduct.contract_id, Product.name, ContractProduct.price)
        .join(Product, Product.id == ContractProduct.product_id)
        .join(Contract, Contract.id == ContractProduct.contract_id)
        .where(own)
        .order_by(Product.name, Product.id)
    )
    products = [ContractProductView(*row) for row in session.execute(query)]
    return tuple(_view(row, products) for row in contracts)


def _view(row: Contract, products: list[ContractProductView]) -> ContractView:
    return ContractView(
        id=row.id,
        starts_at=row.starts_at,
        ends_at=row.ends_at,
        seats=row.seats,
        seat_kind=row.seat_kind,
        kind=row.kind,
        value=row.value,
        has_all_courses=row.has_all_courses,
        is_restricted=row.is_restricted,
        join_policy=row.join_policy,
        shows_names=row.shows_names,
        seat_price=row.seat_price,
        is_self_service=row.is_self_service,
        start_days=row.start_days,
        idle_days=row.idle_days,
        join_code=row.join_code,
        join_code_uses=row.join_code_uses,
        term_days=row.term_days,
        joining_gives_seat=row.joining_gives_seat,
        products=tuple(product for product in products if product.contract_id == row.id),
    )
