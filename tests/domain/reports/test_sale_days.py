"""Days of sales: to the cent what the books export, by every dimension."""

from collections import Counter
from datetime import date

import pytest

from domain.money import currency, to_minor
from domain.orders.export.export import export
from domain.orders.export.period import Period
from domain.orders.refunds.refund_rows import refunds_of
from domain.reports import sale_days, sales_lines
from domain.reports.sale_days import DIMENSIONS, SaleFigures, SaleKey
from domain.visits.raw.local_days import DayRules
from tests.domain.orders import taxed
from tests.domain.reports import selling_days
from tests.domain.reports.selling_days import DAYS, FIRST, at_day

pytestmark = pytest.mark.each_database
RULES = DayRules()
ALL = Period()
AMOUNTS = SaleFigures._fields[1:]


@pytest.fixture
def week(session):
    return selling_days.fill(session)


def computed(session, day: date, rules: DayRules = RULES) -> dict[SaleKey, SaleFigures]:
    return dict(sale_days.compute(session, day, rules))


def totals(session) -> dict[tuple[date, str], SaleFigures]:
    """(day, currency) -> its figures."""
    return {
        (day, key.currency): figures
        for day in DAYS
        for key, figures in computed(session, day).items()
        if key.dimension == "all"
    }


def exported(session, period: Period = ALL) -> list[tuple[str, str, date, str, int, int]]:
    """Each document line: its document, the one that it corrects, the day of issue, currency, net and tax."""
    rows = []
    assert export(session, "documents", period, rows.append).is_right
    lines = (dict(zip(rows[0], row, strict=True)) for row in rows[1:])
    return [
        (
            line["document"],
            line["corrects"],
            date.fromisoformat(line["issued_on"]),
            line["currency"],
            *(to_minor(line[name], currency(line["currency"])) for name in ("net", "tax")),
        )
        for line in lines
    ]


def test_the_days_are_what_the_books_export_to_the_cent(session, week):
    """Money of a credit note counts on the day of its invoice as refunded, and on its own as returned."""
    invoiced = {number: day for number, corrects, day, *_ in exported(session) if not corrects}
    paid, tax, refunded, returned = Counter(), Counter(), Counter(), Counter()
    for number, corrects, day, code, net_minor, tax_minor in exported(session):
        if corrects:
            refunded[invoiced[corrects], code] -= net_minor
            returned[day, code] -= net_minor
        else:
            paid[invoiced[number], code] += net_minor
            tax[invoiced[number], code] += tax_minor
    found = totals(session)
    for key, figures in found.items():
        assert figures.net_minor == paid[key] - refunded[key]
        assert figures.tax_minor == tax[key]
        assert figures.refunded_minor == refunded[key]
        assert figures.returned_minor == returned[key]
        assert figures.gross_minor - figures.discount_minor == paid[key] + tax[key]
    assert {*paid, *refunded, *returned} <= found.keys()


def test_a_day_of_returns_is_what_the_books_export_of_that_day(session, week):
    for day in DAYS:
        credited = Counter()
        for _, corrects, _, code, net_minor, _ in exported(session, Period(day, day)):
            credited[code] -= net_minor if corrects else 0
        assert {code: figures.returned_minor for (of, code), figures in totals(session).items() if of == day} == {
            code: credited[code] for of, code in totals(session) if of == day
        }


def test_each_day_has_its_exact_figures(session, week):
    assert totals(session) == {
        (DAYS[0], "JPY"): SaleFigures(1, 1, 1, 96, 0, 6, 0, 90, 0),
        (DAYS[0], "USD"): SaleFigures(2, 4, 5, 14082, 4400, 1092, 3000, 5590, 0),
        (DAYS[1], "USD"): SaleFigures(3, 4, 6, 26372, 2600, 1872, 3160, 18740, 0),
        (DAYS[2], "USD"): SaleFigures(2, 2, 2, 9520, 0, 1520, 4000, 4000, 5500),
        (DAYS[3], "USD"): SaleFigures(1, 1, 1, 4760, 0, 760, 0, 4000, 1500),
        (DAYS[4], "USD"): SaleFigures(0, 0, 0, 0, 0, 0, 0, 0, 4000),
        (DAYS[5], "USD"): SaleFigures(0, 0, 0, 0, 0, 0, 0, 0, -840),
    }


def test_every_dimension_sums_to_the_day(session, week):
    for day in DAYS:
        sums = Counter()
        for key, figures in computed(session, day).items():
            for name in AMOUNTS:
                sums[key.dimension, key.currency, name] += getattr(figures, name)
        for (_, code, name), value in sums.items():
            assert {sums[dimension, code, name] for dimension in DIMENSIONS} == {value}


def test_lines_count_under_what_they_were_lowered_by_and_are_of(session, week):
    orders = {
        (key.dimension, key.key): (figures.orders, figures.units, figures.discount_minor)
        for key, figures in computed(session, FIRST).items()
        if key.currency == "USD"
    }
    of_product = {name: value for (dimension, name), value in orders.items() if dimension == "product"}
    assert of_product == {str(week.course): (2, 2, 4400), str(week.book): (1, 3, 0), "(delivery)": (1, 0, 0)}
    assert {name: value for (dimension, name), value in orders.items() if dimension == "line_code"} == {
        "spring10": (1, 1, 400),
        "all": (1, 1, 4000),
        "(none)": (1, 3, 0),
    }
    assert orders["kind", "delivery"] == (1, 0, 0)
    assert orders["student", week.number] == (1, 4, 400)
    second = {key.key: figures for key, figures in computed(session, DAYS[1]).items() if key.dimension == "cart_code"}
    assert (second["autumn"].orders, second["autumn"].discount_minor, second["(none)"].orders) == (1, 2600, 2)
    kinds = {key.key for key in computed(session, DAYS[1]) if key.dimension in ("kind", "product", "category")}
    assert {"seats", "(seats)", "product"} <= kinds


def test_a_refund_counts_once_the_gateway_has_accepted_it_and_goes_on_to_count(session, week):
    before, refund = totals(session)[DAYS[2], "USD"].refunded_minor, refunds_of(session, week.waiting.id)[-1]
    (waiting,) = [line for line in sales_lines.lines(session, at_day(3), at_day(4)) if line.order_id == week.waiting.id]
    assert (waiting.refunded_net_minor, week.waiting.refunded_minor) == (0, 4760)
    taxed.tell(session, week.waiting, refund, "pending", at_day(5))
    assert totals(session)[DAYS[2], "USD"].refunded_minor == before + 4000
    taxed.tell(session, week.waiting, refund, "failed", at_day(6))
    assert totals(session)[DAYS[2], "USD"].refunded_minor == before + 4000
    assert totals(session)[DAYS[4], "USD"].returned_minor == 4000 + 4000


def test_another_zone_has_the_orders_of_its_days(session, week):
    """NOON is one in the morning of the next day there."""
    there = DayRules("Pacific/Auckland")
    assert computed(session, FIRST, there) == {}
    assert computed(session, DAYS[1], there) == computed(session, FIRST)
