"""Quotes as owners and staff read them: the lists, and one of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session

from domain.checkout.priced import CheckoutPrice
from domain.database.list_page import ListSource
from domain.documents.postal_lines import postal_lines
from domain.errors import NotFound
from domain.permissions import Tenant
from domain.quotes import accepting, quote_prices, quote_states
from domain.quotes.quote_states import NOW, STATE, UNKNOWN, QuoteState, has_state, last_day
from domain.tables import Learner, Order, Organisation, Product, SeatQuote

_quotes, _orders = SeatQuote.__table__.c, Order.__table__.c
_learners = Learner.__table__.c


class QuoteRow(NamedTuple):
    """One row; amounts in minor units. `person`: who asked for it."""

    id: int
    number: str
    state: QuoteState
    organisation: str
    name: str
    quantity: int
    total: int
    valid_until: datetime
    issued_at: datetime
    person: str
    order: str | None

    @property
    def last_day(self) -> date:
        return last_day(self.valid_until)


_ROWS = (
    select(
        *(_quotes.id, _quotes.number, STATE, Organisation.name, _quotes.name, _quotes.quantity, _quotes.total_minor),
        *(_quotes.valid_until, _quotes.issued_at, _learners.name, _orders.code),
    )
    .select_from(SeatQuote.__table__)
    .join(Organisation, Organisation.id == _quotes.organisation_id)
    .outerjoin(Learner.__table__, _learners.id == _quotes.learner_id)
    .outerjoin(Order.__table__, _orders.id == _quotes.order_id)
)


def _named(text: str) -> ColumnElement[bool]:
    return or_(Organisation.name.contains(text, autoescape=True), _quotes.number == text.strip().upper())


def organisation_quotes(now: Callable[[], datetime]) -> ListSource[QuoteRow]:
    """The quotes of one organisation, with their states of `now`."""
    return ListSource(
        rows=_ROWS,
        make=QuoteRow._make,
        key=_quotes.id,
        filters={"state": lambda state: has_state(state, now())},
        parameters={NOW: now},
        tenant=_quotes.organisation_id,
    )


def all_quotes(now: Callable[[], datetime]) -> ListSource[QuoteRow]:
    """The quotes of all organisations, for staff."""
    filters = {"organisation": _named, "state": lambda state: has_state(state, now())}
    return ListSource(rows=_ROWS, make=QuoteRow._make, key=_quotes.id, filters=filters, parameters={NOW: now})


@dataclass(frozen=True)
class QuoteView:
    """One quote. `now`: what accepting it costs now, None of one that cannot be accepted; `refusal`: why not, in words,
    "" for one that can be. `course`: the slug of a course whose first seats it is about, "" for none. `values`: of the
    billing address, by its fields. `is_of_contract`: about further seats."""

    id: int
    number: str
    state: QuoteState
    organisation: str
    name: str
    quantity: int
    unit: int
    tax: int
    total: int
    issued_at: datetime
    last_day: date
    person: str
    is_by_staff: bool
    term_days: int | None
    purchase_order: str
    billing: tuple[str, ...]
    values: Mapping[str, Any]
    course: str
    contract_id: int | None
    order: str | None
    is_own_order: bool
    refusal: str
    now: CheckoutPrice | None

    @property
    def is_of_contract(self) -> bool:
        return self.term_days is None


def quote_of(session: Session, tenant: Tenant | None, quote_id: int, learner_id: int | None, at: datetime) -> QuoteView:
    """A quote of the organisation, None: of any. `learner_id`: who looks. Raises NotFound."""
    query = quote_states.of_tenant(select(SeatQuote).where(SeatQuote.id == quote_id), tenant)
    quote = session.scalar(query)
    if quote is None:
        raise NotFound(UNKNOWN)
    order = None if quote.order_id is None else session.get_one(Order, quote.order_id)
    state = quote_states.state_now(quote, None if order is None else order.state, at)
    refusal = "" if state == "accepted" else accepting.refusal_of(session, quote, order, at)
    person = session.get(Learner, quote.learner_id)
    course = None if quote.product_id is None else session.get(Product, quote.product_id)
    can_accept = state == "open" and not refusal
    return QuoteView(
        id=quote.id,
        number=quote.number,
        state=state,
        organisation=session.get_one(Organisation, quote.organisation_id).name,
        name=quote.name,
        quantity=quote.quantity,
        unit=quote.unit_minor,
        tax=quote.tax_minor,
        total=quote.total_minor,
        issued_at=quote.issued_at,
        last_day=last_day(quote.valid_until),
        person="" if person is None else person.name,
        is_by_staff=quote.staff_id is not None,
        term_days=quote.term_days,
        purchase_order=quote.purchase_order,
        billing=tuple(postal_lines(quote.billing)),
        values=quote.billing,
        course="" if course is None or quote.term_days is None else course.slug,
        contract_id=quote.contract_id if quote.term_days is None else None,
        order=None if state != "accepted" or order is None else order.code,
        is_own_order=order is not None and order.learner_id == learner_id,
        refusal=refusal,
        now=quote_prices.price_now(session, quote, quote.contract_id, at) if can_accept else None,
    )


def require_quote(session: Session, tenant: Tenant, quote_id: int) -> None:
    """Raises NotFound for a quote that the organisation does not have."""
    if session.scalar(quote_states.of_tenant(select(SeatQuote).where(SeatQuote.id == quote_id), tenant)) is None:
        raise NotFound(UNKNOWN)


def printed_quote(session: Session, tenant: Tenant | None, number: str) -> SeatQuote | None:
    """What is printed of a quote of the organisation, None: of any; None for every other number."""
    return session.scalar(quote_states.of_tenant(select(SeatQuote).where(SeatQuote.number == number), tenant))
