"""The search of the admin area: by number, code, address or name, within permissions, a few of each kind."""

from types import SimpleNamespace

import pytest
from sqlalchemy import event

from domain.permissions import Permission, permissions_of
from domain.staff.roles import STAFF_ROLES
from domain.support import search
from tests.support import factories
from tests.support.order_rows import order

ALL = frozenset(Permission)
CODE = "TAE5CMCCH86AZX2K5B54"


@pytest.fixture
def world(session):
    """One of each kind, all to be found by "north", but for the order and the coupon of another word."""
    category = factories.category(session)
    ada = factories.learner(session, "Ada Northrop", email="ada@example.test")
    return SimpleNamespace(
        ada=ada,
        order=order(session, ada.id, CODE),
        course=factories.course(session, category.id, "selling-up-north", name="Selling in the North", status="draft"),
        coupon=factories.coupon(session, "NORTH25"),
        organisation=factories.organisation(session, "northwind", "Northwind Foods"),
    )


def found(session, words, permissions=ALL):
    return {kind: [row[0] for row in hits.rows] for kind, hits in search.find(session, words, permissions).items()}


def test_one_word_finds_what_is_named_so_of_each_kind(session, world):
    assert found(session, "  north ") == {
        "learners": [world.ada.id],
        "products": [world.course.id],
        "coupons": [world.coupon.id],
        "organisations": [world.organisation.id],
    }


FOUND = {
    "a whole code": (CODE, ["learners", "orders"]),
    "a code in lower case": (CODE.lower(), ["learners", "orders"]),
    "the beginning of a code": ("TAE5CM", ["orders"]),
    "a code with what nobody sees": (f"\ufeff{CODE}\u200b", ["learners", "orders"]),
    "a code of a coupon with what nobody sees": ("NORTH\u200b25", ["coupons"]),
    "an address with what nobody sees": ("\u2068ada@example.test\u2069", ["learners", "orders"]),
    "too little of a code": ("TAE5C", []),
    "an email address": ("Ada@example.test", ["learners", "orders"]),
    "a part of an address": ("ada@exam", []),
    "the beginning of a slug": ("selling up", ["products"]),
    "a part of a coupon's code": ("ORTH2", []),
    "a short name": ("northwind", ["organisations"]),
    "a sign of LIKE": ("%n", []),
    "one letter": ("n", []),
    "nothing": ("  ", []),
    "letters of no code": ("ÄÖÜ" * 7, []),
}


@pytest.mark.each_database
@pytest.mark.parametrize(("words", "kinds"), FOUND.values(), ids=FOUND)
def test_it_finds_by_the_rules_of_the_lists(session, world, words, kinds):
    assert sorted(found(session, words)) == kinds


@pytest.mark.parametrize("role", STAFF_ROLES)
def test_a_role_finds_only_what_its_lists_show(session, world, role):
    permissions = permissions_of("admin", (role,))
    may_see = {
        "orders": Permission.ORDERS_READ in permissions,
        "learners": Permission.LEARNERS_READ in permissions,
    }
    assert {kind: kind in found(session, CODE, permissions) for kind in may_see} == may_see
    assert ("organisations" in found(session, "north", permissions)) == (Permission.ORGANISATIONS_READ in permissions)


def test_of_many_the_newest_are_shown_and_it_says_that_there_are_more(session, world):
    category = factories.category(session, "law", "Law")
    courses = [factories.course(session, category.id, f"law-{n}", name=f"Law {n}") for n in range(search.MAX_HITS + 1)]
    hits = search.find(session, "law", ALL)["products"]
    assert ([row.id for row in hits.rows], hits.is_more) == ([row.id for row in reversed(courses)][:-1], True)


@pytest.mark.parametrize("words", ["north", CODE, "ada@example.test", "TAE5CM"])
def test_a_search_is_at_most_six_statements(session, world, words):
    session.flush()
    statements = recorded(session, words)
    assert 1 <= len(statements) <= 6
    if session.get_bind().dialect.name == "sqlite":
        for statement, parameters in statements:
            plan = session.connection().exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters).all()
            # What reads a whole table reads it to a limit.
            scans = [row[3] for row in plan if row[3].startswith("SCAN") and "INDEX" not in row[3]]
            assert scans == [] or statement.count("LIMIT") == 2, plan


def recorded(session, words):
    """The statements of a search, with their parameters."""
    statements = []

    def note(_connection, _cursor, statement, parameters, *_):
        statements.append((statement, parameters))

    event.listen(session.connection(), "before_cursor_execute", note)
    search.find(session, words, ALL)
    event.remove(session.connection(), "before_cursor_execute", note)
    return statements
