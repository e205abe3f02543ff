"""Dashboard, course page and player at both widths, in both themes, for everyone."""

import re

import pytest
from playwright.async_api import expect

from tests.journeys import axe, carts
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.focus import tab_out_of
from tests.journeys.learning.learners import SQL, lesson_path, student
from tests.journeys.test_accessibility import SHIFTS

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

# Ada's certificates: without an end, with one, and one that is over.
CERTIFICATES = {
    "Delegation": "This certificate is valid",
    "Conflicts": "This certificate is valid",
    "Anti-Bribery": "This certificate has expired",
}


@pytest.mark.parametrize("form", ["once each", pytest.param("lists", marks=pytest.mark.soak)])
async def test_dashboard_course_and_player_are_for_everyone(new_visitor: NewVisitor, form: str) -> None:
    visitor = await new_visitor(bypass_csp=True)
    who = student(visitor.site, f"axa{len(form)}", SQL, "delegation-that-holds")
    await who.sign_in(visitor)
    text, video = who.lessons()[0], who.lessons(kind="video")[0]
    pages = {
        "/user-dashboard": re.compile("^(Welcome back|My learning)"),
        f"/user-dashboard?course={SQL}": re.compile("^SQL"),
        lesson_path(text.id): text.title,
        lesson_path(video.id): video.title,
    }
    lists = {
        "/user-dashboard?list=courses": "My courses",
        f"/user-dashboard?course={SQL}&q=table": re.compile("^SQL"),
    }
    for path, title in (lists if form == "lists" else pages).items():
        await visitor.open(path)
        await expect(visitor.page.get_by_role("heading", level=1)).to_have_text(title)
        await visitor.settled()
        await axe.check_page(visitor.page, is_dark=True)


@pytest.mark.soak
async def test_the_learners_of_the_demo_reach_every_view(new_visitor: NewVisitor) -> None:
    """Who tries the shop sees all of it with the accounts that it prints, without buying anything."""
    ada, member = await new_visitor(bypass_csp=True), await new_visitor(390)
    await carts.sign_in(ada, "ada")
    await ada.open("/user-dashboard")
    await expect(ada.page.get_by_role("link", name=re.compile("^Continue SQL"))).to_be_visible()
    await expect(ada.page.get_by_role("link", name=re.compile("^PDF to print, Delegation"))).to_be_visible()
    kinds = {text.split(" ")[0] for text in await outline_facts(ada)}
    assert kinds >= {"Reading", "Video", "Quiz", "File"}
    # A quiz that waits for its first answers, and certificates as strangers see them.
    await ada.page.locator(".outline").get_by_role("link", name=re.compile("Quiz")).last.click()
    await expect(ada.page.get_by_role("form", name="Quiz")).to_be_visible()
    for course, title in CERTIFICATES.items():
        await ada.open("/user-dashboard?list=certificates")
        await ada.page.get_by_role("link", name=re.compile(f"^View certificate, {course}")).click()
        await expect(ada.page.get_by_role("heading", level=1)).to_have_text(title)
    # That of the one that is over.
    await axe.check_page(ada.page)
    await ada.open("/user-dashboard")
    await expect(ada.page.get_by_text("Your access to Distance Selling VAT")).to_be_visible()
    await ada.open("/user-dashboard?course=distance-selling-one-stop-shop")
    await expect(ada.page.get_by_text("No longer sold", exact=True)).to_be_visible()
    await expect(ada.page.get_by_text("4 of 9 lessons done")).to_be_visible()
    await carts.sign_in(member, "member")
    views = {
        "gdpr-everyday-decisions": "6 of 15 lessons done",
        "distance-selling-one-stop-shop": "No longer sold, yours to keep",
        "statistics-for-decisions": "The median, not the mean",
    }
    for slug, text in views.items():
        await member.open(f"/user-dashboard?course={slug}")
        await expect(member.page.get_by_text(text).first).to_be_visible()
    new = await new_visitor(390)
    await carts.sign_in(new, "email-mfa")
    await new.open("/user-dashboard")
    await expect(new.page.get_by_role("heading", name="Find your first course")).to_be_visible()


async def outline_facts(visitor: Visitor) -> list[str]:
    """What every lesson is and how long it takes."""
    await visitor.open(f"/user-dashboard?course={SQL}")
    return await visitor.page.locator(".lesson-row__facts").all_inner_texts()


async def test_who_has_no_course_yet_is_shown_the_way_to_the_first(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(390, bypass_csp=True)
    await student(visitor.site, "nova").sign_in(visitor)
    await visitor.open("/user-dashboard")
    await expect(visitor.page.get_by_role("heading", name="Find your first course")).to_be_visible()
    await axe.check_page(visitor.page)
    await visitor.page.get_by_role("link", name="Find a course").click()
    await visitor.page.wait_for_url("**/shop")


async def test_on_a_phone_the_outline_opens_over_the_lesson_and_the_bar_stays_in_reach(
    new_visitor: NewVisitor,
) -> None:
    visitor = await new_visitor(390)
    who = student(visitor.site, "mona", SQL)
    await who.sign_in(visitor)
    page = visitor.page
    first, second = who.lessons()[:2]
    await visitor.open(lesson_path(first.id))
    await expect(page.get_by_role("heading", level=1)).to_have_text(first.title)
    bar = page.get_by_role("navigation", name="Lessons")
    await expect(bar).to_be_in_viewport()
    heights = await bar.get_by_role("link").evaluate_all("(links) => links.map((link) => link.offsetHeight)")
    assert min(heights) >= 44
    await page.get_by_role("button", name="Outline").click()
    outline = page.get_by_role("navigation", name="Course outline")
    await expect(outline).to_be_visible()
    await outline.get_by_role("link", name=re.compile(re.escape(second.title))).click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(second.title)
    await expect(outline).to_be_hidden()


async def test_the_qr_code_holds_the_address_of_the_lesson(visitor: Visitor) -> None:
    who = student(visitor.site, "quinn", SQL)
    await who.sign_in(visitor)
    first = who.lessons()[0]
    await visitor.open(lesson_path(first.id))
    await visitor.page.get_by_role("button", name="On your phone").click()
    await expect(visitor.page.get_by_role("img", name="QR code of this lesson's address")).to_be_visible()
    await expect(visitor.page.locator(".player__phone .qr__address")).to_contain_text(lesson_path(first.id))
    opener, panel = visitor.page.get_by_role("button", name="On your phone"), ".player__phone .qr"
    await visitor.page.keyboard.press("Escape")
    await expect(opener).to_be_focused()
    await visitor.page.keyboard.press("Enter")
    await visitor.page.keyboard.press("Tab")
    await expect(visitor.page.locator(panel).get_by_role("button", name="Close")).to_be_focused()
    await visitor.page.keyboard.press("Escape")
    await expect(opener).to_be_focused()
    await visitor.page.keyboard.press("Enter")
    await tab_out_of(visitor.page, panel)
    await expect(visitor.page.locator(panel)).to_be_hidden()


@pytest.mark.parametrize("width", [390, pytest.param(1280, marks=pytest.mark.soak)])
async def test_nothing_moves_while_the_pages_load(new_visitor: NewVisitor, width: int) -> None:
    visitor = await new_visitor(width, reduced_motion="no-preference")
    await visitor.context.add_init_script(SHIFTS)
    who = student(visitor.site, f"calm{width}", SQL)
    await who.sign_in(visitor)
    for path in ("/user-dashboard", f"/user-dashboard?course={SQL}", lesson_path(who.lessons()[0].id)):
        await visitor.open(path)
        await visitor.settled()
        # A late font may move a word; nobody sees less than this.
        assert sum(await visitor.page.evaluate("self.shifts")) < 0.02, path
