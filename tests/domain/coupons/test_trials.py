"""Trials of the special offer: started and stopped by staff, hidden in half of the blocks, and counted from days."""

from datetime import timedelta

import pytest
from sqlalchemy import select, update

from domain.coupons import queries
from domain.coupons.trials import changes, listing
from domain.coupons.trials.changes import TrialDraft
from domain.coupons.trials.running import shown_offer
from domain.coupons.trials.schedule import HOUR, MIN_PAIRS, plan_of
from domain.errors import InvalidInput, NotFound, Refused
from domain.reports.coupon_trials import expected_margins, result
from domain.tables import Coupon, CouponTrial, OrderSession, VisitHour, VisitRollup
from tests.domain.visits.days.worlds import add, builder, visit
from tests.support import factories, order_rows
from tests.support.factories import NOON

MINUTE = timedelta(minutes=1)
DRAFT = TrialDraft(NOON + HOUR, MIN_PAIRS, 12)


@pytest.fixture
def world(database):
    with database.write_session() as session:
        staff = factories.learner(session, name="Grace Hopper")
        factories.coupon(session, "SPRING15", is_special=True)
        return database, factories.actor(staff.id, "marketer", at=NOON)


def start(world, draft=DRAFT, at=NOON):
    database, actor = world
    return database.write_as_sync(actor, changes.start, draft, actor.learner_id, at, "Does it pay?")


def stop(world, trial_id, at, reason="Enough"):
    database, actor = world
    return database.write_as_sync(actor, changes.stop, trial_id, at, reason)


def offered(database, at):
    with database.read_session() as session:
        offer = shown_offer(session, at)
        return None if offer is None else offer.name


def trial(database, trial_id):
    with database.read_session() as session:
        return listing.trial(session, trial_id)


@pytest.mark.each_database
def test_the_offer_is_hidden_in_one_block_of_each_pair_and_its_code_stays_valid(world):
    database, _ = world
    trial_id = start(world)
    row = trial(database, trial_id)
    assert (row.code, row.starts_at, row.ends_at) == ("SPRING15", NOON + HOUR, NOON + HOUR + timedelta(days=20))
    for number in range(MIN_PAIRS):
        first, second = row.plan.pair(number)
        names = {block.is_on: offered(database, block.starts_at) for block in (first, second)}
        assert names == {True: "SPRING15", False: None}
    hidden = next(block for block in row.plan.pair(0) if not block.is_on)
    with database.read_session() as session:
        assert queries.by_code(session, "spring15", hidden.starts_at) is not None
    assert [offered(database, at) for at in (NOON, row.ends_at)] == ["SPRING15", "SPRING15"]


def test_a_stopped_trial_hides_nothing_and_cannot_go_on(world):
    database, _ = world
    trial_id = start(world)
    hidden = next(block for block in trial(database, trial_id).plan.pair(0) if not block.is_on)
    assert offered(database, hidden.starts_at + MINUTE) is None
    assert [stop(world, trial_id, hidden.starts_at + number * MINUTE) for number in (1, 2)] == [True, False]
    assert offered(database, hidden.starts_at + MINUTE) == "SPRING15"
    assert trial(database, trial_id).state(hidden.ends_at) == "stopped"
    start(world, TrialDraft(NOON + 50 * HOUR, 20, 12))


def test_two_trials_at_once_are_refused(world):
    first = start(world)
    with pytest.raises(Refused, match="Another trial"):
        start(world, TrialDraft(NOON + timedelta(days=40), 20, 12))
    stop(world, first, NOON)
    start(world)


WRONG = {
    "within an hour": (TrialDraft(NOON + HOUR + MINUTE, 20, 12), "startsAt"),
    "in the past": (TrialDraft(NOON - HOUR, 20, 12), "startsAt"),
    "in a year": (TrialDraft(NOON + timedelta(days=365), 20, 12), "startsAt"),
    "too few pairs": (TrialDraft(NOON, 19, 12), "pairs"),
    "too many pairs": (TrialDraft(NOON, 201, 12), "pairs"),
    "odd blocks": (TrialDraft(NOON, 20, 5), "blockHours"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_trial_that_could_not_be_counted_is_refused(world, case):
    draft, field = WRONG[case]
    with pytest.raises(InvalidInput) as refused:
        start(world, draft)
    assert list(refused.value.errors) == [field]
    with world[0].read_session() as session:
        assert session.scalars(select(CouponTrial.id)).all() == []


def test_without_an_offer_there_is_nothing_to_try(world):
    with world[0].write_session() as session:
        session.execute(update(Coupon).values(is_special=False))
    with pytest.raises(Refused, match="no special offer"):
        start(world)


def test_there_is_no_trial_of_another_number(world):
    with pytest.raises(NotFound):
        stop(world, 999, NOON)
    with pytest.raises(NotFound):
        trial(world[0], 999)


# --- What a trial has shown ---

PLAN = plan_of(NOON, MIN_PAIRS, 12, "seed")
LATER = PLAN.ends_at + timedelta(days=2)


def stored_hours(session, plan=PLAN, shown=(40, 4), hidden=(50, 3)):
    """The first three hours of each block have sessions that are not counted."""
    session.add(VisitRollup(site=0, day=LATER.date(), built_at=LATER, rules_version="5/"))
    for block in (block for number in range(plan.pairs) for block in plan.pair(number)):
        sessions, paid = shown if block.is_on else hidden
        for hour, counts in ((0, (7, 7)), (2, (7, 7)), (3, (sessions - 1, paid)), (11, (1, 0))):
            at = block.starts_at + hour * HOUR
            keys = {"site": 0, "dimension": "all", "audience": "people", "key": "(all)", "day": at.date(), "hour": at}
            figures = dict.fromkeys(VisitHour.__table__.c.keys()[6:], 0)
            session.add(VisitHour(**{**figures, **keys, "sessions": counts[0], "reached_payment": counts[1]}))
    session.flush()


def sold(session, began_at, number, minor, **about):
    learner = factories.learner(session, name=f"Buyer {number}")
    order = order_rows.order(session, learner.id, code=f"ORDER{number}", paid_at=began_at, placed_at=began_at, **about)
    order_rows.order_line(session, order.id, unit_minor=minor, total_minor=minor)
    session.add(OrderSession(day=began_at.date(), order_id=order.id, began_at=began_at))
    session.flush()


@pytest.mark.each_database
def test_a_result_has_the_sessions_of_settled_hours_and_what_their_orders_brought(session):
    stored_hours(session)
    first, second = PLAN.pair(0)
    shown, hidden = (first, second) if first.is_on else (second, first)
    sold(session, shown.counted_from, 1, 2000)
    sold(session, shown.counted_from - timedelta(microseconds=1), 2, 9000)
    sold(session, hidden.ends_at - MINUTE, 3, 1000)
    sold(session, hidden.counted_from, 4, 500, currency="EUR")
    sold(session, hidden.counted_from, 5, 700, state="placed")
    found = result(session, PLAN, PLAN.ends_at, LATER, "USD")
    assert (len(found.pairs), found.empty, found.foreign_orders) == (20, 0, 1)
    assert (found.totals(is_on=True), found.totals(is_on=False)) == ((800, 80, 2000), (1000, 60, 1000))
    assert found.paid is not None
    assert round(found.paid.mean, 9) == 0.04
    assert found.net is not None
    assert round(found.net.mean, 9) == round((2000 / 40 - 1000 / 50) / 20, 9)


def test_pairs_after_a_stop_or_of_today_are_not_counted(session):
    stored_hours(session)
    stopped = result(session, PLAN, PLAN.starts_at + timedelta(days=5), LATER, "USD")
    assert (len(stopped.pairs), stopped.paid) == (5, None)
    running = result(session, PLAN, PLAN.ends_at, PLAN.starts_at + timedelta(days=7), "USD")
    assert len(running.pairs) == 6
    session.execute(update(VisitRollup).values(built_at=PLAN.starts_at + timedelta(days=4)))
    assert len(result(session, PLAN, PLAN.ends_at, LATER, "USD").pairs) == 3, "days are computed until then"


def test_an_empty_shop_has_no_result_and_no_forecast(session):
    found = result(session, PLAN, PLAN.ends_at, LATER, "USD")
    assert (found.usable, found.paid, found.net, found.totals(is_on=True)) == (0, None, None, (0, 0, 0))
    assert expected_margins(session, 20, 12, LATER, "USD") is None


def test_a_forecast_is_narrower_for_more_pairs(session):
    past = plan_of(LATER - timedelta(days=30), 30, 12, "any")
    stored_hours(session, past)
    few, many = (expected_margins(session, pairs, 12, LATER, "USD") for pairs in (20, 80))
    assert few is not None
    assert many is not None
    assert few[0] > 0
    assert round(few[0] / many[0], 6) == 2.0


def test_sessions_are_those_of_computed_days(database):
    """From visits to the result: what other reports count."""
    with database.write_session() as session:
        learner = factories.learner(session)
        at = PLAN.pair(0)[0].counted_from
        add(
            session,
            visit(1, at, "/", "a"),
            visit(2, at + MINUTE, "/checkout", "a", learner_id=learner.id),
            visit(3, at, "/", "b", learner_id=learner.id),
            visit(4, PLAN.pair(0)[1].counted_from, "/", "c", learner_id=learner.id),
        )
        order = order_rows.order(session, learner.id, placed_at=at + 2 * MINUTE, paid_at=at + 2 * MINUTE)
        order_rows.order_line(session, order.id, unit_minor=5000, total_minor=5000)
    for day in {at.date(), PLAN.pair(0)[1].counted_from.date()}:
        builder(database, LATER).build(day)
    with database.read_session() as session:
        (pair, *_) = result(session, PLAN, PLAN.ends_at, LATER, "USD").pairs
        first = pair.shown if pair.shown.block.starts_at == NOON else pair.hidden
        assert (first.sessions, first.paid, first.net_minor) == (2, 1, 5000)
