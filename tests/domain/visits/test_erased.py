"""Visits that were on their way when their learner's account was deleted are stored without the learner."""

import pytest
from sqlalchemy import select, text

from contracts.payloads import VisitBatch
from domain.account.anonymise import anonymise_account
from domain.orders.settings import Context
from domain.tables import DeadLetter, Learner, Visit
from domain.visits import batches, dead_letters, late_visits, storing, visits
from domain.visits.batches import COLUMNS, row_of
from domain.visits.erased import ANONYMOUS
from domain.visits.visits import NewVisit
from tests.support import factories
from tests.support.factories import NOON

EMAIL = "ada@example.test"
PERSONAL = {"session_id": "s-1", "address": "192.0.2.0/24", "referral_id": "r-1", "claimed_id": 2**40}


def visit(number: int, learner: int | None, **about) -> NewVisit:
    event = f"00000000-0000-4000-8000-{number:012}"
    return NewVisit(event, NOON.isoformat(), url=f"/shop?n={number}", learner_id=learner, **PERSONAL | about)


def by_column(session, *new: NewVisit) -> None:
    batches.store_rows(session, COLUMNS, [row_of(item) for item in new], NOON)


def by_row(session, *new: NewVisit) -> None:
    storing.store_row_by_row(session, VisitBatch(columns=list(COLUMNS), rows=[row_of(item) for item in new]), NOON)


def of_the_build_before(session, *new: NewVisit) -> None:
    visits.store_visits(session, [item.as_dict() for item in new], NOON)


def delete_account(session, learner: int) -> None:
    anonymise_account(session, learner, EMAIL, Context(NOON))


def personal(session) -> list[dict]:
    session.expire_all()
    columns = [getattr(Visit, name) for name in ANONYMOUS]
    return [dict(row._mapping) for row in session.execute(select(*columns).order_by(Visit.event_id))]


@pytest.mark.each_database
@pytest.mark.parametrize("store", [by_column, by_row, of_the_build_before])
def test_a_visit_that_is_stored_after_the_deletion_names_nobody(session, store):
    gone, other = factories.learner(session, email=EMAIL).id, factories.learner(session, "Grace").id
    delete_account(session, gone)
    store(session, visit(1, gone), visit(2, other), visit(3, other + 1000))
    assert personal(session) == [
        ANONYMOUS,
        {**PERSONAL, "learner_id": other},
        {**PERSONAL, "learner_id": other + 1000},
    ]


def letter(session) -> DeadLetter:
    session.flush()
    return session.scalars(select(DeadLetter)).one()


@pytest.mark.parametrize("store", [by_column, by_row])
def test_so_does_the_dead_letter_of_one_that_cannot_be_stored(session, store):
    gone = factories.learner(session, email=EMAIL).id
    delete_account(session, gone)
    store(session, visit(1, gone, agent="x" * 65))
    # SQLite does not check lengths itself, and then stores it.
    if session.scalars(select(Visit)).first() is None:
        assert {name: letter(session).body[name] for name in ANONYMOUS} == ANONYMOUS
        assert letter(session).error == "DataError"
    assert all(row == ANONYMOUS for row in personal(session))


# The forms of a dead letter that no build can read: {} is the number of the learner.
UNREADABLE = {
    "values without their columns": ["e-1", "s-1", "{}", 17],
    "such values in a batch": {"columns": "none", "rows": [["e-1", "s-1", "{}"]]},
}


def filled(form, learner: int):
    if isinstance(form, dict):
        return {name: filled(value, learner) for name, value in form.items()}
    if isinstance(form, list):
        return [filled(value, learner) for value in form]
    return learner if form == "{}" else form


def is_named(body, learner: int) -> bool:
    return str(learner) in str(body) or "s-1" in str(body)


@pytest.fixture
def gone(session) -> int:
    """A learner with a long number, which nothing else in a dead letter is."""
    learner = factories.learner(session, email=EMAIL)
    session.execute(text("UPDATE learners SET id = 70707 WHERE id = :id"), {"id": learner.id})
    session.expunge_all()
    return 70707


@pytest.mark.each_database
@pytest.mark.parametrize("form", UNREADABLE.values(), ids=UNREADABLE)
@pytest.mark.parametrize("is_deleted_first", [True, False])
def test_a_dead_letter_that_nobody_can_read_names_nobody(session, gone, form, is_deleted_first):
    if is_deleted_first:
        delete_account(session, gone)
    visits.add_letter(session, filled(form, gone), f"TypeError: of {gone}", NOON)
    session.flush()
    if not is_deleted_first:
        assert is_named(letter(session).body, gone)
        delete_account(session, gone)
    assert (is_named(letter(session).body, gone), letter(session).error) == (False, "TypeError")
    assert dead_letters.replay(session, None, NOON).failed == 1


def test_a_text_that_is_no_batch_names_nobody(session, gone):
    visits.add_letter(session, f'{{"rows":[["e-1","s-1",{gone},"x', "TypeError", NOON)
    session.flush()
    delete_account(session, gone)
    assert letter(session).body == "(erased)"


@pytest.mark.parametrize("form", [*UNREADABLE.values(), "a text of {}"], ids=[*UNREADABLE, "text"])
def test_such_letters_of_others_stay(session, gone, form):
    others = filled(form, 170707)
    visits.add_letter(session, others, "TypeError: no", NOON)
    session.flush()
    delete_account(session, gone)
    assert (letter(session).body, letter(session).error) == (others, "TypeError: no")


def test_a_claim_alone_is_enough(session):
    """Without a session at hand, as while the database is away, a visit has the claim of the browser alone."""
    gone = factories.learner(session, email=EMAIL).id
    by_column(session, visit(1, None, claimed_id=gone))
    delete_account(session, gone)
    for number, store in enumerate((by_column, by_row, of_the_build_before), 2):
        store(session, visit(number, None, claimed_id=gone))
    by_column(session, visit(9, None, claimed_id=gone + 1))
    assert personal(session) == [*[ANONYMOUS] * 4, {**PERSONAL, "learner_id": None, "claimed_id": gone + 1}]


# On SQLite one transaction writes at a time.
@pytest.fixture
def committed(mariadb_database) -> int:
    with mariadb_database.write_session() as session:
        return factories.learner(session, email=EMAIL).id


def stored_of(database) -> list[dict]:
    with database.read_session() as session:
        return personal(session)


@pytest.mark.mariadb
@pytest.mark.parametrize("store", [by_column, by_row, of_the_build_before])
def test_storing_waits_for_nobody_who_has_locked_a_learner(mariadb_database, committed, store):
    with mariadb_database.write_session() as session:
        session.get_one(Learner, committed, with_for_update=True)
        mariadb_database.write_sync(store, visit(1, committed))
    assert stored_of(mariadb_database) == [{**PERSONAL, "learner_id": committed}]


@pytest.mark.each_database
@pytest.mark.mariadb
def test_a_visit_that_is_stored_during_the_deletion_names_nobody_after_the_next_run(mariadb_database, committed):
    """Neither sees the other: storing has looked before the deletion is committed, and is committed after it."""
    with mariadb_database.write_session() as session:
        by_column(session, visit(1, committed), visit(2, None, claimed_id=committed), visit(3, committed + 1))
        visits.add_letter(session, {"learner_id": committed, "session_id": "s-1"}, "TypeError: s-1", NOON)
        session.flush()
        mariadb_database.write_sync(delete_account, committed)
    assert stored_of(mariadb_database)[0] == {**PERSONAL, "learner_id": committed}
    assert [mariadb_database.write_sync(late_visits.anonymise, NOON) for _ in range(2)] == [3, 0]
    assert stored_of(mariadb_database) == [ANONYMOUS, ANONYMOUS, {**PERSONAL, "learner_id": committed + 1}]
    with mariadb_database.read_session() as session:
        assert (letter(session).body, letter(session).error) == ({"learner_id": None, "session_id": ""}, "TypeError")
