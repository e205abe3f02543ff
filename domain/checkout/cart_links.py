"""Links that show a cart to whoever opens them, for a day: on another device, or those that a program makes for a
person, whose prices are promised for that day. A link changes nothing until somebody takes the lines over, and can be
used again."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from domain.cart import merge as cart_merge
from domain.cart import promises
from domain.cart.cart_coupon import coupon_of, set_cart_coupon
from domain.cart.merge import Merged
from domain.cart.owners import Owner, RequestedLine
from domain.cart.products import CartProduct, PurchaseContext, products, purchase_refusal
from domain.cart.promises import Promise
from domain.crawlers import program_links
from domain.errors import InvalidInput
from domain.identity.sessions import digest
from domain.organisations.access import access_of
from domain.pricing.amount_texts import amount_in_text
from domain.shop_settings.shop import ShopSettings
from domain.tables import CartLine, CartLink, ProgramLink
from domain.text_direction import isolated

TTL = timedelta(hours=24)
SECRET_BYTES = 16
MAX_SECRET_LENGTH = 64
# In a link that a program makes.
MAX_PROMISED_LINES = 20
TOO_MANY = f"A link for a person holds at most {MAX_PROMISED_LINES} products."
TWICE = "This product is in the list twice: send it once, with its quantity."
GONE = "Something that this link held is not in the shop any more."


@dataclass(frozen=True)
class LinkedCart:
    """`coupon_id`: the coupon of the guest's cart; None for none. `promised`: by product, of a link that a program has
    made, `agent` its family; `is_unopened`: no person has opened such a link yet."""

    lines: tuple[RequestedLine, ...]
    coupon_id: int | None
    promised: Mapping[int, Promise] | None = None
    agent: str = ""
    is_unopened: bool = False

    @property
    def promised_until(self) -> datetime | None:
        return next((promise.until for promise in (self.promised or {}).values()), None)


@dataclass(frozen=True)
class MergeSource:
    """Where lines come from. `guest`: the key of the guest's cart; `secret`: of the link on whose page they stood, ""
    for none; one that has expired promises nothing."""

    guest: str | None = None
    secret: str = ""


@dataclass(frozen=True)
class PromisedLine:
    """A line of a new link with the prices of one unit that it promises."""

    product: CartProduct
    quantity: int
    promise: Promise

    @property
    def total(self) -> Decimal:
        return self.promise.unit * self.quantity


def create(session: Session, owner: Owner, lines: Sequence[RequestedLine], at: datetime) -> str:
    """The secret of a new link to these lines and to the owner's cart coupon; only its digest is stored."""
    pairs = [[line.id, line.quantity] for line in lines]
    return _add(session, CartLink(lines=pairs, coupon_id=coupon_of(session, owner, at), expires_at=at + TTL))


def create_promised(
    session: Session, lines: Sequence[RequestedLine], agent: str, at: datetime
) -> tuple[str, list[PromisedLine]]:
    """The secret of a new link that a program makes for a person, and what it promises: today's list and sale prices,
    without a coupon. Nothing is reserved. Raises InvalidInput, with every line that cannot be bought."""
    if len(lines) > MAX_PROMISED_LINES:
        raise InvalidInput({"lines": TOO_MANY})
    by_id, access = products(session, [line.id for line in lines]), access_of(session, None, at)
    promised, errors = list[PromisedLine](), dict[str, str]()
    for index, line in enumerate(lines):
        product = by_id.get(line.id)
        # As in a cart, what is bought once is there once.
        quantity = 1 if product is not None and product.is_bought_once else line.quantity
        refusal = purchase_refusal(PurchaseContext(product, access, quantity=quantity))
        if any(line.id == other.id for other in lines[:index]):
            refusal = TWICE
        if refusal is not None:
            errors[f"lines.{index}"] = refusal
        elif product is not None:
            promised.append(PromisedLine(product, quantity, promises.of_product(product, at, at + TTL)))
    if errors:
        raise InvalidInput(errors)
    link = CartLink(
        lines=[[line.product.id, line.quantity] for line in promised],
        prices=[_to_json(line.promise) for line in promised],
        agent=agent,
        expires_at=at + TTL,
    )
    return _add(session, link), promised


def _add(session: Session, link: CartLink) -> str:
    """The new link's secret."""
    secret = secrets.token_urlsafe(SECRET_BYTES)
    link.digest = digest(secret)
    session.add(link)
    if link.prices is not None:
        program_links.note_created(session, link.digest, link.agent, link.expires_at - TTL)
    session.flush()
    return secret


def _to_json(promise: Promise) -> list[str | None]:
    return [f"{promise.list_price:f}", None if promise.sale_price is None else f"{promise.sale_price:f}"]


def read(session: Session, secret: str, at: datetime) -> LinkedCart | None:
    """None for an unknown link, and for one of more than a day ago."""
    if not 0 < len(secret) <= MAX_SECRET_LENGTH:
        return None
    is_new = (ProgramLink.digest == CartLink.digest) & ProgramLink.opened_at.is_(None)
    query = select(CartLink, ProgramLink.digest).outerjoin(ProgramLink, is_new)
    found = session.execute(query.where(CartLink.digest == digest(secret), CartLink.expires_at > at)).first()
    if found is None:
        return None
    row, unopened = found
    lines = tuple(RequestedLine(*pair) for pair in row.lines)
    promised = None if row.prices is None else _promised(row)
    return LinkedCart(lines, row.coupon_id, promised, row.agent, unopened is not None)


def note_opened(session: Session, secret: str, at: datetime) -> bool:
    """Note that a person sees a link that a program made; whether nobody had seen it before."""
    return program_links.note_opened(session, digest(secret), at)


def _promised(row: CartLink) -> dict[int, Promise]:
    return {
        product_id: Promise(Decimal(list_price or 0), None if sale is None else Decimal(sale), row.expires_at)
        for (product_id, _), (list_price, sale) in zip(row.lines, row.prices or (), strict=True)
    }


def changes(session: Session, link: LinkedCart, learner_id: int | None, shop: ShopSettings, at: datetime) -> list[str]:
    """What is not any more as it was when the link was made, in words for whoever opens it."""
    by_id, found = products(session, [line.id for line in link.lines], learner_id), list[str]()
    access = access_of(session, learner_id, at)
    for line in link.lines:
        product, promise = by_id.get(line.id), (link.promised or {}).get(line.id)
        if product is None:
            found.append(GONE)
            continue
        quantity = 1 if product.is_bought_once else line.quantity
        refusal = purchase_refusal(PurchaseContext(product, access, quantity=quantity))
        if refusal is not None:
            found.append(refusal)
        elif promise is not None and promise.unit != product.price(at):
            found.append(_price_change(product, promise, shop, at))
    return list(dict.fromkeys(found))


def _price_change(product: CartProduct, promise: Promise, shop: ShopSettings, at: datetime) -> str:
    name, now, then = isolated(product.name), product.price(at), promise.unit
    if now < then:
        return f"{name} costs less by now: {amount_in_text(now, shop)} instead of {amount_in_text(then, shop)}."
    return f"{name} costs {amount_in_text(now, shop)} by now. This link keeps {amount_in_text(then, shop)}."


def take_over(session: Session, learner_id: int, secret: str, at: datetime) -> list[Merged] | None:
    """Put the lines of a link in the learner's cart, at the prices that it promises, with its coupon if the cart has
    none; the result of each line, as of `cart.merge`. None: the link is unknown or has expired. Repeating it changes
    nothing."""
    link = read(session, secret, at)
    if link is None:
        return None
    merged = merge(session, learner_id, link.lines, MergeSource(secret=secret), at)
    owner = Owner(learner_id)
    if link.coupon_id is not None and coupon_of(session, owner, at) is None:
        set_cart_coupon(session, owner, link.coupon_id, at)
    return merged


def merge(
    session: Session, learner_id: int, lines: Sequence[RequestedLine], source: MergeSource, at: datetime
) -> list[Merged]:
    """`cart.merge`; those of the lines that are a link's own have the prices that it promises."""
    merged = cart_merge.merge(session, learner_id, lines, source.guest, at)
    link = read(session, source.secret, at)
    if link is not None and link.promised is not None:
        there = [line.id for line in merged if line.outcome != "refused"]
        _keep_prices(session, learner_id, link, there, at)
    return merged


def _keep_prices(session: Session, learner_id: int, link: LinkedCart, ids: Iterable[int], at: datetime) -> None:
    """On lines of a learner whose row is locked. A line keeps the lower one of two promises."""
    promised = link.promised or {}
    of_link = [CartLine.learner_id == learner_id, CartLine.product_id.in_(set(ids) & set(promised))]
    by_id = products(session, list(promised))
    for line in session.scalars(select(CartLine).where(*of_link)):
        promise, before = promised[line.product_id], promises.of_line(line)
        line.agent = link.agent
        if before is None or at >= before.until or promise.unit <= before.unit:
            line.promised_list, line.promised_sale = promise.list_price, promise.sale_price
            line.promised_until = promise.until
        # The page of the link has shown this price, and what it would be without.
        line.seen_price = promises.with_promise(by_id[line.product_id], promises.of_line(line), at).price(at)
    session.flush()


def delete_expired(session: Session, at: datetime) -> int:
    """The number of links deleted."""
    result: Any = session.execute(delete(CartLink).where(CartLink.expires_at <= at))
    return int(result.rowcount)
