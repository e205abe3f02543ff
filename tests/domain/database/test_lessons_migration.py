"""The migration of outlines to rows, up and down, on both databases."""

import json

import pytest
from sqlalchemy import text

from domain.database.database import Database
from domain.migrations import runner

BEFORE = "0015_gift_lines"
PRODUCT = (
    "INSERT INTO products (id, kind, slug, name, subtitle, category_id, list_price, image, image_width, image_height, "
    "image_alt, rating_count, enrolled, popularity, featured, status, updated_at) VALUES (:id, 'course', :slug, :slug, "
    "'', 1, 100000, '', 8, 5, '', 0, 0, 0, 0, 'published', '2026-03-01 12:00:00')"
)
COURSE = (
    "INSERT INTO courses (id, description, is_generated, outcomes, prerequisites, audience, sections, faq, provider) "
    "VALUES (:id, '', 0, '[]', '[]', '[]', :sections, '[]', '')"
)
OUTLINE = [
    {"title": "Start", "lessons": [{"title": "Aim", "minutes": 5, "preview": "Read this."}, {"title": "Quiz"}]},
    {"title": "End", "lessons": [{"title": "QUIZ", "minutes": 7}]},
]
WITH_IDS = [
    {
        "title": "Start",
        "lessons": [{"title": "Aim", "minutes": 5, "preview": "Read this.", "id": 1}, {"title": "Quiz", "id": 2}],
    },
    {"title": "End", "lessons": [{"title": "QUIZ", "minutes": 7, "id": 3}]},
]


@pytest.fixture
def shop(bare: Database) -> Database:
    """A shop of the build before: one course with an outline, one without."""
    runner.upgrade(bare.engine, BEFORE)
    with bare.engine.begin() as connection:
        connection.execute(
            text("INSERT INTO categories (id, slug, name, description, position) VALUES (1, 't', 'T', '', 0)")
        )
        for key, sections in ((7, OUTLINE), (8, [])):
            connection.execute(text(PRODUCT), {"id": key, "slug": f"course-{key}"})
            connection.execute(text(COURSE), {"id": key, "sections": json.dumps(sections)})
    return bare


def rows(database: Database, query: str) -> list[tuple]:
    with database.engine.connect() as connection:
        return [tuple(row) for row in connection.execute(text(query))]


def outlines(database: Database) -> list:
    return [json.loads(sections) for (sections,) in rows(database, "SELECT sections FROM courses ORDER BY id")]


def test_an_outline_becomes_rows_and_an_outline_again(shop):
    runner.upgrade(shop.engine)
    sections = rows(shop, "SELECT course_id, position, title FROM course_sections ORDER BY id")
    assert sections == [(7, 0, "Start"), (7, 1, "End")]
    lessons = (
        "SELECT id, course_id, section_id, position, source_key, minutes, kind, is_preview FROM lessons ORDER BY id"
    )
    assert rows(shop, lessons) == [
        (1, 7, 1, 0, "aim", 5, "text", 1),
        (2, 7, 1, 1, "quiz", 0, "text", 0),
        (3, 7, 2, 0, "quiz-2", 7, "text", 0),
    ]
    bodies = [(key, json.loads(body)) for key, body in rows(shop, "SELECT lesson_id, body FROM lesson_bodies")]
    assert bodies == [(1, {"text": "Read this."})]
    assert outlines(shop) == [WITH_IDS, []]
    assert id_of_added_lesson(shop) == 4
    runner.migrate(shop.engine, BEFORE)
    assert outlines(shop) == [OUTLINE, []]


def id_of_added_lesson(shop: Database) -> int:
    """The id of a lesson without a section that is added now."""
    with shop.engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO lessons (course_id, position, source_key, title, kind, minutes, is_required, is_preview, "
                "revision, updated_at) VALUES (8, 0, 'new', 'New', 'text', 1, 1, 0, 1, '2026-03-01 12:00:00')"
            )
        )
    ((key,),) = rows(shop, "SELECT id FROM lessons WHERE source_key = 'new'")
    return int(key)
