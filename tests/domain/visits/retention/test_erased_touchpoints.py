"""An erased learner is in no touchpoint, and in no learners of sessions and days; their days keep the proof of all
else. Touchpoints that the learner's links brought lose the number."""

from datetime import date

import pytest
from sqlalchemy import select, update

from domain.account.anonymise import anonymise_account
from domain.account.export import export
from domain.money import currency
from domain.orders.settings import Context
from domain.permissions import SystemActor
from domain.tables import LearnerDay, SessionLearner, Touchpoint, Visit
from domain.visits import erasure, late_visits, touchpoints
from tests.domain.visits.days.worlds import MIDNIGHT, add, builder, event, visit
from tests.domain.visits.retention.worlds import DAYS, HOUR, MINUTE, ONE_DAY, retain
from tests.support import factories

EMAIL = "ada@example.test"
OVER = MIDNIGHT + 7 * ONE_DAY


@pytest.fixture
def people(database) -> tuple[int, int]:
    """Ada and Eve on two days. Ada is signed in from her second visit on, and Eve comes by Ada's link on the first
    day."""
    with database.write_session() as session:
        ada = factories.learner(session, email=EMAIL, created_at=MIDNIGHT + HOUR)
        eve = factories.learner(session, "Eve")
        number = {"student_number": ada.student_number.upper()}
        for day in range(2):
            at = MIDNIGHT + day * ONE_DAY + 9 * HOUR
            add(session, visit(10 * day, at, "/shop", session_id=f"ada {day}"))
            add(session, visit(10 * day + 1, at + MINUTE, "/cart", session_id=f"ada {day}", learner_id=ada.id))
            about = number if day == 0 else {}
            add(session, visit(10 * day + 2, at, "/", session_id=f"eve {day}", learner_id=eve.id, **about))
        ids = ada.id, eve.id
    builder(database, OVER).build_due()
    return ids


def erase(database, learner: int, at=OVER) -> None:
    database.write_as_sync(SystemActor("command", at), erasure.erase_learner, learner, at)


def delete_account(database, learner: int, at=OVER) -> None:
    database.write_sync(anonymise_account, learner, EMAIL, Context(at))


ERASURES = pytest.mark.parametrize("erased", [erase, delete_account])


def stored(database) -> list[tuple[str, str, str]]:
    """Event, session and student of each touchpoint."""
    columns = (Touchpoint.event_id, Touchpoint.session_id, Touchpoint.student)
    with database.read_session() as session:
        return [tuple(row) for row in session.execute(select(*columns).order_by(Touchpoint.event_id))]


def of(database, learner: int) -> list[str]:
    with database.read_session() as session:
        return [found.row.event_id for found in touchpoints.of_learners(session, {learner})]


def learner_days(database) -> list[tuple[date, int, bool]]:
    with database.read_session() as session:
        rows = session.execute(select(LearnerDay.day, LearnerDay.learner_id, LearnerDay.is_first))
        return sorted(tuple(row) for row in rows)


def are_right(database) -> list[bool]:
    return [builder(database, OVER).is_stored(day) for day in DAYS[:2]]


def test_days_know_who_was_there_and_who_was_new(database, people):
    ada, eve = people
    assert learner_days(database) == sorted(
        (day, learner, (day, learner) == (DAYS[0], ada)) for day in DAYS[:2] for learner in people
    )
    assert (of(database, ada), of(database, eve)) == ([event(0), event(10)], [event(2), event(12)])


@pytest.mark.each_database
@ERASURES
def test_nothing_of_an_erased_learner_is_left_and_the_rest_stays(database, people, erased):
    ada, eve = people
    erased(database, ada)
    assert stored(database) == [
        (event(0), "", "(none)"),
        (event(2), "eve 0", "(erased)"),
        (event(10), "", "(none)"),
        (event(12), "eve 1", "(none)"),
    ]
    assert (of(database, ada), of(database, eve)) == ([], [event(2), event(12)])
    assert {learner for _, learner, _ in learner_days(database)} == {eve}
    with database.read_session() as session:
        assert {*session.scalars(select(SessionLearner.learner_id))} == {eve}
    assert are_right(database) == [True, True]


@ERASURES
def test_neither_when_its_days_are_final_and_their_visits_are_gone(database, people, erased):
    ada, eve = people
    retain(database, OVER + 10 * ONE_DAY)
    erased(database, ada, OVER + 10 * ONE_DAY)
    assert [session_id for _, session_id, _ in stored(database)] == ["", "eve 0", "", "eve 1"]
    assert {learner for _, learner, _ in learner_days(database)} == {eve}
    assert are_right(database) == [True, True]


@ERASURES
def test_a_computation_does_not_bring_the_learner_back(database, people, erased):
    ada, _ = people
    erased(database, ada)
    later = OVER + HOUR
    for day in DAYS[:2]:
        assert builder(database, later, keys=50).build(day)
    assert of(database, ada) == []
    assert ada not in {learner for _, learner, _ in learner_days(database)}


def test_who_tampers_with_a_touchpoint_before_the_erasure_is_found(database, people):
    with database.write_session() as session:
        session.execute(update(Touchpoint).where(Touchpoint.event_id == event(12)).values(channel="email"))
    erase(database, people[0])
    assert are_right(database) == [True, False]


@pytest.mark.each_database
def test_whom_a_day_has_counted_in_the_moment_of_the_erasure_is_taken_out_by_the_next_run(database, people):
    """A visit that was stored without the erasure being seen, and counted."""
    ada, _ = people
    erase(database, ada)
    with database.write_session() as session:
        add(session, visit(50, MIDNIGHT + 12 * HOUR, "/about", session_id="ada 2", learner_id=ada))
    builder(database, OVER + HOUR).build(DAYS[0])
    assert of(database, ada) == [event(50)]
    assert database.write_sync(late_visits.anonymise, OVER + HOUR) == 2
    assert (of(database, ada), database.write_sync(late_visits.anonymise, OVER + HOUR)) == ([], 0)
    assert {learner for _, learner, _ in learner_days(database)} == {people[1]}
    assert are_right(database) == [True, True]


@pytest.fixture
def same_tab(database, people) -> tuple[int, int]:
    """Eve has signed in later in a tab in which Ada was."""
    with database.write_session() as session:
        session.execute(update(Visit).where(Visit.session_id == "eve 1").values(session_id="ada 0"))
    builder(database, OVER + HOUR).build(DAYS[1])
    return people


def test_the_touchpoints_of_an_erased_learner_do_not_become_those_of_the_next_one(database, same_tab):
    ada, eve = same_tab
    erase(database, ada)
    assert of(database, eve) == [event(2), event(12)]


def test_if_they_kept_the_session_they_would(database, same_tab, monkeypatch):
    """The negative control."""
    ada, eve = same_tab
    with monkeypatch.context() as patch:
        patch.setattr(touchpoints, "of_learners", lambda *_args, **_options: [])
        erase(database, ada)
    assert of(database, eve) == [event(0), event(2), event(12)]


def test_the_export_of_an_account_has_its_touchpoints_and_days(database, people):
    with database.read_session() as session:
        data = export(session, people[0], OVER, currency("EUR"))
    assert [(row["at"], row["landing"], row["wasAnonymous"]) for row in data["touchpoints"]] == [
        ("2026-03-02T09:00:00Z", "/shop", True),
        ("2026-03-03T09:00:00Z", "/shop", True),
    ]
    assert data["visitDays"] == [
        {"day": "2026-03-02", "isFirst": True},
        {"day": "2026-03-03", "isFirst": False},
    ]
