"""Reports of a shop whose days are still being computed: none of them says that there is nothing."""

from datetime import timedelta

import pytest

from domain.reports.all_reports import SOURCES
from domain.reports.attribution.credit_builder import CreditDayBuilder
from domain.reports.sale_builder import SaleDayBuilder
from domain.reports.visit_reports.wording import NO_VALUE
from domain.tables import CreditRollup, SaleRollup, VisitRollup
from domain.visits.days import due
from domain.visits.days.build import DayBuilder
from domain.visits.days.due import Changes
from host.reports.refusals import BEING_COMPUTED
from tests.domain.reports.report_worlds import sell
from tests.domain.visits.days.worlds import add, visit
from tests.host.admin.test_staff import page
from tests.host.admin.test_visit_reports import NOW, call, staff
from tests.host.test_area_matrix import sent_by
from tests.support import factories

ONE_DAY = timedelta(days=1)
DAYS = [NOW - number * ONE_DAY for number in (3, 2, 1)]
# Reports with a period: the state of pages now needs none.
NAMES = [name for name, source in SOURCES.items() if source.report.has_period]
PERIOD = f"from={DAYS[0].date()}&to={NOW.date()}"


def builders(site, at=NOW) -> dict:
    rules = site.settings.day_rules
    return {
        VisitRollup: DayBuilder(site.db, rules, lambda: at),
        SaleRollup: SaleDayBuilder(site.db, rules, lambda: at),
        CreditRollup: CreditDayBuilder(site.db, rules, lambda: at, site.settings.attribution),
    }


def fill(site) -> None:
    """A visit and an order on each of three days; nothing is computed, also of today."""
    with site.db.write_session() as session:
        buyer = factories.learner(session, "Buyer of a new shop").id
        for number, day in enumerate(DAYS):
            add(session, visit(500 + number, day - timedelta(minutes=9), "/", f"s{number}", learner_id=buyer))
            sell(session, buyer, f"NEW{number}", day)


def path_of(name: str) -> str:
    return "/admin/visits" if name == "overview" else f"/admin/reports/{name}"


@pytest.fixture
def new_shop(bare_site):
    fill(bare_site)
    return bare_site


async def test_no_report_says_that_there_is_nothing_before_its_days_are_computed(new_shop):
    person = staff(new_shop)
    for name in NAMES:
        status, props = await page(person, f"{path_of(name)}?{PERIOD}")
        assert (status, props["progress"]["title"]) == (200, "Being computed: 0 of 4 days"), name
        assert (props["progress"]["isBlank"], props["figures"], props["csvHref"]) == (True, [], None), name
        status, answer = await call(person, name, PERIOD)
        assert (status, answer["code"], answer["progress"]["computed"]) == (503, BEING_COMPUTED, 0), name
        answer = await new_shop.get(f"/csv{path_of(name)}?{PERIOD}", **sent_by(person))
        assert (answer.status, answer.headers["Retry-After"]) == (503, "60"), name


async def test_a_report_of_some_computed_days_says_which_are_missing_and_has_no_zeros_for_them(new_shop):
    first, *_ = DAYS
    found = builders(new_shop)
    with new_shop.db.write_session() as session:
        due.note_changes(session, Changes([], [day.date() for day in DAYS], []), NOW)
    found[VisitRollup].build(first.date())
    status, answer = await call(staff(new_shop), "sources", f"{PERIOD}&compare=none")
    assert status == 200
    waiting = [str(day.date()) for day in DAYS[1:]]
    assert answer["progress"] == {"computed": 1, "days": 3, "waiting": waiting}
    assert [point["figures"] and point["figures"]["visits"] for point in answer["series"]] == [1, None, None, 0]
    _, props = await page(staff(new_shop), f"/admin/reports/sources?{PERIOD}")
    assert (props["progress"]["title"], props["progress"]["isBlank"]) == ("Being computed: 1 of 3 days", False)


async def test_attribution_waits_for_the_visits_that_led_to_its_orders(new_shop):
    """Credits of orders are computed before days of visits, and know no origin yet."""
    person, found = staff(new_shop), builders(new_shop)
    found[CreditRollup].build_due()
    status, before = await call(person, "attribution", PERIOD)
    assert (status, before["code"]) == (503, BEING_COMPUTED)
    found[VisitRollup].build_due()
    later = builders(new_shop, NOW + timedelta(seconds=30))
    for builder in later.values():
        builder.build_due()
    _, after = await call(person, "attribution", PERIOD)
    assert ([row["key"] for row in after["rows"]], after["progress"]) == (["direct"], None)


async def test_what_is_nothing_while_days_are_computed_is_shown_as_not_known_yet(new_shop):
    """One of three days is computed: its only session came directly, and nothing of the orders is measured."""
    person, (first, *_) = staff(new_shop), DAYS
    found = builders(new_shop)
    found[CreditRollup].build_due()
    with new_shop.db.write_session() as session:
        due.note_changes(session, Changes([], [day.date() for day in DAYS], []), NOW)
    found[VisitRollup].build(first.date())
    _, answer = await call(person, "attribution", PERIOD)
    totals, (row,) = answer["totals"], answer["rows"]
    assert totals["net"] > 0
    assert [totals[name] for name in ("measured", "first", "last", "linear", "decay", "position")] == [None] * 6
    assert (row["key"], row["figures"]["last"]) == ("(not measured)", totals["net"])
    _, props = await page(person, f"/admin/reports/attribution?{PERIOD}")
    shown = {figure["key"]: figure["value"] for figure in props["figures"]}
    assert (shown["measured"], shown["last"], shown["net"]) == (NO_VALUE, NO_VALUE, props["figures"][0]["value"])
    _, answer = await call(person, "sources", PERIOD)
    assert (answer["totals"]["sessions"], answer["totals"]["carts"]) == (1, None)
    assert [row["figures"]["carts"] for row in answer["rows"]] == [None]
    _, answer = await call(person, "sources", f"{PERIOD}&f=channel:direct&by=day")
    assert [row["figures"]["carts"] for row in answer["rows"] if row["figures"]["sessions"]] == [0]


async def test_a_shop_without_visits_and_orders_waits_for_nothing(bare_site):
    for name in NAMES:
        status, props = await page(staff(bare_site), f"{path_of(name)}?{PERIOD}")
        assert (status, "progress" in props, props["empty"] != "") == (200, False, True), name
