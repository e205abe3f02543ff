"""Two processes refund the last unit at once: it goes back once, on both databases."""

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest
from sqlalchemy import select

from config.settings import ROOT
from domain.checkout.priced import RequestedItem
from domain.tables import Order, Refund
from tests.domain.orders import selling
from tests.domain.orders.refunds import buying
from tests.domain.orders.selling import Pricing
from tests.support.waiting import LIMIT_S


@pytest.fixture(scope="module")
def racers() -> Iterator[list[subprocess.Popen[str]]]:
    command = [sys.executable, "-m", "tests.domain.orders.refunds.race_process"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen(command, cwd=ROOT, **pipes) for _ in range(2)]
    yield processes
    for process in processes:
        process.communicate(timeout=LIMIT_S)
    assert [process.returncode for process in processes] == [0, 0]


def race(racers, database, order: Order, way: str) -> list[str]:
    url = database.url.render_as_string(hide_password=False)
    job = json.dumps({"url": url, "way": way, "order_id": order.id, "learner_id": order.learner_id})
    for racer in racers:
        send(racer, job)
    assert [racer.stdout.readline() for racer in racers] == ["ready\n", "ready\n"]
    for racer in racers:
        send(racer, "go")
    return sorted(racer.stdout.readline().strip() for racer in racers)


def send(racer: subprocess.Popen[str], line: str) -> None:
    racer.stdin.write(f"{line}\n")
    racer.stdin.flush()


@pytest.fixture
def order(database) -> Order:
    """One book is paid."""
    with database.write_session() as session:
        world = selling.fill(session)
        return buying.paid(session, world, RequestedItem(world.book), pricing=Pricing())


def refunded(database, order) -> tuple[int, int]:
    """What was set aside of the order, and what its refunds would send."""
    with database.read_session() as session:
        amounts = session.scalars(select(Refund.amount_minor)).all()
        return session.get_one(Order, order.id).refunded_minor, sum(amounts)


@pytest.mark.each_database
def test_the_last_unit_is_refunded_once(racers, database, order):
    assert race(racers, database, order, "guarded") == ["False", "True"]
    assert refunded(database, order) == (1500, 1500)


def test_without_lock_and_condition_it_would_be_refunded_twice(racers, sqlite_database):
    """The negative control."""
    with sqlite_database.write_session() as session:
        world = selling.fill(session)
        order = buying.paid(session, world, RequestedItem(world.book), pricing=Pricing())
    assert race(racers, sqlite_database, order, "unguarded") == ["True", "True"]
    assert refunded(sqlite_database, order)[1] == 3000
