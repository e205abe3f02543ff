"""An administrator makes a course from nothing, and a visitor finds it in the shop and puts it into the cart."""

import pytest
from playwright.async_api import FilePayload, Page, expect
from sqlalchemy import select

from domain.publishing.lessons import put_lessons
from domain.publishing.records import LessonRecord, SectionRecord
from domain.tables import Category, Lesson
from tests.journeys import carts
from tests.journeys.axe import check_page
from tests.journeys.conftest import NewVisitor
from tests.journeys.identity import sign_in
from tests.journeys.orders import writing
from tests.support import factories

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]


async def test_a_course_from_nothing_is_written_priced_published_and_sold(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor()
    await sign_in(visitor, "admin", return_to="/admin/courses/new", area="admin")
    page = visitor.page
    await page.get_by_role("textbox", name="Name").fill("Payroll from Nothing")
    await page.get_by_role("combobox", name="Category").select_option("tax")
    await page.get_by_role("button", name="Create draft").click()
    await expect(page.get_by_role("heading", name="Payroll from Nothing")).to_be_visible()
    await expect(page.get_by_text("it has no subtitle and no description")).to_be_visible()
    await check_page(page)
    await page.get_by_role("textbox", name="Description").fill("Wages, **step by step**.")
    await page.get_by_label("Duration in minutes").fill("90")
    await expect(page.get_by_role("region", name="Preview").locator("strong")).to_have_text("step by step")
    await page.get_by_role("button", name="Save texts").click()
    await expect(page.get_by_text("It cannot be published yet")).to_have_count(0)
    await page.get_by_role("link", name="Preview", exact=True).click()
    await expect(page.get_by_text("Visitors cannot open this page yet.")).to_be_visible()
    await expect(page.locator("#about strong")).to_have_text("step by step")
    await page.get_by_role("link", name="Back to the course").click()
    await write_lessons(page)
    await page.get_by_role("link", name="Price", exact=True).click()
    await page.get_by_label("List price").fill("49.00")
    await page.get_by_role("button", name="Save price").click()
    await expect(page.get_by_role("table", name="Until now")).to_contain_text("$49.00")
    await check_page(page)
    await page.get_by_role("link", name="Publication", exact=True).click()
    await page.get_by_role("button", name="Publish now").click()
    await page.get_by_role("dialog").get_by_role("button", name="Publish now").click()
    await expect(page.get_by_role("heading", name="Published")).to_be_visible()
    await check_page(page)
    buyer = await new_visitor()
    await buyer.open("/course-details?course=payroll-from-nothing")
    await carts.add_button(buyer.page).first.click()
    await carts.expect_count(buyer.page, 1)
    await buyer.open("/cart")
    await expect(buyer.page.get_by_role("main")).to_contain_text("Payroll from Nothing")
    await expect(buyer.page.get_by_role("main")).to_contain_text("$49.00")


async def write_lessons(page: Page) -> None:
    """By keyboard alone: two lessons, one before the other, and a quiz that is tried before it is saved."""
    await page.get_by_role("link", name="Lessons", exact=True).press("Enter")
    await page.get_by_role("button", name="Add a section").press("Enter")
    # Nothing is asked of the host before the section has its title: its refusal would be an error in the console.
    await expect(page.get_by_text("something is not complete yet")).to_be_visible()
    await page.keyboard.type("Basics")
    for title in ("Wages", "Test"):
        await page.get_by_role("button", name="Add a lesson to Basics").press("Enter")
        await expect(page.get_by_role("textbox", name="Title of the lesson").last).to_be_focused()
        await page.keyboard.type(title)
    await page.get_by_role("button", name="Move up: Test").press("Enter")
    await expect(page.get_by_text("Test: now lesson 1 of 2 in Basics.")).to_be_attached()
    await expect(page.get_by_role("button", name="Move up: Test")).to_be_focused()
    await expect(page.get_by_text("Finish all 2 lessons.")).to_be_visible()
    await page.get_by_role("button", name="Save lessons").press("Enter")
    await check_page(page)
    await page.get_by_role("link", name="Write what it teaches: Test").press("Enter")
    await page.get_by_label("Kind", exact=True).select_option("quiz")
    await page.get_by_role("button", name="Add a question").press("Enter")
    await page.get_by_label("Question", exact=True).fill("Is a payslip a document?")
    await page.get_by_label("Answer 1 of question 1", exact=True).fill("Yes")
    await page.get_by_label("Answer 2 of question 1", exact=True).fill("No")
    await page.get_by_role("button", name="Try it").press("Enter")
    trial = page.get_by_role("form", name="The quiz as learners answer it")
    await trial.get_by_label("Yes").press("Space")
    await trial.get_by_role("button", name="Mark my answers").press("Enter")
    await expect(trial.get_by_role("status")).to_contain_text("100% right")
    await page.get_by_role("button", name="Save lesson").press("Enter")
    await expect(page.get_by_text("Everything is saved.")).to_be_visible()
    await expect(page.get_by_text("Nobody has written this lesson yet")).to_have_count(0)
    await check_page(page)


async def test_a_course_without_lessons_is_published_as_an_outline(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor()
    with writing(visitor.site) as session:
        category = session.scalars(select(Category.id).where(Category.slug == "tax")).one()
        about = {"name": "Payroll in Outline", "status": "draft", "published_at": None, "lesson_count": 0}
        course = factories.course(session, category, "payroll-in-outline", **about).id
    await sign_in(visitor, "admin", return_to=f"/admin/courses/{course}/publication", area="admin")
    page = visitor.page
    await page.get_by_role("button", name="Publish now").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog).to_contain_text("It has no lessons of its own: buyers get a study guide")
    await check_page(page)
    await dialog.get_by_role("button", name="Publish now", exact=True).click()
    await expect(page.get_by_role("heading", name="Published")).to_be_visible()
    await visitor.open("/course-details?course=payroll-in-outline")
    await expect(page.get_by_text("This course comes as an outline")).to_be_visible()


async def test_lessons_go_out_as_a_cartridge_and_come_back_as_the_same_ones(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor()
    with writing(visitor.site) as session:
        category = session.scalars(select(Category.id).where(Category.slug == "tax")).one()
        about = {"name": "Payroll in a Package", "status": "draft", "published_at": None}
        course = factories.course(session, category, "payroll-in-a-package", **about).id
        lessons = (LessonRecord("Wages", 5, body={"text": "What **is** due."}), LessonRecord("Taxes", 7))
        put_lessons(session, course, (SectionRecord("Basics", lessons),), factories.NOON)
        before = session.execute(select(Lesson.id, Lesson.title).where(Lesson.course_id == course)).all()
    await sign_in(visitor, "admin", return_to=f"/admin/courses/{course}/lessons", area="admin")
    page = visitor.page
    await page.get_by_text("Course package: import and export").click()
    async with page.expect_download() as downloading:
        await page.get_by_role("link", name="Export as Common Cartridge").click()
    path = await (await downloading.value).path()
    await page.get_by_role("button", name="Remove section: Basics").click()
    content: FilePayload = {"name": "payroll.imscc", "mimeType": "application/zip", "buffer": path.read_bytes()}
    await page.get_by_label("Course of another system").set_input_files(files=[content])
    await expect(page.get_by_text("2 lessons of this course would be known again, and keep progress.")).to_be_visible()
    await check_page(page)
    await page.get_by_role("button", name="Take the lessons over").press("Enter")
    await expect(page.get_by_text("The 2 lessons of the package are in the outline now.")).to_be_focused()
    await page.get_by_role("button", name="Save lessons").click()
    await expect(page.get_by_text("Everything is saved.")).to_be_visible()
    await expect(page.get_by_role("link", name="Write what it teaches: Wages")).to_be_visible()
    with writing(visitor.site) as session:
        assert session.execute(select(Lesson.id, Lesson.title).where(Lesson.course_id == course)).all() == before
