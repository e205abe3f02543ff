"""One of several child processes that reserve at the same time (tests/support/children.py).

Each line of input is a job as JSON: the database's `url`, `way` (a key of WAYS) and `numbers`. It prints "warm" when it
is connected, waits for another line, reserves a use for each number in concurrent threads, and prints how many it got.
For `tabs` the numbers are products, all of one learner; else they are learners.

`unguarded` and `loose_tabs` are the negative controls, without the guards of the database: they read what is left and
then write. The tests use `between`, called in between, to let all of them read before one of them writes.
"""

import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from threading import Barrier

from sqlalchemy import func, make_url, select
from sqlalchemy.exc import OperationalError

from domain.coupons import queries as coupon_queries
from domain.coupons import rules as coupon_rules
from domain.coupons.rules import CouponContext
from domain.database.database import Database
from domain.reservations.carts import RESERVATION_TTL, reserve
from domain.reservations.kinds import Resource
from domain.reservations.owners import CartOwner
from domain.tables import Coupon, Learner, Reservation
from tests.domain.reservations.buyers import try_to_place
from tests.support.factories import NOON
from tests.support.shops import USD

THREADS = 12
CODE = "race"
PRODUCT = 1
AT = NOON + timedelta(seconds=1)
# MariaDB may ask for a repeat after a deadlock; the host repeats too.
TRIES = 20


def guarded(db: Database, learner_id: int) -> bool:
    with db.write_session() as session:
        terms = coupon_queries.by_code(session, CODE, AT)
        if terms is None or coupon_rules.first_refusal(terms, CouponContext(AT, USD)) is not None:
            return False
        return reserve(session, Resource("coupon", terms.id or 0), CartOwner(learner_id, PRODUCT), 1, AT) is None


def unguarded(db: Database, learner_id: int, between: Callable[[], object]) -> bool:
    """The negative control: others may read between this read and this write."""
    with db.read_session() as session:
        terms = coupon_queries.by_code(session, CODE, AT)
        if terms is None or coupon_rules.first_refusal(terms, CouponContext(AT, USD)) is not None:
            return False
    between()
    with db.write_session() as session:
        coupon = session.scalars(select(Coupon).where(Coupon.code == CODE)).one()
        coupon.uses += 1
        session.add(use_of_line(coupon.id, CartOwner(learner_id, PRODUCT), slot=1))
    return True


def use_of_line(coupon_id: int, owner: CartOwner, slot: int) -> Reservation:
    about = {"kind": "coupon", "resource_id": coupon_id, "slot": slot, "owner_key": owner.key, "reserved_at": AT}
    return Reservation(**vars(owner), **about, expires_at=AT + RESERVATION_TTL)


def in_tabs(db: Database, product_id: int) -> bool:
    """One learner with a cart line in every tab."""
    with db.write_session() as session:
        terms, learner_id = coupon_queries.by_code(session, CODE, AT), session.scalar(select(func.min(Learner.id)))
        uses = len(coupon_queries.uses_by(session, learner_id, [terms.id], AT))
        if coupon_rules.first_refusal(terms, CouponContext(AT, USD, learner_uses=uses)) is not None:
            return False
        return reserve(session, Resource("coupon", terms.id or 0), CartOwner(learner_id, product_id), 1, AT) is None


def loose_tabs(db: Database, product_id: int, between: Callable[[], object]) -> bool:
    """The negative control: without the slots that the database keeps unique, a read and then a write."""
    with db.read_session() as session:
        terms, learner_id = coupon_queries.by_code(session, CODE, AT), session.scalar(select(func.min(Learner.id)))
        uses = len(coupon_queries.uses_by(session, learner_id, [terms.id], AT))
        if coupon_rules.first_refusal(terms, CouponContext(AT, USD, learner_uses=uses)) is not None:
            return False
    between()
    with db.write_session() as session:
        session.add(use_of_line(terms.id, CartOwner(learner_id, product_id), slot=product_id))
    return True


WAYS: dict[str, Callable[[Database, int], bool]] = {
    "guarded": guarded,
    "tabs": in_tabs,
    "place stock": partial(try_to_place, "stock"),
    "place coupon": partial(try_to_place, "coupon"),
}


def reserve_with_retries(db: Database, way: str, number: int) -> bool:
    reserve = WAYS[way]
    for _ in range(TRIES):
        try:
            return reserve(db, number)
        except OperationalError:
            continue
    raise AssertionError(f"number {number} got no result")


def connect_all(url: str, threads: ThreadPoolExecutor) -> Database:
    """The database with a connection for each thread."""
    db = Database(make_url(url), pool_size=THREADS, deadline_s=30, busy_ms=30_000)
    gate = Barrier(THREADS)

    def warm(_number: int) -> None:
        gate.wait()
        with db.read_session() as session:
            session.scalar(select(Learner.id))

    list(threads.map(warm, range(THREADS)))
    return db


def reserve_in_threads() -> None:
    url, db = "", None
    with ThreadPoolExecutor(THREADS) as threads:
        while line := sys.stdin.readline():
            job = json.loads(line)
            if db is None or url != job["url"]:
                url, db = job["url"], connect_all(job["url"], threads)
            print("warm", flush=True)
            sys.stdin.readline()
            print(sum(threads.map(partial(reserve_with_retries, db, job["way"]), job["numbers"])), flush=True)
