"""Products with what a cart needs of them, and the rules who may buy which."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.catalogue import CARD_COLUMNS, CardRow, is_on_sale, price_now, redirects
from domain.organisations.access import Access
from domain.tables import Category, Product, ShopItem


@dataclass(frozen=True)
class CartProduct:
    """`stock` None: unlimited. `successor_name`: the product that replaces a retired one, "" for none."""

    card: CardRow
    status: str
    stock: int | None
    category: str
    category_name: str
    successor_name: str = ""

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
        """The price of one unit after sale."""
        return price_now(self.card, at)

    def sale_price(self, at: datetime) -> Decimal | None:
        card = self.card
        return card.sale_price if is_on_sale(card.sale_price, card.sale_from, card.sale_until, at) else None


def products(session: Session, ids: Collection[int]) -> dict[int, CartProduct]:
    """Published and retired products by id."""
    if not ids:
        return {}
    rows = session.execute(
        select(*CARD_COLUMNS, Product.status, Product.successor_id, ShopItem.stock, Category.slug, Category.name)
        .join(Category, Category.id == Product.category_id)
        .outerjoin(ShopItem, ShopItem.id == Product.id)
        .where(Product.id.in_(ids), Product.status.in_(("published", "retired")))
    )
    by_id = {}
    for row in rows:
        card, (status, successor_id, stock, slug, name) = CardRow._make(row[: len(CARD_COLUMNS)]), row[-5:]
        successor = _successor_name(session, card.id) if status == "retired" and successor_id else ""
        by_id[card.id] = CartProduct(card, status, stock, slug, name, successor)
    return by_id


def _successor_name(session: Session, product_id: int) -> str:
    product = session.get_one(Product, product_id)
    successor = redirects.successor(session, product)
    return session.get_one(Product, successor.id).name if successor else ""


def is_available(product: CartProduct, access: Access) -> bool:
    """Whether a person with this access can have the product in their cart or wishlist."""
    return product.status == "published" and access.allows(product)


@dataclass(frozen=True)
class PurchaseContext:
    """A person wants to buy `quantity` of a product; `has_room`: their cart has space for one more line."""

    product: CartProduct | None
    access: Access
    is_owned: bool = False
    has_room: bool = True
    quantity: int = 1


Rule = Callable[[PurchaseContext, CartProduct], str | None]


def is_in_contract(context: PurchaseContext, product: CartProduct) -> str | None:
    return None if context.access.allows(product) else _unknown(context)


def is_for_sale(_context: PurchaseContext, product: CartProduct) -> str | None:
    if product.status == "published":
        return None
    instead = f" {product.successor_name} has taken its place." if product.successor_name else ""
    return f"{product.name} is no longer sold.{instead}"


def is_not_owned(context: PurchaseContext, product: CartProduct) -> str | None:
    return f"You own {product.name} already: find it under My learning." if context.is_owned else None


def is_in_stock(context: PurchaseContext, product: CartProduct) -> str | None:
    if product.stock is None or context.quantity <= product.stock:
        return None
    return f"{product.name} is sold out." if product.stock < 1 else f"Only {product.stock} of {product.name} are left."


def has_room(context: PurchaseContext, _product: CartProduct) -> str | None:
    return None if context.has_room else "Your cart is full. Remove an item, or save one for later."


RULES: tuple[Rule, ...] = (is_in_contract, is_for_sale, is_not_owned, is_in_stock, has_room)


def purchase_refusal(context: PurchaseContext) -> str | None:
    """None when the product may be bought, else the first rule's refusal, a text for the learner."""
    product = context.product
    if product is None:
        return _unknown(context)
    return next((text for rule in RULES if (text := rule(context, product)) is not None), None)


def _unknown(context: PurchaseContext) -> str:
    """One text for products that do not exist and those that a restricted learner may not see."""
    if context.access.is_restricted:
        return "This is not part of your organisation's contract. Ask its manager about it."
    return "This is not in the shop. It may have been withdrawn."
