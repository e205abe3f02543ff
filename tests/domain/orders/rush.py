"""A rush of buyers: each fills a cart, reserves codes, orders, orders something else instead, and pays in time, late or
never; some get their money back. `run` does it in threads, each with a connection of its own."""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from random import Random
from threading import Lock
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.cart import codes as cart_codes
from domain.cart import lines as cart_lines
from domain.cart.lines import Change
from domain.cart.owners import RequestedLine
from domain.checkout import placement
from domain.checkout.placement import Placed
from domain.checkout.priced import RequestedItem
from domain.database.database import Database
from domain.errors import DomainError
from domain.orders import events, expiry
from domain.orders.expiry import DueOrder
from domain.orders.settings import Context
from domain.payments import settlement
from domain.payments.gateway import Reference, RefundSnapshot
from domain.tables import Coupon, Document, Order, Reservation, ShopItem
from tests.domain.orders import selling
from tests.domain.orders.selling import LATER, SETTINGS, Pricing
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import SHOP

THREADS, BOOKS, CODES = 8, 6, 4
# Pieces of each book and uses of each code for each buyer: some get nothing.
PIECES, USES = 0.25, 0.25


@dataclass(frozen=True)
class RushGoods:
    """Ids of the rows; `stock` and `uses`: of each book and each coupon at the beginning."""

    books: tuple[int, ...]
    coupons: dict[str, int]
    course: int
    voucher: int
    buyers: tuple[int, ...]
    stock: int
    uses: int


def fill(session: Session, buyers: int) -> RushGoods:
    category = factories.category(session).id
    stock, uses = round(PIECES * buyers), round(USES * buyers)
    books = []
    for number in range(BOOKS):
        about = {"item_kind": "book", "list_price": Decimal(10 + number), "sale_price": None}
        detail = {"stock": stock, "fulfilment": "shipped"}
        books.append(factories.item(session, category, f"book-{number}", detail=detail, **about).id)
    coupons = {
        f"CODE{number}": factories.coupon(session, f"CODE{number}", total_limit=uses, learner_limit=2).id
        for number in range(CODES)
    }
    course = factories.course(session, category, list_price=Decimal("40.00"), sale_price=None).id
    voucher = factories.item(
        session, category, "the-voucher", detail={"fulfilment": "code"}, item_kind="voucher", list_price=Decimal(50)
    ).id
    people = [factories.learner(session, f"Buyer {number}").id for number in range(buyers)]
    return RushGoods(tuple(books), coupons, course, voucher, tuple(people), stock, uses)


class Rush:
    """`answers`: how often each step gave which answer. `errors`: what a person would have seen instead of one."""

    def __init__(self, db: Database, goods: RushGoods):
        self.db, self.goods, self._lock = db, goods, Lock()
        self.answers, self.errors = Counter[str](), list[str]()

    def write(self, step: str, fn: Callable[..., Any], *args: Any) -> Any:
        """The value of the step; None after an error or a refusal."""
        try:
            value = self.db.write_sync(fn, *args)
        except DomainError as refusal:
            self._note(f"{step}: {type(refusal).__name__}")
            return None
        except Exception as error:
            with self._lock:
                self.errors.append(f"{step}: {type(error).__name__} {error.__cause__ or error}"[:200])
            return None
        self._note(f"{step}: {value if isinstance(value, str) else type(value).__name__}")
        return value

    def _note(self, answer: str) -> None:
        with self._lock:
            self.answers[answer] += 1

    def buy(self, number: int) -> None:
        """All that one buyer does."""
        chance, learner = Random(number), self.goods.buyers[number]
        books, codes = chance.sample(self.goods.books, 3), chance.sample(sorted(self.goods.coupons), 2)
        wanted = [RequestedLine(book, chance.randint(1, 2)) for book in books]
        self.write("add", cart_lines.add_all, learner, wanted, NOON)
        self.write("code", cart_codes.set_on_line, learner, books[0], codes[0], NOON, SHOP)
        first = self.place(learner, "first", self.item(books[0], codes[0]), RequestedItem(books[1]))
        extras = [RequestedLine(self.goods.course), RequestedLine(self.goods.voucher), RequestedLine(books[1])]
        self.write("add", cart_lines.add_all, learner, chance.sample(extras, 3), NOON)
        self.write("code", cart_codes.set_on_line, learner, books[2], codes[1], NOON, SHOP)
        others = (self.item(books[2], codes[1]), RequestedItem(self.goods.course), RequestedItem(books[1]))
        second = self.place(learner, "second", *others, RequestedItem(self.goods.voucher))
        if second is None:
            self.write("change", cart_lines.change, learner, books[2], Change(is_saved=True), NOON)
        paid = {0: (second,), 1: (first,), 2: (second, first), 3: ()}[number % 4]
        for order_id in paid:
            self.settle(order_id, is_returned=number % 3 == 0)
        if second is not None:
            self.write("expire", expiry.cancel, DueOrder(second, learner), "expire", events.SYSTEM, LATE)
        self.write("clear", cart_lines.clear, learner)

    def item(self, book: int, code: str) -> RequestedItem:
        return RequestedItem(book, coupon_id=self.goods.coupons[code])

    def place(self, learner: int, key: str, *lines: RequestedItem) -> int | None:
        """The order's id."""
        pricing = Pricing(free={line.product_id: line.coupon_id for line in lines if line.coupon_id is not None})
        with self.db.read_session() as session:
            request = selling.order_request(session, learner, *lines, key=key, pricing=pricing)
        placed = self.write("place", placement.place, request, pricing, Context(NOON, SETTINGS))
        return placed.order_id if isinstance(placed, Placed) else None

    def settle(self, order_id: int | None, is_returned: bool) -> None:
        """The gateway says that the order is paid, and then that a part went back."""
        if order_id is None:
            return
        with self.db.read_session() as session:
            order = session.get_one(Order, order_id)
            ref, paid = selling.ref_of(session, order), selling.snapshot(order)
        outcome = self.write("settle", settlement.apply, ref, paid, selling.SHOP, LATER)
        if is_returned and outcome == "settled":
            reference = Reference("shop-1", order.code, 1, 1)
            back = RefundSnapshot(f"re_{order_id}", "succeeded", order.total_minor, "USD", LATER, reference=reference)
            self.write("return", settlement.apply, ref, replace(paid, refunds=(back,)), selling.SHOP, LATER)


LATE = Context(NOON + timedelta(days=1), SETTINGS)


@contextmanager
def connected(database: Database) -> Iterator[Database]:
    """The database with a connection for each thread."""
    db = Database(database.url, pool_size=THREADS, deadline_s=60, busy_ms=60_000)
    try:
        yield db
    finally:
        db.engine.dispose()


def run(database: Database, buyers: int) -> Rush:
    with connected(database) as db:
        with db.write_session() as session:
            goods = fill(session, buyers)
        rush = Rush(db, goods)
        with ThreadPoolExecutor(THREADS) as threads:
            list(threads.map(rush.buy, range(buyers)))
    return rush


def disagreements(database: Database, goods: RushGoods) -> list[str]:
    """Counters that are not what the rows of reservations say, and numbers of documents that are missing."""
    found = []
    with database.read_session() as session:
        rows = select(Reservation.kind, Reservation.resource_id, func.sum(Reservation.quantity))
        taken = {(kind, id_): int(units) for kind, id_, units in session.execute(rows.group_by("kind", "resource_id"))}
        for id_, stock in session.execute(select(ShopItem.id, ShopItem.stock).where(ShopItem.id.in_(goods.books))):
            if goods.stock - stock != taken.get(("stock", id_), 0):
                found.append(f"book {id_}: {goods.stock - stock} sold, {taken.get(('stock', id_), 0)} in rows")
        for id_, uses in session.execute(select(Coupon.id, Coupon.uses)):
            if uses != taken.get(("coupon", id_), 0):
                found.append(f"coupon {id_}: {uses} used, {taken.get(('coupon', id_), 0)} in rows")
        for kind in ("invoice", "credit_note"):
            numbers = sorted(session.scalars(select(Document.seq).where(Document.kind == kind)))
            if numbers != list(range(1, len(numbers) + 1)):
                found.append(f"{kind}: gaps")
    return found
