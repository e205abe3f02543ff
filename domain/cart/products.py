"""Products as a cart sees them, and who may buy which: a table of rules."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain import addresses
from domain.catalogue import CARD_COLUMNS, CardRow, is_on_sale, price_now
from domain.organisations import Access
from domain.tables import Category, Enrolment, Product, ShopItem


@dataclass(frozen=True)
class CartProduct:
    """`stock` None: as many as one likes. `following`: what is sold in place of a retired one."""

    card: CardRow
    status: str
    stock: int | None
    category: str
    category_name: str
    following: str = ""

    @property
    def id(self) -> int:
        return self.card.id

    @property
    def kind(self) -> str:
        return self.card.kind

    @property
    def name(self) -> str:
        return self.card.name

    def price(self, at: datetime) -> Decimal:
        """Of one unit, after sale."""
        return price_now(self.card, at)

    def sale_price(self, at: datetime) -> Decimal | None:
        card = self.card
        return card.sale_price if is_on_sale(card.sale_price, card.sale_from, card.sale_until, at) else None


def products(session: Session, ids: Collection[int]) -> dict[int, CartProduct]:
    """By id; what has never been published is not among them."""
    if not ids:
        return {}
    found = session.execute(
        select(*CARD_COLUMNS, Product.status, Product.successor_id, ShopItem.stock, Category.slug, Category.name)
        .join(Category, Category.id == Product.category_id)
        .outerjoin(ShopItem, ShopItem.id == Product.id)
        .where(Product.id.in_(ids), Product.status.in_(("published", "retired")))
    )
    made = {}
    for row in found:
        card, (status, successor_id, stock, slug, name) = CardRow._make(row[: len(CARD_COLUMNS)]), row[-5:]
        following = _following(session, card.id) if status == "retired" and successor_id else ""
        made[card.id] = CartProduct(card, status, stock, slug, name, following)
    return made


def _following(session: Session, product_id: int) -> str:
    product = session.get_one(Product, product_id)
    found = addresses.successor(session, product)
    return session.get_one(Product, found.id).name if found else ""


def owned(session: Session, learner_id: int, ids: Collection[int]) -> set[int]:
    mine = select(Enrolment.product_id).where(Enrolment.learner_id == learner_id, Enrolment.product_id.in_(ids))
    return set(session.scalars(mine)) if ids else set()


def is_shown(product: CartProduct, access: Access) -> bool:
    """Whether it can stand in this person's cart or wishlist at all."""
    return product.status == "published" and access.allows(product)


@dataclass(frozen=True)
class Buying:
    """Somebody wants `quantity` of a product; `has_room`: their cart has a place for one more line."""

    product: CartProduct | None
    access: Access
    is_owned: bool = False
    has_room: bool = True
    quantity: int = 1


Rule = Callable[[Buying, CartProduct], str | None]


def is_in_contract(buying: Buying, product: CartProduct) -> str | None:
    return None if buying.access.allows(product) else _unknown(buying)


def is_sold(_buying: Buying, product: CartProduct) -> str | None:
    if product.status == "published":
        return None
    instead = f" {product.following} has taken its place." if product.following else ""
    return f"{product.name} is no longer sold.{instead}"


def is_not_owned(buying: Buying, product: CartProduct) -> str | None:
    return f"You own {product.name} already: find it under My learning." if buying.is_owned else None


def is_in_stock(buying: Buying, product: CartProduct) -> str | None:
    if product.stock is None or buying.quantity <= product.stock:
        return None
    return f"{product.name} is sold out." if product.stock < 1 else f"Only {product.stock} of {product.name} are left."


def has_room(buying: Buying, _product: CartProduct) -> str | None:
    return None if buying.has_room else "Your cart is full. Take something out, or save it for later."


RULES: tuple[Rule, ...] = (is_in_contract, is_sold, is_not_owned, is_in_stock, has_room)


def why_not(buying: Buying) -> str | None:
    """None when it may be bought, else the first rule's refusal, in words for the learner."""
    product = buying.product
    if product is None:
        return _unknown(buying)
    return next((text for rule in RULES if (text := rule(buying, product)) is not None), None)


def _unknown(buying: Buying) -> str:
    """One text for what does not exist and what a restricted learner may not see."""
    if buying.access.is_restricted:
        return "This is not part of your organisation's contract. Ask its manager about it."
    return "This is not in the shop. It may have been withdrawn."
