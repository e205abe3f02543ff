"""Work that the site did not store stays in the browser, and the learner is asked what becomes of it."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.async_api import expect
from sqlalchemy import select

from domain.learning import grants
from domain.tables import Product
from tests.journeys import axe
from tests.journeys.conftest import NewVisitor
from tests.journeys.learning.learners import SQL, Student, lesson_path, student
from tests.journeys.orders import writing
from tests.support.waiting import until

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

NOTICE = "What you did in one lesson is not saved"


def end_access(who: Student) -> None:
    with writing(who.site) as session:
        product_id = session.scalars(select(Product.id).where(Product.slug == SQL)).one()
        source = grants.GrantSource("gift", 1_000_000_000 + who.id * 1000 + product_id)
        grants.end(session, source, datetime.now(UTC) - timedelta(minutes=1), "seat")


def open_again(who: Student) -> None:
    with writing(who.site) as session:
        product_id = session.scalars(select(Product.id).where(Product.slug == SQL)).one()
        source = grants.GrantSource("seat", 1_000_000_000 + who.id)
        grants.grant(session, who.id, [product_id], source, datetime.now(UTC) - timedelta(minutes=1))


async def test_work_without_access_is_kept_and_saved_when_there_is_access_again(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(390, bypass_csp=True)
    who = student(visitor.site, "rosa", SQL)
    lesson = who.lessons()[0].id
    await who.sign_in(visitor)
    page = visitor.page
    await visitor.open(lesson_path(lesson))
    await visitor.settled()
    end_access(who)
    visitor.expect("404")
    await page.get_by_role("button", name="Mark as done").click()
    await expect(page.get_by_text(NOTICE)).to_be_visible()
    assert who.done() == set()
    await axe.check_page(page)
    await visitor.open("/user-dashboard")
    await expect(page.get_by_text(NOTICE)).to_be_visible()
    open_again(who)
    await page.get_by_role("button", name="Try again").click()
    await until(lambda: who.done() == {lesson})
    await expect(page.get_by_text(NOTICE)).to_have_count(0)
    await visitor.reload()
    await visitor.settled()
    await expect(page.get_by_text(NOTICE)).to_have_count(0)
