"""A replay makes the same credits from paths and sales, wherever, whenever, and after the raw rows are gone."""

from hashlib import sha256

import pytest
from sqlalchemy import delete, select, update

from domain.reports.attribution import replay
from domain.reports.attribution.replay import Replay
from domain.tables import (
    CreditDay,
    OrderCredit,
    OrderPath,
    OrderPathTouchpoint,
    SessionLearner,
    Touchpoint,
    Visit,
    VisitRollup,
)
from domain.visits.raw.local_days import DayRules
from tests.domain.reports.attribution import worlds
from tests.domain.reports.attribution.worlds import HOUR, LATER, MINUTE, RULES, build, builder, stored
from tests.domain.reports.selling_days import FIRST, ONE_DAY
from tests.domain.visits.days.worlds import add, visit
from tests.support.factories import NOON


@pytest.fixture
def week(database):
    with database.write_session() as session:
        week = worlds.fill(session)
    build(database)
    return week


def run(steps) -> Replay:
    result = Replay()
    for so_far in steps:
        result = so_far
    return result


def days(database):
    with database.read_session() as session:
        return replay.days_of(session, None, None)


def again(database, at=LATER, rules=RULES) -> str:
    return run(replay.replay_days(builder(database, at, rules), days(database))).sha256


def check(database) -> Replay:
    return run(replay.check_days(builder(database), days(database)))


@pytest.mark.each_database
def test_a_replay_gives_the_same_credits_also_without_any_raw_row(database, week):
    first, before = again(database), stored(database)
    assert again(database, LATER + MINUTE) == first == check(database).sha256
    with database.write_session() as session:
        for table in (Visit, Touchpoint, SessionLearner, VisitRollup, OrderCredit, CreditDay):
            session.execute(delete(table))
    assert again(database, LATER + HOUR) == first
    assert stored(database) == before
    assert again(database, LATER + HOUR, DayRules("Pacific/Auckland")) == first


@pytest.mark.each_database
def test_both_databases_have_one_digest_for_the_same_orders(database, week):
    """Ids differ between databases that other tests have used: their order does not."""
    with database.read_session() as session:
        rows = session.execute(
            select(OrderCredit.model, OrderCredit.position, OrderCredit.amount_minor).order_by(
                *(OrderCredit.model, OrderCredit.position, OrderCredit.amount_minor)
            )
        ).all()
    assert sha256(repr([tuple(row) for row in rows]).encode()).hexdigest() == DIGEST


DIGEST = "58defa75c13ca62d0ed19aa3ceb3e32a2fc37e76c764947781d0344d580af2a0"


@pytest.mark.each_database
def test_the_check_writes_nothing_and_names_what_was_changed(database, week):
    assert check(database).wrong == []
    with database.write_session() as session:
        of_order = OrderCredit.order_id == week.mixed.id
        session.execute(update(OrderCredit).where(of_order, OrderCredit.position == 1).values(amount_minor=1))
        in_path = OrderPathTouchpoint.order_id == week.free.id
        session.execute(update(OrderPathTouchpoint).where(in_path).values(channel="search"))
    before = stored(database)
    assert check(database).wrong == [
        f"{FIRST}: the path of order {week.free.id} is not the one that was chosen",
        f"{FIRST}: other credits of order {week.mixed.id} are stored than path and sales give",
        f"{FIRST}: other sums are stored than the credits give",
    ]
    assert stored(database) == before


def test_the_check_names_an_order_without_a_path(database, week):
    with database.write_session() as session:
        session.execute(delete(OrderPath).where(OrderPath.order_id == week.mixed.id))
    assert f"{FIRST}: order {week.mixed.id} has no path yet" in check(database).wrong


def test_another_window_or_half_life_writes_nothing(database, week):
    with database.write_session() as session:
        add(session, visit(30, NOON - 40 * ONE_DAY, "/?utm_source=old", "old", learner_id=week.learner))
    worlds.build_visits(database, LATER + HOUR)
    before, first = stored(database), check(database).sha256

    def other(window, half_life=None):
        result = run(replay.what_if(builder(database), days(database), window, half_life))
        return result.sha256, {channel for (_, channel, _), (amount, _) in result.channels.items() if amount}

    assert other(30, 168)[0] == first
    assert "campaign" in other(60)[1]
    assert other(30)[1] == {"partner", "email", "(not measured)"}
    assert other(None, 1)[0] != first
    assert stored(database) == before


def test_paths_of_erased_buyers_are_in_shorter_windows_too(database, week):
    from tests.domain.reports.attribution.test_path_erasure import erase

    before = run(replay.what_if(builder(database), days(database), 5, None)).sha256
    erase(database, week.mixed.learner_id)
    assert run(replay.what_if(builder(database), days(database), 5, None)).sha256 == before


def test_a_day_that_others_store_again_and_again_is_refused(database, week, monkeypatch):
    monkeypatch.setattr(type(builder(database)), "store", lambda *_: None)
    with pytest.raises(Exception, match="Another process stores the credits of 2026-03-01"):
        again(database)
