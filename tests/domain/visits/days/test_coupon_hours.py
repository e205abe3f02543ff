"""Who came with a code by the hour: with the day, for the last two hours every minute, and in the day's digest."""

from datetime import timedelta

import pytest
from sqlalchemy import delete, select, update

from domain.tables import CouponHour, OrderSession, VisitRollup
from domain.visits.retention import deleting
from domain.visits.stored_days.day_rows import is_intact, rollup_of
from tests.domain.visits.days.worlds import DAY, LATER, MIDNIGHT, NOON, add, builder, visit
from tests.support import factories, order_rows

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


def stored(database):
    columns = (CouponHour.day, CouponHour.hour, CouponHour.coupon)
    counts = (CouponHour.sessions, CouponHour.networks, CouponHour.referrer_hosts)
    with database.read_session() as session:
        return [tuple(row) for row in session.execute(select(*columns, *counts).order_by(*columns))]


def digest(database) -> str | None:
    with database.read_session() as session:
        return session.scalar(select(VisitRollup.digest).where(VisitRollup.day == DAY))


def intact(database) -> bool:
    with database.read_session() as session:
        return is_intact(session, rollup_of(session, DAY))


def came(number, at, code="SPRING", **about):
    """`host`: of the page that led here; `network`: from which the visit came."""
    host, network = about.pop("host", ""), about.pop("network", "10.0.0.0/24")
    sent = {"coupon_id": code, "address": network, "referrer": f"https://{host}/page" if host else ""}
    return visit(number, at, "/", **sent, **about)


@pytest.fixture
def shop(database):
    with database.write_session() as session:
        factories.coupon(session, "SPRING")
        factories.coupon(session, "AUTUMN")
    return database


@pytest.mark.each_database
def test_an_hour_has_the_different_sessions_networks_and_hosts_of_each_code(shop):
    with shop.write_session() as session:
        add(
            session,
            came(1, NOON, host="www.vouchers.test"),
            came(2, NOON + MINUTE, "spring ", host="vouchers.test"),
            came(3, NOON + 2 * MINUTE, session_id="b", network="10.0.1.0/24", host="forum.test"),
            came(4, NOON + 3 * MINUTE, session_id="A", visitor_class="suspected"),
            came(5, NOON + 4 * MINUTE, session_id="", network="10.0.2.0/24", visitor_class="crawler", source="host"),
            came(6, NOON + 5 * MINUTE, session_id="", network=""),
            came(7, NOON + 6 * MINUTE, "AUTUMN", session_id="c", network=""),
            came(8, NOON + 7 * MINUTE, "nobody's", session_id="d"),
            came(9, NOON + 8 * MINUTE, "neither", session_id="e"),
            came(10, NOON + HOUR),
            visit(11, NOON, "/", "f"),
        )
    builder(shop).build(DAY)
    assert stored(shop) == [
        (DAY, NOON, "(unknown)", 2, 1, 0),
        (DAY, NOON, "autumn", 1, 0, 0),
        (DAY, NOON, "spring", 3, 2, 2),
        (DAY, NOON + HOUR, "spring", 1, 1, 0),
    ]
    assert intact(shop)


@pytest.mark.each_database
def test_a_changed_count_is_seen_by_the_digest(shop):
    with shop.write_session() as session:
        add(session, came(1, NOON))
    builder(shop).build(DAY)
    with shop.write_session() as session:
        session.execute(update(CouponHour).values(networks=2))
    assert not intact(shop)


def test_an_hour_belongs_to_the_day_in_which_it_began_also_in_a_zone_of_half_hours(shop):
    """In Kolkata midnight is at half past six in the evening of UTC."""
    midnight = MIDNIGHT + timedelta(hours=18, minutes=30)
    with shop.write_session() as session:
        add(session, came(1, midnight - MINUTE), came(2, midnight + MINUTE, session_id="b"))
    for day in (DAY, DAY + timedelta(days=1)):
        builder(shop, zone="Asia/Kolkata").build(day)
    assert stored(shop) == [(DAY, midnight - timedelta(minutes=30), "spring", 2, 1, 0)]


@pytest.mark.each_database
def test_between_two_computations_of_today_the_last_two_hours_are_counted(shop):
    with shop.write_session() as session:
        add(session, came(1, NOON - HOUR), came(2, NOON))
    builder(shop, NOON + MINUTE).build(DAY)
    before = digest(shop)
    with shop.write_session() as session:
        add(session, came(3, NOON - 2 * HOUR, session_id="b"), came(4, NOON, session_id="b", network="10.0.1.0/24"))
    builder(shop, NOON + 2 * MINUTE).count_last_hours()
    assert stored(shop) == [(DAY, NOON - HOUR, "spring", 1, 1, 0), (DAY, NOON, "spring", 2, 2, 0)]
    assert digest(shop) != before
    assert intact(shop)
    builder(shop).build(DAY)
    assert [row[1] for row in stored(shop)] == [NOON - 2 * HOUR, NOON - HOUR, NOON]


def test_the_last_two_hours_may_be_of_two_days(shop):
    for day in (DAY - timedelta(days=1), DAY):
        builder(shop, MIDNIGHT + MINUTE).build(day)
    with shop.write_session() as session:
        add(session, came(1, MIDNIGHT - MINUTE), came(2, MIDNIGHT + MINUTE))
    builder(shop, MIDNIGHT + 5 * MINUTE).count_last_hours()
    assert [row[:2] for row in stored(shop)] == [
        (DAY - timedelta(days=1), MIDNIGHT - HOUR),
        (DAY, MIDNIGHT),
    ]


@pytest.mark.parametrize("changed", [{}, {"finalised_at": LATER}, {"digest": ""}], ids=["no row", "final", "new"])
def test_hours_of_a_day_that_is_final_or_was_never_computed_are_left_alone(shop, changed):
    builder(shop, NOON).build(DAY)
    with shop.write_session() as session:
        session.execute(update(VisitRollup).values(**changed) if changed else delete(VisitRollup))
        add(session, came(1, NOON))
    builder(shop, NOON + MINUTE).count_last_hours()
    assert stored(shop) == []


@pytest.mark.each_database
def test_an_order_has_the_beginning_of_the_session_it_came_from(database):
    with database.write_session() as session:
        learner = factories.learner(session)
        add(
            session,
            visit(1, NOON, "/", "a"),
            visit(2, NOON + MINUTE, "/checkout", "a", learner_id=learner.id),
            visit(3, NOON + HOUR, "/", "a"),
            visit(4, NOON + 2 * HOUR, "/checkout", "", learner_id=learner.id),
        )
        order_id = order_rows.order(session, learner.id, placed_at=NOON + 5 * MINUTE, code="FIRST").id
        order_rows.order(session, learner.id, placed_at=NOON + 3 * HOUR, code="SECOND")
    builder(database).build(DAY)
    with database.read_session() as session:
        rows = session.execute(select(OrderSession.day, OrderSession.order_id, OrderSession.began_at)).all()
    assert [tuple(row) for row in rows] == [(DAY, order_id, NOON)]
    assert intact(database)


def test_retention_deletes_them_with_the_hours_of_the_day_and_the_day_stays_proved(shop):
    with shop.write_session() as session:
        learner = factories.learner(session)
        add(session, came(1, NOON), visit(2, NOON, "/checkout", "b", learner_id=learner.id))
        order_rows.order(session, learner.id, placed_at=NOON + MINUTE)
    builder(shop).build(DAY)
    while shop.write_sync(deleting.delete_hours, 0, DAY, LATER):
        assert intact(shop)
    with shop.read_session() as session:
        assert stored(shop) == session.scalars(select(OrderSession.order_id)).all() == []
