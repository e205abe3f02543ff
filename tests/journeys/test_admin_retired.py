"""An editor accepts what is proposed for the page of a retired course, and leaves it to the rule again."""

import pytest
from playwright.async_api import expect

from tests.journeys.axe import check_page
from tests.journeys.conftest import NewVisitor
from tests.journeys.identity import sign_in

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]


async def test_a_proposal_is_accepted_and_taken_back(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor()
    await sign_in(visitor, "admin", return_to="/admin/retired?kind=course", area="admin")
    page = visitor.page
    await page.get_by_role("link", name="Distance Selling VAT").click()
    await expect(page.get_by_role("heading", name="Proposal: landing page")).to_be_visible()
    await expect(page.get_by_text("By the rule", exact=True)).to_be_visible()
    await check_page(page)
    await page.get_by_role("button", name="Accept: keep the page").click()
    question = page.get_by_role("dialog")
    await expect(question.get_by_text("however few people visit it")).to_be_visible()
    await question.get_by_role("button", name="Accept: keep the page").click()
    await expect(page.get_by_text("By hand: landing page", exact=True)).to_be_visible()
    await expect(page.get_by_text("It is decided so.")).to_be_visible()
    await page.get_by_role("button", name="Leave it to the rule").click()
    await page.get_by_role("dialog").get_by_role("button", name="Leave it to the rule").click()
    await expect(page.get_by_text("By the rule", exact=True)).to_be_visible()
    await expect(page.get_by_role("heading", name="Accept the proposal")).to_be_visible()
