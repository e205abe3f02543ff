"""What a cart would cost: any products and codes, for a learner or a member of an organisation, on any day. It checks
what `codes.set_on_line` and `codes.set_on_cart` check, in the same order, and reserves nothing."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy.orm import Session

from domain.cart.owners import Owner
from domain.cart.products import CartProduct, can_be_bought, products
from domain.cart.views import CartEntry, PricingContext, line_of
from domain.coupons import queries as coupon_queries
from domain.coupons import rules as coupon_rules
from domain.coupons.rules import UNUSABLE, CouponContext
from domain.coupons.terms import Terms
from domain.learning.grants import owned_ids
from domain.organisations.access import Access, access_of, access_of_organisation
from domain.pricing import engine as pricing_engine
from domain.pricing.inputs import QuoteInputs
from domain.pricing.offers import Line, Offer
from domain.pricing.quote import Quote, Refusal, StepName
from domain.pricing.rules import RefusalReason
from domain.shop_settings.shop import ShopSettings


@dataclass(frozen=True)
class LabLine:
    """`code` "": none."""

    product_id: int
    quantity: int = 1
    code: str = ""


@dataclass(frozen=True)
class LabCart:
    """Each product once. `code`: on the whole cart. A learner has their own organisations; `organisation_id` is for a
    cart of nobody."""

    lines: Sequence[LabLine]
    code: str = ""
    learner_id: int | None = None
    organisation_id: int | None = None


@dataclass(frozen=True)
class LabQuote:
    """`unavailable`: products that are not sold, not to them, or theirs already. The quote's refusals are those of the
    codes."""

    quote: Quote
    products: dict[int, CartProduct]
    unavailable: tuple[int, ...]


def price_lab_cart(session: Session, cart: LabCart, at: datetime, shop: ShopSettings) -> LabQuote:
    """Nothing is written."""
    access, owner = _access(session, cart, at), Owner(cart.learner_id)
    ids = [line.product_id for line in cart.lines]
    by_id = products(session, ids, cart.learner_id)
    own = set() if cart.learner_id is None else owned_ids(session, cart.learner_id, ids, at)
    sold = [line for line in cart.lines if can_be_bought(by_id.get(line.product_id), access, own)]
    context = PricingContext(at, shop, owner, access, {})
    lines = [line_of(context, CartEntry(by_id[line.product_id], line.quantity)) for line in sold]
    codes = _Codes(session, context, lines)
    priced = [
        replace(line, code=codes.offer("code", requested.code, line))
        for requested, line in zip(sold, lines, strict=True)
    ]
    on_cart = codes.offer("coupon", cart.code, None)
    quote = pricing_engine.price(QuoteInputs(tuple(priced), on_cart, shop, refusals=tuple(codes.refusals)))
    return LabQuote(quote, by_id, tuple(line.product_id for line in cart.lines if line not in sold))


def _access(session: Session, cart: LabCart, at: datetime) -> Access:
    if cart.learner_id is None and cart.organisation_id is not None:
        return access_of_organisation(session, cart.organisation_id, at)
    return access_of(session, cart.learner_id, at)


class _Codes:
    """Checks one code after the other; those before count as uses of this learner."""

    def __init__(self, session: Session, context: PricingContext, lines: Sequence[Line]):
        self._session, self._context, self._lines = session, context, lines
        self._taken: Counter[int] = Counter()
        self.refusals: list[Refusal] = []

    def offer(self, step: StepName, code: str, line: Line | None) -> Offer | None:
        """The offer of a code; None without one, and for a refused one, which is added to `refusals`."""
        if not code.strip():
            return None
        terms = coupon_queries.by_code(self._session, code, self._context.at)
        reason = self._refusal(terms, line)
        if reason is None and terms is not None:
            if line is not None and terms.id is not None:
                self._taken[terms.id] += 1
            return terms.offer
        reason = reason or UNUSABLE
        ref = None if terms is None else terms.offer.ref
        line_id = None if line is None else line.id
        self.refusals.append(Refusal(step, code.strip(), line_id, reason.code, reason.message, ref))
        return None

    def _refusal(self, terms: Terms | None, line: Line | None) -> RefusalReason | None:
        if terms is None or terms.id is None:
            return UNUSABLE
        taken = self._taken[terms.id]
        context = self._coupon_context(terms, line)
        if not context.has_reservation:
            context = replace(context, learner_uses=context.learner_uses + taken)
            terms = replace(terms, uses=terms.uses + taken)
        return coupon_rules.first_refusal(terms, replace(context, lines=self._lines, line=line, is_elsewhere=taken > 0))

    def _coupon_context(self, terms: Terms, line: Line | None) -> CouponContext:
        """With what the learner has really reserved and used."""
        learner_id, ids = self._context.owner.learner_id, [terms.id or 0]
        uses = [] if learner_id is None else coupon_queries.uses_by(self._session, learner_id, ids, self._context.at)
        own = replace(self._context, uses=uses)
        return own.coupon_context(terms, None if line is None else line.id)
