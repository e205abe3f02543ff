import re, time
import pytest
from playwright.async_api import expect
from tests.journeys.identity import sign_in
pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]
OUT = open("/tmp/cm/j7steps.log", "w", buffering=1)
async def test_x(new_visitor):
    visitor = await new_visitor()
    page = visitor.page
    page.on("pageerror", lambda e: OUT.write(f"ERROR {page.url}\n{e.stack}\n"))
    page.on("framenavigated", lambda f: OUT.write(f"NAV {f.url}\n"))
    step = lambda t: OUT.write(f"{time.time()} STEP {t}\n")
    await sign_in(visitor, "admin", return_to="/admin/content", area="admin")
    step("list")
    await page.get_by_role("link", name="About Meridian Learning").click()
    text = page.get_by_role("textbox", name="Text")
    step("fill")
    await text.fill(f"{await text.input_value()}\n\nWe also teach **on Sundays**.")
    await expect(page.get_by_role("region", name="Preview").get_by_text("on Sundays")).to_be_visible()
    step("publish")
    await page.get_by_role("button", name="Publish version 2").click()
    await expect(page.get_by_role("table", name="Versions").get_by_role("link", name="Version 2")).to_be_visible()
    step("v1")
    await page.get_by_role("link", name="Version 1", exact=True).click()
    await expect(page.get_by_text("This is the text of version 1")).to_be_visible()
    await expect(text).not_to_have_value(re.compile("Sundays"))
    step("view")
    await page.get_by_role("link", name="View the page").click()
    await expect(page.get_by_text("We also teach on Sundays.")).to_be_visible()
    step("end")
