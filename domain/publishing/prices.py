"""Changing the price of one product: the only writer of `price_changes`.

A product has its present list price and one sale with its window, which begins and ends on the second because every
page compares the time. What the product cannot say yet, another list price or a sale after the one it has, is a
planned row until `apply_planned` writes it into the product.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from domain import money
from domain.catalogue.changes import bump_version
from domain.crawlers import page_changes
from domain.errors import InvalidInput, NotFound, Refused
from domain.money import Currency
from domain.publishing import lowest_prices
from domain.tables import PriceChange, Product


@dataclass(frozen=True)
class PricePlan:
    """When a price begins (None: at once) and when its sale ends (None: it stays), by whom and why.

    `has_window`: the sale gets exactly this window; otherwise an unchanged sale keeps its own."""

    starts_at: datetime | None = None
    ends_at: datetime | None = None
    by: int | None = None
    reason: str = ""
    has_window: bool = False


AT_ONCE = PricePlan()


def product_by_slug(session: Session, slug: str) -> Product:
    """The course or item with this slug, written `course:{slug}` or `item:{slug}` where both have it.

    Raises NotFound for an unknown slug and Refused for one that fits both a course and an item.
    """
    kind, colon, bare = slug.rpartition(":")
    query = select(Product).where(Product.slug == bare)
    products = list(session.scalars(query.where(Product.kind == kind) if colon else query))
    if not products:
        raise NotFound(f"No course or shop item is called {slug}.")
    if len(products) > 1:
        raise Refused(f"A course and a shop item are both called {slug}: write course:{slug} or item:{slug}.")
    return products[0]


def change_price(
    session: Session,
    slug: str,
    list_price: Decimal,
    sale_price: Decimal | None,
    at: datetime,
    currency: Currency,
    plan: PricePlan = AT_ONCE,
) -> int:
    """Set the price, or plan it, and return the product's id. None as `sale_price` ends a sale.

    `slug` and errors as for `product_by_slug`; raises Refused also for an invalid price, and for
    one finer than the currency; InvalidInput for a window that ends before it begins.
    """
    product = product_by_slug(session, slug)
    list_price, sale_price = valid_prices(product.kind, (list_price, sale_price), plan, at, currency)
    begins = max(plan.starts_at or at, at)
    record_former_price(session, product, at)
    if begins > at and not _fits_beside(product, list_price, sale_price, at):
        _add(session, product, begins, plan, at, list_price=list_price, sale_price=sale_price, applied_at=None)
        # Whoever has read the prices before must see this plan before they make another.
        product.version += 1
        session.flush()
        return product.id
    before = page_changes.columns_of(product)
    _set_sale(product, sale_price, begins, plan, at)
    product.list_price, product.sale_price = list_price, sale_price
    if session.is_modified(product):
        _save(session, product, plan, at)
        _store_lowest(session, product)
        page_changes.note_product(session, product, before, at)
    return product.id


def valid_prices(
    kind: str, prices: tuple[Decimal, Decimal | None], plan: PricePlan, at: datetime, currency: Currency
) -> tuple[Decimal, Decimal | None]:
    """List and sale price as they are stored. Raises Refused and InvalidInput, as `change_price`."""
    list_price, sale_price = prices
    list_price = _valid_amount(list_price, currency)
    sale_price = None if sale_price is None else _valid_amount(sale_price, currency)
    if sale_price is not None and sale_price >= list_price:
        raise Refused(f"The sale price {sale_price} must be below the price {list_price}.")
    if kind == "item" and not list_price:
        raise Refused("A shop item must cost something: search engines list none without a price above zero.")
    _require_window(plan, max(plan.starts_at or at, at), sale_price)
    return list_price, sale_price


def unended_sale(product: Any, at: datetime) -> Decimal | None:
    """The sale price of a product whose sale runs or is to come. `product` has the price columns of products."""
    is_over = product.sale_until is not None and product.sale_until <= at
    return None if is_over or product.sale_price is None else Decimal(product.sale_price)


def apply_planned(session: Session, change_id: int, at: datetime) -> Product | None:
    """Write a planned price whose time has come into its product. None: it was withdrawn or applied meanwhile."""
    change = session.get(PriceChange, change_id, with_for_update=True)
    if change is None or change.applied_at is not None or change.starts_at > at:
        return None
    product = session.get_one(Product, change.product_id)
    is_over = change.ends_at is not None and change.ends_at <= at
    before = page_changes.columns_of(product)
    product.list_price = change.list_price
    product.sale_price = None if is_over else change.sale_price
    product.sale_from = change.starts_at if product.sale_price is not None else None
    product.sale_until = change.ends_at if product.sale_price is not None else None
    change.applied_at = product.updated_at = at
    product.version += 1
    session.flush()
    _store_lowest(session, product)
    page_changes.note_product(session, product, before, at)
    bump_version(session)
    return product


def withdraw(session: Session, product: Product, change_id: int, at: datetime) -> PriceChange:
    """Withdraw a price that has not begun. Raises NotFound, and Refused for one that has."""
    change = session.scalar(
        select(PriceChange).where(PriceChange.id == change_id, PriceChange.product_id == product.id).with_for_update()
    )
    if change is None:
        raise NotFound("This price is not planned any more.")
    if change.starts_at <= at:
        raise Refused("This price has begun already. Set another one instead.")
    before = page_changes.columns_of(product)
    if change.applied_at is not None and product.sale_from == change.starts_at:
        product.sale_price = product.sale_from = product.sale_until = None
        product.updated_at = at
    product.version += 1
    session.delete(change)
    session.flush()
    _store_lowest(session, product)
    page_changes.note_product(session, product, before, at)
    bump_version(session)
    return change


def _store_lowest(session: Session, product: Product) -> None:
    product.lowest_before = lowest_prices.read(session, [product.id])[product.id]
    session.flush()


def record_former_price(session: Session, product: Product, at: datetime) -> None:
    """The price from before the first recorded change, which the lowest price of 30 days needs."""
    if session.scalar(select(PriceChange.id).where(PriceChange.product_id == product.id).limit(1)) is not None:
        return
    since = min(product.published_at or product.updated_at, at)
    _add(session, product, since, AT_ONCE, since, list_price=product.list_price, sale_price=None, applied_at=since)
    if product.sale_price is not None:
        begins = max(product.sale_from or since, since)
        plan = PricePlan(ends_at=product.sale_until)
        _add(
            session,
            product,
            begins,
            plan,
            since,
            list_price=product.list_price,
            sale_price=product.sale_price,
            applied_at=since,
        )
    session.flush()


PRICE_COLUMNS = frozenset({"list_price", "sale_price", "sale_from", "sale_until"})
IMPORTED = "An import or another source."


@dataclass(frozen=True)
class WrittenPrice:
    """A product whose price a source has changed: its columns before and after."""

    product_id: int
    before: Mapping[str, Any]
    after: Mapping[str, Any]


def record_written(session: Session, written: Sequence[WrittenPrice], at: datetime) -> None:
    """The rows of prices that a batch of records has changed, with three statements for all of them."""
    if not written:
        return
    ids = [price.product_id for price in written]
    known = set(session.scalars(select(PriceChange.product_id).where(PriceChange.product_id.in_(ids)).distinct()))
    replaced = (PriceChange.product_id.in_(ids), PriceChange.starts_at >= at, PriceChange.applied_at.is_not(None))
    session.execute(delete(PriceChange).where(*replaced))
    rows = [row for price in written for row in _written_rows(price, at, is_first=price.product_id not in known)]
    session.execute(insert(PriceChange), rows)


def _written_rows(price: WrittenPrice, at: datetime, *, is_first: bool) -> Iterator[dict[str, Any]]:
    """With the price from before the first change of the product."""
    before, after = price.before, price.after
    if is_first:
        since = min(before["published_at"] or before["updated_at"], at)
        yield _row(price.product_id, since, before, has_sale=_runs(before, since), reason="")
    yield _row(price.product_id, at, after, has_sale=_runs(after, at), reason=IMPORTED)
    if after["sale_price"] is not None and not _runs(after, at):
        yield _row(price.product_id, after["sale_from"], after, has_sale=True, reason=IMPORTED, changed_at=at)


def _runs(values: Mapping[str, Any], at: datetime) -> bool:
    return values["sale_price"] is not None and (values["sale_from"] is None or values["sale_from"] <= at)


def _row(
    product_id: int,
    starts_at: datetime,
    values: Mapping[str, Any],
    *,
    has_sale: bool,
    reason: str,
    changed_at: datetime | None = None,
) -> dict[str, Any]:
    changed_at = changed_at or starts_at
    return {
        "product_id": product_id,
        "changed_at": changed_at,
        "starts_at": starts_at,
        "ends_at": values["sale_until"] if has_sale else None,
        "applied_at": changed_at,
        "list_price": values["list_price"],
        "sale_price": values["sale_price"] if has_sale else None,
        "reason": reason,
    }


def _require_window(plan: PricePlan, begins: datetime, sale_price: Decimal | None) -> None:
    if plan.ends_at is not None and sale_price is None:
        raise InvalidInput({"endsAt": "Only a sale ends. Enter its price, or no end."})
    if plan.ends_at is not None and plan.ends_at <= begins:
        raise InvalidInput({"endsAt": "The sale must end after it begins, and in the future."})


def _fits_beside(product: Product, list_price: Decimal, sale_price: Decimal | None, at: datetime) -> bool:
    """Whether the product itself can hold the planned price: a sale, while it has no other."""
    is_free = product.sale_price is None or (product.sale_until is not None and product.sale_until <= at)
    return is_free and sale_price is not None and list_price == product.list_price


def _set_sale(product: Product, sale_price: Decimal | None, begins: datetime, plan: PricePlan, at: datetime) -> None:
    is_over = product.sale_until is not None and product.sale_until <= at
    has_begun = product.sale_from is None or product.sale_from <= at
    if begins == at and has_begun and (sale_price, plan.ends_at) == (product.sale_price, product.sale_until):
        # The sale goes on: since when it runs decides what it is compared with.
        return
    if sale_price is not None and (plan.has_window or begins > at):
        product.sale_from, product.sale_until = begins, plan.ends_at
    elif sale_price != product.sale_price or is_over:
        product.sale_from = product.sale_until = None


def _save(session: Session, product: Product, plan: PricePlan, at: datetime) -> None:
    product.updated_at, product.version = at, product.version + 1
    replaced = (PriceChange.product_id == product.id, PriceChange.starts_at >= at, PriceChange.applied_at.is_not(None))
    session.execute(delete(PriceChange).where(*replaced))
    is_later = product.sale_price is not None and product.sale_from is not None and product.sale_from > at
    own = PricePlan(ends_at=None if is_later else product.sale_until, by=plan.by, reason=plan.reason)
    running = None if is_later else product.sale_price
    _add(session, product, at, own, at, list_price=product.list_price, sale_price=running, applied_at=at)
    if is_later and product.sale_from is not None:
        later, sale = PricePlan(ends_at=product.sale_until, by=plan.by, reason=plan.reason), product.sale_price
        _add(
            session,
            product,
            product.sale_from,
            later,
            at,
            list_price=product.list_price,
            sale_price=sale,
            applied_at=at,
        )
    session.flush()
    bump_version(session)


def _add(
    session: Session,
    product: Product,
    starts_at: datetime,
    plan: PricePlan,
    at: datetime,
    *,
    list_price: Decimal,
    sale_price: Decimal | None,
    applied_at: datetime | None,
) -> None:
    session.add(
        PriceChange(
            product_id=product.id,
            changed_at=at,
            starts_at=starts_at,
            ends_at=plan.ends_at,
            applied_at=applied_at,
            list_price=list_price,
            sale_price=sale_price,
            changed_by=plan.by,
            reason=plan.reason.strip()[:500],
        )
    )


def _valid_amount(amount: Decimal, currency: Currency) -> Decimal:
    if not amount.is_finite() or not 0 <= amount <= money.max_amount(currency):
        raise Refused(f"A price lies between 0 and {money.max_amount(currency)}.")
    if not money.is_rounded(amount, currency):
        raise Refused(f"{amount} is finer than {currency.code} allows: {money.too_fine(currency)}.")
    return money.rounded(amount, currency)
