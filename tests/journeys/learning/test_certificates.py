"""A course is finished, and strangers check its certificate; reviews of it reach its public page."""

import re

import pytest
from playwright.async_api import Page, expect
from sqlalchemy import update

from domain.learning.reviews import counting
from domain.tables import Learner
from tests.journeys import axe
from tests.journeys.conftest import NewVisitor, Visitor, path_of
from tests.journeys.learning.learners import SQL, lesson_path, student
from tests.journeys.orders import writing
from tests.support.waiting import until

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

COURSE = "delegation-that-holds"


async def test_a_certificate_is_named_checked_by_a_stranger_printed_and_replaced(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(bypass_csp=True)
    stranger = await new_visitor(390, bypass_csp=True)
    who = student(visitor.site, "clara", COURSE)
    with writing(visitor.site) as session:
        session.execute(update(Learner).where(Learner.id == who.id).values(name=""))
    last = [lesson for lesson in who.lessons(COURSE) if lesson.kind == "text"][-1]
    who.finish(*(lesson for lesson in who.lessons(COURSE) if lesson.id != last.id))
    await who.sign_in(visitor)
    page = visitor.page
    await visitor.open(lesson_path(last.id, COURSE))
    await page.get_by_role("button", name="Mark as done").click()
    await expect(page.get_by_text("You have completed this course", exact=True)).to_be_visible()
    await page.get_by_role("link", name="See your certificate and what comes next").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Well done")
    await expect(page.get_by_role("button", name="Write a review")).to_be_visible()
    await axe.check_page(page)
    await expect(page.get_by_text("Which name shall stand on the certificate?")).to_be_visible()
    await page.get_by_label("Full name").fill("Clara Smith")
    await page.get_by_role("button", name="Get the certificate").click()
    address = await address_of_certificate(page)
    await visitor.open(f"/user-dashboard?course={COURSE}")
    await expect(page.get_by_role("heading", name="Certificate", exact=True)).to_be_visible()
    # Nothing comes next in a completed course.
    assert await page.locator(".outline").get_by_text(re.compile("^Next · ")).count() == 0
    await axe.check_page(page)
    async with page.expect_download() as download:
        await page.get_by_role("link", name=re.compile("^PDF to print")).click()
    assert (await (await download.value).path()).read_bytes().startswith(b"%PDF-")

    await stranger.open(address)
    await expect(stranger.page.get_by_role("heading", level=1)).to_have_text("This certificate is valid")
    await expect(stranger.page.locator(".certificate__holder")).to_have_text("Clara Smith")
    await axe.check_page(stranger.page)

    await visitor.open("/user-dashboard?list=certificates")
    await page.get_by_text("Correct the name").click()
    await page.get_by_label("Full name").fill("Clara Schmidt")
    await page.get_by_role("button", name="Replace the certificate").click()
    await expect(page.get_by_text("Clara Schmidt")).to_be_visible()
    await axe.check_page(page)
    corrected = await address_of_certificate(page)
    assert corrected != address
    await stranger.reload()
    await expect(stranger.page.get_by_role("heading", level=1)).to_have_text("This certificate is not valid")
    await expect(stranger.page.get_by_text("It was replaced by a certificate with a corrected name")).to_be_visible()
    await axe.check_page(stranger.page)
    await asks_for_another_code(stranger, corrected)


async def address_of_certificate(page: Page) -> str:
    """As the holder's card links it."""
    link = page.get_by_role("link", name=re.compile("^View certificate, "))
    return path_of(await link.evaluate("(link) => link.href"))


async def asks_for_another_code(stranger: Visitor, known: str) -> None:
    """A code that no certificate has leads to the form, and the form to the certificate of another one."""
    stranger.expect("404")
    await stranger.open("/verify-certificate/nobodyhasthiscode12345")
    await expect(stranger.page.get_by_role("heading", level=1)).to_have_text("We cannot find this certificate")
    await axe.check_page(stranger.page)
    await stranger.page.get_by_label("Code or link").fill(f"https://shop.example{known}")
    await stranger.page.get_by_role("button", name="Check").click()
    await expect(stranger.page.locator(".certificate__holder")).to_have_text("Clara Schmidt")


async def test_a_review_is_written_and_changed_and_the_public_page_shows_it(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(bypass_csp=True)
    who = student(visitor.site, "rava", SQL)
    who.finish(*who.lessons()[:4])
    await who.sign_in(visitor)
    page = visitor.page
    await visitor.open(f"/user-dashboard?course={SQL}")
    await page.get_by_role("button", name="Write a review").click()
    await axe.check_page(page)
    await page.get_by_role("button", name="Publish the review").click()
    await expect(page.get_by_text("Choose one to five stars.")).to_be_visible()
    await page.get_by_role("radio", name="4 stars").check()
    await page.get_by_label("In one line").fill("Joins at last")
    await page.get_by_role("button", name="Publish the review").click()
    await expect(page.get_by_role("heading", name="Joins at last")).to_be_visible()
    await axe.check_page(page)
    await is_public(visitor, "Joins at last")
    await page.get_by_role("button", name="Change it").click()
    await page.get_by_label("In one line").fill("Joins, and how to check them")
    await page.get_by_role("button", name="Save the change").click()
    await expect(page.get_by_role("heading", name="Joins, and how to check them")).to_be_visible()
    await is_public(visitor, "Joins, and how to check them")
    reader = await new_visitor(390, bypass_csp=True)
    await student(visitor.site, "reader").sign_in(reader)
    await is_reported(reader)


async def is_reported(reader: Visitor) -> None:
    """By somebody who reads it on the public page: once, with the reason that they typed."""
    page = reader.page
    await reader.open(f"/course-details?course={SQL}")
    review = page.locator(".review").filter(has_text="Joins, and how to check them")
    await review.get_by_role("link", name=re.compile("^Report the review")).click()
    dialog = page.get_by_role("dialog", name=re.compile("^Report the review"))
    await dialog.get_by_label("What is wrong with it?").fill("It is about another course.")
    await axe.check_page(page, inside="dialog[open]")
    await dialog.get_by_role("button", name="Report it").click()
    await expect(dialog.get_by_text("Thank you.")).to_be_visible()
    await dialog.get_by_role("button", name="Close").click()
    await expect(dialog).to_have_count(0)
    assert reader.site.query("SELECT reason FROM review_reports") == [("It is about another course.",)]


async def is_public(visitor: Visitor, text: str) -> None:
    """After the count that runs every minute, strangers read it on the course's page."""
    with writing(visitor.site) as session:
        counting.update_ratings(session)

    async def is_shown() -> bool:
        answer = await visitor.context.request.get(f"/course-details?course={SQL}")
        return text in await answer.text()

    await until(is_shown, every_s=0.2)
