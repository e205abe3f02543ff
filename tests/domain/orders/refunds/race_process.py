"""One of two processes that refund the same unit: `python -m tests.domain.orders.refunds.race_process`.

Each line of input is a job as JSON: the database's `url`, `way`, `order_id` and `learner_id`. It prints "ready" when it
is connected, and in the way `unguarded` has read what is left; after another line it refunds line 1, and prints whether
it could.
"""

import json
import sys
from collections.abc import Callable

from sqlalchemy import make_url, select

from domain.database.database import Database
from domain.errors import Refused
from domain.orders import events
from domain.orders.locks import OrderRef
from domain.orders.refunds import by_staff
from domain.orders.refunds.by_staff import StaffRefund
from domain.orders.refunds.rows import Part, Terms, insert_with_lines
from domain.orders.refunds.shares import share_of
from domain.orders.settings import Context
from domain.tables import Order, OrderLine
from tests.domain.orders.refunds.buying import SETTINGS, SOON

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
        part = Part(line, share_of(line, 1))
    wait()
    with db.write_session() as session:
        order = session.get_one(Order, ref.id)
        insert_with_lines(session, order, [part], Terms("staff", "command"), SOON)
        session.get_one(OrderLine, line.id).refunded_quantity = part.share.quantity
    return True


WAYS = {"guarded": guarded, "unguarded": unguarded}


def wait() -> None:
    print("ready", flush=True)
    sys.stdin.readline()


def main() -> None:
    while line := sys.stdin.readline():
        job = json.loads(line)
        db = Database(make_url(job["url"]), deadline_s=30, busy_ms=30_000)
        ref = OrderRef(job["order_id"], job["learner_id"], "USD")
        print(WAYS[job["way"]](db, ref, wait), flush=True)
        db.engine.dispose()


if __name__ == "__main__":
    main()
