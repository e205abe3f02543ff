"""One of several processes that use up a coupon at once: `python -m tests.domain.racing URL GUARD`.

It says "ready". For each line, a JSON list of learners, it lets each of them take a use, many at once, and answers with
how many hold one. GUARD `unguarded` is the twin of the product: it looks what is left, and then writes. With `tabs` and
its twin `loose-tabs` the list is one of products, all wanted by one learner.
"""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

from sqlalchemy import func, make_url, select
from sqlalchemy.exc import OperationalError

from domain import coupons
from domain.coupons import HOLD, Asking, Place
from domain.db import Database
from domain.tables import Coupon, CouponUse, Learner
from tests.factories import NOON

THREADS = 25
CODE = "race"
PRODUCT = 1
AT = NOON + timedelta(seconds=1)
# MariaDB may ask for a repeat (deadlock): the host does it too.
TRIES = 20


def guarded(db: Database, learner_id: int) -> bool:
    with db.session() as session:
        terms = coupons.by_code(session, CODE, AT)
        if terms is None or coupons.refusal_of(terms, Asking(AT)) is not None:
            return False
        return coupons.reserve(session, terms, Place(learner_id, PRODUCT), AT) is None


def unguarded(db: Database, learner_id: int) -> bool:
    """It looks right: between the look and the write others look too."""
    with db.reading() as session:
        terms = coupons.by_code(session, CODE, AT)
        if terms is None or coupons.refusal_of(terms, Asking(AT)) is not None:
            return False
    with db.session() as session:
        coupon = session.scalars(select(Coupon).where(Coupon.code == CODE)).one()
        coupon.uses += 1
        use = {"coupon_id": coupon.id, "learner_id": learner_id, "product_id": PRODUCT, "order_id": 0, "nth": 1}
        session.add(CouponUse(**use, state="held", held_at=AT, expires_at=AT + HOLD))
    return True


def in_tabs(db: Database, product_id: int) -> bool:
    """One learner, a line in every tab."""
    with db.session() as session:
        terms, learner_id = coupons.by_code(session, CODE, AT), session.scalar(select(func.min(Learner.id)))
        uses = len(coupons.uses_by(session, learner_id, [terms.id], AT))
        if coupons.refusal_of(terms, Asking(AT, learner_uses=uses)) is not None:
            return False
        return coupons.reserve(session, terms, Place(learner_id, product_id), AT) is None


def in_loose_tabs(db: Database, product_id: int) -> bool:
    """The same without the numbers that the database keeps unique: it looks, and then writes."""
    with db.reading() as session:
        terms, learner_id = coupons.by_code(session, CODE, AT), session.scalar(select(func.min(Learner.id)))
        uses = len(coupons.uses_by(session, learner_id, [terms.id], AT))
        if coupons.refusal_of(terms, Asking(AT, learner_uses=uses)) is not None:
            return False
    with db.session() as session:
        use = {"coupon_id": terms.id, "learner_id": learner_id, "product_id": product_id, "order_id": 0}
        session.add(CouponUse(**use, nth=product_id, state="held", held_at=AT, expires_at=AT + HOLD))
    return True


WAYS = {"guarded": guarded, "unguarded": unguarded, "tabs": in_tabs, "loose-tabs": in_loose_tabs}


def patiently(db: Database, guard: str, learner_id: int) -> bool:
    take = WAYS[guard]
    for _ in range(TRIES):
        try:
            return take(db, learner_id)
        except OperationalError:
            continue
    raise AssertionError(f"learner {learner_id} got no answer")


def main(url: str, guard: str) -> None:
    db = Database(make_url(url), pool_size=THREADS, deadline_s=30, busy_ms=30_000)
    gate = Barrier(THREADS)

    def warm(_number: int) -> None:
        gate.wait()
        with db.reading() as session:
            session.scalar(select(Coupon.id))

    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(warm, range(THREADS)))
        print("ready", flush=True)
        for line in sys.stdin:
            print(sum(threads.map(lambda one: patiently(db, guard, one), json.loads(line))), flush=True)
    db.engine.dispose()


if __name__ == "__main__":
    main(*sys.argv[1:])
