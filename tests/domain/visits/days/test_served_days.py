"""What a day has of served documents, on both databases: sums by class of agent, and what the script has seen."""

from datetime import timedelta

import pytest
from sqlalchemy import select, update

from domain.tables import ServedDay, Visit, VisitDay, VisitRollup
from domain.visits.evidence_bits import OF_LOADED_DOCUMENT
from domain.visits.raw.local_days import DayRules
from domain.visits.retention.periods import Periods
from domain.visits.retention.run import Retention
from domain.visits.served_documents import COUNTS, agent_class, as_text, read_text
from domain.visits.stored_days.day_rows import is_intact
from tests.domain.visits.days.worlds import DAY, LATER, MIDNIGHT, NOON, add, builder, visit

BLANK = {"evidence": 0, "attributes": None}


def counted(number, at, **documents):
    about = {"visitor_class": COUNTS, "source": "host", "agent": "", "attributes": as_text(documents)}
    return visit(number, at, "", "", **about)


def seen(number, url="/", **about):
    return visit(number, NOON, url, f"s{number}", **{"evidence": OF_LOADED_DOCUMENT, **about})


def fill(database, *visits):
    with database.write_session() as session:
        add(session, *[{**BLANK, **row} for row in visits])
    assert builder(database).build(DAY)


def served_days(database):
    columns = (ServedDay.day, ServedDay.agent_class, ServedDay.documents, ServedDay.seen)
    with database.read_session() as session:
        return [tuple(row) for row in session.execute(select(*columns).order_by(ServedDay.agent_class))]


@pytest.mark.each_database
def test_counts_of_minutes_and_first_visits_of_documents_are_summed_by_class(database):
    fill(
        database,
        counted(1, MIDNIGHT, browser=4, search=2),
        counted(2, NOON, browser=3, program=1),
        # A count of the next day, which has the same minute of another process too.
        counted(3, MIDNIGHT + timedelta(days=1), browser=50),
        counted(4, MIDNIGHT + timedelta(days=1), browser=50),
        seen(11),
        seen(12, "/shop?page=2"),
        seen(13, agent="Googlebot", visitor_class="crawler"),
        # A link within the document, pages of staff, and a page that does not exist, which was answered with an error.
        seen(14, evidence=0),
        seen(15, "/admin/orders"),
        seen(16, "/nothing-here"),
    )
    assert served_days(database) == [(DAY, "browser", 7, 2), (DAY, "program", 1, 0), (DAY, "search", 2, 1)]


@pytest.mark.each_database
def test_counts_are_raw_rows_and_no_visits(database):
    fill(database, counted(1, NOON, browser=9), seen(2))
    with database.read_session() as session:
        of_all = select(VisitDay.audience, VisitDay.visits).where(VisitDay.dimension == "all")
        assert [tuple(row) for row in session.execute(of_all)] == [("people", 1)]
        assert session.scalar(select(VisitRollup.visits)) == 2
        assert is_intact(session, session.scalars(select(VisitRollup)).one())
    with database.write_session() as session:
        session.execute(update(ServedDay).values(documents=8))
    with database.read_session() as session:
        assert not is_intact(session, session.scalars(select(VisitRollup)).one())


@pytest.mark.each_database
def test_a_late_count_is_found_and_sums_outlive_the_raw_rows(database):
    fill(database, counted(1, NOON, browser=9))
    with database.write_session() as session:
        add(session, {**BLANK, **counted(2, NOON, browser=2)})
    days = builder(database)
    days.build(DAY)
    assert served_days(database) == [(DAY, "browser", 11, 0)]
    Retention(database, DayRules(), Periods(1, 400), lambda: LATER, pause=lambda _s: None).run()
    with database.read_session() as session:
        assert session.scalars(select(Visit.id)).all() == []
    assert served_days(database) == [(DAY, "browser", 11, 0)]


def test_the_mark_of_a_first_visit_is_no_evidence_of_anything(database):
    fill(database, seen(1), visit(2, NOON, "/", "b"))
    with database.read_session() as session:
        sums = select(VisitDay.sessions, VisitDay.confirmed, VisitDay.possible).where(VisitDay.dimension == "all")
        assert session.execute(sums).one() == (2, 0, 2)


@pytest.mark.parametrize(
    "text", ["", None, "no JSON", "[]", '{"documents": 7}', '{"documents": {"browser": -1, "search": "7", "x": 7}}']
)
def test_what_is_no_count_counts_nothing(text):
    assert read_text(text) == {}


CLASSES = [
    ("human", "Chrome", "browser"),
    ("suspected", "", "program"),
    ("crawler", "Googlebot", "search"),
    ("crawler", "ChatGPT-User", "assistant"),
    ("crawler", "FooBot", "other"),
]


@pytest.mark.parametrize(("visitor_class", "agent", "expected"), CLASSES)
def test_agents_have_the_classes_of_visits(visitor_class, agent, expected):
    assert agent_class(visitor_class, agent) == expected
