"""An erasure moves no figure of days that are over, also when they are computed again or become final, and leaves them
their proof."""

from datetime import timedelta

import pytest
from sqlalchemy import select, update
from sqlalchemy.exc import SAWarning

from domain.account.anonymise import anonymise_account
from domain.orders.settings import Context
from domain.tables import Learner, VisitDay, VisitRollup
from domain.visits import link_counts
from domain.visits.stored_days import day_rows
from tests.domain.visits.days.worlds import MIDNIGHT, add, builder, visit
from tests.domain.visits.retention.worlds import AT, DAYS, HOUR, ONE_DAY, figures, final_days, retain, visits_by_day
from tests.support import factories

EMAIL = "ada@example.test"
OVER = MIDNIGHT + 7 * ONE_DAY


@pytest.fixture
def ada(database) -> int:
    """Three days, on which she visited herself, and others by her links."""
    with database.write_session() as session:
        learner = factories.learner(session, email=EMAIL)
        numbers = {"student_number": learner.student_number.upper()}
        for day in range(3):
            at = MIDNIGHT + day * ONE_DAY + 9 * HOUR
            add(session, visit(10 * day, at, "/checkout", session_id=f"own {day}", learner_id=learner.id))
            add(session, visit(10 * day + 1, at + HOUR, session_id=f"link {day}", **numbers))
        learner_id = learner.id
    builder(database, OVER).build_due()
    return learner_id


def delete_account(database, learner_id: int, at=OVER) -> None:
    with database.write_session() as session:
        anonymise_account(session, learner_id, EMAIL, Context(at))


def without_numbers(database) -> list[tuple]:
    """The figures of the three days, without those by student number."""
    days = {str(day) for day in DAYS[:3]}
    return sorted(row for row in figures(database) if days & set(row) and "student" not in row)


def student_keys(database) -> dict[str, int]:
    with database.read_session() as session:
        rows = session.execute(select(VisitDay.key, VisitDay.visits).where(VisitDay.dimension == "student"))
        found: dict[str, int] = {}
        for key, visits in rows:
            found[key] = found.get(key, 0) + visits
        return found


def are_right(database) -> list[bool]:
    return [builder(database, AT).is_stored(day) for day in DAYS[:3]]


@pytest.mark.each_database
def test_no_figure_moves_and_every_day_is_right(database, ada):
    before = without_numbers(database)
    delete_account(database, ada)
    assert (without_numbers(database), student_keys(database)) == (before, {"(none)": 3, "(erased)": 3})
    assert are_right(database) == [True] * 3


def test_neither_when_they_are_computed_again_nor_when_they_become_final(database, ada):
    delete_account(database, ada)
    before = figures(database, VisitDay)
    assert all(builder(database, OVER + HOUR).build(day) for day in DAYS[:3])
    retain(database, OVER + 20 * ONE_DAY)
    assert (figures(database, VisitDay), visits_by_day(database)) == (before, {})
    assert set(DAYS[:3]) <= set(final_days(database))


def test_a_computation_would_move_them(database, ada, monkeypatch):
    """The negative control."""
    monkeypatch.setattr("domain.visits.days.due.stands", lambda session, row, rules: False)
    with pytest.raises(AssertionError):
        test_neither_when_they_are_computed_again_nor_when_they_become_final(database, ada)


def test_an_erased_final_day_keeps_its_proof(database, ada):
    retain(database, OVER + 20 * ONE_DAY)
    delete_account(database, ada)
    assert student_keys(database) == {"(none)": 3, "(erased)": 3}
    assert are_right(database) == [True] * 3


@pytest.mark.parametrize("is_before", [True, False])
def test_who_tampers_with_a_day_before_or_after_the_erasure_is_found(database, ada, is_before):
    if not is_before:
        delete_account(database, ada)
    with database.write_session() as session:
        one = (VisitDay.day == DAYS[1], VisitDay.dimension == "student")
        session.execute(update(VisitDay).where(*one).values(visits=VisitDay.visits + 1))
    if is_before:
        delete_account(database, ada)
    assert are_right(database) == [True, False, True]
    assert [day for _, day, _ in retain(database).open_days] == [DAYS[1]]


def test_an_erasure_is_added_to_the_one_before(database, ada):
    with database.write_session() as session:
        other = factories.learner(session, "Grace")
        add(session, visit(99, MIDNIGHT + 11 * HOUR, session_id="hers", student_number=other.student_number))
        number = other.student_number
    builder(database, OVER + ONE_DAY).build_due()
    delete_account(database, ada, OVER + ONE_DAY)
    with database.write_session() as session:
        session.execute(update(Learner).where(Learner.student_number == number).values(student_number="gone-2"))
        link_counts.erase(session, number, OVER + ONE_DAY)
    assert student_keys(database) == {"(none)": 3, "(erased)": 4}
    assert are_right(database) == [True] * 3


def test_a_late_visit_is_counted_all_the_same(database, ada):
    delete_account(database, ada)
    with database.write_session() as session:
        add(session, visit(98, MIDNIGHT + 12 * HOUR, session_id="late"))
    builder(database, OVER + HOUR).build_due()
    with database.read_session() as session:
        assert session.scalar(select(VisitRollup.visits).where(VisitRollup.day == DAYS[0])) == 3


@pytest.mark.mariadb
def test_a_day_that_was_stored_after_the_erasure_began_counts_its_new_visits_for_nobody(mariadb_database):
    """The transaction has had its snapshot when late visits come by her links, and their days are computed."""
    database = mariadb_database
    with database.write_session() as session:
        learner = factories.learner(session, email=EMAIL)
        learner_id, number = learner.id, learner.student_number
        add(session, visit(1, MIDNIGHT + HOUR, session_id="early", student_number=number))
    builder(database, OVER).build_due()
    # On MariaDB it may write, and keeps the state of its first read, as at the level that the server has by default.
    with database.read_session() as session:
        session.scalar(select(Learner.id))
        with database.write_session() as other:
            for day in (0, 4):
                at = MIDNIGHT + day * ONE_DAY + 11 * HOUR
                add(other, visit(500 + day, at, session_id=f"late {day}", student_number=number))
        builder(database, OVER + HOUR).build_due()
        assert student_keys(database) == {number: 3}
        anonymise_account(session, learner_id, EMAIL, Context(OVER + HOUR))
    assert student_keys(database) == {"(erased)": 3}
    assert [builder(database, OVER + HOUR).is_stored(day) for day in (DAYS[0], DAYS[4])] == [True] * 2


@pytest.mark.mariadb
def test_read_without_a_lock_they_would_be_as_before_the_erasure_began(mariadb_database, monkeypatch):
    """The negative control."""

    def plain(session, *conditions, for_update):
        return day_rows.stored_days(session, *conditions)

    monkeypatch.setattr(link_counts, "stored_days", plain)
    # Or it would insert no row at all.
    with pytest.raises((AssertionError, SAWarning)):
        test_a_day_that_was_stored_after_the_erasure_began_counts_its_new_visits_for_nobody(mariadb_database)


def test_a_day_that_was_computed_after_the_request_began_keeps_its_figures(database, ada):
    """The erasure waited: its time is that of the request."""
    delete_account(database, ada, OVER - timedelta(milliseconds=200))
    before = figures(database, VisitDay)
    assert are_right(database) == [True] * 3
    retain(database, OVER + 20 * ONE_DAY)
    assert (figures(database, VisitDay), visits_by_day(database)) == (before, {})


def test_days_that_only_links_brought_visits_to_are_right_before_the_task_has_run(database):
    with database.write_session() as session:
        learner = factories.learner(session, email=EMAIL)
        for day in range(3):
            at = MIDNIGHT + day * ONE_DAY + 10 * HOUR
            add(session, visit(day, at, session_id=f"link {day}", student_number=learner.student_number.upper()))
        learner_id = learner.id
    builder(database, OVER).build_due()
    delete_account(database, learner_id)
    assert are_right(database) == [True] * 3
    retain(database, OVER + 20 * ONE_DAY)
    assert student_keys(database) == {"(erased)": 3}
