"""Payments of seats as the gateway reports them: late ones, and those that are refunded, on both databases."""

from datetime import timedelta

import pytest
from sqlalchemy import delete

from domain.orders import events
from domain.orders.lines import lines_of
from domain.orders.locks import ref_of
from domain.orders.refunds.by_staff import StaffRefund, refund_order
from domain.orders.settings import Context
from domain.seats import orders as seat_orders
from domain.seats.assign import assign
from domain.tables import Contract, Membership, Order
from tests.domain.orders import selling
from tests.domain.payments.settled import NEXT_DAY, expire, refunds
from tests.domain.seats.test_first_seats import DAYS, buy, contracts, shop
from tests.domain.seats.test_seat_orders import CONTEXT, SELLS, bought, settle
from tests.domain.seats.world import build, has_access, states
from tests.support.factories import NOON

__all__ = ["shop"]


def state_names(session, contract_id: int) -> list[str]:
    return [state for _, state, _ in states(session, contract_id)]


def first_order(session, shop) -> tuple[Order, Contract]:
    order = session.get_one(Order, buy(session, shop).order_id)
    [contract] = contracts(session)
    return order, contract


@pytest.mark.each_database
def test_a_late_payment_of_the_first_seats_begins_their_contract_then(session, shop):
    order, contract = first_order(session, shop)
    expire(session, order)
    assert selling.pay(session, order, NEXT_DAY) == "settled"
    assert timedelta(0) <= contract.starts_at - NEXT_DAY < timedelta(seconds=1)
    assert (contract.ends_at - contract.starts_at, contract.seats) == (timedelta(days=DAYS), 3)
    assert (order.state, state_names(session, contract.id), refunds(session)) == ("paid", ["free"] * 3, [])


def placed_for_a_contract_that_ends(session) -> tuple[Order, int]:
    world = build(session, seats=1, **SELLS, ends_at=NOON + timedelta(hours=1))
    return bought(session, world), world.contract


def begin_debit(session, order: Order) -> None:
    selling.apply(session, order, selling.snapshot(order, payment="processing", paid_at=None))
    assert order.state == "processing"


def leave(_session, order: Order) -> None:
    assert order.state == "placed"


PAID_AFTER_THE_END = pytest.mark.parametrize("before", [expire, begin_debit, leave])


@PAID_AFTER_THE_END
def test_a_payment_for_seats_of_a_contract_that_has_ended_goes_back_and_ends_the_order(session, before):
    order, contract = placed_for_a_contract_that_ends(session)
    before(session, order)
    assert selling.pay(session, order, NEXT_DAY) == "late"
    assert (order.state, order.open_learner_id) == ("expired", None)
    assert refunds(session) == [(1, "late", "approved", 7_500)]
    assert (state_names(session, contract), session.get_one(Contract, contract).seats) == (["free"], 1)
    kinds = [event.kind for event in events.timeline(session, order.id)]
    assert kinds[-3:] == ["expire", "paid_late", "refund_approved"]
    assert selling.pay(session, order, NEXT_DAY) == "unchanged"


@PAID_AFTER_THE_END
def test_without_the_check_a_late_payment_buys_seats_that_open_nothing(session, monkeypatch, before):
    """The negative control."""
    monkeypatch.setattr(seat_orders, "can_give", lambda *_: True)
    order, contract = placed_for_a_contract_that_ends(session)
    before(session, order)
    assert selling.pay(session, order, NEXT_DAY) == "settled"
    assert state_names(session, contract) == ["free"] * 4


@pytest.mark.parametrize(("count", "left", "amount"), [(1, 2, 9_900), (3, 0, 29_700)])
def test_a_refund_of_first_seats_takes_free_ones_and_the_contract_goes_on(session, shop, count, left, amount):
    order, contract = first_order(session, shop)
    assert selling.pay(session, order) == "settled"
    ends_at = contract.ends_at
    context = Context(NEXT_DAY, CONTEXT.settings)
    refund_order(session, ref_of(session, order.code), StaffRefund("staff:1", "Too many", {1: count}), context)
    assert refunds(session) == [(1, "staff", "approved", amount)]
    assert sorted(state_names(session, contract.id)) == ["free"] * left + ["removed"] * count
    assert (contract.seats, contract.ends_at) == (left, ends_at)


def lose_and_win(session, order: Order, at=NEXT_DAY + timedelta(days=30)) -> list[str]:
    """A dispute takes the money of the order's seats, and an appeal gives it back."""
    [line] = lines_of(session, order.id)
    line.ended_at = NEXT_DAY
    seat_orders.take_back(session, line, NEXT_DAY)
    session.expire_all()
    [line] = lines_of(session, order.id)
    return seat_orders.give_again(session, line, line.ended_at, at)


@pytest.mark.each_database
def test_seats_that_a_dispute_took_are_given_again_and_their_holders_have_them(session):
    world = build(session, seats=1, **SELLS)
    order = bought(session, world)
    settle(session, order)
    for member in world.members[:2]:
        assign(session, world.contract, member, [world.courses[0]], NOON)
    held = [seat for seat in states(session, world.contract) if seat[1] == "active"]
    assert lose_and_win(session, order) == []
    contract = session.get_one(Contract, world.contract)
    now = [seat for seat in states(session, world.contract) if seat[1] != "removed"]
    assert (contract.seats, sorted(state for _, state, _ in now)) == (4, ["active", "active", "free", "free"])
    assert {holder for *_, holder in now if holder} == {holder for *_, holder in held}
    assert all(has_access(session, member, world.courses[0], NEXT_DAY) for member in world.members[:2])


def test_whoever_has_left_meanwhile_gets_no_seat_and_staff_read_it(session):
    world = build(session, seats=0, **SELLS)
    order = bought(session, world)
    settle(session, order)
    assign(session, world.contract, world.members[0], [world.courses[0]], NOON)
    session.execute(delete(Membership).where(Membership.learner_id == world.members[0]))
    [left] = lose_and_win(session, order)
    assert left.startswith("A seat of ")
    assert state_names(session, world.contract).count("free") == 3


def test_seats_of_a_contract_that_has_ended_are_left_to_staff(session):
    order, contract = placed_for_a_contract_that_ends(session)
    settle(session, order)
    [left] = lose_and_win(session, order)
    assert left.startswith("3 seats of ")
    assert left.endswith("are not given again: their contract has ended.")
    assert session.get_one(Contract, contract).seats == 1
