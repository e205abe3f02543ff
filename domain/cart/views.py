"""A cart as it is shown: products, prices with every step, and what could not be used with the reason."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain import coupons, pricing
from domain.cart.guests import coupon_of
from domain.cart.owners import Owner, Wanted
from domain.cart.products import CartProduct, is_shown, owned, products
from domain.catalogue import Narrowed, keep
from domain.coupons import Asking, Terms, Use
from domain.organisations import Access, access_of
from domain.pricing import Line, Offer, PricedLine, Quote, Refusal
from domain.tables import CartLine

StepName = pricing.quotes.StepName


@dataclass(frozen=True)
class ShownLine:
    """`code` is the line's own, whether or not it wins; `seen_price` None for a guest."""

    product: CartProduct
    priced: PricedLine
    code: str | None = None
    seen_price: Decimal | None = None


@dataclass(frozen=True)
class View:
    """`saved` lines count in no total; `missing` are ids that are sold no more, or not to this person."""

    lines: tuple[ShownLine, ...]
    saved: tuple[ShownLine, ...]
    missing: tuple[int, ...]
    coupon: Terms | None
    quote: Quote


@dataclass(frozen=True)
class Entry:
    """One product somebody wants, with what its line carries."""

    product: CartProduct
    quantity: int
    coupon_id: int | None = None
    seen_price: Decimal | None = None


@dataclass(frozen=True)
class Basis:
    """Everything that offers are checked against, read once."""

    at: datetime
    owner: Owner
    access: Access
    terms: Mapping[int, Terms]
    uses: Sequence[Use] = ()
    refusals: list[Refusal] = field(default_factory=list)

    def asking(self, terms: Terms | None, product_id: int) -> Asking:
        """Whether the terms hold at all; what they cover and their minimum are the engine's to say."""
        mine = [use for use in self.uses if terms is not None and use.coupon_id == terms.id]
        here = [use for use in mine if use.product_id == product_id and not use.order_id]
        return Asking(
            self.at,
            organisations=self.access.organisations,
            learner_uses=len(mine) - len(here),
            has_hold=bool(here),
        )

    def offer(self, step: StepName, coupon_id: int | None, product_id: int) -> Offer | None:
        """The offer of a coupon that stands on a line (product_id 0: on the cart); a refusal is noted."""
        terms = self.terms.get(coupon_id or 0)
        if terms is None:
            return None
        reason = coupons.refusal_of(terms, self.asking(terms, product_id))
        if reason is None:
            return terms.offer
        self.refusals.append(Refusal(step, terms.name, product_id or None, reason.code, reason.message))
        return None

    def organisation(self, product: CartProduct, unit: Decimal) -> Offer | None:
        """The lowest price that an organisation of the learner agreed on."""
        agreed = [
            terms.offer
            for terms in self.access.terms_for(product)
            if coupons.refusal_of(terms, self.asking(terms, product.id)) is None
        ]
        return min(agreed, key=lambda offer: offer.unit_price(unit), default=None)


def of_learner(session: Session, learner_id: int, at: datetime) -> View:
    rows = session.scalars(
        select(CartLine).where(CartLine.learner_id == learner_id).order_by(CartLine.added_at, CartLine.id)
    ).all()
    owner, access = Owner(learner_id), access_of(session, learner_id, at)
    ids = [row.product_id for row in rows]
    found, mine = products(session, ids), owned(session, learner_id, ids)
    kept = {row.id: row for row in rows if _stays(found.get(row.product_id), access, mine)}
    entries = {
        row.id: Entry(found[row.product_id], row.quantity, row.coupon_id, row.seen_price) for row in kept.values()
    }
    basis = basis_of(session, owner, access, [row.coupon_id for row in rows if row.coupon_id], at)
    missing = tuple(row.product_id for row in rows if row.id not in kept)
    coupon_id = coupon_of(session, owner, at)
    return _view(
        basis,
        [entries[one] for one, row in kept.items() if not row.is_saved],
        [entries[one] for one, row in kept.items() if row.is_saved],
        missing,
        coupon_id,
    )


def _stays(product: CartProduct | None, access: Access, mine: set[int]) -> bool:
    return product is not None and is_shown(product, access) and product.id not in mine


def of_guest(
    session: Session, owner: Owner, lines: Sequence[Wanted], at: datetime, only: Narrowed | None = None
) -> View:
    """What a browser's own lines cost: for a guest, or before a learner's cart is merged. `only`: what somebody who
    came through a partner's doorway sees."""
    access = access_of(session, owner.learner_id, at)
    seen = keep(session, only, products(session, [line.id for line in lines]).values())
    found = {product.id: product for product in seen}
    shown = [line for line in lines if line.id in found and is_shown(found[line.id], access)]
    entries = [Entry(found[line.id], line.quantity) for line in shown]
    missing = tuple(line.id for line in lines if line not in shown)
    return _view(basis_of(session, owner, access, [], at), entries, [], missing, coupon_of(session, owner, at))


def basis_of(session: Session, owner: Owner, access: Access, coupon_ids: Collection[int], at: datetime) -> Basis:
    on_cart = coupon_of(session, owner, at)
    ids = {*coupon_ids, *([on_cart] if on_cart is not None else [])}
    uses = coupons.uses_by(session, owner.learner_id, ids, at) if owner.learner_id is not None else []
    return Basis(at, owner, access, coupons.by_ids(session, ids, at), uses)


def _view(
    basis: Basis, entries: Sequence[Entry], saved: Sequence[Entry], missing: tuple[int, ...], coupon_id: int | None
) -> View:
    lines = [line_of(basis, entry) for entry in entries]
    # What is refused while the saved ones are priced is nobody's concern now.
    later = [line_of(Basis(basis.at, basis.owner, basis.access, {}), entry) for entry in saved]
    quote = pricing.quote(lines, basis.offer("coupon", coupon_id, 0))
    quote = Quote(**{**vars(quote), "refusals": (*basis.refusals, *quote.refusals)})
    return View(
        lines=_shown(basis, entries, quote),
        saved=_shown(basis, saved, pricing.quote(later)),
        missing=missing,
        coupon=basis.terms.get(coupon_id or 0),
        quote=quote,
    )


def line_of(basis: Basis, entry: Entry) -> Line:
    product = entry.product
    unit = product.price(basis.at)
    return Line(
        id=product.id,
        kind="course" if product.kind == "course" else "item",
        category=product.category,
        list_price=product.card.list_price,
        sale_price=product.sale_price(basis.at),
        quantity=entry.quantity,
        organisation=basis.organisation(product, unit),
        code=basis.offer("code", entry.coupon_id, product.id),
    )


def _shown(basis: Basis, entries: Sequence[Entry], quote: Quote) -> tuple[ShownLine, ...]:
    pairs = zip(entries, quote.lines, strict=True)
    return tuple(ShownLine(one.product, priced, _code(basis, one), one.seen_price) for one, priced in pairs)


def _code(basis: Basis, entry: Entry) -> str | None:
    terms = basis.terms.get(entry.coupon_id or 0)
    return None if terms is None else terms.name
