"""Forecasts of coupons: past orders are priced again by the engine, and only coarse sums of enough people are shown."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import update

from adapters.jobs import JobRunner
from domain.audit.recording import Subject
from domain.coupons import forecast_job
from domain.coupons.create import CouponDraft
from domain.coupons.forecast import OrderEffect, effect_of
from domain.coupons.forecast_job import ForecastSums, NewForecast, shown_sums
from domain.errors import InvalidInput, NotFound
from domain.jobs.claims import JobStep
from domain.pricing import engine
from domain.pricing.inputs import QuoteInputs
from domain.pricing.offers import Line, Offer
from domain.pricing.quote_document import to_json
from domain.staff.recorded_events import subject_entries
from domain.tables import Job, Order
from tests.support import factories, order_rows
from tests.support.factories import NOON
from tests.support.shops import SHOP, USD

TEN = Offer("TEN", "percent", Decimal(10), minimum=Decimal(50))
FIVE = Offer("FIVE", "amount", Decimal(5), once_per_order=True)


def line(price="100.00", number=1, **about) -> Line:
    return Line(number, "course", "tax", Decimal(price), **about)


def effect(coupon, *lines, on_cart=None):
    return effect_of(QuoteInputs(lines, on_cart, SHOP), coupon)


def money(text) -> Decimal:
    return Decimal(text)


EFFECTS = {
    "a percentage": (effect(TEN, line()), OrderEffect(True, money("100.00"), money("10.00"))),
    "below the minimum": (effect(TEN, line("49.99")), OrderEffect(False, money("49.99"), money(0))),
    "an amount once": (effect(FIVE, line(), line(number=2)), OrderEffect(True, money("200.00"), money("5.00"))),
    "after a sale": (
        effect(TEN, line(sale_price=money("80.00"))),
        OrderEffect(True, money("80.00"), money("8.00")),
    ),
    "beside a better contract": (
        effect(TEN, line(organisation=Offer("Northwind", "percent", money(30))), line(number=2)),
        OrderEffect(True, money("170.00"), money("10.00")),
    ),
    "in place of a smaller coupon": (
        effect(TEN, line(), on_cart=FIVE),
        OrderEffect(True, money("95.00"), money("5.00")),
    ),
    "where a better coupon was": (
        effect(FIVE, line(), on_cart=TEN),
        OrderEffect(True, money("90.00"), money(0)),
    ),
    "of nothing that it applies to": (
        effect(replace(TEN, applies_to="item"), line()),
        OrderEffect(False, money("100.00"), money(0)),
    ),
    "of another product": (
        effect(replace(TEN, products=frozenset({2})), line()),
        OrderEffect(False, money("100.00"), money(0)),
    ),
}


@pytest.mark.parametrize("case", EFFECTS)
def test_an_order_is_priced_again_as_the_engine_prices_carts(case):
    found, expected = EFFECTS[case]
    assert (found.is_qualified, found.price, found.cost) == (expected.is_qualified, expected.price, expected.cost)


# --- The job ---

DRAFT = CouponDraft("percent", Decimal(10), USD, minimum=Decimal(50))
K = 5


@pytest.fixture
def world(database):
    with database.write_session() as session:
        staff = factories.learner(session, name="Grace Hopper")
        return database, factories.actor(staff.id, "marketer", at=NOON)


def buy(database, number, price="100.00", **about):
    """An order of a buyer of its own, a day before."""
    inputs = QuoteInputs((line(price),), None, SHOP)
    with database.write_session() as session:
        buyer = about.pop("learner_id", None) or factories.learner(session, name=f"Buyer {number}").id
        facts = {"placed_at": NOON - timedelta(days=1), "quote": to_json(inputs, engine.price(inputs)), **about}
        return order_rows.order(session, buyer, code=f"ORDER{number:015}", **facts).id


def start(world, draft=DRAFT, key="key-of-the-form"):
    database, actor = world
    new = NewForecast(draft, key, K)
    return database.write_as_sync(actor, forecast_job.start_as_staff, new, actor.learner_id, NOON)


def run(world, kind=forecast_job.steps):
    assert JobRunner(world[0], {forecast_job.KIND: kind}).run_slice()


def view(world, job_id):
    with world[0].read_session() as session:
        return forecast_job.forecast(session, job_id)


@pytest.mark.each_database
def test_the_orders_of_90_days_are_summed_up(world):
    database, _ = world
    for number in range(13):
        buy(database, number)
    buy(database, 20, "20.00")
    for number in range(30, 36):
        buy(database, number, state="cancelled", paid_at=None)
    buy(database, 40, currency="EUR")
    buy(database, 41, quote={})
    buy(database, 42, placed_at=NOON - timedelta(days=91))
    buy(database, 43, placed_at=NOON)
    job_id = start(world)
    assert start(world) == job_id
    run(world)
    found = view(world, job_id)
    assert (found.state, found.processed, found.input["name"]) == ("done", 22, "10% off, from $50.00")
    assert (found.report["foreign"], found.report["unreadable"]) == (1, 1)
    assert {name: found.report["paid"][name] for name in ("orders", "qualified", "cost")} == {
        "orders": 14,
        "qualified": 13,
        "cost": 13_000,
    }
    assert shown_sums(found.report, "paid", K) == ForecastSums(10, 10, 10, 130_000, 13_000)
    assert shown_sums(found.report, "unpaid", K) == ForecastSums(5, 5, 5, 60_000, 6000)
    with database.read_session() as session:
        assert [entry.action for entry in subject_entries(session, Subject("job", job_id))] == ["coupon_forecast.start"]


def test_of_too_few_people_nothing_is_shown_however_many_orders_they_have(world):
    database, actor = world
    for number in range(12):
        buy(database, number, learner_id=actor.learner_id)
    for number in range(20, 23):
        buy(database, number)
    run_of = start(world)
    run(world)
    sums = shown_sums(view(world, run_of).report, "paid", K)
    assert sums == ForecastSums(15, None, None, None, None)
    buy(database, 30)
    again = start(world, key="another-key")
    run(world)
    assert shown_sums(view(world, again).report, "paid", K).cost_minor == 16_000


def test_nobody_finds_an_order_by_the_difference_of_two_coupons(world):
    """One order lies between two smallest totals: the sums with it and without differ by nothing or by a whole step."""
    database, _ = world
    for number in range(11):
        buy(database, number, "900.00")
    buy(database, 50, "123.45")
    shown = []
    for number, minimum in enumerate(("123.00", "123.46")):
        job_id = start(world, replace(DRAFT, minimum=Decimal(minimum)), key=f"key-of-form-{number}")
        run(world)
        shown.append(shown_sums(view(world, job_id).report, "paid", K))
    assert shown[0].qualified == shown[1].qualified == 10
    assert {sums.cost_minor for sums in shown} == {100_000, 99_000}
    assert 123_45 // 10 not in {abs(shown[0].cost_minor - shown[1].cost_minor)}


def test_a_forecast_that_was_interrupted_counts_no_order_twice(world):
    database, _ = world
    for number in range(8):
        buy(database, number)

    def interrupted(claim):
        for number, step in enumerate(forecast_job.steps(claim)):
            if number:
                raise ZeroDivisionError
            yield JobStep(step.work, step.processed, step.total)

    job_id = start(world)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(forecast_job, "STEP", 3)
        run(world, interrupted)
        assert view(world, job_id).report["paid"]["orders"] == 3
        with database.write_session() as session:
            job = session.get_one(Job, job_id)
            job.state, job.heartbeat_at, job.ended_at = "running", None, None
        run(world)
    assert view(world, job_id).report["paid"]["orders"] == 8


def test_an_empty_shop_and_a_product_that_there_is_not(world):
    job_id = start(world)
    run(world)
    assert shown_sums(view(world, job_id).report, "paid", K) == ForecastSums(0, None, None, None, None)
    with pytest.raises(InvalidInput):
        start(world, replace(DRAFT, products=("nothing-like-it",)), key="another-key")
    with pytest.raises(NotFound):
        view(world, 999)


def test_orders_that_wait_for_money_are_neither_paid_nor_given_up(world):
    order_id = buy(world[0], 1)
    with world[0].write_session() as session:
        session.execute(update(Order).where(Order.id == order_id).values(state="placed"))
    job_id = start(world)
    run(world)
    assert set(view(world, job_id).report) == {"last_id"}
