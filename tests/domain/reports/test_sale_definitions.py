"""The worked examples behind the "?" of reports of money: each is what a report computes of what it tells."""

from collections.abc import Callable

import pytest
from sqlalchemy.orm import Session

from domain.reports.all_reports import SOURCES
from domain.reports.visit_reports.figures import definitions
from tests.domain.orders import taxed
from tests.domain.reports import selling_days
from tests.domain.reports.report_worlds import DAY, HOUR, MIDNIGHT, MINUTE, NOON, ask, coded, compute, sell
from tests.domain.reports.test_referral_reports import came
from tests.domain.visits.days.worlds import add, visit
from tests.support import factories

AT = MIDNIGHT + 60 * DAY
APRIL = {"from": "2026-03-01", "to": "2026-04-30"}
COURSE = "/course-details?course=vat-basics"
Fill = Callable[[Session], None]


def learner(session: Session, name: str = "Ada") -> int:
    return factories.learner(session, name).id


def orders_of_a_course(session: Session) -> None:
    first = factories.course(session, factories.category(session).id).id
    second = factories.course(session, 1, "other").id
    sell(session, learner(session), "A", NOON, {"product_id": first}, {"product_id": second})
    sell(session, learner(session, "Bo"), "B", NOON, {"product_id": first})


def units(session: Session) -> None:
    sell(session, learner(session), "A", NOON, {}, {"quantity": 3, "unit_minor": 500})


def views(session: Session) -> None:
    factories.course(session, factories.category(session).id)
    add(session, *(visit(number, NOON, COURSE, name) for number, name in enumerate("aab")))


def look_to_buy(session: Session) -> None:
    course = factories.course(session, factories.category(session).id).id
    add(session, *(visit(number, NOON, COURSE, name) for number, name in enumerate("abcd")))
    sell(session, learner(session), "A", NOON, {"product_id": course})


def code(session: Session) -> None:
    """A code of which one buyer had bought before."""
    first, second = learner(session), learner(session, "Bo")
    sell(session, first, "A", MIDNIGHT - 30 * DAY)
    sell(session, first, "B", NOON, coded("SPRING", 2_000, 8_000))
    sell(session, second, "C", NOON, coded("SPRING", 0, 0))


def code_visits(session: Session) -> None:
    factories.coupon(session, "SPRING")
    add(session, visit(1, NOON, "/", "a", coupon_id="SPRING"), visit(2, NOON, "/cart", "b", coupon_id="SPRING"))


def links(session: Session) -> None:
    """The link of one student on Monday, that of another on Tuesday, and an order on Wednesday."""
    students = [factories.learner(session, name) for name in ("One", "Two")]
    buyer = learner(session, "Buyer")
    for place, student in enumerate(students):
        values = {"student_number": student.student_number}
        add(session, *came(10 * place + 1, NOON + place * DAY, f"s{place}", buyer, **values))
    sell(session, buyer, "A", NOON + 2 * DAY)


def own_link(session: Session) -> None:
    student = factories.learner(session, "One")
    add(session, *came(1, NOON, "a", student.id, student_number=student.student_number))
    sell(session, student.id, "A", NOON + HOUR)


def two_sessions(session: Session) -> None:
    student = factories.learner(session, "One")
    values = {"student_number": student.student_number}
    add(session, visit(1, NOON, "/", "a", **values), visit(2, NOON + HOUR, "/", "a", **values))


def steps(*urls: str) -> Fill:
    """A session for each address."""

    def fill(session: Session) -> None:
        factories.course(session, factories.category(session).id)
        add(session, *(visit(number, NOON, url, f"s{number}") for number, url in enumerate(urls)))

    return fill


def ordering(sessions: int, paid: int = 1) -> Fill:
    """Sessions at the checkout; the first ones order, of which `paid` pay."""

    def fill(session: Session) -> None:
        for number in range(sessions):
            buyer = learner(session, f"Buyer {number}")
            add(session, visit(number, NOON, "/checkout", f"s{number}", learner_id=buyer))
            if number < paid:
                sell(session, buyer, f"A{'QWER'[number]}", NOON + MINUTE)

    return fill


def cohort(session: Session) -> None:
    first, second = learner(session), learner(session, "Bo")
    sell(session, first, "A", NOON, {"unit_minor": 6_000})
    sell(session, first, "B", NOON + 31 * DAY, {"unit_minor": 4_000})
    sell(session, second, "C", NOON, {"unit_minor": 5_000})


# Report, figure, what happened, the value, and how the example says it.
EXAMPLES = [
    ("products", "orders", orders_of_a_course, 2, "2 orders in all"),
    ("products", "units", units, 4, "4 units"),
    ("products", "views", views, 3, "3 views"),
    ("products", "sessions", views, 2, "2 sessions"),
    ("products", "lookToBuy", look_to_buy, 25.0, "25%"),
    ("coupons", "newLearners", code, 50.0, "50%"),
    ("coupons", "discount", code, 2_000, "20.00"),
    ("coupons", "gross", code, 10_000, "100.00"),
    ("coupons", "net", code, 8_000, "80.00"),
    ("coupons", "sessions", code_visits, 2, "2 sessions"),
    ("coupons", "carts", code_visits, 1, "opened the cart: 1"),
    ("students", "orders", links, 1, "1 order"),
    ("students", "ownOrders", own_link, 1, "1 own order"),
    ("students", "ownNet", own_link, 10_000, "100.00"),
    ("students", "sessions", two_sessions, 2, "2 sessions"),
    ("funnel", "sessions", steps("/", "/", "/"), 3, "3 sessions"),
    ("funnel", "products", steps(COURSE, "/cart", "/"), 2, "2 sessions"),
    ("funnel", "carts", steps("/cart", "/checkout", COURSE), 2, "2 sessions"),
    ("funnel", "checkouts", steps("/checkout", "/cart"), 1, "1 session"),
    ("funnel", "payments", ordering(2), 1, "1 session"),
    ("funnel", "conversion", ordering(4), 25.0, "25%"),
    ("cohorts", "bought", cohort, 50.0, "50%"),
    ("cohorts", "netEach", cohort, 7_500, "75.00"),
    ("cohorts", "learners", cohort, 2, ""),
]


@pytest.mark.parametrize("example", EXAMPLES, ids=[f"{name} {figure}" for name, figure, *_ in EXAMPLES])
def test_the_worked_example_of_a_figure_is_what_the_report_computes(database, example):
    name, figure, fill, value, says = example
    with database.write_session() as session:
        fill(session)
    compute(database, AT)
    assert ask(database, name, AT, **APRIL).totals[figure] == value
    assert says in definitions(SOURCES[name].report.definitions)[figure].example


def test_money_that_went_back_counts_on_its_own_day_and_lowers_the_day_of_the_sale(database):
    """The examples of refunds: 40.00 of 100.00 went back four days later."""
    with database.write_session() as session:
        world = taxed.fill(session)
        course = selling_days.RequestedItem(world.course)
        order = taxed.buy(session, world.learner, course, at=selling_days.at_day(1))
        paid = order.total_minor - order.tax_minor
        taxed.give_back(session, order, {1: 1}, at=selling_days.at_day(5))
    compute(database, selling_days.at_day(8))
    first, fifth = (selling_days.DAYS[number].isoformat() for number in (0, 4))
    at = selling_days.at_day(8)
    sold = ask(database, "products", at, **{"from": first, "to": first}).totals
    back = ask(database, "products", at, **{"from": fifth, "to": fifth}).totals
    assert (sold["net"], sold["refunded"], sold["returned"]) == (0, paid, 0)
    assert (back["net"], back["refunded"], back["returned"]) == (0, 0, paid)
    overview = ask(database, "overview", at, **{"from": fifth, "to": fifth}).totals
    assert (overview["net"], overview["refunded"]) == (0, paid)


def test_each_figure_of_a_report_is_defined_and_no_other():
    for report, *_ in SOURCES.values():
        defined = {**definitions(), **definitions(report.definitions)}
        levels = [report.columns, *report.columns_by.values()]
        assert {key for columns in levels for key in columns} <= report.figures.keys(), report.name
        # Those that the page explains: the others are columns of its table alone.
        assert {*report.shown, *report.charted} <= report.figures.keys() & defined.keys(), report.name
        if report.group == "Sales":
            assert definitions(report.definitions).keys() == report.figures.keys(), report.name
