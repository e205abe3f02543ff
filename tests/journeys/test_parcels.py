"""Goods of a paid order: support packs them from the list, and the buyer reads with whom they are on their way."""

import pytest
from playwright.async_api import expect

from tests.journeys import orders
from tests.journeys.axe import check_page
from tests.journeys.conftest import NewVisitor
from tests.journeys.identity import sign_in

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]


async def test_a_parcel_is_packed_from_the_list_and_its_buyer_reads_the_number(new_visitor: NewVisitor) -> None:
    staff, buyer = await new_visitor(390), await new_visitor()
    learner_id, token = orders.new_learner(staff.site, "petra")
    with orders.writing(staff.site) as session:
        order = orders.place(session, learner_id, "meridian-canvas-tote", "language-practice-card-deck")
        orders.pay(session, order)
        code = order.code
    await sign_in(staff, "support", return_to="/admin", area="admin")
    page = staff.page
    await page.get_by_role("link", name="order to pack").or_(page.get_by_role("link", name="orders to pack")).click()
    await expect(page.get_by_role("link", name=code).first).to_be_visible()
    await staff.settled()
    await check_page(page)
    await page.get_by_role("link", name=code).first.click()
    await page.get_by_label("Units of Language Practice Card Deck").first.fill("0")
    await page.get_by_label("Carrier").fill("Post")
    await page.get_by_label("Number of the parcel").fill("RR 12")
    await page.get_by_role("button", name="Mark as sent").click()
    await expect(page.get_by_role("table", name="Lines")).to_contain_text("Sent with Post, RR 12")
    await expect(page.get_by_text("Language Practice Card Deck. The buyer gets a mail")).to_be_visible()
    await staff.settled()
    await check_page(page)
    await orders.sign_in(buyer, token)
    await buyer.open(f"/order/{code}")
    await expect(buyer.page.get_by_text(" with Post, number RR 12.")).to_be_visible()
    await expect(buyer.page.get_by_text("Not sent yet. We email you when it is on its way.")).to_be_visible()
