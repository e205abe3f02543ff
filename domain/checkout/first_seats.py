"""The first purchase of an organisation: seats of a course at the shop's price, and the contract that comes with them.

The contract begins with the payment and lasts the shop's term from then on. Until it is paid it ends when it begins, so
that it opens nothing to anybody; another attempt takes it up again.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.catalogue.listing import price_now
from domain.checkout.placement import Placed
from domain.checkout.purchase import PurchaseTerms
from domain.checkout.seat_purchase import SeatForm, place_for, refusal_of
from domain.errors import InvalidInput
from domain.orders.locks import lock_buyer
from domain.orders.settings import Context
from domain.permissions import Tenant
from domain.seats import seat_rows
from domain.tables import Contract, ContractProduct, Order, Organisation, Product, SeatQuote

NO_COURSE = "Choose a course that the shop sells."
NOT_OFFERED = "Your contract was made by us. Ask us for seats of further courses."
HAS_SEATS = "You have a contract for this course. Buy more seats under it, on this page."
MAX_OPTIONS = 10


@dataclass(frozen=True)
class SoldCourse:
    """A course of which seats are sold. `price`: of a seat now, as of the course."""

    id: int
    slug: str
    name: str
    price: Decimal


@dataclass(frozen=True)
class FirstSeats:
    """`form`: with contract 0. `course`: a slug. `shows_names`, `joining_gives_seat`, `term_days`: of the contract."""

    form: SeatForm
    course: str
    shows_names: bool
    joining_gives_seat: bool
    term_days: int


def are_sold(session: Session, tenant: Tenant, term_days: int, at: datetime) -> bool:
    """Whether the organisation buys seats of any course: the shop sells them, and no contract that staff made runs."""
    by_staff = select(Contract).where(Contract.organisation_id == tenant.organisation_id, Contract.term_days.is_(None))
    return term_days > 0 and not any(seat_rows.is_running(contract, at) for contract in session.scalars(by_staff))


def sold_course(session: Session, slug: str, at: datetime) -> SoldCourse | None:
    """None for a course that is not published, or free: then nobody needs a seat."""
    found = session.scalars(_courses().where(Product.slug == slug)).first()
    return None if found is None or not price_now(found, at) else _sold(found, at)


def courses_named(session: Session, text: str, at: datetime) -> list[SoldCourse]:
    """Published courses by a part of their name, by name."""
    query = _courses().where(Product.name.icontains(text.strip(), autoescape=True), Product.list_price > 0)
    rows_ = session.scalars(query.order_by(Product.name, Product.id).limit(MAX_OPTIONS))
    return [_sold(row, at) for row in rows_ if price_now(row, at)]


def _courses() -> Select[Product]:
    return select(Product).where(Product.kind == "course", Product.status == "published")


def _sold(row: Product, at: datetime) -> SoldCourse:
    return SoldCourse(row.id, row.slug, row.name, price_now(row, at))


def place_first_seats(
    session: Session, tenant: Tenant, purchase: FirstSeats, terms: PurchaseTerms, context: Context
) -> Placed:
    """Make the contract and place the order, in a transaction that begins here, for `Database.write_as`; the same key
    gives the same order. Raises InvalidInput by field, Refused and KeyReused."""
    learner = lock_buyer(session, purchase.form.learner_id)
    session.execute(select(Organisation.id).where(Organisation.id == tenant.organisation_id).with_for_update())
    course = sold_course(session, purchase.course, context.at)
    if course is None:
        raise InvalidInput({"course": NO_COURSE})
    if not are_sold(session, tenant, purchase.term_days, context.at):
        raise InvalidInput({"course": NOT_OFFERED})
    contract = _contract(session, tenant, course, context.at)
    is_unpaid = contract.id is None or seat_rows.is_unpaid(contract)
    before = {} if contract.id is None else _terms(course, contract.seat_price, contract)
    is_repeated = _is_repeated(session, purchase.form)
    is_other = before != _terms(course, course.price, purchase)
    if contract.id is None or (is_unpaid and is_other and not is_repeated):
        _put_terms(session, contract, course, purchase, context.at)
    choices = {"showsNames": purchase.shows_names, "joiningGivesSeat": purchase.joining_gives_seat}
    posted = {"course": purchase.course, **choices}
    errors = {} if is_unpaid or is_repeated else {"course": HAS_SEATS}
    placed = place_for(
        session, learner, contract, purchase.form, terms=terms, context=context, errors=errors, posted=posted
    )
    if not isinstance(placed, Placed):
        # So that no contract stays without an order.
        raise refusal_of(placed)
    after = _terms(course, contract.seat_price, contract)
    _record(session, contract, placed, purchase.form.quantity, (before, after))
    return placed


def _is_repeated(session: Session, form: SeatForm) -> bool:
    """Whether the form has placed an order before."""
    is_its = (Order.learner_id == form.learner_id, Order.form_key == form.key)
    return session.scalar(select(Order.id).where(*is_its)) is not None


def _contract(session: Session, tenant: Tenant, course: SoldCourse, at: datetime) -> Contract:
    """The organisation's own contract for a course that runs or was not paid yet, else a new one. The organisation is
    locked."""
    query = (
        select(Contract)
        .join(ContractProduct, ContractProduct.contract_id == Contract.id)
        .where(Contract.organisation_id == tenant.organisation_id, Contract.term_days.is_not(None))
        .where(ContractProduct.product_id == course.id)
        .order_by(Contract.id.desc())
        .with_for_update(of=Contract)
    )
    quoted = select(SeatQuote.contract_id).where(SeatQuote.organisation_id == tenant.organisation_id)
    of_quotes = {*session.scalars(quoted.where(SeatQuote.contract_id.is_not(None)))}
    for contract in session.scalars(query.execution_options(populate_existing=True)):
        if seat_rows.is_unpaid(contract) and contract.id in of_quotes:
            # Its terms were promised, and wait for the payment of its own order.
            continue
        has_ended = contract.ends_at is not None and contract.ends_at <= at
        if not has_ended or seat_rows.is_unpaid(contract):
            return contract
    return new_contract(tenant.organisation_id)


def new_contract(organisation_id: int) -> Contract:
    """A contract that comes with the first seats of a course, not stored and without its terms."""
    about = {"seats": 0, "seat_kind": "course", "is_self_service": True}
    # Staff have approved each email domain: whoever has such an address may join, as the application promised.
    return Contract(organisation_id=organisation_id, join_policy="domain", **about)


def _put_terms(session: Session, contract: Contract, course: SoldCourse, purchase: FirstSeats, at: datetime) -> None:
    """Write the terms of an attempt to buy. Those of the newest hold, whichever order is paid; a repeated form is no
    attempt, and one with the same terms changes nothing. A form of staff with the former ones is refused."""
    is_new = contract.id is None
    contract.starts_at = contract.ends_at = at
    contract.term_days, contract.seat_price = purchase.term_days, course.price
    contract.shows_names, contract.joining_gives_seat = purchase.shows_names, purchase.joining_gives_seat
    if not is_new:
        contract.version += 1
    session.add(contract)
    session.flush()
    if is_new:
        session.add(ContractProduct(contract_id=contract.id, product_id=course.id))
        session.flush()


def _terms(course: SoldCourse, price: Decimal | None, choices: Contract | FirstSeats) -> dict[str, Any]:
    """As the audit shows them. `price`: of a seat."""
    names = ("term_days", "shows_names", "joining_gives_seat")
    about = {name: getattr(choices, name) for name in names}
    return {"course": course.slug, "seat_price": f"{(price or Decimal(0)).normalize():f}", **about}


Change = tuple[dict[str, Any], dict[str, Any]]


def _record(session: Session, contract: Contract, placed: Placed, quantity: int, terms: Change) -> None:
    if terms[0] != terms[1]:
        recording.record(session, "contract.buy", Subject("contract", contract.id), before=terms[0], after=terms[1])
    elif not placed.is_new:
        recording.no_change(session)
    if placed.is_new:
        about = {"contract_id": contract.id, "quantity": quantity}
        recording.record(session, "seats.order", Subject("order", placed.code), after=about)
