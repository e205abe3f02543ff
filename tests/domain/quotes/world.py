"""An organisation without a contract, its owner, a course, and a quote for its seats."""

from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from sqlalchemy.orm import Session

from domain.checkout.placement import Placed
from domain.orders.settings import Context
from domain.permissions import Tenant
from domain.quotes.accepting import Acceptance, accept
from domain.quotes.asking import QuoteForm, QuoteTerms, ask
from domain.tables import Product, SeatQuote
from tests.domain.seats.test_seat_orders import ADDRESS, CONTEXT, TERMS
from tests.domain.seats.world import recorded
from tests.support import factories
from tests.support.shops import SHOP

QUOTE_TERMS = QuoteTerms(SHOP, "Refund and cancellation policy", TERMS.date, days=30, term_days=365)


@dataclass(frozen=True)
class QuoteWorld:
    """`owner` may ask and accept for the organisation of `tenant`."""

    course: Product
    tenant: Tenant
    owner: int


def build(session: Session, slug: str = "northwind", course: str = "vat") -> QuoteWorld:
    """A course for 99.00, and an organisation that may buy its seats."""
    category = factories.category(session, f"{slug}-category", slug).id
    product = factories.course(session, category, course, list_price=Decimal("99.00"), sale_price=None)
    organisation = factories.organisation(session, slug, slug.title()).id
    owner = factories.learner(session, f"Olga Owner {slug}").id
    factories.member(session, owner, organisation, role="owner")
    session.flush()
    return QuoteWorld(product, Tenant(organisation), owner)


def at(moment: datetime) -> Context:
    return replace(CONTEXT, at=moment)


def ask_quote(
    session: Session, world: QuoteWorld, context: Context = CONTEXT, terms: QuoteTerms = QUOTE_TERMS, **about
) -> SeatQuote:
    """A quote for ten seats of the course."""
    facts = {"quantity": 10, "values": ADDRESS, "course": world.course.slug, **about}
    form = QuoteForm(world.owner, **facts)
    return recorded(session, ask, world.tenant, form, terms, context)


def accept_quote(session: Session, world: QuoteWorld, quote: SeatQuote, context: Context = CONTEXT, **about) -> Placed:
    facts = {"learner_id": world.owner, "quote_id": quote.id, "total_minor": quote.total_minor, "terms": TERMS.date}
    return recorded(session, accept, world.tenant, Acceptance(**{**facts, **about}), TERMS, context)
