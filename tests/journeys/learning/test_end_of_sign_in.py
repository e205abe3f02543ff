"""Learning without a connection, at the end of the sign-in, and after it."""

import re

import pytest
from playwright.async_api import expect

from tests.journeys import axe
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.identity import sign_in
from tests.journeys.learning.learners import SQL, lesson_path, student

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]


async def test_without_a_connection_the_dashboard_says_as_of_when_it_is(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(390, bypass_csp=True)
    await student(visitor.site, "oda", SQL).sign_in(visitor)
    page = visitor.page
    visitor.expect("ERR_INTERNET_DISCONNECTED")
    await visitor.open("/user-dashboard")
    await visitor.settled()
    await axe.fonts_and_pictures_shown(page)
    await visitor.context.set_offline(True)
    await expect(
        page.get_by_text(re.compile(r"^You are offline\. This is how it was as of \d+:\d\d\s[AP]M\.$"))
    ).to_be_visible()
    await axe.check_page(page)
    await page.get_by_role("link", name=re.compile("^Start SQL")).click()
    await expect(page.get_by_text("This page was not loaded before")).to_be_visible()
    await expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("^(Welcome back|My learning)"))
    await visitor.context.set_offline(False)
    await page.get_by_role("link", name=re.compile("^Start SQL")).click()
    await expect(page.locator("#lesson-title")).to_be_visible()


async def test_a_lesson_says_when_the_sign_in_ends_and_stays_readable_after_it(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(390, bypass_csp=True)
    who = student(visitor.site, "ende", SQL)
    await who.sign_in(visitor)
    page, first = visitor.page, who.lessons()[0]
    await page.clock.install()
    await visitor.open(lesson_path(first.id))
    await expect(page.get_by_role("heading", level=1)).to_have_text(first.title)
    await visitor.settled()
    await page.clock.fast_forward("41:00")
    bar = page.locator(".session-end")
    await expect(bar).to_have_text(re.compile(r"^Signed in until \d+:\d\d\s[AP]M\. Stay signed in$"))
    link = bar.get_by_role("link", name="Stay signed in")
    await expect(link).to_have_attribute("href", re.compile(r"^/api/auth/start\?returnTo=%2Fuser-dashboard"))
    await axe.check_page(page)
    await page.clock.fast_forward("05:00")
    await expect(bar).to_have_text("Your sign-in has ended. Sign in again")
    await expect(page.get_by_role("heading", level=1)).to_have_text(first.title)
    await expect(page.get_by_role("link", name="Sign in to save")).to_be_visible()
    await axe.check_page(page)


async def test_a_sign_out_in_one_tab_clears_dashboard_and_lesson_in_the_others(visitor: Visitor) -> None:
    await sign_in(visitor, "ada", return_to="/user-dashboard")
    page = visitor.page
    await expect(page.get_by_role("heading", name=re.compile("^Welcome back"))).to_be_visible()
    await page.get_by_role("link", name=re.compile("^Continue SQL")).click()
    await expect(page.locator("#lesson-title")).to_be_visible()
    dashboard, leaving = [
        Visitor(visitor.site, visitor.context, await visitor.context.new_page(), has_script=True) for _ in range(2)
    ]
    await dashboard.open("/user-dashboard")
    await expect(dashboard.page.get_by_role("heading", name=re.compile("^Welcome back"))).to_be_visible()
    await leaving.open("/logout")
    for tab in (leaving, dashboard, visitor):
        await tab.settled()
    await leaving.page.get_by_role("button", name="Sign out").click()
    for tab in (dashboard, visitor):
        await expect(tab.page.get_by_role("heading", name="Please sign in")).to_be_visible()
        assert await tab.page.locator(".learning, .player").count() == 0
        assert "Spreadsheet" not in await tab.page.locator("main").inner_text()
    # What was shown before is not in the browser's memory either.
    await page.go_back()
    await expect(page).to_have_url(re.compile(r"/login\?returnTo=%2Fuser-dashboard$"))
    await expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    for tab in (dashboard, leaving):
        assert tab.unexpected == []
        await tab.page.close()
