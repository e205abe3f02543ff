"""Changes that are compiled once do what ordinary ones do, on both databases."""

from datetime import timedelta

import pytest
from sqlalchemy import bindparam, delete, select, update
from sqlalchemy.exc import IntegrityError

from domain.database.prepared_change import ChangeByIds, PreparedChange, PreparedInsert
from domain.tables import OrderEvent, Outbox, Product
from tests.support import factories
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database

_rows = Outbox.__table__.c
INSERT = PreparedInsert(Outbox)
POSTPONE = PreparedChange(
    update(Outbox.__table__)
    .where(_rows.id == bindparam("row"), _rows.attempts == bindparam("before"))
    .values({_rows.next_at: bindparam("until"), _rows.attempts: _rows.attempts + 1})
)
DELETE = ChangeByIds(lambda ids: delete(Outbox.__table__).where(_rows.id.in_(ids), _rows.topic == bindparam("of")))
ROW = {"created_at": NOON, "topic": "mail", "task": "a.task", "body": {"id": 7}, "attempts": 0, "next_at": NOON}


def stored(session) -> list[tuple[object, ...]]:
    columns = select(_rows.id, _rows.body, _rows.attempts, _rows.next_at, _rows.error).order_by(_rows.id)
    return [tuple(row) for row in session.execute(columns)]


def test_a_row_is_inserted_with_its_types_and_what_is_not_given_is_null(session):
    first, second = (INSERT.run(session, **{**ROW, "body": {"id": number}}) for number in (1, 2))
    assert stored(session) == [(first, {"id": 1}, 0, NOON, None), (second, {"id": 2}, 0, NOON, None)]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_many_rows_are_inserted_in_their_order(session, count):
    INSERT.run_all(session, [{**ROW, "body": {"id": number}} for number in range(count)])
    assert [row[1:] for row in stored(session)] == [({"id": number}, 0, NOON, None) for number in range(count)]


def test_a_column_that_must_be_given_is_refused_without_a_value(session):
    with pytest.raises(IntegrityError):
        PreparedInsert(OrderEvent).run(session, number=1)


def test_what_is_no_column_is_refused(session):
    with pytest.raises(TypeError, match="colour"):
        INSERT.run(session, **ROW, colour="red")
    assert stored(session) == []


@pytest.mark.parametrize(("before", "number"), [(0, 1), (1, 0)])
def test_an_update_says_how_many_rows_it_found(session, before, number):
    row, until = INSERT.run(session, **ROW), NOON + timedelta(minutes=1)
    assert POSTPONE.run(session, row=row, before=before, until=until) == number
    assert stored(session) == [(row, {"id": 7}, number, until if number else NOON, None)]


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5])
def test_rows_are_changed_by_a_list_of_ids_of_any_length(session, count):
    ids = [INSERT.run(session, **ROW) for _ in range(6)]
    assert DELETE.run(session, ids[:count], of="payments") == 0
    assert DELETE.run(session, ids[:count], of="mail") == count
    assert [row[0] for row in stored(session)] == ids[count:]


def test_what_the_session_has_not_written_yet_is_written_before(session):
    course = factories.course(session, factories.category(session).id, "course")
    course.slug = "renamed"
    rename = PreparedChange(
        update(Product.__table__).where(Product.slug == "renamed").values({Product.__table__.c.slug: "again"})
    )
    assert rename.run(session) == 1
    assert session.scalar(select(Product.slug).where(Product.id == course.id)) == "again"


def test_a_rollback_takes_it_back(session):
    INSERT.run(session, **ROW)
    savepoint = session.begin_nested()
    INSERT.run(session, **ROW)
    savepoint.rollback()
    assert len(stored(session)) == 1
