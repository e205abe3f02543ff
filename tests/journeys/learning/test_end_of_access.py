"""A course that is sold no more, and one from its purchase to its refund."""

import re
from datetime import UTC, datetime

import pytest
from playwright.async_api import Locator, expect

from domain.learning import notes
from domain.learning.notes import NewNote
from tests.journeys import axe, carts, orders
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.learning.learners import SQL, Student, lesson_path, student
from tests.journeys.test_checkout import pay
from tests.support.waiting import until

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

RETIRED = "distance-selling-one-stop-shop"


async def test_a_retired_course_is_studied_by_its_owners_as_before(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(390, bypass_csp=True)
    who = student(visitor.site, "rita", RETIRED)
    await who.sign_in(visitor)
    page, first = visitor.page, who.lessons(RETIRED)[0]
    await visitor.open("/user-dashboard")
    await expect(page.get_by_text("No longer sold, yours to keep")).to_be_visible()
    await page.get_by_role("heading", level=3).get_by_role("link", name="Distance Selling VAT").first.click()
    await expect(page.get_by_text("Its successor is")).to_be_visible()
    await axe.check_page(page)
    await page.get_by_role("link", name="Start", exact=True).click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(first.title)
    await page.get_by_role("button", name="Mark as done").click()
    await expect(page.get_by_text("1 of 9 lessons done")).to_be_visible()


async def test_a_bought_course_is_begun_in_one_press_goes_on_elsewhere_and_ends_with_a_refund(
    new_visitor: NewVisitor,
) -> None:
    phone = await new_visitor(390)
    desk = await new_visitor(bypass_csp=True)
    learner_id, token = orders.new_learner(phone.site, "remo")
    who = Student(phone.site, learner_id, token)
    lesson, second = who.lessons()[:2]
    for visitor in (phone, desk):
        await who.sign_in(visitor)
    order_code = await buy(phone, learner_id)
    await phone.page.get_by_role("link", name=re.compile("^Go to the course")).click()
    await expect(heading(phone)).to_have_text(lesson.title)
    await phone.page.get_by_role("link", name=re.compile("^Done, next")).click()
    await expect(heading(phone)).to_have_text(second.title)
    await until(lambda: who.progress(second.id) is not None)
    await desk.open("/user-dashboard")
    await desk.page.get_by_role("link", name=re.compile("^Continue SQL")).click()
    await expect(heading(desk)).to_have_text(second.title)

    # What a lesson on screen records later would be refused.
    for visitor in (phone, desk):
        await visitor.settled()
        await visitor.open("/about")
        await visitor.settled()
    write_note_and_pass_quiz(who)
    await ask_for_refund(phone, who, order_code)
    await notes_and_results_are_readable_and_lessons_are_not(desk, lesson.id)
    await desk.open("/user-dashboard")
    await expect(desk.page.get_by_text("Access ended", exact=True)).to_be_visible()
    await axe.check_page(desk.page)


async def buy(visitor: Visitor, learner_id: int) -> str:
    """From the course's page to the page after the payment; the order's code."""
    page = visitor.page
    await visitor.open(carts.find_product(visitor.site, SQL).href)
    await carts.add_button(page).click()
    await until(lambda: visitor.site.query("SELECT id FROM cart_lines WHERE learner_id = ?", learner_id) != [])
    await visitor.open("/checkout")
    await page.locator("#billing-name").fill("Remo Rossi")
    await page.locator("#billing-country_area").select_option(label="Texas")
    await visitor.settled()
    await page.get_by_role("button", name=re.compile("^Pay")).click()
    await expect(page.get_by_label("Card number")).to_be_visible()
    await pay(visitor)
    [(code,)] = visitor.site.query("SELECT code FROM orders WHERE learner_id = ?", learner_id)
    return str(code)


def heading(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("heading", level=1)


def write_note_and_pass_quiz(who: Student) -> None:
    lesson, quiz = who.lessons()[0], who.lessons(kind="quiz")[0]
    who.answer(quiz.id)
    with orders.writing(who.site) as session:
        notes.put(session, who.id, lesson.id, NewNote("A table has no gaps.", 0), datetime.now(UTC))


async def ask_for_refund(visitor: Visitor, who: Student, code: str) -> None:
    """By the form of the order's page, until the payment provider has accepted it and access ended."""
    page = visitor.page
    await visitor.open(f"/order/{code}")
    refunds = page.get_by_role("region", name="Refunds")
    await refunds.get_by_role("heading", name="Refunds").click()
    await refunds.get_by_role("checkbox", name=re.compile("^SQL")).check()
    await refunds.get_by_role("button", name="Request a refund").click()
    await expect(refunds.get_by_text("Your refund is approved")).to_be_visible()
    ended = "SELECT reason FROM enrolment_grants g JOIN enrolments e ON e.id = g.enrolment_id WHERE e.learner_id = ?"
    await until(lambda: who.site.query(f"{ended} AND g.ended_at IS NOT NULL", who.id) != [])


async def notes_and_results_are_readable_and_lessons_are_not(visitor: Visitor, lesson: int) -> None:
    page = visitor.page
    for path in (f"/user-dashboard?course={SQL}", lesson_path(lesson)):
        await visitor.open(path)
        await expect(page.get_by_text("The order was refunded.")).to_be_visible()
        await expect(page.get_by_role("region", name="Your notes")).to_contain_text("A table has no gaps.")
        await expect(page.get_by_role("region", name="Your results")).to_contain_text("100%, passed")
        assert await page.locator(".lesson-text").count() == 0
    await axe.check_page(page)
