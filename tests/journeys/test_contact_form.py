"""The contact form with script: words at the fields, focus where it is needed, nothing typed is ever lost."""

from uuid import uuid4

import pytest
from playwright.async_api import Page, Route, expect

from tests.journeys.conftest import Visitor

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

MESSAGE = {"Name": "Grace", "E-mail": "grace@example.test", "Subject": "A question", "Message": "When does it begin?"}


async def fill(page: Page, values: dict[str, str]) -> None:
    for label, value in values.items():
        await page.get_by_label(label).fill(value)


async def send(page: Page) -> None:
    await page.get_by_role("button", name="Send message").click()


async def test_wrong_fields_are_named_and_the_first_is_focused(visitor: Visitor) -> None:
    page = visitor.page
    await visitor.open("/contact")
    await fill(page, MESSAGE | {"E-mail": "grace", "Message": "short"})
    await send(page)
    await expect(page.get_by_label("E-mail")).to_be_focused()
    await expect(page.get_by_label("E-mail")).to_have_attribute("aria-invalid", "true")
    await expect(page.get_by_label("E-mail")).to_have_accessible_description(
        "Enter an e-mail address in the form name@example.com."
    )
    await expect(page.get_by_label("Name")).not_to_have_attribute("aria-invalid", "true")
    await expect(page.get_by_label("Message")).to_have_value("short")


async def test_a_message_is_sent_without_leaving_the_page(visitor: Visitor) -> None:
    page = visitor.page
    await visitor.open("/contact")
    visitor.forget()
    # The site is shared: what is looked for in its records must be this journey's own.
    address = f"grace-{uuid4().hex}@example.test"
    await fill(page, MESSAGE | {"E-mail": address})
    await send(page)
    await expect(page.get_by_role("status")).to_contain_text("Thank you")
    await expect(page.get_by_role("status")).to_be_focused()
    assert visitor.asked("document") == []
    found = visitor.site.query("SELECT message FROM contact_messages WHERE email = ?", address)
    assert found == [(MESSAGE["Message"],)]
    await page.get_by_role("button", name="Write another message").click()
    await expect(page.get_by_label("Message")).to_have_value("")


@pytest.mark.parametrize(("status", "words"), [(503, "nothing you typed is lost"), (429, "your text is kept")])
async def test_a_refused_message_stays_in_the_form(visitor: Visitor, status: int, words: str) -> None:
    visitor.expect(rf"(Failed to load resource: .*{status}|status {status}).*/api/contact")

    async def refuse(route: Route) -> None:
        await route.fulfill(
            status=status, content_type="application/problem+json", json={"title": "no", "status": status}
        )

    page = visitor.page
    await visitor.open("/contact")
    await page.route("**/api/contact", refuse)
    await fill(page, MESSAGE | {"E-mail": f"refused{status}@example.test"})
    await send(page)
    await expect(page.get_by_role("alert")).to_contain_text(words)
    await expect(page.get_by_label("Message")).to_have_value(MESSAGE["Message"])
    await page.unroute("**/api/contact", refuse)
    await send(page)
    await expect(page.get_by_role("status")).to_contain_text("Thank you")
