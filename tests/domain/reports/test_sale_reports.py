"""Reports of products and coupons against the lines of orders, and what a report of money compares and adds up."""

from collections import Counter

import pytest

from domain.reports import sales_lines
from domain.reports.visit_reports.answers import UP_TO_NOW
from tests.domain.reports import selling_days
from tests.domain.reports.report_worlds import (
    DAY,
    HOUR,
    LATER,
    MIDNIGHT,
    MINUTE,
    NOON,
    RULES,
    ask,
    coded,
    compute,
    figures,
    labels,
    sell,
)
from tests.domain.reports.selling_days import DAYS, at_day
from tests.domain.visits.days.worlds import add, visit
from tests.support import factories

SPAN = {"from": DAYS[0].isoformat(), "to": DAYS[-1].isoformat()}
END = at_day(8)
MONEY = ("products", "coupons", "students", "partners", "cohorts", "overview")


def week(database) -> list[sales_lines.SaleLine]:
    """The week of selling_days, computed; its lines."""
    with database.write_session() as session:
        selling_days.fill(session)
    compute(database, END)
    with database.read_session() as session:
        return list(sales_lines.lines(session, RULES.window(DAYS[0]).since, RULES.window(DAYS[-1]).until))


@pytest.mark.each_database
def test_the_net_of_each_product_is_that_of_its_lines(database):
    expected, orders = Counter(), {}
    for line in week(database):
        if line.currency == "USD":
            key = f"({line.kind})" if line.product_id is None else str(line.product_id)
            expected[key] += line.net_minor
            orders.setdefault(key, set()).add(line.order_id)
    found = ask(database, "products", END, **SPAN)
    assert {row.key: row.figures["net"] for row in found.rows} == expected
    assert {row.key: row.figures["orders"] for row in found.rows} == {key: len(ids) for key, ids in orders.items()}
    assert found.totals["net"] == sum(expected.values()) == 5590 + 18740 + 4000 + 4000
    assert found.totals["returned"] == 5500 + 1500 + 4000 - 840
    assert (found.empty, {"Delivery", "Seats of contracts"} <= set(labels(found))) == ("", True)


@pytest.mark.each_database
def test_the_orders_that_reports_count_have_the_net_of_their_lines(database):
    """Also of seats, delivery, nothing, another currency, refunds and disputes."""
    expected = Counter()
    for line in week(database):
        expected[line.order_id, line.currency] += line.net_minor
    with database.read_session() as session:
        orders = list(sales_lines.paid_orders(session, MIDNIGHT - 9 * DAY, END))
        some = list(sales_lines.paid_orders(session, MIDNIGHT - 9 * DAY, END, {orders[0].learner_id}))
    assert {(order.order_id, order.currency): order.net_minor for order in orders} == dict(expected)
    assert some == [order for order in orders if order.learner_id == orders[0].learner_id]


@pytest.mark.each_database
def test_nothing_is_added_over_currencies(database):
    lines = week(database)
    net = Counter({code: sum(line.net_minor for line in lines if line.currency == code) for code in ("USD", "JPY")})
    for name in MONEY:
        assert (ask(database, name, END, **SPAN).currency, ask(database, name, END, **SPAN).currencies) == (
            "USD",
            ("USD", "JPY"),
        )
    for code in ("USD", "JPY"):
        assert ask(database, "products", END, currency=code, **SPAN).totals["net"] == net[code]
        assert ask(database, "overview", END, currency=code, **SPAN).totals["net"] == net[code]
    nothing = ask(database, "products", END, currency="EUR", **SPAN)
    assert (nothing.totals["net"], nothing.rows, nothing.currencies) == (0, [], ("USD", "JPY", "EUR"))
    assert nothing.notes[0] == "Amounts and orders are those in EUR. There are also sales in USD, JPY."


def test_the_days_of_a_report_add_up_to_its_net(database):
    week(database)
    found = ask(database, "products", END, **SPAN)
    assert sum(day["net_minor"] for day in found.series.values) == found.totals["net"]
    assert found.series.labels == [day.isoformat() for day in DAYS]


@pytest.mark.each_database
def test_a_day_that_is_not_over_is_compared_up_to_the_nearest_hour(database):
    """One of the two sales of yesterday was before this time of day."""
    at = MIDNIGHT + DAY + 10 * HOUR + 20 * MINUTE
    with database.write_session() as session:
        course = factories.course(session, factories.category(session).id).id
        learner = factories.learner(session).id
        for number, time in enumerate((MIDNIGHT + 9 * HOUR, MIDNIGHT + 11 * HOUR, at - HOUR)):
            sell(session, learner, f"D{number}", time, {"product_id": course, "unit_minor": 1_000 * 10**number})
        add(session, visit(1, MIDNIGHT, "/course-details?course=vat-basics"))
    compute(database, at)
    today = {"from": at.date().isoformat(), "to": at.date().isoformat()}
    for name in ("products", "overview"):
        found = ask(database, name, at, **today)
        assert (found.totals["net"], found.previous["net"], found.is_unfinished) == (100_000, 1_000, True)
        assert UP_TO_NOW in found.notes
    found = ask(database, "products", at, **today)
    assert [(row.figures["net"], row.previous["net"]) for row in found.rows] == [(100_000, 1_000)]
    # Views of products have no hours, so nothing is said of them.
    assert "views" not in found.previous
    whole = ask(database, "products", LATER, **{"from": "2026-03-03", "to": "2026-03-03"})
    assert (whole.previous["net"], whole.previous["views"]) == (11_000, 1)


def test_look_to_buy_is_the_share_of_sessions_that_saw_it(database):
    with database.write_session() as session:
        tax = factories.category(session)
        course = factories.course(session, tax.id)
        book = factories.item(session, tax.id)
        learner = factories.learner(session).id
        urls = ["/course-details?course=vat-basics"] * 2 + [f"/shop-details/{book.id}", "/"]
        add(session, *(visit(number, NOON, url, f"s{number}") for number, url in enumerate(urls, 1)))
        add(session, visit(9, NOON + MINUTE, urls[0], "s1"))
        sell(session, learner, "A", NOON, {"product_id": course.id})
    compute(database)
    found = ask(database, "products")
    assert figures(found, "views", "sessions", "orders", "lookToBuy") == {
        course.name: (3, 2, 1, 50.0),
        book.name: (1, 1, 0, 0.0),
    }
    assert (found.totals["views"], found.totals["sessions"], found.totals["lookToBuy"]) == (4, 3, 33.3)
    by_category = ask(database, "products", by="category")
    # Sessions of two products of a category would be counted twice.
    assert figures(by_category, "views", "sessions", "lookToBuy", "net") == {"Tax": (4, None, None, 10_000)}
    days = ask(database, "products", f=f"product:{course.id}")
    assert (days.chosen_label, figures(days, "net", "views")) == (course.name, {"March 2, 2026": (10_000, 3)})


def test_a_product_that_is_gone_is_named_by_its_number_and_nothing_is_lost(database):
    with database.write_session() as session:
        learner = factories.learner(session).id
        course = factories.course(session, factories.category(session).id)
        sell(session, learner, "A", NOON, {"product_id": course.id})
    compute(database)
    found = ask(database, "products", f="product:987654")
    assert (found.chosen_label, found.rows) == ("Number 987654, which is gone", [])
    assert found.empty == "In these days nothing was sold, and nobody opened a product."


def test_an_order_with_two_lines_of_a_code_is_one(database):
    with database.write_session() as session:
        factories.coupon(session, "Spring10")
        first, second = (factories.learner(session, f"Learner {number}").id for number in range(2))
        sell(session, second, "Z", NOON - 9 * DAY)
        sell(session, first, "A", NOON, coded("SPRING10", 1_000), coded("Spring10", 500, 4_000), {})
        sell(session, second, "B", NOON + HOUR, {"unit_minor": 2_000, "cart_code": "spring10"})
        visits = [visit(1, NOON, "/cart", "a", coupon_id="spring10"), visit(2, NOON, "/", "b", coupon_id="SPRING10")]
        add(session, *visits, visit(3, NOON, "/", "c", coupon_id="forged"), visit(4, NOON, "/", "d"))
    compute(database)
    found = ask(database, "coupons")
    columns = ("orders", "gross", "discount", "net", "newLearners", "sessions", "carts")
    assert figures(found, *columns) == {
        "Spring10": (2, 17_500, 1_500, 16_000, 50.0, 2, 1),
        "Codes that do not exist": (0, 0, 0, 0, None, 1, 0),
    }
    assert {key: found.totals[key] for key in columns} == dict(
        zip(columns, (2, 17_500, 1_500, 16_000, 50.0, 3, 1), strict=True)
    )
    days = ask(database, "coupons", f="code:spring10")
    assert figures(days, "orders", "net", "sessions") == {"March 2, 2026": (2, 16_000, 2)}
