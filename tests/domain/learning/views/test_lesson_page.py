"""The page of a lesson is read by one statement of its own, and says what all other pages of the course say."""

import pytest
from sqlalchemy import update
from sqlalchemy.orm import Session

from domain.learning import grants, notes, progress
from domain.learning.grants import GrantSource
from domain.learning.notes import NewNote, Note
from domain.learning.progress_merge import ProgressChange
from domain.learning.views import course
from domain.learning.views.lesson_page import LessonPage, lesson_page
from domain.learning.views.outlines import read_outlines
from domain.learning.views.records import LessonContent
from domain.publishing import lessons as publishing_lessons
from domain.publishing.records import LessonRecord, SectionRecord
from domain.tables import Enrolment, Product
from tests.domain.learning import outline_world
from tests.domain.learning.outline_world import ALL, DAY, ONE, THREE, TWO, World
from tests.support import factories
from tests.support.factories import NOON
from tests.support.statements import recorded

LATER = NOON + 10 * DAY
SLUG = "vat-basics"
FOUR = LessonRecord("Four", 5, source_key="4")


@pytest.fixture
def world(session) -> World:
    return outline_world.fill(session)


def study(world: World) -> None:
    """Finished, begun, a note, then a lesson that changed, one that went and one that came."""
    world.finish("One", "Two", at=NOON + DAY)
    half = [ProgressChange(world.ids["Three"], NOON + 2 * DAY, None, 400)]
    progress.record(world.session, world.learner, half, NOON + 2 * DAY)
    notes.put(world.session, world.learner, world.ids["One"], NewNote("Remember", 0), NOON + DAY)
    changed = LessonRecord("One", 9, source_key="1", body={"text": "Written anew."})
    world.put(changed, THREE, FOUR, at=NOON + 3 * DAY)


def complete(world: World) -> None:
    world.finish("One", "Two", "Three", at=NOON + DAY)
    world.put(ONE, TWO, THREE, FOUR, at=NOON + 3 * DAY)


BEFORE = {
    "nothing was begun": lambda world: None,
    "some of it was done and changed since": study,
    "it was completed and has a new lesson": complete,
}


def seen(content: LessonContent) -> dict[str, object]:
    own = content.course
    names = ("enrolment", "done", "status", "state", "percent", "minutes_left", "resume", "rule_changed_at")
    of_course = {name: getattr(own, name) for name in (*names, "changes", "new_lessons", "withdrawn")}
    lesson = {**content._asdict(), "course": own.facts}
    return {**of_course, **lesson}


@pytest.mark.parametrize("what", BEFORE)
def test_it_says_of_each_lesson_what_the_course_says(world, what):
    BEFORE[what](world)
    own = course.by_slug(world.session, world.learner, SLUG, LATER)
    ids = [*own.outline.by_id, *(lesson.id for lesson in own.withdrawn)]
    assert len(ids) == {"nothing was begun": 3}.get(what, 4)
    for lesson_id in ids:
        page = read(world, lesson_id)
        assert seen(page.content) == seen(course.lesson_of(world.session, own, lesson_id))
        assert page.note == notes.note_of(world.session, world.learner, lesson_id)


@pytest.mark.each_database
def test_it_says_what_was_studied(world):
    study(world)
    one, two = world.ids["One"], world.ids["Two"]
    page = read(world, one)
    assert page.note == Note(one, "Remember", 1, NOON + DAY)
    assert (page.content.body, page.content.lesson.is_done) == ({"text": "Written anew."}, True)
    assert page.content.course.changes == {one: NOON + 3 * DAY}
    assert [lesson.id for lesson in page.content.course.withdrawn] == [two]
    assert read(world, world.ids["Three"]).content.lesson.position == 400


def test_there_is_none_where_the_page_says_more_than_the_lesson(world):
    study(world)
    session, one = world.session, world.ids["One"]
    other = factories.course(session, session.get_one(Product, world.course).category_id, "other").id
    publishing_lessons.put_lessons(session, other, (SectionRecord("All", ALL),), NOON)
    foreign = max(course_lessons(session, other))
    stranger = factories.learner(session, "Grace Hopper").id
    assert [
        lesson_page(session, world.learner, SLUG, 1_000_000, LATER),
        lesson_page(session, world.learner, SLUG, foreign, LATER),
        lesson_page(session, world.learner, "other", foreign, LATER),
        lesson_page(session, world.learner, f"{SLUG} ", one, LATER),
        lesson_page(session, stranger, SLUG, one, LATER),
    ] == [None] * 5
    assert lesson_page(session, world.learner, SLUG, one, LATER) is not None
    session.execute(update(Product).where(Product.id == world.course).values(status="retired"))
    assert lesson_page(session, world.learner, SLUG, one, LATER) is None


def test_a_lesson_that_went_before_it_was_begun_is_not_shown(world):
    world.put(TWO, THREE)
    # It had no progress, so its row is gone; one of another learner keeps it.
    assert lesson_page(world.session, world.learner, SLUG, world.ids["One"], LATER) is None
    grace = factories.learner(world.session, "Grace Hopper").id
    grants.grant(world.session, grace, [world.course], GrantSource("order", 2), NOON)
    progress.record(world.session, grace, [ProgressChange(world.ids["Two"], NOON, True)], NOON)
    world.put(THREE)
    assert lesson_page(world.session, world.learner, SLUG, world.ids["Two"], LATER) is None
    assert lesson_page(world.session, grace, SLUG, world.ids["Two"], LATER) is not None


def test_access_that_is_over_shows_no_lesson(world):
    over = update(Enrolment).values(access_until=LATER - DAY)
    world.session.execute(over)
    assert lesson_page(world.session, world.learner, SLUG, world.ids["One"], LATER) is None


async def test_it_takes_one_statement_where_course_and_text_are_cached(sqlite_database):
    with sqlite_database.write_session() as session:
        course_id = factories.course(session, factories.category(session).id).id
        publishing_lessons.put_lessons(session, course_id, (SectionRecord("All", ALL),), NOON)
        learners = [factories.learner(session, name).id for name in ("Ada Lovelace", "Grace Hopper")]
        for number, learner in enumerate(learners):
            grants.grant(session, learner, [course_id], GrantSource("order", number), NOON)
        [first, *_] = course_lessons(session, course_id)

    def statements(session: Session, learner: int) -> int:
        with recorded(session) as executed:
            assert lesson_page(session, learner, SLUG, first, LATER) is not None
        return len(executed)

    assert [await sqlite_database.read_inline(statements, learner) for learner in learners] == [4, 1]


def read(world: World, lesson_id: int) -> LessonPage:
    page = lesson_page(world.session, world.learner, SLUG, lesson_id, LATER)
    assert page is not None
    return page


def course_lessons(session: Session, course_id: int) -> list[int]:
    [(_, outline)] = read_outlines(session, [course_id])
    return [lesson.id for lesson in outline.lessons]
