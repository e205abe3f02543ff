"""Reports of students and partners: whose link an order counts for, and that no student is named."""

import json
from dataclasses import asdict

import pytest

from domain.account.anonymise import anonymise_account
from domain.orders.settings import Context
from domain.tables import Learner
from tests.domain.reports.report_worlds import (
    DAY,
    HOUR,
    LATER,
    MIDNIGHT,
    MINUTE,
    NOON,
    ask,
    compute,
    figures,
    labels,
    sell,
)
from tests.domain.visits.days.worlds import add, visit
from tests.support import factories

NUMBERS = ("s-aaa2-kq7q", "s-bbb2-kq7q", "s-ccc2-kq9z")
COLUMNS = ("sessions", "orders", "net", "ownOrders", "ownNet")


def people(session) -> list[Learner]:
    learners = [factories.learner(session, f"Student {number}") for number in range(3)]
    for learner, number in zip(learners, NUMBERS, strict=True):
        learner.student_number = number
    session.flush()
    return learners


def came(number: int, at, name: str, learner_id: int | None, **values: str):
    """A session that the link brought, and that signed in a minute later."""
    return (
        visit(number, at, "/", name, **values),
        visit(number + 1, at + MINUTE, "/cart", name, learner_id=learner_id, **values),
    )


@pytest.mark.each_database
def test_an_order_counts_for_the_last_link_and_ones_own_apart(database):
    with database.write_session() as session:
        first, second, third = people(session)
        add(
            session,
            *came(1, NOON - DAY, "a", third.id, student_number=NUMBERS[0]),
            *came(3, NOON, "b", third.id, student_number=NUMBERS[1]),
            *came(5, NOON, "c", first.id, student_number=NUMBERS[0]),
            *came(7, NOON, "d", None, student_number=NUMBERS[1]),
            *came(9, NOON, "e", second.id, student_number="s-none"),
            *came(11, NOON + 2 * HOUR, "f", third.id, student_number=NUMBERS[0]),
        )
        sell(session, third.id, "A", NOON + HOUR, {"unit_minor": 7_000})
        sell(session, first.id, "B", NOON + HOUR, {"unit_minor": 500})
        sell(session, second.id, "C", NOON + HOUR)
    compute(database)
    found = ask(database, "students")
    # Both numbers end alike; the second of them in their order is told apart.
    assert figures(found, *COLUMNS) == {
        "S-••••7Q": (3, 0, 0, 1, 500),
        "S-••••7Q (2)": (2, 1, 7_000, 0, 0),
        "Unknown": (1, 0, 0, 0, 0),
    }
    assert {key: found.totals[key] for key in COLUMNS} == dict(zip(COLUMNS, (6, 1, 7_000, 1, 500), strict=True))
    assert sum(day["net_minor"] for day in found.series.values) == 7_000


def test_no_answer_has_a_number_of_a_student(database):
    with database.write_session() as session:
        _, second, _ = people(session)
        add(session, *came(1, NOON, "a", second.id, student_number=NUMBERS[0]))
        sell(session, second.id, "A", NOON + HOUR)
    compute(database)
    found = ask(database, "students")
    text = json.dumps([asdict(row) for row in found.rows], ensure_ascii=False)
    assert (labels(found), "aaa2" in text.casefold()) == (["S-••••7Q"], False)


# Days between the link and the order -> whether it counts.
DISTANCES = [(0, True), (30, True), (31, False)]


@pytest.mark.parametrize(("days", "counts"), DISTANCES)
def test_a_link_counts_for_30_days(database, days, counts):
    with database.write_session() as session:
        _, second, _ = people(session)
        add(session, *came(1, NOON - days * DAY + MINUTE, "a", second.id, student_number=NUMBERS[0]))
        sell(session, second.id, "A", NOON + MINUTE * (0 if days else 5), placed_at=NOON + MINUTE * (0 if days else 5))
    compute(database)
    assert ask(database, "students").totals["orders"] == int(counts)


def test_what_was_followed_after_the_order_does_not_count(database):
    with database.write_session() as session:
        _, second, _ = people(session)
        add(session, *came(1, NOON + HOUR, "a", second.id, student_number=NUMBERS[0]))
        sell(session, second.id, "A", NOON, paid_at=NOON + 2 * HOUR)
    compute(database)
    assert figures(ask(database, "students"), *COLUMNS) == {"S-••••7Q": (1, 0, 0, 0, 0)}


def test_at_the_end_of_an_account_its_number_is_erased_and_its_order_counts_on(database):
    """The order of a buyer who is gone has no touchpoint any more; visits by a link stay, without the number."""
    with database.write_session() as session:
        first, second, _ = people(session)
        add(session, *came(1, NOON, "a", second.id, student_number=NUMBERS[0]))
        sell(session, second.id, "A", NOON + HOUR)
    compute(database)
    with database.write_session() as session:
        anonymise_account(session, first.id, first.email, Context(LATER))
    compute(database, LATER + MINUTE)
    found = ask(database, "students", LATER + MINUTE)
    assert figures(found, "orders", "net") == {"Erased": (1, 10_000)}


@pytest.mark.each_database
def test_partners_have_the_name_of_their_organisation(database):
    with database.write_session() as session:
        factories.organisation(session, "northwind", "مؤسسة الشمال")
        buyer = factories.learner(session).id
        add(session, *came(1, NOON, "a", buyer, partner="northwind"), *came(3, NOON, "b", None, partner="nobody"))
        sell(session, buyer, "A", NOON + HOUR)
        sell(session, buyer, "B", MIDNIGHT - 20 * DAY)
    compute(database)
    found = ask(database, "partners")
    assert figures(found, "sessions", "orders", "net") == {"مؤسسة الشمال": (1, 1, 10_000), "Unknown": (1, 0, 0)}
    assert [dict(row.words) for row in found.rows] == [{"slug": "northwind"}, {"slug": ""}]
    assert found.previous["net"] == 0


@pytest.mark.parametrize("name", ["students", "partners"])
def test_without_any_link_it_says_so(database, name):
    found = ask(database, name)
    assert (found.rows, found.empty.startswith("In these days nobody came by the link")) == ([], True)
