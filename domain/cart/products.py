"""Products with what a cart needs of them, and the rules who may buy which."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from domain.catalogue import redirects
from domain.catalogue.listing import CARD_COLUMNS, CardRow, is_on_sale, lowest_before, price_now
from domain.catalogue.stock import too_few_text
from domain.database.prepared_select import SelectByIds
from domain.organisations.access import Access
from domain.reservations.queries import open_order_units
from domain.tables import Category, Product, ShopItem
from domain.tax.context import TaxClass
from domain.text_direction import isolated


@dataclass(frozen=True)
class CartProduct:
    """`stock`: how many this person can buy; None: unlimited. `successor_name`: the product that replaces a retired
    one, "" for none. `fulfilment`: "" for a course; `weight_g` of one unit. `promised_until`: the prices are those of a
    promise (promises.py); `agent`: the program whose link brought it, "" for none."""

    card: CardRow
    status: str
    stock: int | None
    category: str
    category_name: str
    successor_name: str = ""
    fulfilment: str = ""
    weight_g: int = 0
    tax_class: TaxClass = "service"
    sku: str = ""
    promised_until: datetime | None = None
    agent: str = ""

    @property
    def id(self) -> int:
        return self.card.id

    @property
    def kind(self) -> str:
        return self.card.kind

    @property
    def name(self) -> str:
        return self.card.name

    @property
    def is_bought_once(self) -> bool:
        """Access to courses: a second unit would give nothing."""
        return self.kind == "course" or self.fulfilment == "courses"

    def price(self, at: datetime) -> Decimal:
        """The price of one unit after sale."""
        return price_now(self.card, at)

    def sale_price(self, at: datetime) -> Decimal | None:
        card = self.card
        return card.sale_price if is_on_sale(card.sale_price, card.sale_from, card.sale_until, at) else None

    def lowest_before(self, at: datetime) -> Decimal | None:
        return lowest_before(self.card, at)


_ITEM_COLUMNS = (ShopItem.stock, ShopItem.fulfilment, ShopItem.weight_g, ShopItem.tax_class, ShopItem.sku)
_BY_ID = SelectByIds(
    lambda ids: (
        select(*CARD_COLUMNS, Product.status, Product.successor_id, Category.slug, Category.name, *_ITEM_COLUMNS)
        .join(Category, Category.id == Product.category_id)
        .outerjoin(ShopItem, ShopItem.id == Product.id)
        .where(Product.id.in_(ids), or_(Product.status == "published", Product.status == "retired"))
    ),
    list,
)


def products(session: Session, ids: Collection[int], learner_id: int | None = None) -> dict[int, CartProduct]:
    """Published and retired products by id. Of each, a learner can buy what is in stock and what their open order has
    reserved: the next order replaces that one."""
    if not ids:
        return {}
    reserved = {} if learner_id is None else open_order_units(session, learner_id, "stock", ids)
    by_id = {}
    for row in _BY_ID.all(session, ids):
        card, rest = CardRow._make(row[: len(CARD_COLUMNS)]), row[len(CARD_COLUMNS) :]
        status, successor_id, slug, name, stock, *item = rest
        successor = _successor_name(session, card.id) if status == "retired" and successor_id else ""
        available = None if stock is None else stock + reserved.get(card.id, 0)
        about_item = item if card.kind == "item" else []
        by_id[card.id] = CartProduct(card, status, available, slug, name, successor, *about_item)
    return by_id


def _successor_name(session: Session, product_id: int) -> str:
    product = session.get_one(Product, product_id)
    successor = redirects.successor(session, product)
    return session.get_one(Product, successor.id).name if successor else ""


def is_available(product: CartProduct, access: Access) -> bool:
    """Whether a person with this access can have the product in their cart or wishlist."""
    return product.status == "published" and access.allows(product)


def can_be_bought(product: CartProduct | None, access: Access, own: set[int]) -> bool:
    """Whether a person with this access, who has the courses `own`, can buy the product."""
    return product is not None and is_available(product, access) and product.id not in own


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
    instead = f" {isolated(product.successor_name)} has taken its place." if product.successor_name else ""
    return f"{isolated(product.name)} is no longer sold.{instead}"


def is_not_owned(context: PurchaseContext, product: CartProduct) -> str | None:
    return f"You own {isolated(product.name)} already: find it under My learning." if context.is_owned else None


def is_in_stock(context: PurchaseContext, product: CartProduct) -> str | None:
    if product.stock is None or context.quantity <= product.stock:
        return None
    return too_few_text(product.name, product.stock)


def is_single(context: PurchaseContext, product: CartProduct) -> str | None:
    if context.quantity == 1 or not product.is_bought_once:
        return None
    return f"{isolated(product.name)} is bought once: its quantity is 1."


def has_room(context: PurchaseContext, _product: CartProduct) -> str | None:
    return None if context.has_room else "Your cart is full. Remove an item, or save one for later."


RULES: tuple[Rule, ...] = (is_in_contract, is_for_sale, is_not_owned, is_in_stock, is_single, has_room)


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
