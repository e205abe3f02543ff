"""The contact form with script: errors at the fields, focus where it is needed, nothing typed is ever lost."""

import contextlib
from collections.abc import AsyncIterator
from uuid import uuid4

import pytest
from playwright.async_api import Page, Route, expect

from tests.journeys.conftest import Visitor

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

MESSAGE = {"Name": "Grace", "Email": "grace@example.test", "Subject": "A question", "Message": "When does it begin?"}
REFUSALS = {503: "nothing you typed is lost", 429: "your text is kept"}


async def fill(page: Page, values: dict[str, str]) -> None:
    for label, value in values.items():
        await page.get_by_label(label).fill(value)


async def send(page: Page) -> None:
    await page.get_by_role("button", name="Send message").click()


@contextlib.asynccontextmanager
async def refused(page: Page, status: int) -> AsyncIterator[None]:
    async def refuse(route: Route) -> None:
        problem = {"title": "no", "status": status}
        await route.fulfill(status=status, content_type="application/problem+json", json=problem)

    await page.route("**/api/contact", refuse)
    yield
    await page.unroute("**/api/contact", refuse)


async def test_invalid_fields_are_named_and_the_first_is_focused(visitor: Visitor) -> None:
    page = visitor.page
    await visitor.open("/contact")
    await fill(page, MESSAGE | {"Email": "grace", "Message": "short"})
    await send(page)
    await expect(page.get_by_label("Email")).to_be_focused()
    await expect(page.get_by_label("Email")).to_have_attribute("aria-invalid", "true")
    await expect(page.get_by_label("Email")).to_have_accessible_description(
        "Enter an email address in the form name@example.com."
    )
    await expect(page.get_by_label("Name")).not_to_have_attribute("aria-invalid", "true")
    await expect(page.get_by_label("Message")).to_have_value("short")


async def test_a_refused_message_stays_in_the_form_and_is_sent_without_leaving_the_page(visitor: Visitor) -> None:
    visitor.expect(r"(Failed to load resource: .*(429|503)|status (429|503)).*/api/contact")
    page = visitor.page
    await visitor.open("/contact")
    visitor.clear_requests()
    # The site is shared: the message in its records must be this journey's own.
    address = f"grace-{uuid4().hex}@example.test"
    await fill(page, MESSAGE | {"Email": address})
    for status, text in REFUSALS.items():
        async with refused(page, status):
            await send(page)
            await expect(page.get_by_role("alert")).to_contain_text(text)
        await expect(page.get_by_label("Message")).to_have_value(MESSAGE["Message"])
    await send(page)
    await expect(page.get_by_role("status")).to_contain_text("Thank you")
    await expect(page.get_by_role("status")).to_be_focused()
    assert visitor.requested("document") == []
    rows = visitor.site.query("SELECT message FROM contact_messages WHERE email = ?", address)
    assert rows == [(MESSAGE["Message"],)]
    await page.get_by_role("button", name="Write another message").click()
    await expect(page.get_by_label("Message")).to_have_value("")
