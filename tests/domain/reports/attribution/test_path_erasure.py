"""An erased learner is in no path any more, and every credit stays."""

import pytest
from sqlalchemy import select

from domain.account.anonymise import anonymise_account
from domain.account.erase_visits import erase_visits
from domain.account.export import export
from domain.money import currency
from domain.orders.settings import Context
from domain.permissions import SystemActor
from domain.reports.attribution.replay import check_days, days_of
from domain.tables import CreditDay, Learner, OrderCredit, OrderPath, OrderPathTouchpoint, Visit
from domain.visits.erased import ERASED
from tests.domain.reports.attribution import worlds
from tests.domain.reports.attribution.worlds import HOUR, LATER, MINUTE, build, builder, stored, sums
from tests.domain.visits.days.worlds import add, event, link, visit
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database


@pytest.fixture
def week(database):
    """A reader of the newsletter, who bought the disputed order, followed the link of who bought for nothing."""
    with database.write_session() as session:
        week = worlds.fill(session)
        number = session.get_one(Learner, week.free.learner_id).student_number
        add(
            session,
            link(20, NOON + 20 * HOUR, "/s?n=x", page="share-link", student_number=number),
            visit(21, NOON + 20 * HOUR + MINUTE, "/shop", "shared", referral_id=event(20), student_number=number),
            visit(22, NOON + 21 * HOUR, "/checkout", "shared", learner_id=week.disputed.learner_id),
        )
    return week


def delete_account(database, learner_id, at=LATER + MINUTE):
    with database.write_session() as session:
        email = session.get_one(Learner, learner_id).email
        anonymise_account(session, learner_id, email, Context(at))


def erase(database, learner_id, at=LATER + MINUTE):
    database.write_as_sync(SystemActor("command", at), erase_visits, learner_id, at)


def path_rows(database, order_id):
    with database.read_session() as session:
        query = select(OrderPathTouchpoint).where(OrderPathTouchpoint.order_id == order_id)
        return list(session.scalars(query.order_by(OrderPathTouchpoint.position)))


def of_order(database, order_id):
    return [row for row in stored(database, OrderCredit) if row[1] == order_id]


def wrong(database) -> list[str]:
    with database.read_session() as session:
        days = days_of(session, None, None)
    *_, result = check_days(builder(database), days)
    return result.wrong


# Goods that were not sent keep the account of who bought the mixed order.
TAKEN = [
    pytest.param(erase, "mixed", [(4, "partner"), (2, "email"), (0, "direct")], id="visits erased"),
    pytest.param(delete_account, "disputed", [(4, "student"), (3, "direct")], id="account deleted"),
]


@pytest.mark.parametrize(("take_out", "name", "path"), TAKEN)
def test_who_bought_is_in_no_path_and_every_credit_stays(database, week, take_out, name, path):
    build(database)
    order = getattr(week, name)
    before, by_channel = stored(database, OrderCredit), sums(database, "channel", "decay")
    take_out(database, order.learner_id)
    rows = path_rows(database, order.id)
    assert {(row.event_id, row.landing, row.referrer) for row in rows} == {("", "", "")}
    assert [((order.placed_at - row.visited_at) / HOUR, row.channel) for row in rows] == path, "whole hours alone"
    builder(database, LATER + 2 * HOUR).build_due()
    assert (stored(database, OrderCredit), sums(database, "channel", "decay")) == (before, by_channel)
    assert wrong(database) == []


@pytest.mark.parametrize(("take_out", "name", "path"), TAKEN)
def test_an_open_path_is_closed_before_its_touchpoints_are_nobodys(database, week, take_out, name, path):
    order = getattr(week, name)
    at = order.placed_at + 6 * HOUR
    build(database, at)
    before = of_order(database, order.id)
    take_out(database, order.learner_id, at + MINUTE)
    build(database, LATER)
    assert of_order(database, order.id) == before
    assert [row.channel for row in path_rows(database, order.id)] == [channel for _, channel in path]
    with database.read_session() as session:
        closed_at = select(OrderPath.closed_at).where(OrderPath.order_id == order.id)
        assert session.scalars(closed_at).one() == at + MINUTE


def test_an_order_without_a_path_yet_gets_one(database, week):
    worlds.build_visits(database, NOON + 6 * HOUR)
    erase(database, week.mixed.learner_id, NOON + 6 * HOUR)
    assert [row.channel for row in path_rows(database, week.mixed.id)] == ["partner", "email", "direct"]


@pytest.mark.parametrize("take_out", [delete_account, erase])
def test_the_number_of_a_link_is_in_no_path_and_no_day(database, week, take_out):
    build(database)
    with database.read_session() as session:
        number = session.get_one(Learner, week.free.learner_id).student_number
    before = sums(database, "student", "last")
    assert number in before
    take_out(database, week.free.learner_id)
    with database.read_session() as session:
        assert number not in set(session.scalars(select(OrderPathTouchpoint.student)))
        assert number not in set(session.scalars(select(CreditDay.key)))
    builder(database, LATER + 2 * HOUR).build_due()
    after = sums(database, "student", "last")
    assert after == {**{key: value for key, value in before.items() if key != number}, ERASED: before[number]}
    assert after["(self)"] == before["(self)"], "the own link stays one, although two numbers are gone now"
    assert wrong(database) == []


def test_who_computes_a_day_meanwhile_stores_nothing(database, week):
    build(database)
    running = builder(database, LATER)
    computed = {day: running.compute(day) for day in worlds.selling_days.DAYS[:2]}
    erase(database, week.free.learner_id)
    assert [database.write_sync(running.store, one) for one in computed.values()] == [None, None]


def test_an_export_of_data_has_what_led_to_the_orders(database, week):
    build(database)
    with database.read_session() as session:
        found = export(session, week.mixed.learner_id, LATER, currency("USD"))["orderTouchpoints"]
        assert session.scalars(select(Visit.id)).all()
    assert [(row["order"], row["position"], row["channel"]) for row in found] == [
        (week.mixed.code, 1, "partner"),
        (week.mixed.code, 2, "email"),
        (week.mixed.code, 3, "direct"),
    ]
