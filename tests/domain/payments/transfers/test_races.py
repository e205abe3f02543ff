"""Two statements, or two of the staff, at the same entry at once, on both databases."""

import itertools
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError, OperationalError

from domain.database import database as database_module
from domain.errors import Conflict
from domain.payments.transfers import booking, decisions, matching
from domain.payments.transfers.decisions import Assignment
from domain.tables import BankEntry, Document, Order
from tests.domain.payments.transfers.world import (
    CONTEXT,
    authority,
    awaited,
    book,
    decide,
    entries,
    entry,
    kinds,
    placed,
)


def at_once(database, *works):
    """What each of these did in a transaction of its own, begun at the same time."""
    gate = threading.Barrier(len(works))

    def run(work):
        def in_turn(session):
            gate.wait(20)
            return work(session)

        try:
            # A database that lets one write at a time has its lock before the gate opens.
            return database.write_sync(work if database.is_sqlite else in_turn)
        except (Conflict, IntegrityError, OperationalError) as error:
            return type(error).__name__

    with ThreadPoolExecutor(len(works)) as threads:
        return sorted(map(str, threads.map(run, works)))


def prepare(database):
    """Ids of the order and the job, with the entry."""
    with database.write_session() as session:
        found = awaited(session)
        return found.order.id, found.job_id, entry(found.order)


@pytest.mark.each_database
def test_two_statements_with_one_entry_pay_the_order_once(database):
    order_id, job_id, money = prepare(database)
    results = at_once(database, *[lambda session: book(session, job_id, money)[0]] * 2)
    assert results == ["known", "settled"]
    with database.read_session() as session:
        assert entries(session) == [("used", "", 7_500, 7_500, 0)]
        assert kinds(session, session.get_one(Order, order_id)).count("settle") == 1
        assert len(session.scalars(select(Document.id)).all()) == 1


@pytest.mark.each_database
def test_two_entries_of_the_whole_amount_pay_the_order_once(database):
    _, job_id, money = prepare(database)
    other = replace(money, bank_id="B2")
    works = [lambda session, one=one: book(session, job_id, one)[0] for one in (money, other)]
    assert at_once(database, *works) == ["paid", "settled"]


@pytest.mark.each_database
def test_two_of_the_staff_book_an_entry_for_one_order_only(database):
    with database.write_session() as session:
        found = awaited(session)
        second = placed(session, found.world, "Other Owner")
        book(session, found.job_id, entry(None))
        number = session.scalars(select(BankEntry.id)).one()
        codes = (found.order.code, second.code)

    def assign(session, code):
        return decide(session, decisions.assign, Assignment(number, code, "A call"), authority(), CONTEXT)

    works = [lambda session, code=code: assign(session, code) for code in codes]
    assert at_once(database, *works) == ["Conflict", "settled"]
    with database.read_session() as session:
        states = session.scalars(select(Order.state).where(Order.code.in_(codes))).all()
        assert sorted(states) == ["paid", "processing"]


def test_without_the_unique_key_as_a_guard_an_entry_would_fail(session, monkeypatch):
    """The negative control: who does not look, and does not expect that another file had the entry."""
    found = awaited(session)
    book(session, found.job_id, entry(None))
    monkeypatch.setattr(matching, "is_known", lambda _session, _key: False)
    assert book(session, found.job_id, entry(None)) == ["known"]
    monkeypatch.setattr(booking, "IntegrityError", ZeroDivisionError)
    with pytest.raises(IntegrityError):
        book(session, found.job_id, entry(None))


@pytest.mark.mariadb
@pytest.mark.parametrize("database", ["mariadb"], indirect=True)
def test_without_the_lock_of_the_order_two_entries_would_both_pay_it(database, monkeypatch):
    """The negative control: both look before either has written."""
    _, job_id, money = prepare(database)
    gate, match, looks = threading.Barrier(2), matching.match, itertools.count()

    def match_with_the_other(session, found):
        result = match(session, found)
        # Each looks before its lock and after it.
        if next(looks) < 4:
            gate.wait(20)
        return result

    monkeypatch.setattr(matching, "match", match_with_the_other)
    # A deadlock would be repeated, and the second then see the first.
    monkeypatch.setattr(database_module, "REPEAT_PAUSES_S", ())
    monkeypatch.setattr(booking, "_lock", lambda session, order_id: session.get(Order, order_id))
    works = [lambda session, one=one: book(session, job_id, one)[0] for one in (money, replace(money, bank_id="B2"))]
    assert at_once(database, *works) != ["paid", "settled"]
