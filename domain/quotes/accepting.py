"""Accepting a quote: it becomes an order at its price, once. For `Database.write_as`."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain import money
from domain.audit import recording
from domain.audit.recording import Subject
from domain.checkout import first_seats, form_fields, placement, seat_purchase
from domain.checkout.form_fields import BUYER, PURCHASE_ORDER
from domain.checkout.placement import Failed, OrderRequest, Placed, SeatLine
from domain.checkout.priced import CheckoutPrice
from domain.checkout.purchase import NEW_TERMS, NO_TERMS, TERMS, PurchaseTerms
from domain.display_text import day_text, money_text
from domain.errors import InvalidInput, Refused
from domain.orders.locks import LockedLearner, lock_buyer
from domain.orders.settings import Context
from domain.permissions import Tenant
from domain.quotes import quote_prices, quote_states
from domain.seats import seat_rows
from domain.tables import Contract, ContractProduct, Order, Organisation, Product, SeatQuote

EXPIRED = "This quote was valid until {day}. Ask again: the form is filled in."
WITHDRAWN = "This quote was withdrawn. Ask for another one."
ACCEPTED = "This quote was accepted already: its order is {code}."
RETIRED = "The shop does not sell this course any more: the quote cannot be accepted. Ask us for another course."
CONTRACT_ENDED = "The contract of this quote has ended, so that its seats would open nothing. Ask for another quote."
ORGANISATION_ENDED = "This organisation is not open any more."
NEW_TOTAL = "The total is {now} now, not {seen}: tax is that of the day of supply. Load the page again to see it."


@dataclass(frozen=True)
class Acceptance:
    """The form in which the owner `learner_id` accepts a quote. `total_minor`: the total that the form showed. `terms`:
    the date of the accepted terms. `purchase_order`: as typed. `shows_names`, `joining_gives_seat`: of the contract
    that comes with first seats. `by_transfer`: the order is paid by bank transfer."""

    learner_id: int
    quote_id: int
    total_minor: int
    terms: str
    purchase_order: str = ""
    shows_names: bool = False
    joining_gives_seat: bool = False
    by_transfer: bool = False


def accept(session: Session, tenant: Tenant, acceptance: Acceptance, terms: PurchaseTerms, context: Context) -> Placed:
    """Place the order of a quote, in a transaction that begins here. Whoever accepted it gets the same order again
    while it is paid or can be. Raises NotFound for a quote of others, Refused for one that is not open, and
    InvalidInput by field."""
    learner = lock_buyer(session, acceptance.learner_id)
    organisation = select(Organisation.state).where(Organisation.id == tenant.organisation_id).with_for_update()
    is_open = session.scalar(organisation) == "approved"
    quote, order = quote_states.lock_quote(session, tenant, acceptance.quote_id)
    if order is not None and order.state not in quote_states.ENDED_UNPAID:
        if order.learner_id != learner.id:
            raise Refused(ACCEPTED.format(code=order.code))
        recording.no_change(session)
        return placement.placed_again(session, order)
    if refusal := refusal_of(session, quote, order, context.at) or ("" if is_open else ORGANISATION_ENDED):
        raise Refused(refusal)
    purchase_order = _checked(acceptance, terms, context)
    contract = _contract(session, quote, acceptance, context.at)
    priced = quote_prices.price_now(session, quote, contract.id, context.at)
    if priced.total_minor != acceptance.total_minor:
        raise Refused(_new_total(priced, acceptance.total_minor, context))
    wanted = _request(quote, contract, acceptance, priced, purchase_order)
    placed = _place(session, learner, wanted, priced, context)
    quote.state, quote.order_id, quote.ended_at = "accepted", placed.order_id, context.at
    session.flush()
    _record(session, quote, contract, placed)
    return placed


def refusal_of(session: Session, quote: SeatQuote, order: Order | None, at: datetime) -> str:
    """Why a quote whose order is not paid cannot be accepted now, in words; "" when it can be."""
    state = quote_states.state_now(quote, None if order is None else order.state, at)
    if state == "withdrawn":
        return WITHDRAWN
    if state == "expired":
        return EXPIRED.format(day=day_text(quote_states.last_day(quote.valid_until)))
    if quote.term_days is None:
        contract = None if quote.contract_id is None else session.get(Contract, quote.contract_id)
        return "" if contract is not None and seat_rows.is_running(contract, at) else CONTRACT_ENDED
    is_sold = select(Product.id).where(Product.id == quote.product_id, Product.status == "published")
    return "" if session.scalar(is_sold) is not None else RETIRED


def _checked(acceptance: Acceptance, terms: PurchaseTerms, context: Context) -> str:
    """The purchase order number. Raises InvalidInput."""
    errors = {}
    if acceptance.terms != terms.date:
        errors[TERMS] = NEW_TERMS if acceptance.terms else NO_TERMS
    number = form_fields.purchase_order_of({BUYER: "business", PURCHASE_ORDER: acceptance.purchase_order})
    if refusal := form_fields.refused_number(number):
        errors["purchaseOrder"] = refusal
    if acceptance.by_transfer and context.settings.bank is None:
        errors["payment"] = seat_purchase.NO_TRANSFER
    if errors:
        raise InvalidInput(errors)
    return number


def _contract(session: Session, quote: SeatQuote, acceptance: Acceptance, at: datetime) -> Contract:
    """The contract of further seats; of first ones their own, which opens nothing until it is paid. An attempt that was
    not paid has made it before."""
    known = None if quote.contract_id is None else seat_rows.lock_contract(session, quote.contract_id)
    if quote.term_days is None and known is not None:
        return known
    contract = known
    if contract is None or not seat_rows.is_unpaid(contract):
        contract = first_seats.new_contract(quote.organisation_id)
    contract.starts_at = contract.ends_at = at
    contract.term_days = quote.term_days
    contract.seat_price = money.from_minor(quote.unit_minor, money.currency(quote.currency))
    contract.shows_names, contract.joining_gives_seat = acceptance.shows_names, acceptance.joining_gives_seat
    if contract is not known:
        session.add(contract)
        session.flush()
        session.add(ContractProduct(contract_id=contract.id, product_id=quote.product_id))
        quote.contract_id = contract.id
    session.flush()
    return contract


def _new_total(priced: CheckoutPrice, seen: int, context: Context) -> str:
    currency, locale = money.currency(priced.currency), context.settings.locale
    now, before = (money_text(minor, currency, locale) for minor in (priced.total_minor, seen))
    return NEW_TOTAL.format(now=now, seen=before)


def _request(
    quote: SeatQuote, contract: Contract, acceptance: Acceptance, priced: CheckoutPrice, purchase_order: str
) -> OrderRequest:
    return OrderRequest(
        learner_id=acceptance.learner_id,
        # The lock of the quote makes a second press harmless: each order of it has a key of its own.
        form_key=f"quote-{quote.id}-{quote.order_id or 0}",
        # The total was compared: what it consists of counts as seen.
        seen=priced.seen,
        lines=(),
        billing=MappingProxyType(quote.billing),
        organisation_id=quote.organisation_id,
        # Without the version.
        terms_date=acceptance.terms[:10],
        posted={"quote": quote.number},
        seats=SeatLine(contract.id, quote.quantity),
        purchase_order=purchase_order,
        by_transfer=acceptance.by_transfer,
        quote_number=quote.number,
    )


def _place(
    session: Session, learner: LockedLearner, wanted: OrderRequest, priced: CheckoutPrice, context: Context
) -> Placed:
    """Raises Refused."""

    def price(_session: Session, _wanted: OrderRequest, _at: datetime) -> CheckoutPrice:
        return priced

    placed = placement.place_first(session, learner, wanted, price, context)
    if isinstance(placed, Placed):
        return placed
    # So that no contract stays without an order.
    texts: Mapping[Any, str] = placed.refusals if isinstance(placed, Failed) else {}
    raise Refused(" ".join(texts.values()) or NEW_TERMS)


def _record(session: Session, quote: SeatQuote, contract: Contract, placed: Placed) -> None:
    about = {"order": placed.code, "contract_id": contract.id, "quantity": quote.quantity}
    owner = quote.organisation_id
    recording.record(session, "quote.accept", Subject("quote", quote.id), after=about, organisation_id=owner)
