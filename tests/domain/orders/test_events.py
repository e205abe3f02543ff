"""The timeline: numbered, later and later, and chained so that a changed event is found."""

from datetime import timedelta

import pytest
from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError

from domain.orders import events
from domain.tables import Order, OrderEvent
from tests.domain.orders import samples
from tests.support import factories
from tests.support.factories import NOON

TICK = timedelta(microseconds=1)


@pytest.fixture
def order(session) -> Order:
    return samples.order(session, factories.learner(session).id)


@pytest.fixture
def three(session, order) -> Order:
    for number in range(3):
        facts = {"amount_minor": 5000, "note": "für", "number": number}
        events.append(session, order, f"kind-{number}", events.SYSTEM, NOON + number * TICK, facts, None, "placed")
    session.expire_all()
    return order


def times(session, order) -> list[object]:
    return [event.occurred_at for event in events.timeline(session, order.id)]


@pytest.mark.each_database
def test_events_are_numbered_and_the_order_has_the_last_one(session, three):
    timeline = events.timeline(session, three.id)
    assert [(event.number, event.kind, event.to_state) for event in timeline] == [
        (1, "kind-0", "placed"),
        (2, "kind-1", "placed"),
        (3, "kind-2", "placed"),
    ]
    assert (three.event_count, three.event_chain, three.changed_at) == (3, timeline[2].chain, NOON + 2 * TICK)
    assert len({event.chain for event in timeline}) == 3


def test_a_clock_that_was_set_back_does_not_turn_the_timeline_around(session, order):
    for at in (NOON, NOON, NOON - timedelta(hours=1), NOON + timedelta(hours=1)):
        events.append(session, order, "noted", events.SYSTEM, at, {})
    assert times(session, order) == [NOON, NOON + TICK, NOON + 2 * TICK, NOON + timedelta(hours=1)]


@pytest.mark.each_database
def test_an_untouched_timeline_is_right(session, three):
    assert events.first_wrong(three, events.timeline(session, three.id)) is None


@pytest.mark.parametrize(
    "change",
    [
        {"facts": {"amount_minor": 1}},
        {"kind": "other"},
        {"actor": "staff:1"},
        {"to_state": None},
        {"from_state": "paid"},
        {"occurred_at": NOON + 5 * TICK},
        {"chain": "0" * 64},
    ],
)
def test_a_changed_event_is_found(session, three, change):
    is_second = (OrderEvent.order_id == three.id, OrderEvent.number == 2)
    session.execute(update(OrderEvent).where(*is_second).values(**change))
    session.expire_all()
    assert events.first_wrong(three, events.timeline(session, three.id)) == 2


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_removed_event_is_found_the_last_one_too(session, three, number):
    session.execute(delete(OrderEvent).where(OrderEvent.order_id == three.id, OrderEvent.number == number))
    session.expire_all()
    assert events.first_wrong(three, events.timeline(session, three.id)) == number


def test_events_of_another_order_do_not_fit(session, three):
    other = samples.order(session, three.learner_id, code="B" * 20)
    session.execute(update(OrderEvent).where(OrderEvent.order_id == three.id).values(order_id=other.id))
    other.event_count, other.event_chain = three.event_count, three.event_chain
    session.flush()
    assert events.first_wrong(other, events.timeline(session, other.id)) == 1


@pytest.mark.each_database
def test_two_events_of_one_number_are_refused_by_the_database(session, three):
    last = session.scalars(select(OrderEvent).where(OrderEvent.number == 3)).one()
    columns = {name: getattr(last, name) for name in ("order_id", "number", "occurred_at", "kind", "actor", "chain")}
    session.add(OrderEvent(**columns, facts={}))
    with pytest.raises(IntegrityError):
        session.flush()
    session.rollback()
