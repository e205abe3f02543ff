"""Staff find an order, read it and save the list as a file."""

import re

import pytest
from playwright.async_api import FilePayload, expect

from tests.journeys.axe import check_page
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.identity import sign_in

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]


async def test_an_order_is_found_read_and_saved_with_the_list(visitor: Visitor) -> None:
    await sign_in(visitor, "admin", return_to="/admin/orders", area="admin")
    page = visitor.page
    rows = page.get_by_role("region", name="Rows of Orders").get_by_role("row")
    await expect(rows.nth(1)).to_be_visible()
    code = await rows.nth(1).get_by_role("link").inner_text()
    await page.get_by_label("Code, email, name, student or purchase order number").fill(code.lower())
    await page.get_by_role("button", name="Apply").click()
    await expect(page.get_by_text("1 row", exact=True)).to_be_visible()
    async with page.expect_download() as saving:
        await page.get_by_role("link", name="Download CSV").click()
    saved = await (await saving.value).path()
    assert code in saved.read_text("utf-8-sig")
    await rows.nth(1).get_by_role("link", name=code).click()
    await expect(page.get_by_role("heading", name=f"Order {code}")).to_be_visible()
    await expect(page.get_by_role("table", name="Timeline")).to_be_visible()


async def test_a_file_without_prices_and_categories_is_sent_checked_and_imported(visitor: Visitor) -> None:
    await sign_in(visitor, "admin", return_to="/admin/imports", area="admin")
    page = visitor.page
    rows = "id,heading,level,price\nj1,Journey ledgers,Second year,by request\nj2,,,\n"
    content: FilePayload = {"name": "export.csv", "mimeType": "text/csv", "buffer": rows.encode()}
    await page.get_by_label("CSV or JSON file").set_input_files(files=[content])
    await expect(page.get_by_text("Sent: export.csv")).to_be_visible()
    await expect(page.get_by_text("Not used, such as Journey ledgers")).to_be_visible()
    await page.get_by_label("heading").select_option("name")
    await expect(page.get_by_text("1 of the first 2 values does not fit: heading is empty")).to_be_visible()
    await page.get_by_label("price", exact=True).select_option("Leave it out")
    await page.get_by_label("“Second year” means").select_option("intermediate")
    await page.get_by_text("Values for rows that have none").click()
    for number, (field, value) in enumerate([("list_price", "49"), ("category", "Accounting")], start=1):
        await page.get_by_label(f"Field {number}", exact=True).select_option(field)
        await page.get_by_label(f"Value {number}", exact=True).fill(value)
    await page.get_by_role("button", name="Check the file").click()
    await expect(page.get_by_role("heading", name="Check of export.csv")).to_be_visible()
    async with page.expect_download() as saving:
        await page.get_by_role("link", name="Every row with its result, as CSV").click()
    path = await (await saving.value).path()
    rows_of_check = path.read_text("utf-8-sig")
    assert "2,New,Journey ledgers" in rows_of_check
    assert "3,Left out" in rows_of_check
    async with page.expect_download() as saving:
        await page.get_by_role("link", name="The rows that are left out, as in the file, with the reason").click()
    refused = (await (await saving.value).path()).read_text("utf-8-sig")
    assert refused.splitlines() == ["id,heading,level,price,reason", "j2,,,,heading is empty"]
    await page.get_by_role("button", name="Import 1 row").click()
    await expect(page.get_by_role("heading", name="Import of export.csv")).to_be_visible()
    await expect(page.get_by_text("1 of 1 rows")).to_be_visible()
    await page.get_by_role("link", name="All imports").click()
    imported = page.get_by_role("region", name="Rows of Imports so far").get_by_role("row").nth(1)
    await expect(imported).to_contain_text("export.csv")
    await expect(imported).to_contain_text("Done")
    facts = "SELECT list_price, level, categories.name FROM products JOIN categories ON categories.id = category_id"
    found = visitor.site.query(f"{facts} WHERE source_id = 'j1'")
    assert found == [(49_000, "intermediate", "Accounting & Reporting")]


async def test_a_written_page_is_changed_previewed_and_published(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor()
    await sign_in(visitor, "admin", return_to="/admin/content", area="admin")
    page = visitor.page
    await page.get_by_role("link", name="About Meridian Learning").click()
    text = page.get_by_role("textbox", name="Text")
    await text.fill(f"{await text.input_value()}\n\nWe also teach **on Sundays**.")
    await expect(page.get_by_role("region", name="Preview").get_by_text("on Sundays")).to_be_visible()
    await check_page(page)
    await page.get_by_role("button", name="Publish version 2").click()
    await expect(page.get_by_role("table", name="Versions").get_by_role("link", name="Version 2")).to_be_visible()
    await page.get_by_role("link", name="Version 1", exact=True).click()
    await expect(page.get_by_text("This is the text of version 1")).to_be_visible()
    await expect(text).not_to_have_value(re.compile("Sundays"))
    await page.get_by_role("link", name="View the page").click()
    await expect(page.get_by_text("We also teach on Sundays.")).to_be_visible()
