"""A learner who is erased is in no visit any more, stored, waiting or dead, and the visits that their links brought
lose the number; the visits of others stay as they are."""

from datetime import timedelta

import pytest
from sqlalchemy import event as engine_events
from sqlalchemy import func, select

from domain.account.anonymise import anonymise_account
from domain.database.database import Database
from domain.errors import NotFound
from domain.orders.settings import Context
from domain.permissions import SystemActor
from domain.tables import AuditEvent, DeadLetter, ErasedNumber, Visit, VisitDay
from domain.visits import erasure, late_visits, link_numbers, visits
from domain.visits.erased import ANONYMOUS, ERASED
from domain.visits.visits import NewVisit
from tests.domain.visits.days.worlds import builder, event
from tests.domain.visits.test_erased import by_column, by_row, of_the_build_before
from tests.support import factories
from tests.support.factories import NOON

EMAIL = "ada@example.test"
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
PERSONAL = {"session_id": "s-1", "address": "192.0.2.0/24", "referral_id": event(77), "claimed_id": 2**40}


def visit(number: int, at=NOON, **about) -> NewVisit:
    return NewVisit(event(number), at.isoformat(), url=f"/shop?n={number}", page="shop", **about)


@pytest.fixture
def ada(database) -> int:
    with database.write_session() as session:
        return factories.learner(session, email=EMAIL, student_number="s-7kq2-m9xd").id


def erase(database: Database, learner: int, at=NOON) -> None:
    database.write_as_sync(SystemActor("command", at), erasure.erase_learner, learner, at)


def delete_account(database: Database, learner: int, at=NOON) -> None:
    database.write_sync(anonymise_account, learner, EMAIL, Context(at))


ERASURES = pytest.mark.parametrize("erased", [erase, delete_account])


def scan(database: Database, at=NOON) -> None:
    while database.write_sync(link_numbers.erase_some, at):
        pass


def stored(database: Database, *columns) -> list[tuple]:
    with database.read_session() as session:
        return [tuple(row) for row in session.execute(select(*columns).order_by(Visit.event_id))]


def personal(database: Database) -> list[dict]:
    return [
        dict(zip(ANONYMOUS, row, strict=True))
        for row in stored(database, *(getattr(Visit, name) for name in ANONYMOUS))
    ]


@pytest.mark.each_database
@ERASURES
def test_visits_and_claims_name_nobody_afterwards(database, ada, erased):
    own, claimed = visit(1, learner_id=ada, **PERSONAL), visit(2, **PERSONAL | {"claimed_id": ada})
    other = visit(3, learner_id=ada + 1, **PERSONAL)
    database.write_sync(by_column, own, claimed, other)
    erased(database, ada)
    assert personal(database) == [ANONYMOUS, ANONYMOUS, {**PERSONAL, "learner_id": ada + 1}]


@pytest.mark.parametrize("store", [by_column, by_row, of_the_build_before])
def test_a_visit_of_before_that_is_stored_later_names_nobody_and_one_of_after_does(database, ada, store):
    erase(database, ada)
    about = {"learner_id": ada, **PERSONAL}
    database.write_sync(
        store, visit(1, NOON - MINUTE, **about), visit(2, NOON, **about), visit(3, NOON + MINUTE, **about)
    )
    assert personal(database) == [ANONYMOUS, ANONYMOUS, about]


def test_the_dead_letter_of_one_of_before_names_nobody(database, ada):
    erase(database, ada)
    with database.write_session() as session:
        visits.add_letter(session, {"learner_id": ada, **PERSONAL}, "TypeError: no", NOON)
        visits.add_letter(session, ["e-1", "s-1", ada], "TypeError: no", NOON)
    with database.read_session() as session:
        bodies = session.scalars(select(DeadLetter.body).order_by(DeadLetter.id)).all()
    assert bodies == [ANONYMOUS, [ERASED]]


@pytest.mark.mariadb
def test_a_visit_that_is_stored_in_the_moment_of_the_erasure_names_nobody_after_the_next_run(mariadb_database):
    with mariadb_database.write_session() as session:
        ada = factories.learner(session, email=EMAIL).id
    with mariadb_database.write_session() as session:
        by_column(session, visit(1, learner_id=ada), visit(2, NOON + MINUTE, learner_id=ada))
        session.flush()
        erase(mariadb_database, ada)
    assert stored(mariadb_database, Visit.learner_id) == [(ada,), (ada,)]
    assert [mariadb_database.write_sync(late_visits.anonymise, NOON) for _ in range(2)] == [1, 0]
    assert stored(mariadb_database, Visit.learner_id) == [(None,), (ada,)]


LINK = NewVisit(
    event(9),
    NOON.isoformat(),
    url="/s?n=S-7KQ2-M9XD&c=X",
    page="share-link",
    student_number="S-7KQ2-M9XD",
    source="host",
)


@ERASURES
def test_visits_that_followed_the_links_lose_the_number(database, ada, erased, monkeypatch):
    monkeypatch.setattr(link_numbers, "PART", 2)
    others = [visit(number, student_number="S-OTHR-AAAA") for number in range(20, 23)]
    database.write_sync(by_column, LINK, visit(1, student_number="s-7kq2-m9xd", session_id="a"), *others)
    erased(database, ada)
    scan(database)
    assert stored(database, Visit.student_number, Visit.url) == [
        (ERASED, "/shop?n=1"),
        (ERASED, f"/s?n={ERASED}&c=X"),
        *(("S-OTHR-AAAA", f"/shop?n={number}") for number in range(20, 23)),
    ]


def test_a_visit_that_is_stored_late_loses_it_too_and_a_later_one_does_not(database, ada):
    erase(database, ada)
    scan(database)
    about = {"student_number": "S-7KQ2-M9XD"}
    database.write_sync(by_column, visit(1, NOON - MINUTE, **about), visit(2, NOON + MINUTE, **about))
    scan(database, NOON + 2 * MINUTE)
    assert stored(database, Visit.student_number) == [(ERASED,), ("S-7KQ2-M9XD",)]


def test_after_a_day_all_are_looked_at_once_more_and_then_nothing_is_left_of_the_number(database, ada, monkeypatch):
    """As if a slow transaction had committed a visit with an id that was passed over."""
    database.write_sync(by_column, visit(1, student_number="S-7KQ2-M9XD"))
    erase(database, ada)
    monkeypatch.setattr(link_numbers, "_look_at_part", _pass_over)
    scan(database)
    monkeypatch.undo()
    scan(database, NOON + DAY)
    assert stored(database, Visit.student_number) == [("S-7KQ2-M9XD",)]
    for _ in range(2):
        scan(database, NOON + DAY + MINUTE)
    assert stored(database, Visit.student_number) == [(ERASED,)]
    with database.read_session() as session:
        assert session.scalar(select(func.count()).select_from(ErasedNumber)) == 0


def _pass_over(session, row, newest) -> int:
    row.scanned_to = newest
    return 1


def test_a_day_that_is_computed_again_counts_them_for_nobody_in_particular(database, ada):
    database.write_sync(by_column, visit(1, student_number="S-7KQ2-M9XD", session_id="a"))
    later = NOON + 2 * DAY
    builder(database, later).build_due()
    delete_account(database, ada, later)
    scan(database)
    builder(database, later, keys=50).build(NOON.date())
    with database.read_session() as session:
        keys = session.scalars(select(VisitDay.key).where(VisitDay.dimension == "student")).all()
    assert keys == [ERASED]


@pytest.mark.each_database
@ERASURES
def test_dead_letters_lose_the_number_wherever_it_is(database, ada, erased):
    bodies = [
        {"url": "/s?n=S-7KQ2-M9XD", "student_number": "s-7kq2-m9xd"},
        ["e", "S-7KQ2-M9XD"],
        {"student_number": "S-7KQ2-M9XDX"},
    ]
    with database.write_session() as session:
        for body in bodies:
            visits.add_letter(session, body, "TypeError: of S-7KQ2-M9XD", NOON)
    erased(database, ada)
    with database.read_session() as session:
        letters = session.execute(select(DeadLetter.body, DeadLetter.error).order_by(DeadLetter.id)).all()
    assert [tuple(letter) for letter in letters] == [
        ({"url": f"/s?n={ERASED}", "student_number": ERASED}, "TypeError"),
        (["e", ERASED], "TypeError"),
        (bodies[2], "TypeError: of S-7KQ2-M9XD"),
    ]


def test_it_is_recorded_without_a_name(database, ada):
    erase(database, ada)
    with database.read_session() as session:
        last = session.scalars(select(AuditEvent).order_by(AuditEvent.number.desc())).first()
    assert (last.action, last.subject_type, last.subject_id) == ("learner.erase_visits", "learner", str(ada))


def test_an_unknown_learner_changes_nothing(database, ada):
    with pytest.raises(NotFound):
        erase(database, ada + 1)


@pytest.mark.each_database
def test_days_are_locked_before_their_visits_as_by_whoever_deletes_visits(database, ada):
    """Else the two would wait for each other."""
    database.write_sync(by_column, visit(1, learner_id=ada))
    builder(database, NOON + DAY).build_due()
    found: list[str] = []

    def note(_connection, _cursor, statement, *_about) -> None:
        found.append(statement)

    engine_events.listen(database.engine, "before_cursor_execute", note)
    database.write_sync(erasure.anonymise_visits, ada, NOON + DAY)
    changes = [text.split()[1] for text in found if text.startswith("UPDATE")]
    assert changes == ["visit_rollups", "visits"]
