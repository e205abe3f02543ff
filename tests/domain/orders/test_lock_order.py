"""The order in which transactions of the shop lock what others compete for (docs/decisions/0104), on MariaDB."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from domain.cart import codes as cart_codes
from domain.cart import lines as cart_lines
from domain.cart.codes import LineCode
from domain.cart.owners import RequestedLine
from domain.checkout import placement
from domain.checkout.priced import RequestedItem
from domain.learning import grants
from tests.domain.orders import selling
from tests.domain.orders.selling import LATER, Pricing, World
from tests.domain.payments.settled import NEXT_DAY, expire
from tests.support.factories import NOON
from tests.support.shops import SHOP
from tests.support.statements import counted

pytestmark = [pytest.mark.mariadb, pytest.mark.parametrize("database", ["mariadb"], indirect=True)]

# Tables that all learners share, or with an index in which somebody else's row is the next one.
SHARED = {"learners", "orders", "shop_items", "coupons", "document_counters", "catalogue_version"}
_LOCKS = re.compile(r"FROM (\w+).*(?:FOR UPDATE|LOCK IN SHARE MODE)", re.DOTALL)
_WRITES = re.compile(r"(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)")


def locked_first(statements: list[str]) -> list[str]:
    """The shared tables in the order in which rows of theirs are locked or written. Of orders a lock on the row alone
    does not count: writing it is what touches the unique index."""
    found = []
    for statement in statements:
        locked = _LOCKS.search(statement)
        written = _WRITES.match(statement)
        table = written[1] if written else locked[1] if locked and locked[1] != "orders" else ""
        found += [table] if table in SHARED else []
    return list(dict.fromkeys(found))


def with_code(world: World, session, key: str, *more: RequestedItem):
    """An order of the course by its code, and of more."""
    pricing = Pricing(free={world.course: world.coupon})
    lines = (RequestedItem(world.course, coupon_id=world.coupon), *more)
    return selling.buy(session, world.learner, *lines, key=key, pricing=pricing)


def supersede(session, world: World) -> Callable[[], object]:
    with_code(world, session, "first", RequestedItem(world.voucher))
    return lambda: with_code(world, session, "second", RequestedItem(world.book))


def place(session, world: World) -> Callable[[], object]:
    return lambda: with_code(world, session, "first", RequestedItem(world.book))


def settle(session, world: World) -> Callable[[], object]:
    order = with_code(world, session, "first", RequestedItem(world.book))
    return lambda: selling.pay(session, order, LATER)


def settle_late(session, world: World) -> Callable[[], object]:
    """Another code is on the line in the cart by then."""
    order = selling.buy(session, world.learner, RequestedItem(world.course), RequestedItem(world.book))
    expire(session, order)
    assert cart_lines.add(session, world.learner, world.course, NOON) is None
    assert isinstance(cart_codes.set_on_line(session, world.learner, world.course, "SPRING", NOON, SHOP), LineCode)
    return lambda: selling.pay(session, order, NEXT_DAY)


@dataclass(frozen=True)
class OnCart(Pricing):
    """Every line is below this coupon of the whole cart, and costs what it costs."""

    coupon: int = 0

    def _line(self, session, line):
        return replace(super()._line(session, line), offer_step="coupon", offer_id=self.coupon, cart_code="SPRING")


def settle_owned(session, world: World) -> Callable[[], object]:
    """The learner has got the course another way by then: its line is refunded at once, and its coupon free again."""
    about = {"coupon_id": world.coupon, "pricing": OnCart(coupon=world.coupon)}
    order = selling.buy(session, world.learner, RequestedItem(world.course), **about)
    grants.grant(session, world.learner, [world.course], grants.GrantSource("gift", 1), NOON)
    return lambda: selling.pay(session, order, LATER)


def end(session, world: World) -> Callable[[], object]:
    order = with_code(world, session, "first", RequestedItem(world.book))
    return lambda: expire(session, order)


def add_to_cart(session, world: World) -> Callable[[], object]:
    return lambda: cart_lines.add_all(session, world.learner, [RequestedLine(world.book)], NOON)


SCARCE = ["learners", "shop_items", "coupons"]
ORDERS = [
    (add_to_cart, ["learners"]),
    (place, [*SCARCE, "orders", "catalogue_version"]),
    (supersede, [*SCARCE, "orders", "catalogue_version"]),
    (settle, ["learners", "orders", "document_counters"]),
    (settle_late, [*SCARCE, "orders", "document_counters", "catalogue_version"]),
    (settle_owned, ["learners", "coupons", "orders", "document_counters"]),
    (end, [*SCARCE, "orders", "catalogue_version"]),
]


@pytest.mark.parametrize(("prepare", "expected"), ORDERS)
def test_what_is_scarce_is_locked_before_the_order_is_written_and_the_version_last(session, prepare, expected):
    act = prepare(session, selling.fill(session))
    session.commit()
    with counted(session) as statements:
        act()
        session.commit()
    assert locked_first(statements) == expected


def test_without_the_locks_before_it_the_order_is_written_first(session, monkeypatch):
    """The negative control."""
    monkeypatch.setattr(placement, "_lock_scarce", lambda *_: None)
    act = place(session, selling.fill(session))
    with counted(session) as statements:
        act()
    assert locked_first(statements)[:3] == ["learners", "orders", "shop_items"]
