"""A course that is sold no more, and one from its purchase to its refund."""

import re
from datetime import UTC, datetime

import pytest
from playwright.async_api import Locator, expect

from domain.learning import notes
from domain.learning.notes import Draft
from domain.orders import fulfilment
from domain.tables import Order
from tests.domain.orders import selling
from tests.journeys import axe, orders
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.learning.learners import SQL, Student, lesson_path, student
from tests.support.waiting import until

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

RETIRED = "distance-selling-one-stop-shop"


async def test_a_retired_course_is_studied_by_its_owners_as_before(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(390, bypass_csp=True, reduced_motion="reduce")
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


async def test_a_bought_course_is_begun_in_two_presses_goes_on_elsewhere_and_ends_with_a_refund(
    new_visitor: NewVisitor,
) -> None:
    phone = await new_visitor(390)
    desk = await new_visitor(bypass_csp=True, reduced_motion="reduce")
    learner_id, token = orders.new_learner(phone.site, "remo")
    who = Student(phone.site, learner_id, token)
    with orders.writing(phone.site) as session:
        order = orders.place(session, learner_id, SQL)
        orders.pay(session, order)
        order_id, code = order.id, order.code
    lesson, second = who.lessons()[:2]
    for visitor in (phone, desk):
        await who.sign_in(visitor)
    await phone.open(f"/completed/{code}")
    await phone.page.get_by_role("link", name=re.compile("^Go to the course")).click()
    await phone.page.get_by_role("link", name="Start", exact=True).click()
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
    pay_back(who, order_id)
    await notes_and_results_are_readable_and_lessons_are_not(desk, lesson.id)
    await desk.open("/user-dashboard")
    await expect(desk.page.get_by_text("Access ended", exact=True)).to_be_visible()
    await axe.check_page(desk.page)


def heading(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("heading", level=1)


def pay_back(who: Student, order_id: int) -> None:
    """After a note and a quiz."""
    lesson, quiz = who.lessons()[0], who.lessons(kind="quiz")[0]
    who.answer(quiz.id)
    now = datetime.now(UTC)
    with orders.writing(who.site) as session:
        notes.put(session, who.id, lesson.id, Draft("A table has no gaps.", 0), now)
        fulfilment.take_back_all(session, session.get_one(Order, order_id), now, selling.SETTINGS)


async def notes_and_results_are_readable_and_lessons_are_not(visitor: Visitor, lesson: int) -> None:
    page = visitor.page
    for path in (f"/user-dashboard?course={SQL}", lesson_path(lesson)):
        await visitor.open(path)
        await expect(page.get_by_text("The order was refunded.")).to_be_visible()
        await expect(page.get_by_role("region", name="Your notes")).to_contain_text("A table has no gaps.")
        await expect(page.get_by_role("region", name="Your results")).to_contain_text("100%, passed")
        assert await page.locator(".lesson-text").count() == 0
    await axe.check_page(page)
