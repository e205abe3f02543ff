"""Visits to retired courses, which keep their pages alive."""

from datetime import timedelta

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from domain.catalogue import redirects, retirement
from domain.tables import RetiredPageVisit
from domain.visits import visits
from tests.support import factories
from tests.support.factories import NOON

DAY = timedelta(days=1)
OLD = NOON - 400 * DAY


def visit(slug, at=NOON, **changes):
    url = f"/course-details?course={slug}&utm_source=x"
    row = visits.NewVisit(event_id=f"{slug}-{at.isoformat()}", at=at.isoformat(), page="course-details", url=url)
    return row.as_dict() | changes


@pytest.fixture(autouse=True)
def nothing_recorded():
    retirement.clear_recorded()


@pytest.fixture
def old(session):
    """A retired course whose page is still shown."""
    tax = factories.category(session)
    course = factories.course(session, tax.id, "old", status="retired", retired_at=NOON - 300 * DAY)
    factories.course(session, tax.id, "live")
    return course


def recorded_visits(session):
    session.expire_all()
    return {
        row.product_id: row.last_at
        for row in session.execute(select(RetiredPageVisit.product_id, RetiredPageVisit.last_at))
    }


def test_a_visit_to_a_retired_course_is_recorded_and_one_to_a_live_course_is_not(session, old):
    visits.store_visits(session, [visit("old"), visit("live"), visit("unknown")], NOON)
    assert recorded_visits(session) == {old.id: NOON}
    assert retirement.last_activity(session, old) == NOON


@pytest.mark.each_database
def test_a_course_is_recorded_once_a_day(session, old):
    visits.store_visits(session, [visit("old")], NOON)
    visits.store_visits(session, [visit("old", NOON + DAY / 2)], NOON)
    assert recorded_visits(session) == {old.id: NOON}
    visits.store_visits(session, [visit("old", NOON + 2 * DAY), visit("old", NOON + DAY)], NOON)
    assert recorded_visits(session) == {old.id: NOON + 2 * DAY}


@pytest.mark.parametrize(
    ("choice", "retired_at", "is_recorded"),
    [
        ("auto", NOON - 300 * DAY, True),
        ("auto", OLD, False),
        ("landing", OLD, True),
        ("gone", NOON - 300 * DAY, False),
    ],
)
def test_a_visit_counts_while_the_page_is_shown(session, old, choice, retired_at, is_recorded):
    old.retirement_choice, old.retired_at = choice, retired_at
    visits.store_visits(session, [visit("old")], NOON)
    assert recorded_visits(session) == ({old.id: NOON} if is_recorded else {})


@pytest.fixture
def lookups(monkeypatch):
    """The slugs of each look into the database."""
    looked_up = []
    monkeypatch.setattr(retirement, "_record", lambda _session, latest: looked_up.append(set(latest)))
    return looked_up


def test_a_course_is_looked_up_once_a_day(database, lookups):
    for at in (NOON, NOON, NOON + DAY):
        with database.write_session() as session:
            visits.store_visits(session, [visit("old", at), visit("live", at)], NOON)
    assert lookups == [{"old", "live"}] * 2


@pytest.mark.each_database
def test_what_was_rolled_back_is_looked_up_again(database, lookups):
    def fail(session):
        visits.store_visits(session, [visit("old")], NOON)
        raise InterruptedError

    for _ in range(2):
        with pytest.raises(InterruptedError):
            database.write_sync(fail)
    with database.write_session() as session:
        visits.store_visits(session, [visit("new")], NOON)
    assert lookups == [{"old"}, {"old"}, {"new"}]


def test_of_a_session_that_goes_on_after_a_rollback_only_what_it_commits_is_known(database, lookups):
    with Session(database.engine) as session:
        visits.store_visits(session, [visit("old")], NOON)
        session.rollback()
        visits.store_visits(session, [visit("new")], NOON)
        session.commit()
        visits.store_visits(session, [visit("old"), visit("new")], NOON)
    assert lookups == [{"old"}, {"new"}, {"old"}]


@pytest.mark.each_database
@pytest.mark.parametrize("space", ["+", "%20", "%20%20"])
def test_an_address_with_a_space_after_its_slug_fails_nothing_and_counts_for_no_course(session, old, space):
    """MariaDB finds the course by it."""
    assert visits.store_visits(session, [visit(f"old{space}")], NOON) is True
    assert [stored.url for stored in visits.latest(session, OLD, 9)] == [visit(f"old{space}")["url"]]
    assert recorded_visits(session) == {}


@pytest.mark.each_database
def test_visits_stay_when_those_to_retired_courses_cannot_be_recorded(session, old, monkeypatch, caplog):
    monkeypatch.setattr(retirement, "insert_ignoring", lambda session, *_: session.execute(text("SELECT nothing")))
    assert visits.store_visits(session, [visit("old")], NOON) is False
    assert visits.store_one(session, visit("old", NOON + DAY), NOON) is False
    assert [stored.visited_at for stored in visits.latest(session, OLD, 9)] == [NOON + DAY, NOON]
    assert caplog.text.count("are not recorded") == 2


@pytest.mark.each_database
def test_nothing_is_stored_when_the_database_has_ended_the_transaction(database, monkeypatch):
    """As MariaDB does in a deadlock: the savepoint is gone too."""

    def lose(session, _latest):
        session.connection().exec_driver_sql("ROLLBACK")
        raise OperationalError("SELECT", {}, Exception("deadlock"))

    monkeypatch.setattr(retirement, "_record", lose)
    with pytest.raises(OperationalError), database.write_session() as session:
        visits.store_visits(session, [visit("old")], NOON)
    with database.read_session() as session:
        assert visits.latest(session, OLD, 9) == []


@pytest.mark.parametrize(
    ("url", "slug"),
    [
        ("/course-details?course=vat", "vat"),
        ("/course-details?utm_source=x&course=%E4%BB%98&x=1", "付"),
        ("/course-details?x=1", ""),
        ("/course-details", ""),
    ],
)
def test_the_slug_is_read_from_the_url(url, slug):
    assert retirement._slug_in(url) == slug


def test_visits_of_crawlers_are_not_recorded(session, old):
    visits.store_visits(session, [visit("old", visitor_class="crawler"), visit("old", visitor_class="suspected")], NOON)
    assert recorded_visits(session) == {}


def test_visits_to_a_course_that_is_gone_are_not_recorded(session, old):
    old.retired_at = OLD
    session.flush()
    visits.store_visits(session, [visit("old")], NOON)
    assert recorded_visits(session) == {}


def test_the_successor_is_the_first_published_product_of_the_chain(session):
    tax = factories.category(session)
    last = factories.course(session, tax.id, "last")
    middle = factories.course(session, tax.id, "middle", status="retired", successor_id=last.id)
    first = factories.course(session, tax.id, "first", status="retired", successor_id=middle.id)
    assert redirects.successor(session, first) == redirects.RedirectTarget(last.id, "course", "last")
    assert redirects.successor(session, last) is None


def test_a_cycle_of_successors_has_no_successor(session):
    tax = factories.category(session)
    first = factories.course(session, tax.id, "one", status="retired")
    second = factories.course(session, tax.id, "two", status="retired", successor_id=first.id)
    first.successor_id = second.id
    session.flush()
    assert redirects.successor(session, first) is None
