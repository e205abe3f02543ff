"""From what happened to the report that says it: an agent that sells, and the visits that led to an order."""

import re
from datetime import UTC, datetime

import pytest
from playwright.async_api import Browser, StorageState, expect

from domain.attribution.rules import AttributionRules
from domain.database.database import Database, database_url
from domain.reports.attribution.credit_builder import CreditDayBuilder
from domain.reports.sale_builder import SaleDayBuilder
from domain.visits.days.build import DayBuilder
from domain.visits.raw.local_days import DayRules
from tests.journeys import orders
from tests.journeys.carts import find_product
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.report_screens import back_restores, marketer, open_report
from tests.journeys.test_checkout import pay
from tests.support.site import Site
from tests.support.waiting import until

__all__ = ["marketer"]
pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

COURSE = "sql-for-spreadsheet-people"
# Nobody in the demo shop has this agent.
MISTRAL = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; MistralAI-User/1.0; +https://docs.mistral.ai/robots)"
READ = "SELECT count(*) FROM visits WHERE agent = 'MistralAI-User' AND visitor_class = 'crawler'"


def compute_days(site: Site) -> None:
    """What the background worker does each minute."""
    db, rules = Database(database_url(None, site.var_dir), busy_ms=30_000), DayRules()
    try:
        DayBuilder(db, rules, lambda: datetime.now(UTC)).build_due()
        SaleDayBuilder(db, rules, lambda: datetime.now(UTC)).build_due()
        CreditDayBuilder(db, rules, lambda: datetime.now(UTC), AttributionRules()).build_due()
    finally:
        db.engine.dispose()


async def test_an_agent_that_read_a_page_and_made_a_cart_link_has_its_order_in_one_line(
    new_visitor: NewVisitor, browser: Browser, marketer: StorageState
) -> None:
    visitor = await new_visitor()
    site = visitor.site
    product = find_product(site, COURSE)
    program = await browser.new_context(base_url=f"http://localhost:{site.port}", user_agent=MISTRAL)
    for path in (product.href, "/products.jsonl"):
        assert (await program.request.get(path)).status == 200
    made = await program.request.post("/api/cart/links", data={"lines": [{"id": product.id, "quantity": 1}]})
    link = await made.json()
    await program.close()
    await buy_by(visitor, link["url"])
    await until(lambda: site.query(READ) == [(2,)])
    compute_days(site)
    report = await open_report(new_visitor, marketer, "/admin/reports/agents")
    line = report.page.get_by_role("table", name="Agent").get_by_role("row").filter(has_text="Le Chat")
    # Agent, who it is, its last page, pages, feeds, sessions, links, opened ones, orders, what they brought.
    cells = await line.get_by_role("cell").all_inner_texts()
    assert cells[2:] == ["1", "1", "0", "1", "1", "1", f"${product.price / 100:,.2f}"]


async def buy_by(visitor: Visitor, url: str) -> None:
    """A person opens the link, chooses what it offers and pays."""
    page = visitor.page
    _, token = orders.new_learner(visitor.site, "agent-buyer")
    await orders.sign_in(visitor, token)
    await visitor.open(url)
    await page.get_by_role("button", name=re.compile("^Add to cart|^Add all")).first.click()
    await visitor.settled()
    await visitor.open("/checkout")
    await page.get_by_label("Country or region").select_option("DE")
    await page.get_by_label("Full name").fill("Ada Lovelace")
    await visitor.settled()
    await page.get_by_role("button", name=re.compile("^Pay")).click()
    await pay(visitor)


async def test_attribution_leads_to_the_path_of_an_order_and_back_to_where_it_was(
    new_visitor: NewVisitor, marketer: StorageState
) -> None:
    visitor = await open_report(new_visitor, marketer, "/admin/reports/attribution")
    page = visitor.page
    await page.get_by_role("link", name="12 months").click()
    await page.wait_for_url("**?from=*")
    await page.get_by_label("Model").select_option(label="Linear")
    await page.get_by_role("button", name="Show").click()
    await page.wait_for_url("**&model=linear*")
    await page.get_by_role("navigation", name="Rows by").get_by_role("link", name="Partner").click()
    await page.wait_for_url("**&by=partner*")
    await expect(page.get_by_role("table", name="Partner")).to_be_visible()
    await page.get_by_role("navigation", name="Rows by").get_by_role("link", name="Order", exact=True).click()
    await page.wait_for_url("**&by=order*")
    await expect(page.get_by_role("table", name="Order")).to_be_visible()
    await expect(page.get_by_label("Model")).to_have_value("linear")
    order = page.get_by_role("table", name="Order").get_by_role("rowheader").get_by_role("link").first
    code = (await order.inner_text()).split(",")[0]
    await back_restores(visitor, order, page.get_by_role("heading", name=f"Path of order {code}", level=1))
