"""Making a quote: its price is computed, frozen and numbered, and a mail tells whoever asked. All for
`Database.write_as`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from contracts.payloads import QuoteItem
from contracts.tasks import OutboxKind
from domain import money
from domain.audit import recording
from domain.audit.recording import Subject
from domain.checkout import first_seats, form_fields, seat_purchase
from domain.checkout.form_fields import Addresses, CheckoutNeeds
from domain.checkout.purchase_checks import order_refusals
from domain.display_text import count_text
from domain.documents.body import digest_of
from domain.documents.numbers import next_number
from domain.errors import InvalidInput, NotFound, Refused
from domain.orders.locks import lock_buyer, lock_learner
from domain.orders.settings import Context
from domain.outbox import queue as outbox_queue
from domain.permissions import Tenant
from domain.quotes import quote_body, quote_prices, quote_states
from domain.quotes.quote_prices import QuotedSeats
from domain.seats.seat_rows import UNKNOWN_CONTRACT
from domain.shop_settings.shop import ShopSettings
from domain.tables import Contract, Learner, Membership, Organisation, Product, SeatQuote
from domain.tax import vat_ids

MAX_OPEN = 10
MAX_TERM_DAYS = 3_650
NOT_APPROVED = "This organisation is not open. Quotes are made for organisations that we have approved."
TOO_MANY = f"{MAX_OPEN} quotes are open. Accept or withdraw one before you ask for another."
NO_OWNER = "This organisation has no owner who could accept a quote."
UNKNOWN_COURSE = "There is no published course with this address."
UNKNOWN_ORGANISATION = "There is no approved organisation with this address."


@dataclass(frozen=True)
class QuoteTerms:
    """The shop and its rules for quotes. `policy` and `policy_date`: title and date of the terms in force. `days`: how
    long quotes are valid. `term_days`: how long the contract of first seats lasts; 0: no course is sold so."""

    shop: ShopSettings
    policy: str
    policy_date: str
    days: int
    term_days: int


@dataclass(frozen=True)
class QuoteForm:
    """What the owner `learner_id` asks for: seats of the course with this slug, or of a contract, whose id is not 0.
    `values`: of the billing address, by the names of the checkout."""

    learner_id: int
    quantity: int
    values: Mapping[str, str]
    course: str = ""
    contract_id: int = 0


@dataclass(frozen=True)
class StaffQuote:
    """What the person `staff_id` of the staff has agreed with an organisation. `unit`: the price of a seat, before tax
    where the shop's prices are."""

    staff_id: int
    course: str
    quantity: int
    unit: Decimal
    term_days: int
    values: Mapping[str, str]


@dataclass(frozen=True)
class OwnerRef:
    """An organisation, and the owner who gets a quote."""

    organisation_id: int
    learner_id: int


def ask(session: Session, tenant: Tenant, form: QuoteForm, terms: QuoteTerms, context: Context) -> SeatQuote:
    """The quote of an owner, in a transaction that begins here. Raises InvalidInput by field, NotFound for a contract
    of others, and Refused."""
    learner = lock_buyer(session, form.learner_id)
    _lock_approved(session, tenant.organisation_id)
    checked, errors = _checked(form.quantity, form.values, terms)
    seats, refused = _asked_seats(session, tenant, form, terms, context.at)
    if errors := {**errors, **refused}:
        raise InvalidInput(errors)
    _require_room(session, tenant.organisation_id, context.at)
    owner = OwnerRef(tenant.organisation_id, learner.id)
    quote = _freeze(session, owner, learner.email, _QuoteContents(seats, checked, terms), context)
    _record(session, "quote.ask", quote)
    return quote


def first_owner(session: Session, slug: str) -> OwnerRef:
    """Who gets the quote of the staff for the organisation with this slug: whoever of its owners joined first. Call it
    in a transaction of its own, before the one of `make`. Raises InvalidInput, and Refused without an owner."""
    organisation = session.scalar(select(Organisation.id).where(Organisation.slug == slug))
    if organisation is None:
        raise InvalidInput({"organisation": UNKNOWN_ORGANISATION})
    owners = select(Membership.learner_id).where(*_owns(organisation)).order_by(Membership.joined_at, Membership.id)
    owner = session.scalars(owners).first()
    if owner is None:
        raise Refused(NO_OWNER)
    return OwnerRef(organisation, owner)


def make(session: Session, owner: OwnerRef, wanted: StaffQuote, terms: QuoteTerms, context: Context) -> SeatQuote:
    """The quote of the staff, with a price that they agreed, in a transaction that begins here. Raises InvalidInput by
    field, and Refused."""
    learner, organisation = lock_learner(session, owner.learner_id), owner.organisation_id
    _lock_approved(session, organisation)
    is_owner = select(Membership.id).where(Membership.learner_id == learner.id, *_owns(organisation))
    if session.scalar(is_owner) is None:
        raise Refused(NO_OWNER)
    checked, errors = _checked(wanted.quantity, wanted.values, terms)
    course = _published(session, wanted.course)
    if course is None:
        errors["course"] = UNKNOWN_COURSE
    if not 1 <= wanted.term_days <= MAX_TERM_DAYS:
        errors["termDays"] = f"From 1 to {count_text(MAX_TERM_DAYS)} days."
    if wanted.unit <= 0:
        errors["unitPrice"] = "The price of a seat is above zero."
    if errors or course is None:
        raise InvalidInput(errors)
    _require_room(session, organisation, context.at)
    seats = _first_seats(course.id, course.name, wanted.quantity, wanted.unit, wanted.term_days)
    about = _QuoteContents(seats, checked, terms, wanted.staff_id)
    quote = _freeze(session, owner, learner.email, about, context)
    _record(session, "quote.make", quote)
    return quote


def _lock_approved(session: Session, organisation_id: int) -> None:
    """Lock the organisation, so that quotes at the same time count each other. Raises Refused."""
    query = select(Organisation.state).where(Organisation.id == organisation_id).with_for_update()
    if session.scalar(query) != "approved":
        raise Refused(NOT_APPROVED)


def _checked(quantity: int, values: Mapping[str, str], terms: QuoteTerms) -> tuple[Addresses, dict[str, str]]:
    needs = CheckoutNeeds(is_shipped=False, home=terms.shop.country, has_regional_rates=lambda _country: False)
    checked = form_fields.check(needs, values, vat_ids.check)
    errors = dict(checked.errors)
    if not 1 <= quantity <= seat_purchase.MAX_QUANTITY:
        errors["quantity"] = f"From 1 to {count_text(seat_purchase.MAX_QUANTITY)} seats."
    return checked.addresses, errors


def _asked_seats(
    session: Session, tenant: Tenant, form: QuoteForm, terms: QuoteTerms, at: datetime
) -> tuple[QuotedSeats, dict[str, str]]:
    """What the form is about, and what of it the shop does not sell, by field. Raises NotFound."""
    nothing = QuotedSeats("", form.quantity, Decimal(0))
    if form.contract_id:
        query = select(Contract).where(Contract.id == form.contract_id)
        contract = session.scalar(query.where(Contract.organisation_id == tenant.organisation_id))
        if contract is None:
            raise NotFound(UNKNOWN_CONTRACT)
        if contract.seat_price is None or not seat_purchase.can_buy(contract, at):
            return nothing, {"contract": seat_purchase.NOT_SOLD}
        name = seat_purchase.line_name(session, contract)
        return QuotedSeats(name, form.quantity, contract.seat_price, contract.id), {}
    course = first_seats.sold_course(session, form.course, at)
    if course is None:
        return nothing, {"course": first_seats.NO_COURSE}
    if not first_seats.are_sold(session, tenant, terms.term_days, at):
        return nothing, {"course": first_seats.NOT_OFFERED}
    return _first_seats(course.id, course.name, form.quantity, course.price, terms.term_days), {}


def _first_seats(product_id: int, course: str, quantity: int, unit: Decimal, term_days: int) -> QuotedSeats:
    name = f"Seats: {course}"[: seat_purchase.MAX_NAME]
    return QuotedSeats(name, quantity, unit, product_id=product_id, term_days=term_days)


def _published(session: Session, slug: str) -> Product | None:
    is_published = (Product.kind == "course", Product.status == "published", Product.slug == slug.strip())
    return session.scalar(select(Product).where(*is_published))


def _owns(organisation_id: int) -> tuple[ColumnElement[bool], ...]:
    of_it = Membership.organisation_id == organisation_id
    return (of_it, Membership.role == "owner", Membership.ended_at.is_(None))


def _require_room(session: Session, organisation_id: int, at: datetime) -> None:
    """Raises Refused for more than MAX_OPEN quotes that may still be accepted. The organisation is locked."""
    is_open = (SeatQuote.state == "open", SeatQuote.valid_until > at)
    count = select(func.count(SeatQuote.id)).where(SeatQuote.organisation_id == organisation_id, *is_open)
    if session.scalars(count).one() >= MAX_OPEN:
        raise Refused(TOO_MANY)


@dataclass(frozen=True)
class _QuoteContents:
    """What a quote is about, for whom, by which terms, and who of the staff makes it."""

    seats: QuotedSeats
    addresses: Addresses
    terms: QuoteTerms
    staff_id: int | None = None


def _freeze(session: Session, owner: OwnerRef, email: str, contents: _QuoteContents, context: Context) -> SeatQuote:
    """Compute the price and store it with all that is printed. The number comes last: its counter stays locked."""
    at, terms, seats, addresses = context.at, contents.terms, contents.seats, contents.addresses
    shop = terms.shop
    price = quote_prices.first_price(session, seats, addresses.billing, shop, at)
    # Nobody is quoted what they cannot pay: what is too much for the gateway needs an account for transfers.
    by_transfer = context.settings.bank is not None
    if refusals := order_refusals(price, email, context.settings, by_transfer=by_transfer):
        raise Refused(" ".join(refusals.values()))
    until = quote_states.valid_until(at, terms.days)
    printed = quote_body.PrintedQuote(seats, addresses, price, email, _student(session, owner.learner_id), until)
    number = next_number(session, "quote", at.year, context.settings.issuer.prefix)
    body = quote_body.body_of_quote(printed, number.text, at, context.settings.issuer, _terms_text(terms))
    quote = SeatQuote(
        number=number.text,
        year=at.year,
        seq=number.seq,
        organisation_id=owner.organisation_id,
        learner_id=owner.learner_id,
        staff_id=contents.staff_id,
        **_columns(seats, shop),
        tax_minor=price.tax_minor,
        total_minor=price.total_minor,
        purchase_order=addresses.purchase_order,
        billing=dict(addresses.billing),
        quote=dict(price.document),
        body=body,
        digest=digest_of(body),
        state="open",
        issued_at=at,
        valid_until=until,
    )
    session.add(quote)
    session.flush()
    outbox_queue.enqueue(session, OutboxKind.QUOTE_ISSUED, QuoteItem(quote_id=quote.id), at)
    return quote


def _columns(seats: QuotedSeats, shop: ShopSettings) -> dict[str, Any]:
    return {
        "contract_id": seats.contract_id,
        "product_id": seats.product_id,
        "term_days": seats.term_days,
        "name": seats.name,
        "quantity": seats.quantity,
        "unit_minor": money.to_minor(seats.unit, shop.currency),
        "currency": shop.currency.code,
    }


def _student(session: Session, learner_id: int) -> str:
    return session.scalars(select(Learner.student_number).where(Learner.id == learner_id)).one().upper()


def _terms_text(terms: QuoteTerms) -> Sequence[str]:
    return [f"Our terms: {terms.policy}, as of {terms.policy_date[:10]}."]


def _record(session: Session, action: str, quote: SeatQuote) -> None:
    after = {"course_id": quote.product_id, "contract_id": quote.contract_id, "quantity": quote.quantity}
    after |= {"unit_minor": quote.unit_minor, "total_minor": quote.total_minor, "term_days": quote.term_days}
    subject, owner = Subject("quote", quote.id), quote.organisation_id
    recording.record(session, action, subject, after=after, organisation_id=owner)
