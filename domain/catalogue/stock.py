"""What pages and carts say about the stock of a shop item."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.errors import NotFound
from domain.tables import Product, ShopItem
from domain.text_direction import isolated

# Up to here a page says how many are left.
FEW_LEFT = 10


def shown_stock(stock: int | None) -> int | None:
    """What an item's page shows of its stock: 0 sold out, else how many are left; None: enough, or unlimited.

    Pages are cached until the catalogue's version changes, which it does for the stock only when this changes.
    """
    return None if stock is None or stock > FEW_LEFT else max(stock, 0)


def stock_of(session: Session, slug: str) -> int | None:
    """What can still be sold of a shop item; None: unlimited. Raises NotFound."""
    item = session.scalar(select(ShopItem).join(Product, Product.id == ShopItem.id).where(Product.slug == slug))
    if item is None:
        raise NotFound(f"There is no shop item {slug}.")
    return item.stock


def too_few_text(name: str, stock: int) -> str:
    """Why more of an item than its stock cannot be bought."""
    return f"{isolated(name)} is sold out." if stock < 1 else f"Only {stock} of {isolated(name)} are left."
