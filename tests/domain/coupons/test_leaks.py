"""Codes that became public: leaks raise an alarm within the hour, ordinary months hardly ever one."""

import random
from datetime import datetime, timedelta
from math import exp, pi, sin

import pytest
from sqlalchemy import select

from domain.audit.recording import Subject
from domain.coupons.changes import CouponAuthor
from domain.coupons.leaks import alarms as leak_alarms
from domain.coupons.leaks import raising
from domain.coupons.leaks.alarms import AlarmDecision
from domain.coupons.leaks.surprise import HISTORY, HOUR, Baseline, baseline, is_alarming
from domain.errors import InvalidInput, NotFound, Refused
from domain.staff.recorded_events import subject_entries
from domain.tables import Coupon, CouponAlarm, CouponHour, CouponProduct, Visit, VisitRollup
from domain.visits.days import coupon_hours
from domain.visits.raw.local_days import DayRules
from domain.visits.stored_days import commerce_rows
from tests.support import factories
from tests.support.factories import NOON

SINCE = NOON - timedelta(days=30)


def visits(session, code, hour, networks, *, host="", first=0, **about):
    """Visits with the code in an hour, each from a network of its own."""
    for number in range(first, first + networks):
        session.add(
            Visit(
                event_id=f"{abs(hash((code, hour, number))):032x}"[:36],
                visited_at=hour + timedelta(minutes=number % 60),
                coupon_id=code,
                address=f"10.{number // 256}.{number % 256}.0/24",
                referrer=f"https://{host}/page" if host else "",
                **about,
            )
        )
    session.flush()


@pytest.fixture
def coupon(session) -> Coupon:
    """For few, with some visits at the same time of the days before."""
    row = factories.coupon(session, "LOYAL-7", total_limit=100, created_at=SINCE)
    for days in range(1, 15):
        for offset in (-1, 0, 1):
            visits(session, "loyal-7", NOON - timedelta(days=days) + offset * HOUR, 4, host="northwind.test")
    return row


LAST_HOUR, NOW = NOON, NOON + HOUR + timedelta(minutes=7)


def raise_alarms(session, at):
    """After the days were counted, as the worker does every minute."""
    for number in range(17):
        day = (at - timedelta(days=number)).date()
        commerce_rows.delete_coupon_hours(session, CouponHour.day == day)
        commerce_rows.insert_coupon_hours(session, day, coupon_hours.count(session, DayRules().window(day)))
    return raising.raise_alarms(session, at)


def alarms(session):
    rows = session.scalars(select(CouponAlarm).order_by(CouponAlarm.id))
    return [(row.coupon_id, row.hour, row.networks, row.hosts, row.state) for row in rows]


@pytest.mark.each_database
def test_a_leak_raises_one_alarm_with_the_new_site_that_led_there(session, coupon):
    visits(session, "Loyal-7", LAST_HOUR, 30, host="vouchers.test")
    assert [raise_alarms(session, NOW) for _ in range(2)] == [1, 0]
    assert alarms(session) == [(coupon.id, LAST_HOUR, 30, ["vouchers.test"], "open")]


def test_a_referrer_that_is_no_address_hides_no_leak(session, coupon):
    visits(session, "loyal-7", LAST_HOUR, 1, host="[::::]", first=30)
    visits(session, "loyal-7", LAST_HOUR, 30, host="vouchers.test")
    assert raise_alarms(session, NOW) == 1
    assert alarms(session) == [(coupon.id, LAST_HOUR, 31, ["vouchers.test"], "open")]


ORDINARY = {
    "as many as usual": {"networks": 3},
    "fewer than ten networks": {"networks": 9, "host": "vouchers.test"},
    "ten with a new site": {"networks": 10, "host": "vouchers.test"},
    "fourteen without a new site": {"networks": 14},
    "crawlers": {"networks": 60, "visitor_class": "crawler"},
}


@pytest.mark.parametrize("case", ORDINARY)
def test_an_ordinary_hour_raises_none(session, coupon, case):
    about = dict(ORDINARY[case])
    visits(session, "LOYAL-7", LAST_HOUR, about.pop("networks"), **about)
    assert (raise_alarms(session, NOW), alarms(session)) == (0, [])


UNWATCHED = {
    "for everybody": {"total_limit": None},
    "paused": {"state": "paused"},
    "in its first day": {"created_at": NOW - timedelta(hours=20)},
    "begun today": {"starts_at": NOW - timedelta(hours=20)},
}


@pytest.mark.parametrize("case", UNWATCHED)
def test_a_code_that_is_not_watched_raises_none(session, coupon, case):
    for name, value in UNWATCHED[case].items():
        setattr(coupon, name, value)
    visits(session, "LOYAL-7", LAST_HOUR, 60, host="vouchers.test")
    assert raise_alarms(session, NOW) == 0


@pytest.mark.each_database
def test_many_visits_from_one_network_are_one(session, coupon):
    for number in range(60):
        visits(session, "LOYAL-7", LAST_HOUR + timedelta(seconds=number), 1)
    assert raise_alarms(session, NOW) == 0


def test_while_days_of_the_code_before_wait_to_be_counted_there_is_no_alarm(session, coupon):
    """Their hours are unknown: nobody seems to have come in them."""
    visits(session, "LOYAL-7", LAST_HOUR, 30, host="vouchers.test")
    rollup = VisitRollup(day=NOON.date() - timedelta(days=1), site=0, rules_version="5/1/300/30")
    session.add(rollup)
    session.flush()
    assert raise_alarms(session, NOW) == 0
    rollup.rules_version = "6/1/300/30"
    session.flush()
    assert raise_alarms(session, NOW) == 1


def test_while_an_alarm_waits_and_a_day_after_it_was_dismissed_there_is_no_other(session, coupon):
    visits(session, "LOYAL-7", LAST_HOUR, 30)
    raise_alarms(session, NOW)
    visits(session, "LOYAL-7", LAST_HOUR + HOUR, 40, first=100)
    assert raise_alarms(session, NOW + HOUR) == 0
    alarm = session.scalars(select(CouponAlarm)).one()
    alarm.state, alarm.decided_at = "dismissed", NOW
    assert raise_alarms(session, NOW + HOUR) == 0
    alarm.decided_at = NOW - timedelta(hours=24)
    assert raise_alarms(session, NOW + HOUR) == 1


# --- What staff do ---


@pytest.fixture
def world(database):
    with database.write_session() as session:
        staff = factories.learner(session, name="Grace Hopper")
        course = factories.course(session, factories.category(session).id, "vat-basics")
        row = factories.coupon(session, "LOYAL-7", total_limit=100, uses=40, created_at=SINCE, once_per_order=False)
        alarm = CouponAlarm(coupon_id=row.id, hour=NOON, networks=30, expected=1.5, hosts=[], raised_at=NOON)
        session.add(alarm)
        session.flush()
        session.add(CouponProduct(coupon_id=row.id, product_id=course.id))
        actor = factories.actor(staff.id, "marketer", at=NOON)
        return database, actor, row.id, alarm.id


def decide(world, function, reason="Posted on a forum"):
    database, actor, _, alarm_id = world
    author = CouponAuthor(actor.roles, 60, NOON)
    return database.write_as_sync(actor, function, AlarmDecision(alarm_id, actor.learner_id, author, reason))


def coupons(world):
    with world[0].read_session() as session:
        rows = session.scalars(select(Coupon).order_by(Coupon.id))
        return [(row.display_code, row.state, row.total_limit, row.uses) for row in rows]


def test_a_paused_code_has_the_decision_in_both_records(world):
    assert [decide(world, leak_alarms.pause) for _ in range(2)] == [True, False]
    assert coupons(world) == [("LOYAL-7", "paused", 100, 40)]
    database, _, coupon_id, alarm_id = world
    with database.read_session() as session:
        (event,) = subject_entries(session, Subject("coupon_alarm", alarm_id))
        assert (event.after, event.reason) == ({"state": "paused"}, "Posted on a forum")
        (event,) = subject_entries(session, Subject("coupon", coupon_id))
        assert event.action == "coupon.pause"


def test_a_replaced_code_ends_and_the_new_one_has_what_is_left_of_its_limit(world):
    code = decide(world, leak_alarms.replace)
    assert decide(world, leak_alarms.replace) is None
    assert coupons(world) == [("LOYAL-7", "ended", 100, 40), (code, "active", 60, 0)]
    with world[0].read_session() as session:
        assert len(session.scalars(select(CouponProduct)).all()) == 2
        assert session.scalars(select(Coupon.once_per_order)).all() == [False, False]


def test_a_used_up_code_cannot_be_replaced_and_nothing_is_changed(world):
    with world[0].write_session() as session:
        session.get_one(Coupon, world[2]).uses = 100
    with pytest.raises(Refused):
        decide(world, leak_alarms.replace)
    assert coupons(world) == [("LOYAL-7", "active", 100, 100)]


def test_a_dismissed_alarm_changes_no_code(world):
    assert decide(world, leak_alarms.dismiss) is True
    assert coupons(world) == [("LOYAL-7", "active", 100, 40)]


def test_a_decision_needs_a_reason_and_an_alarm(world):
    with pytest.raises(InvalidInput):
        decide(world, leak_alarms.dismiss, "  ")
    with pytest.raises(NotFound):
        decide((*world[:3], 999), leak_alarms.dismiss)


# --- A simulated month ---


def poisson(source: random.Random, mean: float) -> int:
    limit, product, count = exp(-mean), source.random(), 0
    while product > limit:
        product *= source.random()
        count += 1
    return count


def rate(mean: float, at: datetime) -> float:
    """With the shape of a day, and quieter weekends."""
    day = 0.6 if at.weekday() >= 5 else 1.0
    return mean * day * max(0.02, 1 + sin((at.hour - 9) * pi / 12))


MONTH, FIRST = timedelta(days=30), datetime.fromisoformat("2026-06-01T00:00:00+00:00")
# Every hundredth hour a site leads there that had not for two weeks.
NEW_HOST = 0.01


def false_alarms(source: random.Random, mean: float) -> int:
    history: dict[datetime, int] = {}
    alarms, hour, quiet_until = 0, FIRST, FIRST
    while hour < FIRST + HISTORY + MONTH:
        networks = poisson(source, rate(mean, hour))
        if hour >= FIRST + HISTORY and networks >= 10 and hour >= quiet_until:
            usual = baseline(history, hour, FIRST)
            if usual is not None and is_alarming(usual, networks, has_new_host=source.random() < NEW_HOST):
                alarms, quiet_until = alarms + 1, hour + timedelta(days=1)
        history[hour] = networks
        hour += HOUR
    return alarms


@pytest.mark.parametrize("codes", [20, pytest.param(100, marks=pytest.mark.soak)])
def test_many_codes_raise_at_most_one_false_alarm_a_month(codes):
    source = random.Random(7)
    means = [source.choice((0.02, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)) for _ in range(codes)]
    assert sum(false_alarms(source, mean) for mean in means) <= 1


@pytest.mark.parametrize("mean", [0.02, 0.5, 2.0, 10.0])
def test_an_injected_leak_is_noticed_in_its_first_hour(mean):
    source = random.Random(11)
    noticed = 0
    for number in range(20):
        hour = FIRST + HISTORY + timedelta(days=3, hours=number)
        before, at = {}, FIRST
        while at < hour:
            before[at] = poisson(source, rate(mean, at))
            at += HOUR
        usual = baseline(before, hour, FIRST)
        assert usual is not None
        leaked = poisson(source, rate(mean, hour)) + 25 + poisson(source, 4 * mean)
        noticed += is_alarming(usual, leaked, has_new_host=True)
    assert noticed == 20


def test_what_is_known_from_few_hours_needs_more_to_be_surprising():
    few, many = Baseline(2.0, 3.0), Baseline(2.0, 60.0)
    assert few.chance_of(12) > many.chance_of(12)
    assert (many.chance_of(0), round(many.chance_of(1), 2)) == (1.0, 0.86)
