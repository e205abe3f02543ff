"""The prices of one product: as they were, are and are planned; and the lowest of the 30 days before a sale."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.catalogue.listing import is_on_sale
from domain.errors import NotFound, Refused
from domain.money import Currency
from domain.permissions import Actor, SystemActor
from domain.publishing import prices
from domain.publishing.editing.stored_course import Edit, NewerVersion
from domain.publishing.prices import PricePlan
from domain.publishing.records import Json
from domain.tables import CartLine, Learner, PriceChange, Product

HISTORY_LIMIT = 200


@dataclass(frozen=True)
class PriceEntry:
    """One price from `starts_at` on. `by`: a name, None for a command or an import."""

    id: int
    starts_at: datetime
    ends_at: datetime | None
    list_price: Decimal
    sale_price: Decimal | None
    by: str | None
    reason: str


@dataclass(frozen=True)
class Prices:
    """`now`: what a buyer pays. `planned` in the order in which they begin, `past` the newest first. `lowest`: of the
    30 days before the sale that runs or is the next; None without one."""

    product: Product
    now: Decimal
    planned: Sequence[PriceEntry]
    past: Sequence[PriceEntry]
    lowest: Decimal | None


@dataclass(frozen=True)
class NewPrice:
    """A price as entered. `starts_at` None: at once; `ends_at`: of the sale, unless that `keeps_window`."""

    list_price: Decimal
    sale_price: Decimal | None
    starts_at: datetime | None
    ends_at: datetime | None
    reason: str = ""
    keeps_window: bool = False


@dataclass(frozen=True)
class PriceEffects:
    """`now`: what buyers pay. `carts`: of learners, that hold the product. `planned`: prices that stay planned."""

    now: Decimal
    carts: int
    planned: int


# None ends a sale.
SalePrice = Decimal | None | Literal["unchanged"]


@dataclass(frozen=True)
class PriceStep:
    """`before`, `after`: list and sale price."""

    name: str
    before: tuple[Decimal, Decimal | None]
    after: tuple[Decimal, Decimal | None]


def read(session: Session, product_id: int, at: datetime) -> Prices:
    """Raises NotFound."""
    product = _product(session, product_id, locks=False)
    entries = _entries(session, product_id)
    is_reduced = is_on_sale(product.sale_price, product.sale_from, product.sale_until, at)
    now = product.sale_price if is_reduced and product.sale_price is not None else product.list_price
    is_over = product.sale_until is not None and product.sale_until <= at
    return Prices(
        product,
        now,
        [entry for entry in entries if entry.starts_at > at],
        [entry for entry in reversed(entries) if entry.starts_at <= at],
        None if is_over else product.lowest_before,
    )


def change(session: Session, edit: Edit, new: NewPrice, currency: Currency, *, only_draft: bool) -> int:
    """Set or plan a price and return the version of the product. `only_draft`: by somebody who may price drafts alone.

    Raises NotFound, NewerVersion, Refused and InvalidInput.
    """
    product = _product(session, edit.product_id, locks=True)
    if product.version != edit.version:
        raise NewerVersion
    if only_draft and product.status != "draft":
        raise Refused("Editors price drafts. Ask somebody of finance to change the price of what is on sale.")
    set_price(session, edit.actor, product, new, currency)
    return product.version


def effects(session: Session, product_id: int, new: NewPrice, currency: Currency, at: datetime) -> PriceEffects:
    """What setting or planning the price would change. Raises NotFound, Refused and InvalidInput."""
    prices_now = read(session, product_id, at)
    plan = PricePlan(new.starts_at, new.ends_at, has_window=True)
    prices.valid_prices(prices_now.product.kind, (new.list_price, new.sale_price), plan, at, currency)
    carts = session.scalar(select(func.count()).select_from(CartLine).where(CartLine.product_id == product_id))
    return PriceEffects(prices_now.now, carts or 0, len(prices_now.planned))


def change_now(
    session: Session, actor: SystemActor, slug: str, price: tuple[Decimal, SalePrice], currency: Currency
) -> PriceStep:
    """Set list and sale price of the product with a slug from now on, by a command; a sale that stays keeps its window.
    For `Database.write_as`. Raises NotFound, Refused."""
    product = _product(session, prices.product_by_slug(session, slug).id, locks=True)
    before = product.list_price, product.sale_price
    list_price, sale = price
    sale_price = prices.unended_sale(product, actor.at) if sale == "unchanged" else sale
    new = NewPrice(list_price, sale_price, None, None, keeps_window=True)
    set_price(session, actor, product, new, currency)
    return PriceStep(product.name, before, (product.list_price, product.sale_price))


def set_price(
    session: Session, actor: Actor | SystemActor, product: Product, new: NewPrice, currency: Currency
) -> None:
    """Set or plan the price of a locked product, recorded. Raises Refused and InvalidInput."""
    before = _fields(product)
    plan = PricePlan(new.starts_at, new.ends_at, actor.learner_id, new.reason, has_window=not new.keeps_window)
    slug = f"{product.kind}:{product.slug}"
    prices.change_price(session, slug, new.list_price, new.sale_price, actor.at, currency, plan)
    after = _fields(product)
    subject = Subject(product.kind, product.id)
    if before != after:
        recording.record(session, "price.change", subject, before=before, after=after, reason=new.reason)
    elif new.starts_at is not None and new.starts_at > actor.at:
        values: Json = {"list_price": new.list_price, "sale_price": new.sale_price, "starts_at": new.starts_at}
        recording.record(session, "price.plan", subject, after=values, reason=new.reason)
    else:
        recording.no_change(session)


def withdraw(session: Session, actor: Actor, change_id: int) -> int:
    """Withdraw a planned price and return the version of the product. Raises NotFound and Refused."""
    change = session.get(PriceChange, change_id)
    if change is None:
        raise NotFound("This price is not planned any more.")
    product = _product(session, change.product_id, locks=True)
    row = prices.withdraw(session, product, change_id, actor.at)
    values: Json = {"list_price": row.list_price, "sale_price": row.sale_price, "starts_at": row.starts_at}
    recording.record(session, "price.withdraw", Subject(product.kind, product.id), before=values)
    return product.version


def _product(session: Session, product_id: int, *, locks: bool) -> Product:
    product = session.get(Product, product_id, with_for_update=True if locks else None, populate_existing=locks)
    if product is None:
        raise NotFound("There is no such course or item.")
    return product


def _entries(session: Session, product_id: int) -> list[PriceEntry]:
    """In the order in which they begin; of more than HISTORY_LIMIT the newest."""
    columns = (PriceChange.id, PriceChange.starts_at, PriceChange.ends_at)
    query = select(*columns, PriceChange.list_price, PriceChange.sale_price, Learner.name, PriceChange.reason)
    query = query.outerjoin(Learner, Learner.id == PriceChange.changed_by).where(PriceChange.product_id == product_id)
    newest = query.order_by(PriceChange.starts_at.desc(), PriceChange.id.desc()).limit(HISTORY_LIMIT)
    return [PriceEntry(*row) for row in reversed(session.execute(newest).all())]


def _fields(product: Product) -> Json:
    names = ("list_price", "sale_price", "sale_from", "sale_until")
    return {name: getattr(product, name) for name in names}
