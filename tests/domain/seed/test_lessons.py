"""The written courses of the demo: every lesson has a body of its own, and what it says of its data is true."""

import json
import re
import sqlite3
from decimal import Decimal

import pytest
from sqlalchemy import func, select

from domain.publishing.lessons import derived_outline
from domain.seed import demo_shop
from domain.seed.lessons import bodies, lesson_files
from domain.tables import Course, File, Lesson, LessonBody, Product

WRITTEN = {
    "business-japanese-for-meetings": 8,
    "cash-flow-forecasting-thirteen-weeks": 8,
    "csharp-for-automating-office-work": 8,
    "delegation-that-holds": 13,
    "first-ninety-days-as-a-team-lead": 8,
    "gdpr-everyday-decisions": 15,
    "ifrs-15-revenue-in-practice": 8,
    "sql-for-spreadsheet-people": 19,
    "vat-fundamentals-finance-teams": 8,
}
VIDEOS = {
    "sql-for-spreadsheet-people": "When a join doubles your sales",
    "vat-fundamentals-finance-teams": "One chair, four invoices",
}
ROWS = {
    row["slug"]: row
    for path in (demo_shop.FOLDER / "courses").glob("*.json")
    for row in json.loads(path.read_text("utf-8"))
}
LESSONS = [
    (slug, lesson["title"]) for slug in WRITTEN for section in ROWS[slug]["sections"] for lesson in section["lessons"]
]
QUIZZES = [(slug, title) for slug, title in LESSONS if bodies.body_of(slug, title)[0] == "quiz"]
MAX_VIDEO_BYTES, MAX_FILE_BYTES = 600_000, 200_000
# A query, and the table that follows it where the lesson shows what it returns.
QUERY = re.compile(r"```sql\n((?:(?!```).)*)```(?:\n\n(\|.*?)(?:\n\n|\Z))?", re.DOTALL)


def words(text):
    return len(re.sub(r"```.*?```|[|]", " ", text, flags=re.DOTALL).split())


def test_the_written_courses_have_their_documented_size():
    assert bodies.courses() == tuple(sorted(WRITTEN))
    assert {slug: sum(course == slug for course, _ in LESSONS) for slug in WRITTEN} == WRITTEN
    assert {slug: len(list((bodies.FOLDER / slug).glob("*/*.md"))) for slug in WRITTEN} == WRITTEN


@pytest.mark.parametrize(("course", "title"), LESSONS, ids=[title for _, title in LESSONS])
def test_a_lesson_has_a_text_of_120_to_400_words(course, title):
    _, body = bodies.body_of(course, title)
    assert 120 <= words(body["text"]) <= 400
    assert not body["text"].startswith("# ")


def test_the_featured_courses_are_written():
    assert {slug for slug, row in ROWS.items() if row.get("featured")} <= set(WRITTEN)


@pytest.mark.parametrize("slug", WRITTEN)
def test_the_lessons_stand_in_the_order_of_the_outline(slug):
    paths = sorted((bodies.FOLDER / slug).glob("*/*.md"))
    titles = [title for course, title in LESSONS if course == slug]
    assert [bodies.body_of(slug, title)[1]["text"] for title in titles] == [path.read_text("utf-8") for path in paths]


def test_every_course_has_two_quizzes_and_all_kinds_of_questions_occur():
    assert all(sum(course == slug for course, _ in QUIZZES) >= 2 for slug in WRITTEN)
    questions = [question for slug, title in QUIZZES for question in bodies.body_of(slug, title)[1]["questions"]]
    assert {question["kind"] for question in questions} == {"one", "several", "number"}


@pytest.mark.parametrize(("course", "title"), QUIZZES, ids=[title for _, title in QUIZZES])
def test_the_questions_of_a_quiz_can_be_marked(course, title):
    body = bodies.body_of(course, title)[1]
    assert set(body) == {"text", "questions", "attempts", "wait_min"}
    questions = body["questions"]
    assert len(questions) >= 3
    assert len({question["id"] for question in questions}) == len(questions)
    for question in questions:
        assert len(question["text"]) > 20
        assert len(question["explanation"]) > 60
        if question["kind"] == "number":
            assert set(question) == {"id", "kind", "text", "value", "tolerance", "unit", "explanation"}
            assert Decimal(question["tolerance"]) >= 0
            assert Decimal(question["value"]).is_finite()
            continue
        assert set(question) == {"id", "kind", "text", "options", "explanation"}
        right = [option["id"] for option in question["options"] if option["is_right"]]
        assert len({option["id"] for option in question["options"]}) == len(question["options"]) >= 3
        assert len(right) == 1 if question["kind"] == "one" else 2 <= len(right) < len(question["options"])


@pytest.fixture(scope="module")
def practice_data():
    with sqlite3.connect(":memory:") as database:
        path = bodies.FOLDER / "sql-for-spreadsheet-people/files/garden-tools.sql"
        database.executescript(path.read_text("utf-8"))
        yield database
    database.close()


@pytest.mark.parametrize("path", sorted(bodies.FOLDER.glob("sql-*/*/*.md")), ids=lambda path: path.stem)
def test_each_query_of_a_lesson_returns_what_the_lesson_shows(path, practice_data):
    for query, table in QUERY.findall(path.read_text("utf-8")):
        rows = practice_data.execute(query).fetchall()
        shown = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
        assert not table or shown == [["NULL" if value is None else str(value) for value in row] for row in rows]


def test_the_files_of_lessons_are_small():
    sizes = {path.name: path.stat().st_size for path in lesson_files.paths()}
    videos = [size for name, size in sizes.items() if name.endswith((".mp4", ".webm"))]
    assert 0 < sum(videos) <= MAX_VIDEO_BYTES
    assert max(sizes.values()) <= MAX_FILE_BYTES


@pytest.mark.parametrize(("course", "title"), VIDEOS.items())
def test_a_video_has_captions_and_a_transcript_from_its_first_to_its_last_second(demo, course, title):
    kind, body = bodies.body_of(course, title)
    assert kind == "video"
    cues = body["transcript"]
    assert (cues[0]["start"], cues[-1]["end"]) == (0, 72)
    assert [cue["end"] for cue in cues[:-1]] == [cue["start"] for cue in cues[1:]]
    digests = [item["sha256"] for item in (*body["files"], *body["captions"])] + [body["poster"]]
    assert demo.scalar(select(func.count()).where(File.sha256.in_(digests), File.kind == "lesson")) == 4


def test_no_lesson_of_the_demo_is_empty_and_only_the_others_are_generated(demo):
    bodies_of_texts = (
        select(Product.slug, LessonBody.is_generated, LessonBody.body)
        .select_from(Lesson)
        .join(Product, Product.id == Lesson.course_id)
        .outerjoin(LessonBody, LessonBody.lesson_id == Lesson.id)
    )
    rows = demo.execute(bodies_of_texts).all()
    assert [row.slug for row in rows if not (row.body and row.body["text"].strip())] == []
    assert {row.slug for row in rows if row.slug in WRITTEN and row.is_generated} == set()
    assert len({row.slug for row in rows if row.is_generated}) == len(ROWS) - len(WRITTEN)


def test_the_course_page_shows_the_first_paragraph_of_the_sample_lesson(demo):
    for slug in WRITTEN:
        sections = demo.scalar(
            select(Course.sections).join(Product, Product.id == Course.id).where(Product.slug == slug)
        )
        (sample,) = [lesson["preview"] for section in sections for lesson in section["lessons"] if "preview" in lesson]
        assert len(sample) > 200
        assert not re.search(r"[#|`*]", sample)


def test_what_pages_read_of_every_course_is_its_outline(demo):
    courses = demo.scalars(select(Course)).all()
    assert len(courses) > len(WRITTEN)
    assert [course.id for course in courses if course.sections != derived_outline(demo, course.id)] == []


def test_the_outline_of_pages_names_the_study_sheets_of_courses_that_are_not_written(demo):
    query = select(Product.slug, Course.sections).join(Product, Product.id == Course.id)
    with_sheets = {
        slug
        for slug, sections in demo.execute(query)
        if any("sheet" in lesson for section in sections for lesson in section["lessons"])
    }
    assert with_sheets == ROWS.keys() - WRITTEN.keys()
