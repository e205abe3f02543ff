"""Orders of seats in the name of an organisation: one line of the kind `seats`, at the seat price of a contract.

The contract's price is what the form showed, else nothing is placed. What tax comes to depends on the billing address;
the buyer reads it on the page where they pay.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain import money
from domain.audit import recording
from domain.audit.recording import Subject
from domain.checkout import form_fields, placement
from domain.checkout import quote as checkout_quote
from domain.checkout.differences import Seen
from domain.checkout.form_fields import CheckoutNeeds
from domain.checkout.placement import Changed, Failed, OrderRequest, Placed, SeatLine
from domain.checkout.priced import CheckoutLine, CheckoutPrice
from domain.checkout.purchase import TERMS, PurchaseTerms
from domain.display_text import count_text
from domain.errors import InvalidInput, NotFound, Refused
from domain.orders.locks import LockedLearner, lock_buyer
from domain.orders.settings import Context
from domain.permissions import Tenant
from domain.pricing import engine as pricing_engine
from domain.pricing import quote_document
from domain.pricing.inputs import QuoteInputs
from domain.pricing.offers import Line
from domain.pricing.order_columns import line_columns, order_columns
from domain.seats.seat_rows import UNKNOWN_CONTRACT, is_running
from domain.shop_settings.shop import ShopSettings
from domain.tables import Contract, ContractProduct, Product
from domain.tax import vat_ids

MAX_QUANTITY = 1_000
MAX_NAME = 255
EMPTY: Mapping[str, Any] = MappingProxyType({})
NOT_SOLD = "No seats of this contract are sold. Ask us for another contract."
NO_TRANSFER = "Orders are not paid by bank transfer now. Pay by card."
NEW_PRICE = "The price of a seat has changed since this page was shown. Load it again."


@dataclass(frozen=True)
class SeatForm:
    """The form in which the buyer `learner_id` orders seats. `unit_minor`: the price of a seat that the form showed.
    `values`: of the billing address, by the names of the checkout. `terms`: the date of the accepted terms.
    `by_transfer`: it is paid by bank transfer."""

    learner_id: int
    key: str
    contract_id: int
    quantity: int
    unit_minor: int
    values: Mapping[str, str]
    terms: str
    by_transfer: bool = False


def place_seats(
    session: Session, tenant: Tenant, form: SeatForm, terms: PurchaseTerms, context: Context
) -> Placed | Changed | Failed:
    """Place the order, in a transaction that begins here; the same key gives the same order. Raises NotFound for a
    contract of others, InvalidInput by field, and KeyReused."""
    learner = lock_buyer(session, form.learner_id)
    contract = _contract(session, tenant, form.contract_id)
    return place_for(
        session, learner, contract, form, terms=terms, context=context, errors=_errors(contract, context.at)
    )


def place_for(  # noqa: PLR0913 who orders seats of what, and what was found and posted besides
    session: Session,
    learner: LockedLearner,
    contract: Contract,
    form: SeatForm,
    *,
    terms: PurchaseTerms,
    context: Context,
    errors: Mapping[str, str],
    posted: Mapping[str, Any] = EMPTY,
) -> Placed | Changed | Failed:
    """Place an order of seats of a contract that was read, for a locked learner; errors as of `place_seats`. `errors`:
    by field, of the contract. `posted`: what the form says besides."""
    needs = CheckoutNeeds(is_shipped=False, home=terms.shop.country, has_regional_rates=lambda _country: False)
    checked = form_fields.check(needs, form.values, vat_ids.check)
    found = {**checked.errors, **(errors or _differences(contract, form, terms))}
    if form.by_transfer and context.settings.bank is None:
        found["payment"] = NO_TRANSFER
    if found:
        raise InvalidInput(found)
    wanted = OrderRequest(
        learner_id=form.learner_id,
        form_key=form.key,
        seen=Seen(),
        lines=(),
        billing=checked.addresses.billing,
        organisation_id=contract.organisation_id,
        # Without the version.
        terms_date=form.terms[:10],
        purchase_order=checked.addresses.purchase_order,
        posted={**form.values, "contract": form.contract_id, "quantity": form.quantity, **posted, **_way(form)},
        by_transfer=form.by_transfer,
        seats=SeatLine(contract.id, form.quantity),
    )
    # The unit price was compared above: what follows from it counts as seen.
    wanted = replace(wanted, seen=_price(session, contract, wanted, terms.shop, context.at).seen)
    existing = placement.placed_before(session, form.learner_id, form.key, placement.posted_part(wanted))

    def price(session: Session, wanted: OrderRequest, at: datetime) -> CheckoutPrice:
        return _price(session, contract, wanted, terms.shop, at)

    return existing or placement.place_first(session, learner, wanted, price, context)


def _way(form: SeatForm) -> dict[str, str]:
    """How it is paid, where that is not by card: another way is another order."""
    return {"payment": "transfer"} if form.by_transfer else {}


def place_recorded(
    session: Session, tenant: Tenant, form: SeatForm, terms: PurchaseTerms, context: Context
) -> Placed | Changed | Failed:
    """`place_seats` in `Database.write_as`: a new order is recorded in the audit."""
    placed = place_seats(session, tenant, form, terms, context)
    if isinstance(placed, Placed) and placed.is_new:
        about = {"contract_id": form.contract_id, "quantity": form.quantity}
        recording.record(session, "seats.order", Subject("order", placed.code), after=about)
    else:
        recording.no_change(session)
    return placed


def refusal_of(result: Changed | Failed) -> Refused:
    """Why nothing was placed."""
    return Refused(" ".join(result.refusals.values()) if isinstance(result, Failed) else NEW_PRICE)


def _contract(session: Session, tenant: Tenant, contract_id: int) -> Contract:
    query = select(Contract).where(Contract.id == contract_id, Contract.organisation_id == tenant.organisation_id)
    contract = session.scalar(query)
    if contract is None:
        raise NotFound(UNKNOWN_CONTRACT)
    return contract


def _errors(contract: Contract, at: datetime) -> dict[str, str]:
    return {} if can_buy(contract, at) else {"contract": NOT_SOLD}


def _differences(contract: Contract, form: SeatForm, terms: PurchaseTerms) -> dict[str, str]:
    """What of the form does not hold."""
    errors = {}
    if not 1 <= form.quantity <= MAX_QUANTITY:
        errors["quantity"] = f"From 1 to {count_text(MAX_QUANTITY)} seats."
    if contract.seat_price is not None and money.to_minor(contract.seat_price, terms.shop.currency) != form.unit_minor:
        errors["contract"] = NEW_PRICE
    if form.terms != terms.date:
        errors[TERMS] = "The policy has changed since this page was shown. Load it again."
    return errors


def can_buy(contract: Contract, at: datetime) -> bool:
    """Whether owners may buy seats of the contract themselves."""
    has_seats = contract.seats is not None and contract.seat_price is not None
    return contract.is_self_service and has_seats and is_running(contract, at)


def _price(
    session: Session, contract: Contract, wanted: OrderRequest, shop: ShopSettings, at: datetime
) -> CheckoutPrice:
    if wanted.seats is None or contract.seat_price is None:
        raise ValueError("an order of seats has a contract that sells them")
    line = Line(contract.id, "item", "", contract.seat_price, quantity=wanted.seats.quantity)
    inputs, name = QuoteInputs((line,), None, shop), line_name(session, contract)
    return seats_price(session, inputs, wanted, at, name=name, contract_id=contract.id)


def seats_price(  # noqa: PLR0913 what is bought, by whom and when
    session: Session, inputs: QuoteInputs, wanted: OrderRequest, at: datetime, *, name: str, contract_id: int | None
) -> CheckoutPrice:
    """The price of one line of seats, with the tax of now at the address of `wanted`. `contract_id` None: their
    contract is not made yet."""
    shop = inputs.shop
    inputs = checkout_quote.with_tax_and_delivery(session, wanted, inputs, None, at)
    quote = pricing_engine.price(inputs)
    columns = line_columns(quote.lines[0], shop.currency) | {"kind": "seats"}
    seats = CheckoutLine(
        name=name,
        contract_id=contract_id,
        offered_minor=money.to_minor(quote.lines[0].offered, shop.currency),
        **columns,
    )
    return CheckoutPrice(lines=(seats,), document=quote_document.to_json(inputs, quote), **order_columns(quote))


def line_name(session: Session, contract: Contract) -> str:
    """What the seats are of, as orders and invoices say it."""
    query = select(Product.name).join(ContractProduct, ContractProduct.product_id == Product.id)
    names = session.scalars(query.where(ContractProduct.contract_id == contract.id).limit(2)).all()
    is_of_one = len(names) == 1 and not contract.has_all_courses
    # As long as a product's name may be.
    return f"Seats: {names[0]}"[:MAX_NAME] if is_of_one else f"Seats of contract {contract.id}"
