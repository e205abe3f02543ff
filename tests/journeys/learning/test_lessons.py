"""A lesson in a real browser: done and next, a video by keyboard, two tabs, no network, no script."""

import asyncio
import json
import re
import time

import pytest
from playwright.async_api import Locator, Route, expect

from tests.journeys import axe, carts
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.learning.learners import SQL, Student, lesson_path, student
from tests.support.waiting import until

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

PROGRESS = "**/api/learning/progress"
CERTIFICATE = (
    "SELECT code FROM certificates JOIN learners ON learners.id = learner_id "
    "WHERE subject = 'ada' AND expires_at IS NULL AND revoked_at IS NULL"
)
UNSENT = "Object.keys(localStorage).filter((key) => key.startsWith('unsent_progress'))"


async def open_lesson(visitor: Visitor, lesson: int, title: str) -> None:
    await visitor.open(lesson_path(lesson))
    await expect(heading(visitor)).to_have_text(title)


def heading(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("heading", level=1)


def onward(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("navigation", name="Lessons").get_by_role(
        "link", name=re.compile("^(Done, )?[Nn]ext")
    )


async def is_stored(who: Student, *lessons: int) -> None:
    await until(lambda: who.done() >= set(lessons))


async def test_a_course_is_begun_on_the_dashboard_and_goes_on_there_where_it_was_left(visitor: Visitor) -> None:
    who = student(visitor.site, "lena", SQL)
    await who.sign_in(visitor)
    page = visitor.page
    first, second = who.lessons()[:2]
    await visitor.open("/user-dashboard")
    await page.get_by_role("link", name=re.compile("^Start SQL")).click()
    await expect(heading(visitor)).to_have_text(first.title)
    await expect(heading(visitor)).to_be_focused()
    await onward(visitor).click()
    await expect(heading(visitor)).to_have_text(second.title)
    outline = page.get_by_role("navigation", name="Course outline")
    await expect(outline.get_by_role("link", name=f"Done: {first.title}")).to_be_visible()
    await expect(outline.locator("[aria-current=page]")).to_contain_text(second.title)
    await is_stored(who, first.id)
    await page.go_back()
    await expect(heading(visitor)).to_have_text(first.title)
    await expect(page.get_by_role("button", name="Mark as not done")).to_be_visible()
    await until(lambda: who.progress(second.id) is not None)
    await visitor.open("/user-dashboard")
    await expect(page.get_by_role("link", name=re.compile("^Continue SQL"))).to_be_visible()
    await expect(page.get_by_text("1 of 19 lessons done").first).to_be_visible()


async def test_a_video_is_played_by_keyboard_and_goes_on_where_it_was_left(visitor: Visitor) -> None:
    who = student(visitor.site, "vera", SQL)
    await who.sign_in(visitor)
    page = visitor.page
    (lesson,) = who.lessons(kind="video")
    await open_lesson(visitor, lesson.id, lesson.title)
    video = page.locator("video")
    await video.evaluate("(video) => video.readyState > 0 || new Promise((done) => { video.onloadedmetadata = done })")
    await video.evaluate("(video) => { video.muted = true }")
    cues = page.locator(".transcript").get_by_role("button")
    await cues.nth(1).focus()
    await page.keyboard.press("Enter")
    start = await video.evaluate("(video) => video.textTracks[0] && video.currentTime")
    assert start > 0
    await expect(cues.nth(1)).to_have_attribute("aria-current", "true")
    await video.evaluate("(video) => video.pause()")
    await until(lambda: (row := who.progress(lesson.id)) is not None and row.position > 0)
    await visitor.reload()
    await expect(page.get_by_text(re.compile(r"^Goes on at \d:\d\d$"))).to_be_visible()
    row = who.progress(lesson.id)
    assert row is not None
    assert not row.is_done


async def test_another_tab_shows_at_once_what_this_one_records(visitor: Visitor) -> None:
    who = student(visitor.site, "tilda", SQL)
    await who.sign_in(visitor)
    first, second = who.lessons()[:2]
    other = Visitor(visitor.site, visitor.context, await visitor.context.new_page(), has_script=True)
    await open_lesson(other, first.id, first.title)
    await open_lesson(visitor, second.id, second.title)
    may_answer = asyncio.Event()

    async def hold(route: Route) -> None:
        await may_answer.wait()
        await route.continue_()

    await visitor.context.route(PROGRESS, hold)
    await visitor.page.get_by_role("button", name="Mark as done").click()
    outline = other.page.get_by_role("navigation", name="Course outline")
    await expect(outline.get_by_role("link", name=f"Done: {second.title}")).to_be_visible()
    assert who.done() == set()
    may_answer.set()
    await is_stored(who, second.id)
    await expect(outline.get_by_role("link", name=f"Done: {second.title}")).to_be_visible()
    assert other.unexpected == []
    await other.page.close()


async def test_a_lesson_without_network_loses_nothing(visitor: Visitor) -> None:
    who = student(visitor.site, "nina", SQL)
    await who.sign_in(visitor)
    page = visitor.page
    visitor.expect("ERR_INTERNET_DISCONNECTED")
    first, second, third = who.lessons()[:3]
    await open_lesson(visitor, first.id, first.title)
    await page.mouse.wheel(0, 20_000)
    await until(lambda: any(f"lesson={second.id}" in path for path in visitor.requested("fetch")))
    await until(lambda: who.progress(first.id) is not None)
    await visitor.settled()
    await visitor.context.set_offline(True)
    await expect(page.get_by_text("You are offline. Your work is kept here")).to_be_visible()
    await onward(visitor).click()
    await expect(heading(visitor)).to_have_text(second.title)
    await page.get_by_role("button", name="Mark as done").click()
    await expect(page.get_by_text("Kept here until you are online")).to_be_visible()
    await onward(visitor).click()
    await expect(page.get_by_text("This page was not loaded before")).to_be_visible()
    await expect(heading(visitor)).to_have_text(second.title)
    assert who.done() == set()
    await visitor.context.set_offline(False)
    await is_stored(who, first.id, second.id)
    await onward(visitor).click()
    await expect(heading(visitor)).to_have_text(third.title)


async def test_a_change_whose_answer_was_lost_is_sent_again_and_counts_once(visitor: Visitor) -> None:
    """As when the host is killed between its commit and its answer (tests/faults/test_progress_kills.py)."""
    who = student(visitor.site, "lore", SQL)
    await who.sign_in(visitor)
    visitor.expect("ERR_CONNECTION_RESET")
    lesson = who.lessons()[0]
    await open_lesson(visitor, lesson.id, lesson.title)
    await until(lambda: who.progress(lesson.id) is not None)
    await visitor.settled()
    sent: list[list[object]] = []
    is_lost = True

    async def lose_answers(route: Route) -> None:
        sent.append(route.request.post_data_json["changes"])
        answer = await route.fetch()
        await (route.abort("connectionreset") if is_lost else route.fulfill(response=answer))

    await visitor.page.route(PROGRESS, lose_answers)
    await visitor.page.get_by_role("button", name="Mark as done").click()
    await expect(visitor.page.get_by_text("Kept here, saved when the site answers again")).to_be_visible()
    assert who.done() == {lesson.id}
    # In a slow browser more was sent meanwhile: where the press has scrolled to, and what waits, every ten seconds.
    is_lost = False
    await visitor.page.evaluate("dispatchEvent(new Event('online'))")
    await expect(visitor.page.get_by_text("Saved", exact=True)).to_be_visible()
    assert len(sent) > 1
    assert sent[0][0] in sent[-1]
    assert (who.done(), who.counted()) == ({lesson.id}, 1)


async def test_two_tabs_and_another_browser_lose_nothing_without_network_and_after_the_sign_in(
    visitor: Visitor, new_visitor: NewVisitor
) -> None:
    """What is pressed while the network is cut waits in this browser, also when the sign-in is over once it is back."""
    who = student(visitor.site, "tessa", SQL)
    first, second, third = who.lessons()[:3]
    tab = Visitor(visitor.site, visitor.context, await visitor.context.new_page(), has_script=True)
    phone = await new_visitor(390)
    for one in (visitor, phone):
        await who.sign_in(one)
    for one, lesson in ((visitor, first), (tab, second), (phone, first)):
        await open_lesson(one, lesson.id, lesson.title)
        await one.settled()
        one.expect("ERR_INTERNET_DISCONNECTED|401")
    await visitor.context.set_offline(True)
    for one in (visitor, tab):
        await one.page.get_by_role("button", name="Mark as done").click()
        await expect(one.page.get_by_text("Kept here until you are online")).to_be_visible()
    await phone.page.get_by_role("button", name="Mark as done").click()
    await is_stored(who, first.id)
    await open_lesson(phone, third.id, third.title)
    await phone.page.get_by_role("button", name="Mark as done").click()
    await is_stored(who, third.id)
    await phone.settled()
    who.end_sessions()
    await visitor.context.set_offline(False)
    for one in (visitor, tab):
        await expect(one.page.get_by_role("heading", name="Please sign in")).to_be_visible()
    assert who.done() == {first.id, third.id}
    await who.again().sign_in(visitor)
    await visitor.open("/user-dashboard")
    await is_stored(who, first.id, second.id, third.id)
    await visitor.settled()
    assert await visitor.page.evaluate(UNSENT) == []
    assert (who.counted(), tab.unexpected) == (3, [])
    await tab.page.close()


async def test_what_an_earlier_page_could_not_send_is_sent_by_the_next(visitor: Visitor) -> None:
    who = student(visitor.site, "runa", SQL)
    # A busy machine may answer the first try so: what was not stored is sent again.
    visitor.expect("503")
    await who.sign_in(visitor)
    lesson = who.lessons()[0].id
    await visitor.open("/about")
    kept = {"learner": who.id, "lesson": lesson, "done": {"at": int(time.time() * 1000) - 60_000, "value": True}}
    await visitor.page.evaluate(
        "([key, entry]) => localStorage.setItem(key, entry)",
        [f"unsent_progress.{who.id}.{lesson}", json.dumps(kept, separators=(",", ":"))],
    )
    await visitor.open("/user-dashboard")
    await is_stored(who, lesson)
    await visitor.settled()
    assert await visitor.page.evaluate(UNSENT) == []


async def test_without_script_and_with_blocked_script_a_lesson_can_be_read(new_visitor: NewVisitor) -> None:
    still = await new_visitor(390, java_script_enabled=False)
    who = student(still.site, "stine", SQL)
    await who.sign_in(still)
    first = who.lessons()[0]
    await still.page.goto(lesson_path(first.id))
    await expect(still.page.get_by_role("heading", name=first.title)).to_be_visible()
    reader = await new_visitor(bypass_csp=True)
    for path in (lesson_path(first.id), lesson_path(who.lessons(kind="quiz")[0].id), "/user-dashboard"):
        await still.page.goto(path)
        await axe.check_without_script(still.page, reader.page)
    blocked = await new_visitor(390)
    blocked.expect("ERR_BLOCKED_BY_CLIENT")
    await who.sign_in(blocked)
    await blocked.page.route("**/*.js", lambda route: route.abort("blockedbyclient"))
    await blocked.page.goto(lesson_path(first.id))
    await expect(blocked.page.locator("#no-script").get_by_role("heading", name=first.title)).to_be_visible()
    # The loading view, whose heading is the page's title, has gone.
    await expect(blocked.page.get_by_role("heading", level=1)).to_have_text([first.title])
    await carts.sign_in(blocked, "ada")
    [(code,)] = blocked.site.query(CERTIFICATE)
    # Dashboard and lesson are those that were checked above.
    pages = {
        "/user-dashboard": "My learning",
        lesson_path(first.id): first.title,
        "/user-dashboard?list=certificates": "My certificates",
        f"/verify-certificate/{code}": "This certificate is valid",
    }
    for path, title in pages.items():
        await blocked.page.goto(path)
        # The first page has waited for it.
        await blocked.page.evaluate(axe.SCRIPT_HAS_NOT_COME)
        await expect(blocked.page.get_by_role("heading", level=1)).to_have_text([title])
        if "certificate" in path:
            await axe.check_page(blocked.page)
