"""Contracts as staff make and change them: recorded, with the seats that the number asks for."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.display_text import count_text
from domain.errors import InvalidInput, NotFound, Refused
from domain.learning import grants
from domain.seats import holding, numbers, seat_rows
from domain.tables import Contract, ContractProduct, Organisation, Product, Seat

CHANGED = "Somebody has changed this contract meanwhile. Load the page again, and make your change once more."
UNPAID = "This contract begins when the organisation pays for its seats. Change it then, or make another one."
MAX_DAYS = 3650


@dataclass(frozen=True)
class ContractDraft:
    """The terms as in tables.Contract. `products`: slug -> price, None for the terms of the contract."""

    starts_at: datetime
    ends_at: datetime | None
    seats: int | None
    seat_kind: str
    seat_price: Decimal | None
    kind: str
    value: Decimal
    products: Mapping[str, Decimal | None]
    has_all_courses: bool = False
    is_restricted: bool = False
    join_policy: str = "invitation"
    is_self_service: bool = False
    start_days: int = 30
    idle_days: int = 90
    shows_names: bool = False
    frees_completed: bool = False
    joining_gives_seat: bool = False


def create(session: Session, organisation: str, draft: ContractDraft, at: datetime, reason: str = "") -> int:
    """The id of a new contract of the organisation with this slug. Raises InvalidInput."""
    query = select(Organisation.id).where(Organisation.slug == organisation, Organisation.state == "approved")
    organisation_id = session.scalar(query)
    if organisation_id is None:
        raise InvalidInput({"organisation": "There is no approved organisation with this address."})
    products = _checked(session, draft)
    contract = Contract(organisation_id=organisation_id, **_columns(draft), seat_kind=draft.seat_kind, seats=0)
    session.add(contract)
    session.flush()
    _put_products(session, contract.id, products)
    numbers.set_number(session, contract, draft.seats, at)
    subject = Subject("contract", contract.id)
    after = {**_facts(contract), "products": _texts(draft)}
    recording.record(session, "contract.create", subject, after=after, reason=reason, organisation_id=organisation_id)
    return contract.id


def change(  # noqa: PLR0913 what, to what, when and why
    session: Session, contract_id: int, version: int, draft: ContractDraft, at: datetime, *, reason: str = ""
) -> None:
    """Other terms from now on: access by its seats follows another end, seats follow another number. Raises NotFound,
    Refused for a former version, for a contract that is not paid and for fewer seats than are used, and InvalidInput.
    """
    contract = seat_rows.lock_contract(session, contract_id)
    if contract.version != version:
        raise Refused(CHANGED)
    if seat_rows.is_unpaid(contract):
        # The payment sets when it begins and ends, and would take back what was changed.
        raise Refused(UNPAID)
    if draft.seat_kind != contract.seat_kind and _is_used(session, contract_id):
        raise InvalidInput({"seatKind": "Seats are in use: whom a seat is for cannot change any more."})
    products = _checked(session, draft)
    before = {**_facts(contract), "products": _product_texts(session, contract_id)}
    ends_at = contract.ends_at
    for name, value in _columns(draft).items():
        setattr(contract, name, value)
    contract.seat_kind, contract.version = draft.seat_kind, version + 1
    if draft.join_policy == "invitation":
        # A code that somebody still has opens nothing any more.
        contract.join_code = None
    _put_products(session, contract_id, products)
    numbers.set_number(session, contract, draft.seats, at)
    if ends_at != contract.ends_at:
        _extend_access(session, contract)
    after = {**_facts(contract), "products": _texts(draft)}
    subject, owner_id = Subject("contract", contract_id), contract.organisation_id
    recording.record(
        session, "contract.change", subject, before=before, after=after, reason=reason, organisation_id=owner_id
    )


def _is_used(session: Session, contract_id: int) -> bool:
    return bool(seat_rows.lock_seats(session, contract_id, Seat.state.in_(("active", "reserved", "spent"))))


def _extend_access(session: Session, contract: Contract) -> None:
    until = seat_rows.until_of(contract)
    for seat in seat_rows.lock_seats(session, contract.id, Seat.state.in_(holding.HELD)):
        grants.extend(session, seat_rows.source_of(seat), until)


def _checked(session: Session, draft: ContractDraft) -> dict[int, Decimal | None]:
    """The products by id. Raises InvalidInput."""
    errors = {**_errors_of_seats(draft), **_errors_of_terms(draft)}
    ids = dict(session.execute(select(Product.slug, Product.id).where(Product.slug.in_(draft.products))).all())
    if unknown := [slug for slug in draft.products if slug not in ids]:
        errors["products"] = f"There is no product {unknown[0]}."
    if not draft.products and not draft.has_all_courses:
        errors["products"] = "Name at least one product, or choose all courses."
    if errors:
        raise InvalidInput(errors)
    return {ids[slug]: price for slug, price in draft.products.items()}


def _errors_of_seats(draft: ContractDraft) -> dict[str, str]:
    errors = {}
    if draft.seats is not None and not 0 <= draft.seats <= numbers.MAX_SEATS:
        errors["seats"] = f"From 0 to {count_text(numbers.MAX_SEATS)} seats."
    if draft.is_self_service and (draft.seat_price is None or draft.seats is None):
        errors["isSelfService"] = "Seats that an organisation buys itself need a price and a number to begin with."
    is_of_one = draft.seat_kind == "person" or (len(draft.products) == 1 and not draft.has_all_courses)
    if draft.joining_gives_seat and not is_of_one:
        errors["joiningGivesSeat"] = "Of several courses nobody knows which: name one, or choose seats for a person."
    return errors


def _errors_of_terms(draft: ContractDraft) -> dict[str, str]:
    errors = {}
    if draft.ends_at is not None and draft.ends_at <= draft.starts_at:
        errors["endsOn"] = "The contract ends before it begins."
    for name, days in (("startDays", draft.start_days), ("idleDays", draft.idle_days)):
        if not 1 <= days <= MAX_DAYS:
            errors[name] = f"From 1 to {count_text(MAX_DAYS)} days."
    if draft.kind == "percent" and draft.value > 100:
        errors["value"] = "At most 100 percent."
    return errors


_NAMES = (
    *("starts_at", "ends_at", "seat_price", "kind", "value", "has_all_courses", "is_restricted", "join_policy"),
    *("is_self_service", "start_days", "idle_days", "shows_names", "frees_completed", "joining_gives_seat"),
)


def _columns(draft: ContractDraft) -> dict[str, Any]:
    return {name: getattr(draft, name) for name in _NAMES}


def _facts(contract: Contract) -> dict[str, Any]:
    return {name: getattr(contract, name) for name in (*_NAMES, "seats", "seat_kind")}


def _texts(draft: ContractDraft) -> list[str]:
    return sorted(slug if price is None else f"{slug} {price.normalize():f}" for slug, price in draft.products.items())


def _product_texts(session: Session, contract_id: int) -> list[str]:
    return sorted(
        slug if price is None else f"{slug} {price.normalize():f}" for slug, price in products_of(session, contract_id)
    )


def products_of(session: Session, contract_id: int) -> list[tuple[str, Decimal | None]]:
    """Slug and price of the products that a contract names."""
    query = select(Product.slug, ContractProduct.price).join(Product, Product.id == ContractProduct.product_id)
    return [
        (slug, price)
        for slug, price in session.execute(
            query.where(ContractProduct.contract_id == contract_id).order_by(Product.slug)
        )
    ]


def _put_products(session: Session, contract_id: int, products: Mapping[int, Decimal | None]) -> None:
    stored = session.scalars(select(ContractProduct).where(ContractProduct.contract_id == contract_id))
    present = {row.product_id: row for row in stored}
    for product_id in present.keys() - products.keys():
        session.delete(present[product_id])
    for product_id, price in products.items():
        if product_id in present:
            present[product_id].price = price
        else:
            session.add(ContractProduct(contract_id=contract_id, product_id=product_id, price=price))
    session.flush()


@dataclass(frozen=True)
class StaffContract:
    """A contract for staff. `organisation`: its name. `is_unpaid`: its terms cannot be changed yet."""

    id: int
    organisation: str
    version: int
    terms: ContractDraft
    is_unpaid: bool


def contract_of(session: Session, contract_id: int) -> StaffContract:
    """Raises NotFound."""
    query = select(Contract, Organisation.name).join(Organisation, Organisation.id == Contract.organisation_id)
    found = session.execute(query.where(Contract.id == contract_id)).one_or_none()
    if found is None:
        raise NotFound(seat_rows.UNKNOWN_CONTRACT)
    contract, organisation = found
    terms = ContractDraft(products=dict(products_of(session, contract_id)), **_facts(contract))
    return StaffContract(contract.id, organisation, contract.version, terms, seat_rows.is_unpaid(contract))
