"""Quotes that several people act on at the same moment."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import func, select

from domain.database.database import Database
from domain.errors import Refused
from domain.orders import events, states
from domain.orders.locks import lock_order
from domain.permissions import Tenant
from domain.quotes import accepting, asking, lapsing, quote_states
from domain.quotes.accepting import Acceptance
from domain.quotes.asking import QuoteForm
from domain.tables import Contract, Order, SeatQuote
from tests.domain.quotes.world import QUOTE_TERMS, QuoteWorld, accept_quote, ask_quote, build
from tests.domain.seats.test_seat_orders import ADDRESS, CONTEXT, TERMS
from tests.support import factories
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database


@pytest.fixture
def patient(database: Database) -> Iterator[Database]:
    """The test's database with connections for threads that wait for one another."""
    db = Database(database.url, deadline_s=60, busy_ms=60_000)
    yield db
    db.engine.dispose()


@pytest.fixture
def world(patient: Database) -> tuple[QuoteWorld, list[int], int]:
    """An organisation, two owners and the id of its quote."""
    with patient.write_session() as session:
        built = build(session)
        other = factories.learner(session, "Otto Owner").id
        factories.member(session, other, built.tenant.organisation_id, role="owner")
        return built, [built.owner, other], ask_quote(session, built).id


def at_once(*works: Callable[[], Any]) -> list[Any]:
    """The results of works that begin together; a refusal as its text."""
    gate = Barrier(len(works))

    def run(work: Callable[[], Any]) -> Any:
        gate.wait()
        try:
            return work()
        except Refused as refusal:
            return str(refusal)

    with ThreadPoolExecutor(len(works)) as threads:
        return list(threads.map(run, works))


def acts(db: Database, tenant: Tenant, owner: int, write: Callable[..., Any], *args: Any) -> Callable[[], Any]:
    actor = factories.actor(owner, "owner", area="organisation", organisation_id=tenant.organisation_id)
    return lambda: db.write_as_sync(actor, write, tenant, *args)


def accepts(db: Database, tenant: Tenant, owner: int, quote_id: int) -> Callable[[], Any]:
    acceptance = Acceptance(owner, quote_id, 99_000, TERMS.date)
    return acts(db, tenant, owner, accepting.accept, acceptance, TERMS, CONTEXT)


def orders(db: Database) -> int:
    with db.read_session() as session:
        return session.scalars(select(func.count(Order.id))).one()


def test_two_owners_who_accept_at_once_have_one_order(patient, world):
    built, owners, quote_id = world
    results = at_once(*(accepts(patient, built.tenant, owner, quote_id) for owner in owners))
    [refusal] = [result for result in results if isinstance(result, str)]
    assert refusal.startswith("This quote was accepted already")
    assert orders(patient) == 1


def test_one_owner_who_presses_twice_has_one_order(patient, world):
    built, owners, quote_id = world
    codes = {placed.code for placed in at_once(*[accepts(patient, built.tenant, owners[0], quote_id)] * 4)}
    assert (len(codes), orders(patient)) == (1, 1)


def test_owners_who_look_before_the_quote_is_locked_have_an_order_each(patient, world, monkeypatch):
    """The negative control: the quote is read as each of them has seen it before."""
    built, owners, quote_id = world

    def unlocked(session, tenant, number):
        return session.get_one(SeatQuote, number), None

    # What each writes into the quote is not compared with what the other has written.
    monkeypatch.setattr(quote_states, "lock_quote", unlocked)
    results = at_once(*(accepts(patient, built.tenant, owner, quote_id) for owner in owners))
    assert [result for result in results if isinstance(result, str)] == []
    assert orders(patient) == 2


def test_a_quote_that_is_accepted_and_withdrawn_at_once_is_one_of_both(patient, world):
    built, owners, quote_id = world
    withdraw = acts(patient, built.tenant, owners[1], lapsing.withdraw, quote_id, NOON)
    results = at_once(accepts(patient, built.tenant, owners[0], quote_id), withdraw)
    with patient.read_session() as session:
        state = session.get_one(SeatQuote, quote_id).state
    assert (state, orders(patient)) in (("accepted", 1), ("withdrawn", 0))
    assert len([result for result in results if isinstance(result, str)]) == 1


def test_an_order_that_ends_while_the_quote_is_accepted_again_leaves_at_most_one_that_can_be_paid(patient, world):
    built, owners, quote_id = world
    with patient.write_session() as session:
        quote = session.get_one(SeatQuote, quote_id)
        first = accept_quote(session, built, quote)

    def end() -> None:
        with patient.write_session() as session:
            order, settings = lock_order(session, owners[0], first.order_id), CONTEXT.settings
            states.advance(session, order, "expire", NOON, actor=events.SYSTEM, facts={}, settings=settings)

    at_once(end, accepts(patient, built.tenant, owners[1], quote_id))
    with patient.read_session() as session:
        rows = session.scalars(select(Order).order_by(Order.id)).all()
        assert rows[0].state == "expired"
        assert [row.state for row in rows[1:]] in ([], ["placed"])
        assert session.scalars(select(func.count(Contract.id))).one() == 1


def test_the_limit_of_open_quotes_holds_for_owners_who_ask_at_once(patient, world):
    built, owners, _ = world
    form = {"quantity": 1, "values": ADDRESS, "course": "vat"}
    with patient.write_session() as session:
        for _ in range(asking.MAX_OPEN - 2):
            ask_quote(session, built)
    works = [
        acts(patient, built.tenant, owner, asking.ask, QuoteForm(owner, **form), QUOTE_TERMS, CONTEXT)
        for owner in owners * 2
    ]
    results = at_once(*works)
    assert sum(isinstance(result, SeatQuote) for result in results) == 1
    with patient.read_session() as session:
        assert session.scalars(select(func.max(SeatQuote.seq))).one() == asking.MAX_OPEN
