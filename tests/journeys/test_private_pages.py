"""Pages of signed-in people in a real browser: two tabs, and no scripts."""

import pytest
from playwright.async_api import expect

from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.identity import sign_in

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

# The seeded learner ada owns this course.
OWNED = "/course-details?course=sql-for-spreadsheet-people"


async def test_a_sign_out_in_one_tab_deletes_the_private_page_in_the_other(visitor: Visitor) -> None:
    await sign_in(visitor, "ada", return_to="/profile")
    page = visitor.page
    await expect(page.get_by_role("heading", name="Your profile")).to_be_visible()
    # The sections have their data: a call under way would be refused.
    await visitor.settled()
    other = Visitor(visitor.site, visitor.context, await visitor.context.new_page(), has_script=True)
    await other.open("/logout")
    await other.settled()
    await visitor.settled()
    await other.page.get_by_role("button", name="Sign out").click()
    await expect(page.get_by_role("heading", name="Please sign in")).to_be_visible()
    assert "ada@example.test" not in await page.content()
    await other.page.close()


async def test_a_learner_is_not_offered_a_course_of_theirs(visitor: Visitor) -> None:
    await sign_in(visitor, "ada", return_to="/profile")
    await visitor.open(OWNED)
    await expect(visitor.page.locator(".add--wide").first).to_contain_text("Go to course")


async def test_without_scripts_the_profile_shows_its_content(visitor: Visitor, new_visitor: NewVisitor) -> None:
    await sign_in(visitor, "ada", return_to="/profile")
    still = await new_visitor(java_script_enabled=False)
    await still.context.add_cookies(await visitor.context.cookies())
    await still.page.goto("/profile")
    await expect(still.page.get_by_text("ada@example.test")).to_be_visible()
    await expect(still.page.get_by_text("Loading your page")).to_be_hidden()


@pytest.mark.parametrize("width", [390, pytest.param(1280, marks=pytest.mark.soak)])
async def test_without_scripts_the_header_leads_to_the_account_or_to_the_sign_in(
    visitor: Visitor, new_visitor: NewVisitor, width: int
) -> None:
    still = await new_visitor(width, java_script_enabled=False)
    header = still.page.get_by_role("banner")
    sign_in_link = header.get_by_role("link", name="Sign in")
    account = header.get_by_role("link", name="Account", exact=True)
    menu = header.get_by_role("button", name="Menu")
    await still.page.goto("/cart")
    if width < 768:
        await menu.click()
    await expect(sign_in_link).to_be_visible()
    await expect(account).to_have_count(0)
    await sign_in(visitor, "ada", return_to="/profile")
    await still.context.add_cookies(await visitor.context.cookies())
    await still.page.goto("/user-dashboard")
    if width < 768:
        await menu.click()
    await expect(account).to_be_visible()
    await expect(sign_in_link).to_have_count(0)
    await account.click()
    await expect(still.page.get_by_role("heading", name="Your profile")).to_be_visible()
