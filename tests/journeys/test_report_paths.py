"""From a report to what it is made of and back, and from what happens in the shop to the report that says it."""

import re

import pytest
from playwright.async_api import Browser, StorageState, expect

from tests.journeys import orders
from tests.journeys.carts import find_product, money
from tests.journeys.computed_days import compute_days
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.report_screens import follow_and_return, marketer, open_report
from tests.journeys.test_checkout import pay
from tests.support.waiting import until

__all__ = ["marketer"]
pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]


async def test_attribution_leads_to_the_path_of_an_order_and_back_to_where_it_was(
    new_visitor: NewVisitor, marketer: StorageState
) -> None:
    visitor = await open_report(new_visitor, marketer, "/admin/reports/attribution")
    page = visitor.page
    await page.get_by_role("link", name="12 months").click()
    year = page.get_by_role("navigation", name="Periods").get_by_role("link", name="12 months")
    await expect(year).to_have_attribute("aria-current", "page")
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
    path = page.get_by_role("heading", name=f"Path of order {code}", level=1)
    before, after = await follow_and_return(visitor, order, path)
    assert after == before
    report = page.url
    await order.click()
    await expect(path).to_be_visible()
    await page.get_by_role("main").get_by_role("link", name="Attribution").click()
    await expect(page).to_have_url(report)


async def test_back_from_a_page_of_the_shop_restores_what_was_open_and_how_far_a_report_was_scrolled(
    new_visitor: NewVisitor, marketer: StorageState
) -> None:
    visitor = await open_report(new_visitor, marketer, "/admin/reports/gaps?by=no_results")
    page = visitor.page
    for summary in (".chart__numbers > summary", ".report-columns > summary"):
        await page.locator(summary).click()
    link = page.locator("#rows tbody a[href^='/search']").last
    before, after = await follow_and_return(visitor, link, page.get_by_role("heading", level=1))
    assert before["scrolled"] > 300
    assert after == before


COURSE = "sql-for-spreadsheet-people"
# Nobody in the demo shop has this agent.
MISTRAL = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; MistralAI-User/1.0; +https://docs.mistral.ai/robots)"
# A browser without a window is counted as a program, which opens no link for a person.
CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36"
READ = "SELECT count(*) FROM visits WHERE agent = 'MistralAI-User' AND visitor_class = 'crawler'"


async def test_an_agent_that_read_a_page_and_made_a_cart_link_has_its_order_in_one_line(
    new_visitor: NewVisitor, browser: Browser, marketer: StorageState
) -> None:
    visitor = await new_visitor(user_agent=CHROME)
    site = visitor.site
    product = find_product(site, COURSE)
    program = await browser.new_context(base_url=f"http://localhost:{site.port}", user_agent=MISTRAL)
    for path in (product.href, "/products.jsonl"):
        assert (await program.request.get(path)).status == 200
    answer = await program.request.post("/api/cart/links", data={"lines": [{"id": product.id, "quantity": 1}]})
    assert answer.status == 200
    link = await answer.json()
    await program.close()
    await buy_by(visitor, link["url"])
    await until(lambda: site.query(READ) == [(2,)])
    await compute_days(site)
    report = await open_report(new_visitor, marketer, "/admin/reports/agents")
    line = report.page.get_by_role("table", name="Agent").get_by_role("row").filter(has_text="Le Chat")
    # After who it is and its last page: pages, feeds, sessions, links, opened ones, orders, and what they brought.
    cells = await line.get_by_role("cell").all_inner_texts()
    assert cells[2:] == ["1", "1", "0", "1", "1", "1", money(link["total"])]


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
