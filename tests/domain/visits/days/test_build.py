"""Days are computed again when anything of them has changed, by one process at a time, and to the same figures."""

import signal
from datetime import date, timedelta

import pytest
from sqlalchemy import select, update

from domain.tables import Learner, Order, SessionLearner, VisitDay, VisitRollup
from domain.visits import link_counts
from domain.visits.days import build, due, storage
from domain.visits.days.build import DayBuilder
from domain.visits.days.storage import DayLease
from domain.visits.raw.local_days import DayRules
from tests.domain.visits.days import killed_process
from tests.domain.visits.days.month import Month, shop
from tests.domain.visits.days.worlds import DAY, LATER, MIDNIGHT, NOON, add, builder, crawl, visit
from tests.support import factories, order_rows

ONE_DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
RULES = DayRules()


def digests(database) -> dict[date, str]:
    with database.read_session() as session:
        rows = session.execute(select(VisitRollup.day, VisitRollup.digest).where(VisitRollup.visits > 0))
        return {row.day: row.digest for row in rows}


def visits_of(database, day: date = DAY) -> int:
    is_total = (VisitDay.dimension == "all", VisitDay.audience == "people", VisitDay.day == day)
    with database.read_session() as session:
        return session.scalar(select(VisitDay.visits).where(*is_total)) or 0


def learners_of(database) -> list[int]:
    with database.read_session() as session:
        return list(session.scalars(select(SessionLearner.learner_id)))


def add_visits(database, *visits) -> None:
    with database.write_session() as session:
        add(session, *visits)


@pytest.fixture
def month(database) -> list[date]:
    """Stored days."""
    with database.write_session() as session:
        Month(shop(session), MIDNIGHT, 6).add_to(session)
    return [DAY + number * ONE_DAY for number in range(-1, 7)]


AT = MIDNIGHT + 9 * ONE_DAY


@pytest.mark.each_database
def test_days_computed_twice_and_in_any_order_have_one_digest(database, month):
    builder(database, AT).build_due()
    first = digests(database)
    assert set(month) <= first.keys()
    assert len(set(first.values())) == len(first)
    for day in reversed(month):
        assert builder(database, AT + MINUTE).build(day)
    assert digests(database) == first
    assert all(builder(database, AT + MINUTE).is_stored(day) for day in month)


@pytest.mark.each_database
def test_both_databases_have_the_same_digest(database):
    """That of these visits, which name no row with an id."""
    urls = ("/", "/shop", "/no-such-page", "/?utm_source=%C3%84&utm_campaign=b", "/about?utm_source=a&utm_medium=cpc")
    add_visits(
        database,
        *(
            visit(number, NOON + number * 7 * MINUTE, urls[number % 5], f"{'sS'[number % 2]}{number % 3}", **about)
            for number in range(1, 90)
            for about in [{"learner_id": number % 2 + 7} if number % 9 == 0 else {}]
        ),
        visit(90, NOON, "/\U0001f600 ", session_id="", agent="Mobile Safari"),
    )
    builder(database).build(DAY)
    assert digests(database)[DAY] == DIGEST


DIGEST = "9ccf82bb7a78483e9e79cd440d6ff08b37e5e10d69a6ba1427129e944b79b1fb"


@pytest.mark.each_database
def test_a_run_computes_days_that_never_were_and_today(database):
    add_visits(database, visit(1, NOON - 9 * ONE_DAY), visit(2, NOON), visit(3, LATER - MINUTE))
    assert builder(database).build_due() == 4, "these and today"
    assert sorted(digests(database)) == [DAY - 9 * ONE_DAY, DAY, LATER.date() - ONE_DAY]
    assert builder(database, LATER + MINUTE).build_due() == 1, "today alone"


def test_a_late_visit_is_counted_and_its_neighbours_are_computed_again(database):
    for distance in range(-2, 3):
        add_visits(database, visit(10 + distance, NOON + distance * ONE_DAY, session_id=f"{distance}"))
    builder(database).build_due()
    add_visits(database, visit(99, NOON, session_id="late"))
    assert builder(database, LATER + MINUTE).build_due() == 4, "the day, its neighbours, and today"
    assert visits_of(database) == 2


def test_every_old_day_is_looked_at_in_turn(database):
    days = 3 * due.CHECKED_DAYS
    add_visits(database, *(visit(number, NOON - number * ONE_DAY, session_id=f"{number}") for number in range(days)))
    builder(database).build_due()
    oldest = DAY - (days - 1) * ONE_DAY
    add_visits(database, visit(99, NOON - (days - 1) * ONE_DAY, session_id="late"))
    runs = [builder(database, LATER + run * MINUTE).build_due() for run in range(1, 5)]
    assert visits_of(database, oldest) == 2
    assert max(runs) > 1


def test_the_last_minutes_of_a_day_are_looked_at_after_midnight(database):
    add_visits(database, visit(1, NOON))
    end = MIDNIGHT + ONE_DAY
    builder(database, end - MINUTE).build_due()
    assert builder(database, end + MINUTE).build_due() == 1, "today; yesterday has not changed"
    assert builder(database, end + due.SETTLED_AFTER).build_due() == 2
    assert builder(database, end + due.SETTLED_AFTER + MINUTE).build_due() == 1


def test_pages_that_assistants_fetch_are_a_channel_among_crawlers(database):
    add_visits(database, crawl(1, NOON), crawl(2, NOON, agent="ChatGPT-User"), crawl(3, NOON, agent="Claude-User"))
    add_visits(database, visit(4, NOON, agent="ChatGPT-User", visitor_class="suspected"))
    builder(database).build(DAY)
    with database.read_session() as session:
        is_shown = (VisitDay.audience == "crawlers", VisitDay.dimension.in_(("channel", "assistant")))
        rows = session.execute(select(VisitDay.dimension, VisitDay.key, VisitDay.visits).where(*is_shown))
        assert sorted(map(tuple, rows)) == [
            ("assistant", "(without session)", 1),
            ("assistant", "ChatGPT", 1),
            ("assistant", "Claude", 1),
            ("channel", "(without session)", 1),
            ("channel", "assistant", 2),
        ]


def test_an_order_is_counted_on_the_day_of_its_checkout(database):
    with database.write_session() as session:
        learner = factories.learner(session)
        add(session, visit(1, MIDNIGHT + 23 * MINUTE * 60, "/checkout", learner_id=learner.id))
        learner_id = learner.id
    builder(database).build_due()
    with database.write_session() as session:
        placed = MIDNIGHT + 26 * MINUTE * 60
        order_rows.order(session, learner_id, placed_at=placed, paid_at=LATER + MINUTE, changed_at=LATER + MINUTE)
    assert builder(database, LATER + 2 * MINUTE).build_due() == 2
    assert _reached(database) == (1, 1, 1)
    with database.write_session() as session:
        session.execute(update(Order).values(changed_at=LATER))
    assert builder(database, LATER + 9 * MINUTE).build_due() == 1, "nothing new of the order"


def _reached(database) -> tuple[int, ...]:
    columns = (VisitDay.reached_checkout, VisitDay.reached_order, VisitDay.reached_payment)
    with database.read_session() as session:
        query = select(*columns).where(VisitDay.dimension == "all", VisitDay.day == DAY)
        return tuple(session.execute(query).one())


@pytest.mark.parametrize("rules", [{"zone": "Asia/Tokyo"}, {"keys": 5}, {"idle_minutes": 60}])
def test_other_rules_compute_every_day_again(database, rules):
    add_visits(database, visit(1, NOON))
    builder(database).build_due()
    assert builder(database, LATER + MINUTE, **rules).build_due() == 2


def test_today_pauses_twenty_times_as_long_as_it_took(database):
    add_visits(database, visit(1, LATER))
    builder(database, LATER + MINUTE).build_due()
    with database.write_session() as session:
        session.execute(update(VisitRollup).values(duration_ms=6_000))
    assert builder(database, LATER + MINUTE + timedelta(seconds=119)).build_due() == 0
    assert builder(database, LATER + MINUTE + timedelta(seconds=120)).build_due() == 1


@pytest.mark.each_database
def test_a_visit_that_arrives_while_its_day_is_computed_is_counted_by_the_next_run(database, monkeypatch):
    add_visits(database, visit(1, NOON))
    original = DayBuilder.compute

    def compute(self, day):
        computed = original(self, day)
        if day == DAY:
            add_visits(database, visit(2, NOON + MINUTE))
        return computed

    monkeypatch.setattr(DayBuilder, "compute", compute)
    builder(database).build_due()
    monkeypatch.undo()
    assert visits_of(database) == 1
    builder(database, LATER + MINUTE).build_due()
    assert visits_of(database) == 2


@pytest.mark.each_database
def test_one_process_computes_a_day_at_a_time(database):
    add_visits(database, visit(1, NOON))
    with database.write_session() as session:
        assert storage.take(session, DayLease(DAY, "other", LATER))
    assert not builder(database, LATER + MINUTE).build(DAY)
    assert builder(database, LATER + storage.LEASE).build(DAY), "the other was killed"


@pytest.mark.each_database
def test_who_has_lost_the_lease_writes_nothing(database, monkeypatch):
    add_visits(database, visit(1, NOON))
    original = DayBuilder.compute

    def compute(self, day):
        monkeypatch.setattr(DayBuilder, "compute", original)
        computed = original(self, day)
        add_visits(database, visit(2, NOON + MINUTE))
        assert builder(database, LATER + storage.LEASE).build(day)
        return computed

    monkeypatch.setattr(DayBuilder, "compute", compute)
    assert not builder(database).build(DAY)
    assert visits_of(database) == 2


@pytest.mark.each_database
def test_without_the_lease_an_older_result_would_overwrite_a_newer_one(database, monkeypatch):
    """The negative control of the test before."""
    original = storage.store

    def store(session, lease, *args):
        row = session.scalars(select(VisitRollup).where(VisitRollup.day == lease.day)).one()
        row.lease_token = lease.token
        session.flush()
        return original(session, lease, *args)

    monkeypatch.setattr(build.storage, "store", store)
    with pytest.raises(AssertionError):
        test_who_has_lost_the_lease_writes_nothing(database, monkeypatch)


def test_an_error_gives_the_lease_back(database, monkeypatch):
    add_visits(database, visit(1, NOON))

    def fail(_self, _day):
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(DayBuilder, "compute", fail)
        with pytest.raises(ZeroDivisionError):
            builder(database).build(DAY)
    assert builder(database).build(DAY)


def test_a_day_that_cannot_be_computed_does_not_stop_the_others(database, monkeypatch, caplog):
    add_visits(database, visit(1, NOON), visit(2, NOON + ONE_DAY))
    original = DayBuilder.compute

    def compute(self, day):
        if day == DAY:
            raise ZeroDivisionError
        return original(self, day)

    monkeypatch.setattr(DayBuilder, "compute", compute)
    builder(database, AT).build_due()
    assert (visits_of(database), visits_of(database, DAY + ONE_DAY)) == (0, 1)
    assert f"{DAY} cannot be computed" in caplog.text


@pytest.mark.each_database
def test_who_is_deleted_while_a_day_is_computed_does_not_come_back(database, monkeypatch):
    with database.write_session() as session:
        number = factories.learner(session, "Ada").student_number
        add(session, visit(1, NOON, student_number=number))
    original = DayBuilder.compute

    def compute(self, day):
        monkeypatch.setattr(DayBuilder, "compute", original)
        computed = original(self, day)
        with database.write_session() as session:
            session.execute(update(Learner).values(student_number="gone-1"))
            link_counts.erase(session, number, LATER)
        return computed

    monkeypatch.setattr(DayBuilder, "compute", compute)
    assert not builder(database).build(DAY)
    builder(database, AT).build_due()
    with database.read_session() as session:
        students = select(VisitDay.key).where(VisitDay.dimension == "student")
        assert [*session.scalars(students)] == ["(unknown)"]


def test_a_check_finds_a_changed_figure_and_a_late_visit(database, month):
    builder(database, AT).build_due()
    assert all(builder(database, AT).is_stored(day) for day in month)
    with database.write_session() as session:
        is_one = (VisitDay.day == DAY, VisitDay.dimension == "all", VisitDay.audience == "people")
        session.execute(update(VisitDay).where(*is_one).values(visits=VisitDay.visits + 1))
    add_visits(database, visit(9_999_999, NOON + ONE_DAY, session_id="late"))
    assert [day for day in month if not builder(database, AT).is_stored(day)] == [DAY, DAY + ONE_DAY]


@pytest.mark.faults
@pytest.mark.each_database
@pytest.mark.parametrize("point", ["rollup.computed", "rollup.written"])
def test_a_day_of_a_killed_process_is_as_before_until_another_computes_it(database, children, point):
    add_visits(database, visit(1, NOON))
    builder(database).build(DAY)
    first = digests(database)
    add_visits(database, visit(2, NOON + MINUTE, learner_id=7))
    url = database.url.render_as_string(hide_password=False)
    assert children.run(killed_process.run, url=url, point=point) == -signal.SIGKILL
    assert (digests(database), visits_of(database), learners_of(database)) == (first, 1, [])
    assert not builder(database, LATER + MINUTE).build(DAY), "its lease has not ended"
    assert builder(database, LATER + storage.LEASE).build(DAY)
    assert (visits_of(database), learners_of(database)) == (2, [7])
    assert builder(database).is_stored(DAY)
