"""One of two child processes that refund the same unit (tests/support/children.py).

It prints "ready" when it is connected, and in the way `unguarded` has read what is left; after a line of input it
refunds line 1 or decides about request 1, and prints what came of it.
"""

import sys
from collections.abc import Callable
from typing import Any

from sqlalchemy import make_url, select

from domain.database.database import Database
from domain.errors import Conflict, Refused
from domain.money import currency
from domain.orders import events
from domain.orders.locks import OrderRef
from domain.orders.refunds import by_staff, decisions
from domain.orders.refunds.by_staff import StaffRefund
from domain.orders.refunds.decisions import StaffDecision
from domain.orders.refunds.in_part import ChosenPart
from domain.orders.refunds.refund_rows import Part, RefundTerms, insert_with_lines
from domain.orders.refunds.shares import share_of
from domain.orders.refunds.staff_limits import Authority
from domain.orders.settings import Context
from domain.tables import Learner, Order, OrderLine
from tests.domain.orders.refunds.buying import SETTINGS, SOON
from tests.support import factories

REFUND = StaffRefund(events.COMMAND, "race", units={1: 1})


def guarded(db: Database, ref: OrderRef, wait: Callable[[], object]) -> bool:
    with db.read_session() as session:
        session.get_one(Order, ref.id)
    wait()
    try:
        db.write_sync(by_staff.refund_order, ref, REFUND, Context(SOON, SETTINGS))
    except Refused:
        return False
    return True


def unguarded(db: Database, ref: OrderRef, wait: Callable[[], object]) -> bool:
    """The negative control: what is left is read before, without a lock, and written without a condition."""
    with db.read_session() as session:
        line = session.scalars(select(OrderLine).where(OrderLine.order_id == ref.id, OrderLine.number == 1)).one()
        part = Part(line, share_of(line, 1, currency(ref.currency)))
    wait()
    with db.write_session() as session:
        order = session.get_one(Order, ref.id)
        insert_with_lines(session, order, [part], RefundTerms("staff", "command"), SOON)
        session.get_one(OrderLine, line.id).refunded_quantity = part.share.quantity
    return True


def decided(db: Database, ref: OrderRef, wait: Callable[[], object], name: str, decision: StaffDecision) -> str:
    """Somebody of the staff decides about request 1: how it ended. Without a part they decline it."""
    decide: Callable[..., Any] = decisions.decline_as_staff if decision.part is None else decisions.approve_as_staff
    with db.read_session() as session:
        staff = session.scalars(select(Learner.id).where(Learner.name == name)).one()
    authority = Authority(events.staff(staff), ("finance",), signed_in_recently=True)
    wait()
    try:
        db.write_as_sync(factories.actor(staff), decide, ref, decision, authority, Context(SOON, SETTINGS))
    except Conflict as conflict:
        return str(conflict)
    return f"decided by {name}"


def approve_part(db: Database, ref: OrderRef, wait: Callable[[], object]) -> str:
    decision = StaffDecision(1, "One was read.", 1500, part=ChosenPart({1: 1}))
    return decided(db, ref, wait, "Ada", decision)


def decline(db: Database, ref: OrderRef, wait: Callable[[], object]) -> str:
    return decided(db, ref, wait, "Grace", StaffDecision(1, "They were read."))


WAYS: dict[str, Callable[[Database, OrderRef, Callable[[], object]], object]] = {
    "guarded": guarded,
    "unguarded": unguarded,
    "approve-part": approve_part,
    "decline": decline,
}


def wait() -> None:
    print("ready", flush=True)
    sys.stdin.readline()


def refund(url: str, way: str, order_id: int, learner_id: int) -> None:
    db = Database(make_url(url), deadline_s=30, busy_ms=30_000)
    print(WAYS[way](db, OrderRef(order_id, learner_id, "USD"), wait), flush=True)
