"""Days of sales are computed again when an order of them changes, by any number of processes, to the same rows."""

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta
from hashlib import sha256

import pytest
from sqlalchemy import delete, func, select, update

from domain.account.anonymise import anonymise_account
from domain.orders.refunds.refund_rows import refunds_of
from domain.orders.settings import Context
from domain.reports import sale_storage
from domain.reports.computed_days import TURN_AFTER
from domain.reports.sale_builder import SaleDayBuilder
from domain.tables import Category, Learner, Product, SaleDay, SaleRollup
from domain.visits.raw.local_days import DayRules
from tests.domain.orders import taxed
from tests.domain.reports import selling_days
from tests.domain.reports.selling_days import DAYS, FIRST, ONE_DAY, at_day

pytestmark = pytest.mark.each_database
RULES = DayRules()
LATER = at_day(9)
MINUTE = timedelta(minutes=1)
# The day of each that something was paid or returned on; LATER has a row of its own.
STORED = 6


@pytest.fixture
def week(database):
    with database.write_session() as session:
        return selling_days.fill(session)


def builder(database, at=LATER, rules=RULES) -> SaleDayBuilder:
    return SaleDayBuilder(database, rules, lambda: at)


def stored(database) -> list[tuple]:
    """Every row of every day, by its key."""
    with database.read_session() as session:
        columns = SaleDay.__table__.c
        return [tuple(row) for row in session.execute(select(*columns).order_by(*columns[:4]))]


def net_of(database, day: date, currency: str = "USD") -> int:
    is_total = (SaleDay.dimension == "all", SaleDay.day == day, SaleDay.currency == currency)
    with database.read_session() as session:
        return session.scalars(select(SaleDay.net_minor).where(*is_total)).one()


def versions(database) -> dict[date, int]:
    with database.read_session() as session:
        return dict(session.execute(select(SaleRollup.day, SaleRollup.version)).all())


def refund_waiting(database, week, at) -> None:
    """The gateway pays what was approved of an order of DAYS[2]."""
    with database.write_session() as session:
        order = session.merge(week.waiting)
        taxed.tell(session, order, refunds_of(session, order.id)[-1], "succeeded", at)


def test_the_first_run_computes_every_day_and_the_next_one_none(database, week):
    assert builder(database).build_due() == STORED + 1, "and the present day, which has nothing"
    assert sorted({row[1] for row in stored(database)}) == list(DAYS[:STORED])
    before = stored(database), versions(database)
    assert builder(database, LATER + 2 * MINUTE).build_due() == 0
    assert (stored(database), versions(database)) == before


def test_days_computed_twice_and_in_any_order_have_the_same_rows(database, week):
    builder(database).build_due()
    first = stored(database)
    for seed in range(3):
        with database.write_session() as session:
            session.execute(delete(SaleDay))
            session.execute(delete(SaleRollup))
        days = [*DAYS, *DAYS]
        random.Random(seed).shuffle(days)
        for day in days:
            assert builder(database, LATER + seed * MINUTE).build(day)
        assert stored(database) == first


def test_both_databases_have_the_same_rows(database, week):
    """Rows whose keys name no row with an id."""
    builder(database).build_due()
    rows = [row for row in stored(database) if row[0] in ("all", "kind", "line_code", "cart_code")]
    assert sha256(repr([(str(row[1]), row[0], *row[2:]) for row in rows]).encode()).hexdigest() == DIGEST


DIGEST = "30daa765d263fbd19a8e79a23ad342b558919a756ef04b8bf8be1c75f63679c2"


def test_a_refund_restates_the_day_of_the_payment_and_counts_as_returned_on_its_own(database, week):
    builder(database).build_due()
    before, at = net_of(database, DAYS[2]), LATER + MINUTE
    refund_waiting(database, week, at)
    assert builder(database, at + MINUTE).build_due() == 2, "that of the payment, and that of the refund"
    assert net_of(database, DAYS[2]) == before - 4000
    assert net_of(database, at.date()) == 0
    with database.read_session() as session:
        is_total = (SaleDay.dimension == "all", SaleDay.day == at.date())
        assert session.scalars(select(SaleDay.returned_minor).where(*is_total)).one() == 4000


def test_a_change_that_is_committed_late_is_not_missed(database, week):
    builder(database).build_due()
    refund_waiting(database, week, LATER - MINUTE / 2)
    builder(database, LATER + MINUTE / 2).build_due()
    assert builder(database).wrong_days(DAYS) == []


def test_an_older_state_of_a_day_never_replaces_a_newer_one(database, week):
    builder(database).build_due()
    older = builder(database).compute(DAYS[2])
    refund_waiting(database, week, LATER)
    assert builder(database, LATER + MINUTE).build(DAYS[2])
    before = stored(database)
    assert database.write_sync(sale_storage.store, older, RULES) is None
    assert stored(database) == before
    # Without the version it would.
    forged = replace(older, version=versions(database)[DAYS[2]])
    assert database.write_sync(sale_storage.store, forged, RULES) is True
    assert builder(database).wrong_days(DAYS) == [DAYS[2]]


def test_several_processes_compute_the_same_days_at_a_time(database, week):
    with ThreadPoolExecutor(4) as threads:
        runs = [threads.submit(builder(database, LATER + number * MINUTE).build_due) for number in range(4)]
        assert sum(run.result() for run in runs) > STORED
    assert builder(database).wrong_days(DAYS) == []
    # A mark of one from after another had read a day is left for the next run.
    builder(database, LATER + 9 * MINUTE).build_due()
    assert builder(database, LATER + 10 * MINUTE).build_due() == 0


def test_a_mark_from_after_the_orders_were_read_stays(database, week):
    builder(database).build_due()
    read = builder(database).compute(FIRST)
    with database.write_session() as session:
        session.execute(update(SaleRollup).where(SaleRollup.day == FIRST).values(dirty_at=LATER + MINUTE))
    assert database.write_sync(sale_storage.store, read, RULES) is False
    with database.read_session() as session:
        assert sale_storage.ROLLUPS.due_days(session, RULES, LATER + MINUTE) == [FIRST]


def test_changed_rows_are_named_and_found_when_the_day_has_its_turn(database, week):
    builder(database).build_due()
    first = stored(database)
    with database.write_session() as session:
        session.execute(update(SaleDay).where(SaleDay.day == FIRST).values(net_minor=1))
    assert builder(database).wrong_days(DAYS) == [FIRST]
    at = LATER + 2 * TURN_AFTER
    assert [builder(database, at + run * MINUTE).build_due() for run in range(3)] == [5, 2, 0]
    assert stored(database) == first


def test_a_product_that_moves_takes_its_sales_along(database, week):
    builder(database).build_due()
    with database.write_session() as session:
        session.add(Category(slug="moved", name="Moved"))
        session.flush()
        moved = session.scalars(select(Category.id).where(Category.slug == "moved")).one()
        session.execute(update(Product).where(Product.id == week.course).values(category_id=moved))
    for run in range(3):
        builder(database, LATER + 2 * TURN_AFTER + run * MINUTE).build_due()
    is_moved = (SaleDay.dimension == "category", SaleDay.key == str(moved), SaleDay.currency == "USD")
    with database.read_session() as session:
        days = session.scalars(select(SaleDay.day).where(*is_moved).order_by(SaleDay.day)).all()
    assert days == list(DAYS[:STORED])
    assert builder(database).wrong_days(DAYS) == []


def test_another_zone_computes_every_day_again(database, week):
    builder(database).build_due()
    there = DayRules("Pacific/Auckland")
    assert builder(database, LATER + MINUTE, there).build_due() > STORED
    assert {row[1] for row in stored(database)} == {day + ONE_DAY for day in DAYS[:STORED]}
    assert builder(database, LATER, there).wrong_days([*DAYS, DAYS[-1] + ONE_DAY]) == []


def test_a_day_that_cannot_be_computed_stops_no_other(database, week, monkeypatch, caplog):
    compute = SaleDayBuilder.compute

    def fail_first(self, day):
        if day == FIRST:
            raise ZeroDivisionError(day)
        return compute(self, day)

    monkeypatch.setattr(SaleDayBuilder, "compute", fail_first)
    assert builder(database).build_due() == STORED
    assert "the sales of 2026-03-01 cannot be computed" in caplog.text
    monkeypatch.undo()
    assert builder(database, LATER + MINUTE).build_due() == 1


def numbers(database) -> set[str]:
    with database.read_session() as session:
        return set(session.scalars(select(SaleDay.key).where(SaleDay.dimension == "student")))


@pytest.fixture
def leaver(database, week) -> Learner:
    """The buyer of a course for nothing, on FIRST."""
    with database.read_session() as session:
        return session.get_one(Learner, week.free.learner_id)


def delete_account(database, leaver) -> None:
    with database.write_session() as session:
        anonymise_account(session, leaver.id, leaver.email, Context(LATER + MINUTE))


def test_the_end_of_an_account_takes_its_number_out_at_once_and_its_sales_stay(database, leaver):
    builder(database).build_due()
    total = net_of(database, FIRST)
    assert leaver.student_number in numbers(database)
    delete_account(database, leaver)
    assert leaver.student_number not in numbers(database)
    assert net_of(database, FIRST) == total
    builder(database, LATER + 2 * MINUTE).build_due()
    assert "(erased)" in numbers(database)
    assert leaver.student_number not in numbers(database)
    assert builder(database).wrong_days(DAYS) == []


def test_who_computes_a_day_while_an_account_ends_stores_nothing_of_it(database, leaver):
    builder(database).build_due()
    read = builder(database).compute(FIRST)
    delete_account(database, leaver)
    assert database.write_sync(sale_storage.store, read, RULES) is None
    assert leaver.student_number not in numbers(database)


def test_without_orders_there_are_no_sales(database):
    assert builder(database).build_due() == 1
    assert stored(database) == []
    with database.read_session() as session:
        assert session.scalar(select(func.count()).select_from(SaleRollup)) == 1
