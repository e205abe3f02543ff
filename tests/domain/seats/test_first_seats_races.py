"""Two owners who buy the first seats of a course at once: one contract, under which each has an order."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from threading import Barrier

import pytest
from sqlalchemy import select

from domain.checkout import first_seats
from domain.checkout.first_seats import place_first_seats
from domain.database.database import Database
from domain.permissions import Tenant
from domain.tables import Contract, Order, OrderLine
from tests.domain.seats.test_first_seats import purchase
from tests.domain.seats.test_seat_orders import CONTEXT, TERMS, settle
from tests.support import factories

pytestmark = pytest.mark.each_database


@pytest.fixture
def patient(database: Database) -> Iterator[Database]:
    """The test's database with connections for threads that wait for one another."""
    db = Database(database.url, deadline_s=60, busy_ms=60_000)
    yield db
    db.engine.dispose()


@pytest.fixture
def owners(patient: Database) -> tuple[Tenant, list[int]]:
    with patient.write_session() as session:
        category = factories.category(session).id
        factories.course(session, category, "vat", list_price=Decimal("99.00"), sale_price=None)
        organisation = factories.organisation(session).id
        people = [factories.learner(session, name).id for name in ("Olga Owner", "Otto Owner")]
        for person in people:
            factories.member(session, person, organisation, role="owner")
        return Tenant(organisation), people


def buy_at_once(db: Database, tenant: Tenant, people: list[int]) -> None:
    gate = Barrier(len(people))

    def run(owner: int) -> None:
        gate.wait()
        actor = factories.actor(owner, "owner", area="organisation", organisation_id=tenant.organisation_id)
        db.write_as_sync(actor, place_first_seats, tenant, purchase(owner, key=f"k{owner}"), TERMS, CONTEXT)

    with ThreadPoolExecutor(len(people)) as threads:
        list(threads.map(run, people))


def test_two_owners_at_once_have_one_contract_and_what_each_pays_is_added(patient, owners):
    buy_at_once(patient, *owners)
    with patient.write_session() as session:
        [contract] = session.scalars(select(Contract)).all()
        assert session.scalars(select(OrderLine.contract_id)).all() == [contract.id] * 2
        for order in session.scalars(select(Order).order_by(Order.id)).all():
            settle(session, order)
        assert (contract.seats, (contract.ends_at - contract.starts_at).days) == (6, 365)


def test_owners_who_look_before_either_orders_have_a_contract_each(patient, owners, monkeypatch):
    """The negative control: whether a contract waits is read before the organisation is locked."""

    def new_contract(_session, tenant, *_about) -> Contract:
        return Contract(organisation_id=tenant.organisation_id, seats=0, seat_kind="course", is_self_service=True)

    with patient.read_session() as session:
        assert session.scalars(select(Contract)).all() == []
    monkeypatch.setattr(first_seats, "_contract", new_contract)
    buy_at_once(patient, *owners)
    with patient.read_session() as session:
        assert len(session.scalars(select(Contract)).all()) == 2
