"""Batches of visits by column: the same rows as one by one, and a bad value costs its own visit only."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select
from sqlalchemy.exc import StatementError

from domain.catalogue import retirement
from domain.tables import DeadLetter, Product, RetiredPageVisit, Visit
from domain.visits import batches, dead_letters, visit_inserts, visits
from domain.visits.batches import COLUMNS
from domain.visits.visits import NewVisit
from tests.support import factories
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database


def visit(number: int, **about) -> NewVisit:
    event = f"00000000-0000-4000-8000-{number:012}"
    at = (NOON + timedelta(microseconds=number)).isoformat()
    return replace(NewVisit(event, at, url=f"/shop?n={number}&q=📚"), **about)


FULL = {
    "session_id": "a-session",
    "page": "shop",
    "learner_id": 7,
    "claimed_id": 2**53 - 1,
    "coupon_id": "3",
    "student_number": "S-9",
    "special_coupon": "特価",
    "campaign": {"utm_source": "news 📚"},
    "referrer": "https://search.example/",
    "referral_id": "00000000-0000-4000-8000-000000000009",
    "partner": "northwind",
    "visitor_class": "crawler",
    "source": "host",
    "agent": "Googlebot",
    "address": "192.0.2.0/24",
}


def rows(*new: NewVisit) -> list[list]:
    """As they arrive: through JSON."""
    return json.loads(json.dumps([batches.row_of(item) for item in new]))


def changed(row: list, name: str, value) -> list:
    return [value if column == name else old for column, old in zip(COLUMNS, row, strict=True)]


def stored(session) -> list[dict]:
    session.expire_all()
    columns = [column for column in Visit.__table__.c if column.name != "id"]
    return [dict(row._mapping) for row in session.execute(select(*columns).order_by(Visit.event_id))]


def test_the_columns_are_those_of_the_table():
    assert set(COLUMNS) == set(Visit.__table__.c.keys()) - {"id"}


def test_good_rows_are_stored_by_one_statement(session, monkeypatch):
    monkeypatch.delattr(batches, "store_one")
    batches.store_rows(session, COLUMNS, rows(visit(1), visit(2, **FULL), visit(1)), NOON)
    assert [row["url"] for row in stored(session)] == [visit(1).url, visit(2).url]


def test_a_batch_stores_what_its_visits_store_one_by_one(session):
    new = [visit(1), visit(2, **FULL), visit(3, learner_id=1)]
    visits.store_visits(session, [item.as_dict() for item in new], NOON)
    one_by_one = stored(session)
    session.execute(Visit.__table__.delete())
    batches.store_rows(session, COLUMNS, rows(*new), NOON)
    assert stored(session) == one_by_one
    assert {name: one_by_one[1][name] for name in FULL} == FULL
    assert [row["visited_at"] for row in one_by_one] == [NOON + timedelta(microseconds=number) for number in (1, 2, 3)]


NASTY = [
    "it's",
    'a "name"',
    "back\\slash\\",
    "%s %% %(url)s",
    ":name ? ;--",
    "');DELETE FROM visits;--",
    "nul\0 and\nline",
    "\x1a",
    "📚特",
]


def test_texts_of_visitors_are_stored_as_they_are_beside_blank_ones(session):
    """Statements of MariaDB have the values in them."""
    new = [visit(number, agent=text, url=f"/?{text}") for number, text in enumerate(["", *NASTY])]
    batches.store_rows(session, COLUMNS, rows(*new), NOON)
    assert [(row["agent"], row["url"]) for row in stored(session)] == [(text, f"/?{text}") for text in ("", *NASTY)]
    assert session.scalars(select(DeadLetter)).all() == []


def test_long_visits_are_stored_by_several_statements(session, monkeypatch):
    """A statement must fit into what the server takes."""
    monkeypatch.setattr(visit_inserts, "MAX_STATEMENT_ROWS", 4)
    monkeypatch.setattr(visit_inserts, "MAX_STATEMENT_LETTERS", 3_000)
    new = [visit(number, referrer="r" * (500 if number % 2 else 0), url="/" + "u" * 2000) for number in range(9)]
    batches.store_rows(session, COLUMNS, rows(*new), NOON)
    assert [(len(row["url"]), len(row["referrer"])) for row in stored(session)] == [
        (2001, n % 2 * 500) for n in range(9)
    ]


def test_an_error_of_the_database_shows_nothing_of_the_visits(session):
    values = {"event_id": ["e-1", "e-2"], "visited_at": ["2026-01-01 00:00:00.000000", "never"], "url": ["/secret"] * 2}
    with pytest.raises(StatementError) as caught, session.begin_nested():
        visit_inserts.insert_visits(session, values, {})
    assert "/secret" not in (caught.value.statement or "")


def test_false_is_no_number_of_signs(session):
    batches.store_rows(session, COLUMNS, [changed(row, "evidence", False) for row in rows(visit(1), visit(2))], NOON)
    assert (stored(session), len(session.scalars(select(DeadLetter)).all())) == ([], 2)


def test_a_batch_delivered_twice_counts_once_and_the_first_delivery_stays(session):
    batches.store_rows(session, COLUMNS, rows(visit(1), visit(2), visit(1)), NOON)
    batches.store_rows(session, COLUMNS, rows(visit(1, url="/forged"), visit(3)), NOON)
    assert [row["url"] for row in stored(session)] == [visit(number).url for number in (1, 2, 3)]


def test_of_a_large_batch_only_the_part_with_the_bad_row_is_stored_row_by_row(session, monkeypatch):
    singly = []
    store_one = batches.store_one

    def note(session, row, at):
        singly.append(row["event_id"][-1])
        return store_one(session, row, at)

    monkeypatch.setattr(batches, "store_one", note)
    monkeypatch.setattr(batches, "PART_ROWS", 2)
    new = rows(*(visit(number) for number in range(1, 6)))
    batches.store_rows(session, COLUMNS, [*new[:3], changed(new[3], "learner_id", "seven"), new[4]], NOON)
    assert (singly, [row["event_id"][-1] for row in stored(session)]) == (["3", "4"], ["1", "2", "3", "5"])


def test_more_rows_than_one_statement_takes_are_stored(session, monkeypatch):
    monkeypatch.setattr(batches, "MAX_ROWS", 2)
    batches.store_rows(session, COLUMNS, rows(*(visit(number) for number in range(1, 6))), NOON)
    assert len(stored(session)) == 5


def test_columns_of_another_build_are_ignored_or_get_their_default(session):
    batches.store_rows(session, ["colour", "event_id", "visited_at"], [["red", "e-1", batches.micros(NOON)]], NOON)
    default = visits.NewVisit("e-1", NOON.isoformat()).as_dict()
    assert stored(session) == [{**{key: default[key] for key in default if key != "at"}, "visited_at": NOON}]


BAD = {
    "an id that is text": ("claimed_id", "7"),
    "an id that is a truth value": ("learner_id", True),
    "an endless id": ("claimed_id", 2**80),
    "a negative id": ("claimed_id", -1),
    "no event id": ("event_id", ""),
    "a null event id": ("event_id", None),
    "a time that is text": ("visited_at", "yesterday"),
    "a null time": ("visited_at", None),
    "a time without an end": ("visited_at", 2**80),
    "a campaign that is no JSON": ("campaign", "{"),
    "a campaign that is a list": ("campaign", "[]"),
    "half a character": ("agent", "\ud800"),
    "a null text": ("url", None),
}


@pytest.mark.parametrize(("name", "value"), BAD.values(), ids=BAD)
def test_a_bad_value_makes_one_dead_letter_and_the_others_are_stored(session, name, value):
    first, bad, last = rows(visit(1), visit(2), visit(3))
    batches.store_rows(session, COLUMNS, [first, changed(bad, name, value), last], NOON)
    assert [row["url"] for row in stored(session)] == [visit(1).url, visit(3).url]
    letter = session.scalars(select(DeadLetter)).one()
    assert (letter.task, letter.body["session_id"], bool(letter.error)) == ("visits.store", "", True)


@pytest.mark.parametrize("bad", [None, "text", 7, [], ["too", "few"], {"event_id": "x"}])
def test_what_is_no_row_becomes_a_dead_letter(session, bad):
    batches.store_rows(session, COLUMNS, [*rows(visit(1)), bad], NOON)
    assert [row["url"] for row in stored(session)] == [visit(1).url]
    assert session.scalars(select(DeadLetter.body)).one() == bad


def test_the_dead_letter_of_a_row_is_replayed_once_it_can_be_stored(session):
    batches.store_rows(session, COLUMNS, [changed(rows(visit(1, **FULL))[0], "learner_id", -5)], NOON)
    letter = session.scalars(select(DeadLetter)).one()
    letter.body = {**letter.body, "learner_id": 7}
    assert dead_letters.replay(session, None, NOON).stored == 1
    assert {name: stored(session)[0][name] for name in FULL} == FULL


def test_a_batch_records_the_last_visit_of_a_person_to_a_retired_course(session):
    retirement.clear_recorded()
    category = factories.category(session)
    course = factories.course(session, category.id, "old")
    product = session.get(Product, course.id)
    product.status, product.retired_at = "retired", NOON - timedelta(days=3)
    session.flush()
    page = {"page": "course-details", "url": "/course-details?course=old"}
    crawler = {**page, "visitor_class": "crawler"}
    batches.store_rows(session, COLUMNS, rows(visit(2, **page), visit(1, **page), visit(3, **crawler)), NOON)
    assert session.scalars(select(RetiredPageVisit.last_at)).all() == [NOON + timedelta(microseconds=2)]
