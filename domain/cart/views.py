"""Priced carts: lines with every step of their prices, and refused offers with the reason."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.cart import promises
from domain.cart.cart_coupon import coupon_of
from domain.cart.owners import Owner, RequestedLine
from domain.cart.products import CartProduct, can_be_bought, is_available, products
from domain.cart.promises import Promise
from domain.cart.versions import version_of
from domain.catalogue.scope import CatalogueScope, filter_in_scope
from domain.coupons import queries as coupon_queries
from domain.coupons import rules as coupon_rules
from domain.coupons.queries import Use
from domain.coupons.rules import UNUSABLE, CouponContext
from domain.coupons.terms import Terms
from domain.learning.grants import owned_ids
from domain.organisations.access import Access, access_of
from domain.organisations.prices import contract_offers
from domain.pricing import engine as pricing_engine
from domain.pricing import inputs as pricing_inputs
from domain.pricing.inputs import QuoteInputs
from domain.pricing.offers import Line, Offer, Window
from domain.pricing.quote import PricedLine, Quote, Refusal, StepName
from domain.shop_settings.shop import ShopSettings
from domain.tables import CartLine


@dataclass(frozen=True)
class CartItem:
    """`code` is the line's own, also when another price is lower; `code_amount`: what it takes off the line once (None:
    off each unit, or nothing); `seen_price` None for a guest; `is_gift`: for somebody else."""

    product: CartProduct
    priced: PricedLine
    code: str | None = None
    seen_price: Decimal | None = None
    is_gift: bool = False
    code_amount: Decimal | None = None


@dataclass(frozen=True)
class PricedCart:
    """`saved` lines count in no total; `unavailable`: product ids that are not sold any more, or not to this person.
    `version`: as in `domain.cart.versions`; 0 for a guest.
    `inputs`: of the quote; with `tax` and `delivery` added, `pricing.price` quotes the order."""

    lines: tuple[CartItem, ...]
    saved: tuple[CartItem, ...]
    unavailable: tuple[int, ...]
    coupon: Terms | None
    quote: Quote
    inputs: QuoteInputs
    version: int = 0


@dataclass(frozen=True)
class CartEntry:
    """A product in a cart, with the values of its line."""

    product: CartProduct
    quantity: int
    coupon_id: int | None = None
    seen_price: Decimal | None = None
    is_gift: bool = False

    @property
    def units(self) -> int:
        """The quantity that is priced: a line of an older build may have several of what is bought once."""
        return 1 if self.product.is_bought_once else self.quantity


@dataclass(frozen=True)
class PricingContext:
    """What offers are checked against, read once per cart."""

    at: datetime
    shop: ShopSettings
    owner: Owner
    access: Access
    terms: Mapping[int, Terms]
    uses: Sequence[Use] = ()
    refusals: list[Refusal] = field(default_factory=list)

    def coupon_context(self, terms: Terms | None, product_id: int | None) -> CouponContext:
        """For the checks of terms without a cart; the engine checks covered products and minimum. What the open order
        has reserved counts as the cart's own."""
        own = [use for use in self.uses if terms is not None and use.coupon_id == terms.id]
        reserved = [use for use in own if use.is_open or (use.order_id is None and use.product_id == product_id)]
        return CouponContext(
            self.at,
            self.shop,
            organisations=self.access.organisations,
            learner_uses=len(own) - len(reserved),
            has_reservation=bool(reserved),
        )

    def offer(self, step: StepName, coupon_id: int | None, product_id: int | None) -> Offer | None:
        """The offer of a coupon on a line (`product_id` None: on the cart); a refusal is added to `refusals`."""
        terms = self.terms.get(coupon_id or 0)
        if terms is None:
            return None
        reason = coupon_rules.first_refusal(terms, self.coupon_context(terms, product_id))
        if reason is None:
            return terms.offer
        if reason == UNUSABLE:
            reason = coupon_rules.no_longer_usable(terms.name)
        refusal = Refusal(step, terms.name, product_id, reason.code, reason.message, terms.offer.ref)
        self.refusals.append(refusal)
        return None

    def contracts(self, product: CartProduct, unit: Decimal) -> list[Offer]:
        """Offers of the learner's contracts, the lowest price first."""
        return contract_offers(self.access, product, unit, self.at, self.shop)


def learner_cart(session: Session, learner_id: int, at: datetime, shop: ShopSettings) -> PricedCart:
    rows = session.scalars(
        select(CartLine).where(CartLine.learner_id == learner_id).order_by(CartLine.added_at, CartLine.id)
    ).all()
    owner, access = Owner(learner_id), access_of(session, learner_id, at)
    ids = [row.product_id for row in rows]
    by_id = promises.with_promises(products(session, ids, learner_id), rows, at)
    own = owned_ids(session, learner_id, ids, at)
    own -= {row.product_id for row in rows if row.is_gift}
    available = {row.id: row for row in rows if can_be_bought(by_id.get(row.product_id), access, own)}
    entries = {
        row.id: CartEntry(by_id[row.product_id], row.quantity, row.coupon_id, row.seen_price, row.is_gift)
        for row in available.values()
    }
    context = pricing_context(session, owner, access, [row.coupon_id for row in rows if row.coupon_id], at, shop)
    unavailable = tuple(row.product_id for row in rows if row.id not in available)
    coupon_id = coupon_of(session, owner, at)
    priced = _priced_cart(
        context,
        [entries[id_] for id_, row in available.items() if not row.is_saved],
        [entries[id_] for id_, row in available.items() if row.is_saved],
        unavailable,
        coupon_id,
    )
    return replace(priced, version=version_of(session, learner_id))


def guest_cart(
    session: Session,
    owner: Owner,
    lines: Sequence[RequestedLine],
    at: datetime,
    shop: ShopSettings,
    scope: CatalogueScope | None = None,
    promised: Mapping[int, Promise] | None = None,
) -> PricedCart:
    """The priced cart of a browser's own lines: of a guest, or before a learner's cart is merged. `scope`: what a
    visitor of a partner link may see; `promised`: by product, the prices of a link that is open."""
    access = access_of(session, owner.learner_id, at)
    visible = filter_in_scope(session, scope, products(session, [line.id for line in lines]).values())
    by_id = {product.id: promises.with_promise(product, (promised or {}).get(product.id), at) for product in visible}
    available = [line for line in lines if line.id in by_id and is_available(by_id[line.id], access)]
    entries = [CartEntry(by_id[line.id], line.quantity) for line in available]
    unavailable = tuple(line.id for line in lines if line not in available)
    context = pricing_context(session, owner, access, [], at, shop)
    return _priced_cart(context, entries, [], unavailable, coupon_of(session, owner, at))


def pricing_context(
    session: Session, owner: Owner, access: Access, coupon_ids: Collection[int], at: datetime, shop: ShopSettings
) -> PricingContext:
    on_cart = coupon_of(session, owner, at)
    ids = {*coupon_ids, *([on_cart] if on_cart is not None else [])}
    uses = coupon_queries.uses_by(session, owner.learner_id, ids, at) if owner.learner_id is not None else []
    return PricingContext(at, shop, owner, access, coupon_queries.by_ids(session, ids, at), uses)


def _priced_cart(
    context: PricingContext,
    entries: Sequence[CartEntry],
    saved: Sequence[CartEntry],
    unavailable: tuple[int, ...],
    coupon_id: int | None,
) -> PricedCart:
    lines = [line_of(context, entry) for entry in entries]
    # A context of their own: refusals for saved lines are not reported.
    saved_context = PricingContext(context.at, context.shop, context.owner, context.access, {})
    saved_lines = [line_of(saved_context, entry) for entry in saved]
    coupon = context.offer("coupon", coupon_id, None)
    inputs = QuoteInputs(tuple(lines), coupon, context.shop, refusals=tuple(context.refusals))
    quote = pricing_engine.price(inputs)
    return PricedCart(
        lines=_cart_items(context, entries, lines, quote),
        saved=_cart_items(
            context,
            saved,
            saved_lines,
            pricing_engine.price(pricing_inputs.QuoteInputs(tuple(saved_lines), None, context.shop)),
        ),
        unavailable=unavailable,
        coupon=context.terms.get(coupon_id or 0),
        quote=quote,
        inputs=inputs,
    )


def line_of(context: PricingContext, entry: CartEntry) -> Line:
    product = entry.product
    sale_price = product.sale_price(context.at)
    contracts = context.contracts(product, product.card.list_price if sale_price is None else sale_price)
    return Line(
        id=product.id,
        kind="course" if product.kind == "course" else "item",
        category=product.category,
        list_price=product.card.list_price,
        sale_price=sale_price,
        quantity=entry.units,
        organisation=next(iter(contracts), None),
        code=context.offer("code", entry.coupon_id, product.id),
        tax_class=product.tax_class,
        sale_window=None if sale_price is None else Window(product.card.sale_from, product.card.sale_until),
        other_contracts=tuple(contracts[1:]),
        promised_until=product.promised_until,
    )


def _cart_items(
    context: PricingContext, entries: Sequence[CartEntry], lines: Sequence[Line], quote: Quote
) -> tuple[CartItem, ...]:
    return tuple(
        CartItem(entry.product, priced, _code(context, entry), entry.seen_price, entry.is_gift, _amount_once(line))
        for entry, line, priced in zip(entries, lines, quote.lines, strict=True)
    )


def _amount_once(line: Line) -> Decimal | None:
    return line.code.value if line.code is not None and line.code.once_per_order else None


def _code(context: PricingContext, entry: CartEntry) -> str | None:
    terms = context.terms.get(entry.coupon_id or 0)
    return None if terms is None else terms.name
