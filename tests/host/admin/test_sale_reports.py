"""Reports of money: the same rows on page, in the file and by the call, and every look at them is recorded."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from domain.reports.all_reports import SOURCES
from domain.reports.attribution.credit_builder import CreditDayBuilder
from domain.reports.sale_builder import SaleDayBuilder
from domain.reports.visit_reports.parameters import names_of
from domain.routes import match_route
from domain.tables import Order, Product, ReportAccess
from domain.visits.days.build import DayBuilder
from host.reports import links
from host.reports.calls import ReportParameters
from tests.domain.reports.report_worlds import coded, sell
from tests.domain.visits.days.worlds import add, visit
from tests.host.admin.test_staff import page
from tests.host.admin.test_visit_reports import MAY, call, file_rows, staff
from tests.host.signing import learner
from tests.support import factories

NOW = datetime.now(UTC)
YESTERDAY = (NOW - timedelta(days=1)).replace(hour=12, minute=0, second=0, microsecond=0)
DAY = YESTERDAY.date().isoformat()
ONE_DAY = f"from={DAY}&to={DAY}"
NAMES = ("products", "coupons", "students", "partners", "funnel", "cohorts")
NUMBER = "s-aaa2-kq7q"


def fill(site, currency: str = "USD") -> None:
    """Yesterday: a session that came by the links of a student and a partner, with a code, and bought a course."""
    with site.db.write_session() as session:
        course = session.scalars(select(Product).where(Product.kind == "course")).first()
        if course is None:
            course = factories.course(session, factories.category(session).id, name="=1+1")
        factories.coupon(session, "REPORTS10")
        factories.organisation(session, "acme", "=Acme")
        student, buyer = (factories.learner(session, name) for name in ("Student of links", "Buyer of reports"))
        student.student_number = NUMBER
        session.flush()
        values = {"student_number": NUMBER, "partner": "acme", "coupon_id": "REPORTS10", "learner_id": buyer.id}
        urls = ("/", f"/course-details?course={course.slug}", "/cart", "/checkout")
        add(
            session,
            *(
                visit(900 + place, YESTERDAY + timedelta(minutes=place), url, "s1", **values)
                for place, url in enumerate(urls)
            ),
        )
        line = coded("REPORTS10", 1_000, 9_000, product_id=course.id)
        sell(session, buyer.id, "R", YESTERDAY + timedelta(minutes=5), line, currency=currency)
    DayBuilder(site.db, site.settings.day_rules, lambda: NOW).build_due()
    SaleDayBuilder(site.db, site.settings.day_rules, lambda: NOW).build_due()
    CreditDayBuilder(site.db, site.settings.day_rules, lambda: NOW, site.settings.attribution).build_due()


@pytest.mark.parametrize("name", NAMES)
async def test_page_file_and_call_have_the_same_rows(own_site, name):
    fill(own_site)
    person = staff(own_site)
    path = f"/admin/reports/{name}?{ONE_DAY}"
    status, answer = await call(person, name, ONE_DAY)
    _, props = await page(person, path)
    heading, *rows = await file_rows(person, path)
    assert (status, answer["report"], props["empty"]) == (200, name, "")
    assert len(answer["rows"]) == len(rows) == len(props["table"]["rows"]) > 0
    shown = [row[0]["text"] for row in props["table"]["rows"]]
    assert [row["label"] for row in answer["rows"]] == shown
    # A spreadsheet must not take a name for a formula.
    assert [row[0].removeprefix("'") for row in rows] == shown
    assert not any(row[0].startswith("=") for row in rows)
    assert heading[0] == props["table"]["columns"][0]["label"]
    for figure in props["figures"]:
        assert all((figure["meaning"], figure["example"])), figure["key"]
    assert NUMBER not in (str(answer) + str(props)).casefold()
    with own_site.db.read_session() as session:
        looks = session.scalars(select(ReportAccess.action).where(ReportAccess.learner_id == person.id)).all()
    assert looks == ["view", "view", "csv"]


@pytest.mark.parametrize("name", NAMES)
async def test_who_may_not_read_reports_gets_none(own_site, name):
    for role in ("editor", "support"):
        assert role not in MAY
        assert (await call(staff(own_site, role), name))[0] == 403
        assert (await page(staff(own_site, role), f"/admin/reports/{name}"))[0] == 403
    assert (await call(learner(own_site), name))[0] == 403
    assert (await own_site.get(f"/api/admin/reports/{name}")).status == 401


# Report, query, and what is refused by its name.
REFUSED = [
    ("products", "audience=people", "audience"),
    ("products", "currency=dollars", "currency"),
    ("products", "f=line_code:x", "f"),
    ("students", f"f=student:{NUMBER}", "f"),
    ("cohorts", "compare=year", "compare"),
    ("cohorts", "by=day", "by"),
    ("funnel", "of=device:robot", "of"),
    ("funnel", "currency=USD", "currency"),
    ("sources", "currency=USD", "currency"),
    ("overview", "of=all", "of"),
]


@pytest.mark.parametrize(("name", "query", "refused"), REFUSED)
async def test_a_call_refuses_what_the_report_does_not_have(own_site, name, query, refused):
    status, answer = await call(staff(own_site), name, query)
    assert (status, list(answer["errors"])) == (422, [refused])


async def test_an_amount_is_minor_units_by_the_call_and_major_ones_in_the_file(own_site):
    fill(own_site)
    person = staff(own_site)
    _, answer = await call(person, "coupons", ONE_DAY)
    heading, row = await file_rows(person, f"/admin/reports/coupons?{ONE_DAY}")
    assert (answer["currency"], answer["rows"][0]["figures"]["net"]) == ("USD", 9_000)
    assert dict(zip(heading, row, strict=True))["Net (USD)"] == "90.00"
    assert dict(zip(heading, row, strict=True))["Discount (USD)"] == "10.00"


async def test_amounts_in_another_currency_are_written_in_it(own_site):
    """A shop sold in yen before: nothing is shown with the sign of its currency of today."""
    fill(own_site, "JPY")
    person = staff(own_site)
    _, props = await page(person, f"/admin/reports/products?{ONE_DAY}")
    heading, row = await file_rows(person, f"/admin/reports/products?{ONE_DAY}")
    net = next(place for place, column in enumerate(props["table"]["columns"]) if column["key"] == "net")
    assert (props["figures"][0]["value"], props["table"]["rows"][0][net]) == (
        "¥9,000",
        {"kind": "text", "text": "¥9,000"},
    )
    assert dict(zip(heading, row, strict=True))["Net (JPY)"] == "9000"
    assert (props["chart"]["unit"], props["chart"]["unitLabel"]) == ("count", "JPY")
    assert [value for value in props["chart"]["series"][0]["values"] if value] == [9_000.0]


async def test_a_currency_can_be_chosen_where_there_are_several(own_site):
    fill(own_site)
    person = staff(own_site)
    _, one = await page(person, f"/admin/reports/products?{ONE_DAY}")
    with own_site.db.write_session() as session:
        sell(session, session.scalars(select(Order.learner_id)).first(), "Y", YESTERDAY, currency="JPY", changed_at=NOW)
    SaleDayBuilder(own_site.db, own_site.settings.day_rules, lambda: NOW).build_due()
    _, several = await page(person, f"/admin/reports/products?{ONE_DAY}&currency=JPY")
    fields = [[field["name"] for field in props["form"]["fields"]] for props in (one, several)]
    assert fields == [["compare", "sort"], ["compare", "currency", "sort"]]
    assert several["figures"][0]["value"] == "¥10,000"
    assert any("currency=JPY" in link["href"] for link in several["presets"])


async def test_without_any_sale_each_report_says_so(own_site):
    person = staff(own_site)
    for name in NAMES:
        _, props = await page(person, f"/admin/reports/{name}")
        assert props["empty"], name
        assert (props["figures"], props["csvHref"], props["table"]["rows"]) == ([], None, []), name


async def test_reports_are_listed_by_what_they_are_about(own_site):
    _, props = await page(staff(own_site), f"/admin/reports/products?{ONE_DAY}")
    groups = {group["title"]: {link["text"]: link for link in group["links"]} for group in props["reports"]}
    assert {"Overview", "Funnel", "Now"} <= groups["Visits"].keys()
    assert list(groups["Sales"]) == [
        "Products",
        "Coupons",
        "Offer trials",
        "Students",
        "Partners",
        "Cohorts",
        "Attribution",
    ]
    assert groups["Sales"]["Coupons"]["href"] == f"/admin/reports/coupons?{ONE_DAY}"
    assert [link["isCurrent"] for link in groups["Sales"].values()] == [True, *[False] * 6]


def test_pages_and_the_call_know_the_parameters_of_every_report():
    called = {field.alias or name for name, field in ReportParameters.model_fields.items()}
    for report, *_ in SOURCES.values():
        route = match_route(links.path_of(report))
        assert set(names_of(report)) <= set(route.page.query) & called, report.name
