"""Quizzes by keyboard, wrong and then right, and notes that are written in two places."""

import re

import pytest
from playwright.async_api import Locator, Page, expect

from domain.learning.quizzes.marking import Answers, Quiz
from domain.seed.progress.quiz_answers import answers
from tests.journeys import axe
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.focus import tab_to
from tests.journeys.learning.learners import SQL, lesson_path, student
from tests.support.waiting import until

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

FOCUSED = "(selector) => document.activeElement.matches(selector)"


def wrong_answers(quiz: Quiz) -> Answers:
    """To every question: its first wrong option, or a number that is too large."""
    return {
        question.id: str(question.value + question.tolerance + 1)
        if question.kind == "number"
        else [next(option.id for option in question.options if not option.is_right)]
        for question in quiz.questions
    }


LABELS = "(all) => all.map((input) => [input.value, input.labels[0].textContent.trim()])"


async def answer_by_keyboard(page: Page, quiz: Quiz, given: Answers) -> None:
    """In the order of the page. Options are found by their texts: their names on the page are secret."""
    fields = page.locator(".quiz input")
    names = await fields.evaluate_all("(all) => [...new Set(all.map(({ name, id }) => name || id))]")
    questions = {question.id: question for question in quiz.questions}
    for name in names:
        question = questions[name.removeprefix("quiz-")]
        answer = given[question.id]
        if isinstance(answer, str):
            await reach(page, f"#{name}")
            await page.keyboard.type(answer)
            continue
        texts = {option.text.replace("`", "") for option in question.options if option.id in answer}
        labels = await page.locator(f'[name="{name}"]').evaluate_all(LABELS)
        options = [f'[name="{name}"][value="{value}"]' for value, text in labels if text in texts]
        assert len(options) == len(answer)
        if question.kind == "several":
            for option in options:
                await reach(page, option)
                await page.keyboard.press("Space")
        else:
            await reach(page, f'[name="{name}"]')
            await choose(page, page.locator(options[0]))


async def reach(page: Page, selector: str) -> None:
    """Tabs on to it, unless it has the focus already."""
    if not await page.evaluate(FOCUSED, selector):
        await tab_to(page, selector)


async def choose(page: Page, option: Locator) -> None:
    """Among the radio buttons of which one has the focus."""
    await page.keyboard.press("Space")
    for _ in range(10):
        if await option.is_checked():
            return
        await page.keyboard.press("ArrowDown")
    raise AssertionError("the arrow keys do not reach the answer")


def result(page: Page, text: str) -> Locator:
    return page.get_by_role("heading", name=re.compile(f"^{text}"))


async def test_a_quiz_by_keyboard_alone_is_kept_over_a_reload_failed_explained_and_passed(
    new_visitor: NewVisitor,
) -> None:
    visitor = await new_visitor(bypass_csp=True)
    who = student(visitor.site, "quita", SQL)
    await who.sign_in(visitor)
    page = visitor.page
    lesson = who.lessons(kind="quiz")[0]
    quiz = who.quiz(lesson.id)
    send = ".quiz button[type=submit]"
    await visitor.open(lesson_path(lesson.id))
    await expect(page.get_by_role("form", name="Quiz")).to_be_visible()
    await visitor.settled()
    await tab_to(page, send)
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("alert")).to_contain_text(f"{len(quiz.questions)} questions are not answered yet")
    await expect(page.locator(".quiz-question--wrong input").first).to_be_focused()
    await axe.check_page(page)
    await answer_by_keyboard(page, quiz, wrong_answers(quiz))
    await visitor.reload()
    number = next(question.id for question in quiz.questions if question.kind == "number")
    await expect(page.locator(f"#quiz-{number}")).not_to_have_value("")
    await visitor.settled()
    await tab_to(page, send)
    await page.keyboard.press("Enter")
    await expect(result(page, "Not passed yet: ")).to_be_focused()
    assert await page.locator(".quiz-question__explanation").count() == 0
    assert who.done() == set()
    await tab_to(page, ".quiz-summary button")
    await page.keyboard.press("Enter")
    await expect(page.locator(".quiz input").first).to_be_focused()
    await answer_by_keyboard(page, quiz, answers(quiz))
    await tab_to(page, send)
    await page.keyboard.press("Enter")
    await expect(result(page, "Passed with 100%")).to_be_focused()
    await expect(page.locator(".quiz-question__explanation")).to_have_count(len(quiz.questions))
    await axe.check_page(page)
    outline = page.get_by_role("navigation", name="Course outline")
    await expect(outline.get_by_role("link", name=f"Done: {lesson.title}")).to_be_visible()
    assert who.done() == {lesson.id}


async def test_a_note_written_in_two_tabs_loses_neither_text_and_is_found_in_the_list(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(bypass_csp=True)
    who = student(visitor.site, "noa", SQL)
    await who.sign_in(visitor)
    page, lesson = visitor.page, who.lessons()[0]
    other = Visitor(visitor.site, visitor.context, await visitor.context.new_page(), has_script=True)
    for tab in (visitor, other):
        await tab.open(lesson_path(lesson.id))
        await expect(note(tab)).to_have_value("")
    await write(visitor, "From the desk")
    await until(lambda: notes(visitor, who.id) == [("From the desk", 1)])
    other.expect("409")
    await write(other, "From the phone")
    await expect(other.page.get_by_role("heading", name="This note was changed elsewhere too")).to_be_focused()
    await expect(other.page.get_by_role("region", name=re.compile("^Elsewhere"))).to_contain_text("From the desk")
    await axe.check_page(other.page)
    assert notes(visitor, who.id) == [("From the desk", 1)]
    await other.page.get_by_role("button", name="Keep both, one after the other").click()
    both = "From the desk\n\nFrom the phone"
    await until(lambda: notes(visitor, who.id) == [(both, 2)])
    assert other.unexpected == []
    await other.page.close()
    await visitor.open("/user-dashboard")
    await page.get_by_role("navigation", name="My learning").get_by_role("link", name="Notes").click()
    await expect(page.get_by_role("heading", level=1, name="My notes")).to_be_visible()
    await expect(page.get_by_text("From the phone")).to_be_visible()
    await axe.check_page(page)
    await page.get_by_role("link", name=lesson.title).click()
    await expect(note(visitor)).to_have_value(both)


def note(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("textbox", name="Your note")


async def write(visitor: Visitor, text: str) -> None:
    """Leaving the field saves the note."""
    await note(visitor).fill(text)
    await note(visitor).blur()


def notes(visitor: Visitor, learner: int) -> list[tuple[str, int]]:
    return visitor.site.query("SELECT body, version FROM lesson_notes WHERE learner_id = ?", learner)
