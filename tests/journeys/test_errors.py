"""An exception in the browser: the visitor keeps a page with a way on, the host's log gets one line."""

import re

import pytest
from playwright.async_api import Route, expect

from tests.journeys.conftest import Visitor
from tests.support.waiting import until

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]


def lines_of(visitor: Visitor, request_id: str) -> list[str]:
    return [line for line in visitor.site.lines if "browser error" in line and f"request {request_id})" in line]


async def test_a_page_that_throws_leaves_navigation_a_reference_and_one_line_in_the_log(visitor: Visitor) -> None:
    async def break_props(route: Route) -> None:
        answer = await route.fetch()
        await route.fulfill(response=answer, json={**await answer.json(), "props": {}})

    visitor.expect("undefined|null")
    page = visitor.page
    await visitor.open("/contact")
    await page.route("**/data/about", break_props)
    async with page.expect_response("**/data/about") as loaded:
        await page.locator("header").get_by_role("link", name="About").click()
    request_id = (await (await loaded.value).all_headers())["x-request-id"]
    alert = page.get_by_role("alert").filter(has_text="Something went wrong on this page")
    await expect(alert).to_contain_text(f"Reference: {request_id}")
    await expect(page).to_have_title(re.compile("^About "))
    await until(lambda: len(lines_of(visitor, request_id)) == 1)
    (line,) = lines_of(visitor, request_id)
    assert "page about, build " in line
    assert "c/" in line.partition(" at ")[2]
    await page.locator("header").get_by_role("link", name="Contact").click()
    await expect(page.get_by_label("Message")).to_be_visible()
    await page.go_back()
    await page.unroute_all()
    await page.get_by_role("button", name="Try again").click()
    await expect(page.get_by_role("heading", level=1)).to_contain_text("About")
    assert len(lines_of(visitor, request_id)) == 1


async def test_errors_that_nothing_catches_are_logged_with_the_request_of_the_document(visitor: Visitor) -> None:
    visitor.expect("ada@example.test")
    page = visitor.page
    document = await page.goto("/about")
    assert document is not None
    request_id = document.headers["x-request-id"]
    await visitor.hydrated()
    await page.evaluate("() => { setTimeout(() => { throw new Error('no place for ada@example.test') }) }")
    await page.evaluate("() => { Promise.reject(new Error('refused for ada@example.test')) }")
    await until(lambda: len(lines_of(visitor, request_id)) == 2)
    assert sorted(
        line.partition("browser error: ")[2].partition(" (")[0] for line in lines_of(visitor, request_id)
    ) == [
        "Error: no place for {email}",
        "Error: refused for {email}",
    ]
