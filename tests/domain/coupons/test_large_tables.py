"""Work that must not grow with the tables: the release of expired reservations, what an order does with its own, what a
cart reads of its learner's uses, and the special offer.

Counted in rows on MariaDB, in instructions of its machine on SQLite, and by the plan of every statement.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import event, func, insert, select, text
from sqlalchemy.orm import Session

from domain.coupons import queries
from domain.coupons import queries as coupon_queries
from domain.database.database import Database
from domain.reservations import carts as reservation_carts
from domain.reservations import orders as reservation_orders
from domain.reservations import queries as reservation_queries
from domain.reservations.kinds import Resource
from domain.reservations.owners import OrderOwner
from domain.tables import Coupon, Order, Reservation
from tests.support import factories, order_rows
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database

MANY = 4_000
# From so many on, MariaDB prefers a worse plan.
MANY_SPECIAL = 16_000
SOON = NOON + timedelta(minutes=1)


def add_uses(session: Session, coupon_id: int, learner_id: int, number: int, **about: Any) -> None:
    use = {"kind": "coupon", "resource_id": coupon_id, "learner_id": learner_id, "reserved_at": NOON, **about}
    rows = [{"slot": slot, "product_id": slot, "owner_key": f"{slot}", **use} for slot in range(1, number + 1)]
    session.execute(insert(Reservation), rows)


def add_open_orders(session: Session, learner_id: int) -> int:
    """Many orders, and the id of the learner's open one."""
    row = {column.name: None for column in Order.__table__.columns}
    first = order_rows.order(session, learner_id, "0" * 20)
    row |= {name: getattr(first, name) for name in row if name != "id"}
    codes = [f"{number:020}" for number in range(1, MANY)]
    session.execute(insert(Order), [{**row, "id": None, "code": code, "form_key": code} for code in codes])
    return order_rows.open_order(session, learner_id, code="OPEN").id


def add_special_coupons(session: Session, number: int, **about: Any) -> None:
    shared = {"kind": "percent", "value": 10, "minimum": 0, "applies_to": "all", "is_special": True, "campaign": ""}
    shared |= {"state": "active", "uses": 0, "created_at": NOON, **about}
    codes = (f"{next(iter(about), 'usable')}-{index}" for index in range(number))
    session.execute(insert(Coupon), [{"code": code, "display_code": code, **shared} for code in codes])


@pytest.fixture(scope="module")
def large(module_database: Database) -> Database:
    """Many committed uses of one coupon, 20 expired reservations of each of three, and other coupons. What a test
    changes is rolled back."""
    add_many(module_database)
    return analysed(module_database)


def add_many(database: Database) -> None:
    with database.write_session() as session:
        add_special_coupons(session, 500)
        learner = factories.learner(session)
        busy = factories.coupon(session, "BUSY", uses=MANY + 1, total_limit=MANY + 1)
        order = order_rows.order(session, learner.id)
        add_uses(session, busy.id, learner.id, MANY, state="committed", order_id=order.id)
        grace = factories.learner(session, "Grace Hopper")
        add_uses(session, busy.id, grace.id, 1, order_id=add_open_orders(session, grace.id), owner_key="open")
        factories.coupon(session, "FREE")
        for code in ("A", "B", "C"):
            coupon = factories.coupon(session, code, uses=20, total_limit=20)
            at = NOON - timedelta(minutes=1) if code == "A" else NOON
            add_uses(session, coupon.id, learner.id, 20, state="reserved", expires_at=at)


@pytest.fixture
def many_special(database: Database) -> Database:
    """Special coupons of the past, one that can be used, and 150 of the future."""
    with database.write_session() as session:
        add_special_coupons(session, MANY_SPECIAL, ends_at=NOON)
        factories.coupon(session, "OFFER", is_special=True)
        add_special_coupons(session, 150, starts_at=SOON)
    return analysed(database)


def analysed(db: Database) -> Database:
    if not db.is_sqlite:
        with db.engine.connect() as connection:
            connection.execute(text("ANALYZE TABLE coupons, reservations, orders")).all()
    return db


class Work:
    """What was done on a connection: `rows` read (MariaDB) or thousands of instructions (SQLite); the statements."""

    def __init__(self) -> None:
        self.amount = 0
        self.statements: list[tuple[str, Any]] = []


@contextmanager
def measured(session: Session) -> Iterator[Work]:
    work, connection = Work(), session.connection()

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, _is_many: bool) -> None:
        work.statements.append((statement, parameters))

    event.listen(connection, "before_cursor_execute", note)
    is_sqlite = connection.dialect.name == "sqlite"
    driver: Any = connection.connection.driver_connection
    before = 0 if is_sqlite else rows_read(session)
    if is_sqlite:
        driver.set_progress_handler(lambda: count_instructions(work), 1_000)
    yield work
    if is_sqlite:
        driver.set_progress_handler(None, 0)
    else:
        work.amount = rows_read(session) - before
    event.remove(connection, "before_cursor_execute", note)


def count_instructions(work: Work) -> int:
    work.amount += 1
    return 0


def rows_read(session: Session) -> int:
    connection = session.connection().connection.driver_connection
    with connection.cursor() as cursor:
        cursor.execute("SHOW SESSION STATUS LIKE 'Handler_read%'")
        return sum(int(value) for _, value in cursor.fetchall())


def scans(session: Session, work: Work) -> list[str]:
    """The steps of the statements' plans that read a whole table or a whole index."""
    driver: Any = session.connection().connection.driver_connection
    steps: list[str] = []
    for statement, parameters in work.statements:
        if "SAVEPOINT" in statement:
            continue
        if session.connection().dialect.name == "sqlite":
            rows = driver.execute(f"EXPLAIN QUERY PLAN {statement}", parameters).fetchall()
            steps += [row[-1] for row in rows if "SCAN" in row[-1] and "CONSTANT ROW" not in row[-1]]
        else:
            with driver.cursor() as cursor:
                cursor.execute(f"EXPLAIN {statement}", parameters)
                # MariaDB calls an INSERT of one row ALL.
                rows = [row for row in cursor.fetchall() if row[1] != "INSERT"]
                steps += [str(row) for row in rows if row[3] in ("ALL", "index", "index_merge")]
    return steps


def released(session: Session) -> int:
    return reservation_carts.release_expired(session, NOON)


def offered(session: Session) -> str:
    offer = coupon_queries.special_offer(session, NOON)
    return offer.name if offer else ""


def an_order_through(session: Session) -> list[object]:
    """What an order does with its reservations, from its placing to its refund."""
    order_id, learner_id = session.execute(select(Order.id, Order.learner_id).where(Order.code == "OPEN")).one()
    offer = session.scalars(select(Coupon.id).where(Coupon.code == "free")).one()
    resource, owner = Resource("coupon", offer), OrderOwner(learner_id, order_id)
    reason = reservation_orders.claim(session, resource, owner, 1, NOON)
    committed = reservation_orders.commit(session, order_id, {(resource, owner.key): 1})
    return [reason, committed, reservation_orders.release_order(session, order_id)]


def of_one_learner(session: Session) -> tuple[int, int]:
    """What a cart reads: the learner's uses of a coupon that many others used."""
    learner_id = session.scalars(select(Order.learner_id).where(Order.code == "OPEN")).one()
    busy = session.scalars(select(Coupon.id).where(Coupon.code == "busy")).one()
    units = reservation_queries.open_order_units(session, learner_id, "coupon", [busy])
    return len(coupon_queries.uses_by(session, learner_id, [busy], NOON)), units[busy]


def used(session: Session) -> int:
    terms = coupon_queries.by_code(session, "busy", NOON)
    return terms.uses if terms else 0


# What each gives, and what it reads at most: rows on MariaDB, thousands of instructions on SQLite.
TASKS: dict[str, tuple[Callable[[Session], object], object, int, int]] = {
    "release": (released, 60, 600, 60),
    "uses of a coupon at its limit": (used, MANY + 1, 50, 5),
    "an order": (an_order_through, [None, 2, 2], 200, 20),
    "uses of a learner": (of_one_learner, (1, 1), 50, 5),
}


@pytest.mark.parametrize("name", TASKS)
def test_the_work_does_not_grow_with_the_tables(large, name):
    compare_work(large, *TASKS[name])


def compare_work(
    database: Database, task: Callable[[Session], object], expected: object, most_rows: int, most_instructions: int
) -> None:
    with Session(database.engine) as session:
        with measured(session) as work:
            assert task(session) == expected
        assert work.amount <= (most_instructions if database.is_sqlite else most_rows)
        assert scans(session, work) == []


def test_the_counting_finds_a_statement_that_reads_a_whole_table(large):
    """Negative control."""
    with Session(large.engine) as session:
        with measured(session) as work:
            session.execute(select(Reservation.id).where(Reservation.reserved_at > SOON)).all()
        assert work.amount > (10 if large.is_sqlite else MANY)
        assert len(scans(session, work)) == 1


@pytest.mark.mariadb
@pytest.mark.parametrize("module_database", ["mariadb"], indirect=True)
def test_a_batch_locks_its_own_uses_and_coupons_only(large):
    with Session(large.engine) as session, Session(large.engine) as other:
        assert reservation_carts.release_expired(session, NOON, 20) == 20
        locked = text("SELECT trx_rows_locked FROM information_schema.innodb_trx WHERE trx_mysql_thread_id = :id")
        thread = session.connection().connection.driver_connection.thread_id()
        # 20 uses with their entries in five indexes, one coupon, and the gaps beside them.
        assert session.scalar(locked, {"id": thread}) <= 20 * 8
        free = select(Coupon.display_code).where(Coupon.display_code.in_(["BUSY", "B", "C"])).with_for_update()
        assert other.scalars(free.with_for_update(skip_locked=True)).all() == ["BUSY", "B", "C"]


def test_batches_release_everything_that_expired_and_nothing_else(database):
    add_many(database)
    with database.write_session() as session:
        coupon = factories.coupon(session, "LIVE", uses=1)
        learner_id = session.scalars(select(func.min(Reservation.learner_id))).one()
        add_uses(session, coupon.id, learner_id, 1, state="reserved", expires_at=SOON)
    assert [database.write_sync(reservation_carts.release_expired, NOON, 25) for _ in range(4)] == [25, 25, 10, 0]
    with database.read_session() as session:
        counters = dict(session.execute(select(Coupon.display_code, Coupon.uses).where(~Coupon.is_special)).all())
    assert counters == {"BUSY": MANY + 1, "FREE": 0, "A": 0, "B": 0, "C": 0, "LIVE": 1}


def test_the_special_offer_does_not_grow_with_the_coupons(many_special):
    compare_work(many_special, offered, "OFFER", 600, 30)


def test_the_special_offer_is_looked_for_among_the_newest_only(database, monkeypatch):
    monkeypatch.setattr(queries, "SPECIAL_NEWEST", 20)
    monkeypatch.setattr(queries, "SPECIAL_BATCH", 10)
    with database.write_session() as session:
        factories.coupon(session, "OFFER", is_special=True)
        add_special_coupons(session, 19, starts_at=SOON)
        assert offered(session) == "OFFER"
        add_special_coupons(session, 1, ends_at=NOON)
        assert offered(session) == ""
