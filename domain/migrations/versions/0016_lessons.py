"""Lessons as rows, with ids that survive every import, and the progress of learners in them.

The outline of each course becomes rows; `courses.sections` stays what pages and search read, with the lessons' ids. The
way back leaves the outlines as they were and forgets progress.
"""

import unicodedata
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import FOLDED, KEY, LONG_TEXT, create_table, optional, required
from domain.tables.base import UTCTime

revision = "0016_lessons"
down_revision = "0015_gift_lines"
branch_labels = None
depends_on = None

_CHUNK = 500
_KEY_LENGTH = 180
_COURSES = sa.table("courses", sa.column("id"), sa.column("sections", sa.JSON))
_PRODUCTS = sa.table("products", sa.column("id"), sa.column("updated_at", UTCTime()))
_SECTIONS = sa.table("course_sections", *map(sa.column, ("id", "course_id", "position", "title")))
_LESSON_COLUMNS = ("id", "course_id", "section_id", "position", "source_key", "title", "kind", "minutes")
_LESSONS = sa.table(
    "lessons",
    *map(sa.column, _LESSON_COLUMNS),
    *map(sa.column, ("is_required", "is_preview", "revision")),
    sa.column("updated_at", UTCTime()),
)
_BODIES = sa.table(
    "lesson_bodies",
    sa.column("lesson_id"),
    sa.column("body", sa.JSON),
    *map(sa.column, ("search_text", "is_generated")),
)
Json = dict[str, Any]


def upgrade() -> None:
    _create_tables()
    ids = {"section": 0, "lesson": 0}
    for courses in _courses():
        sections: list[Json] = []
        lessons: list[Json] = []
        bodies: list[Json] = []
        for course in courses:
            _add_rows(course, ids, sections, lessons, bodies)
        for table, rows in ((_SECTIONS, sections), (_LESSONS, lessons), (_BODIES, bodies)):
            if rows:
                op.get_bind().execute(sa.insert(table), rows)
        _put_outlines(courses)


def downgrade() -> None:
    for courses in _courses():
        for course in courses:
            for section in course["sections"]:
                for lesson in section["lessons"]:
                    lesson.pop("id", None)
        _put_outlines(courses)
    for table in ("lesson_progress", "lesson_bodies", "lessons", "course_sections"):
        op.drop_table(table)


def _create_tables() -> None:
    create_table(
        "course_sections",
        required("id", KEY, primary_key=True),
        required("course_id", KEY, sa.ForeignKey("courses.id", ondelete="CASCADE")),
        required("position", sa.Integer()),
        required("title", sa.String(500)),
        sa.Index("ix_course_sections_course_id_position", "course_id", "position"),
    )
    create_table(
        "lessons",
        required("id", KEY, primary_key=True),
        required("course_id", KEY, sa.ForeignKey("courses.id", ondelete="CASCADE")),
        optional("section_id", KEY, sa.ForeignKey("course_sections.id", ondelete="SET NULL"), index=True),
        required("position", sa.Integer()),
        required("source_key", FOLDED),
        required("title", sa.String(500)),
        required("kind", sa.String(10)),
        required("minutes", sa.Integer()),
        required("is_required", sa.Boolean()),
        required("is_preview", sa.Boolean()),
        required("revision", sa.Integer()),
        required("updated_at", UTCTime()),
        optional("withdrawn_at", UTCTime()),
        sa.UniqueConstraint("course_id", "source_key"),
        sa.CheckConstraint("kind IN ('text', 'video', 'quiz', 'file')", name="kind"),
        sa.Index("ix_lessons_course_id_section_id_position", "course_id", "section_id", "position"),
    )
    create_table(
        "lesson_bodies",
        required(
            "lesson_id", KEY, sa.ForeignKey("lessons.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
        ),
        required("body", sa.JSON()),
        required("search_text", LONG_TEXT),
        required("is_generated", sa.Boolean()),
    )
    create_table(
        "lesson_progress",
        _part_of_key("learner_id", "learners.id"),
        _part_of_key("course_id", "courses.id", index=True),
        _part_of_key("lesson_id", "lessons.id", index=True),
        required("is_done", sa.Boolean()),
        optional("done_at", UTCTime()),
        required("position", sa.Integer()),
        optional("position_at", UTCTime()),
        required("furthest", sa.Integer()),
        required("opened_at", UTCTime()),
        sqlite_with_rowid=False,
    )


def _part_of_key(name: str, target: str, **options: Any) -> sa.Column[Any]:
    key = sa.ForeignKey(target, ondelete="CASCADE")
    return required(name, KEY, key, primary_key=True, autoincrement=False, **options)


def _courses() -> Iterator[list[Json]]:
    """Courses in chunks: an imported catalogue has thousands."""
    last = 0
    query = sa.select(_COURSES.c.id, _COURSES.c.sections, _PRODUCTS.c.updated_at)
    query = query.join(_PRODUCTS, _PRODUCTS.c.id == _COURSES.c.id).order_by(_COURSES.c.id).limit(_CHUNK)
    while rows := [dict(row._mapping) for row in op.get_bind().execute(query.where(_COURSES.c.id > last))]:
        last = rows[-1]["id"]
        yield [row for row in rows if row["sections"]]


def _add_rows(course: Json, ids: dict[str, int], sections: list[Json], lessons: list[Json], bodies: list[Json]) -> None:
    """Rows of the course's outline; its lessons in `course` get their ids."""
    taken: set[str] = set()
    for place, section in enumerate(course["sections"]):
        ids["section"] += 1
        sections.append(
            {"id": ids["section"], "course_id": course["id"], "position": place, "title": section["title"][:500]}
        )
        for position, lesson in enumerate(section["lessons"]):
            ids["lesson"] += 1
            preview = lesson.get("preview") or ""
            lesson["id"] = ids["lesson"]
            lessons.append(
                {"id": ids["lesson"], "course_id": course["id"], "section_id": ids["section"], "position": position}
                | {"source_key": _key(lesson["title"], taken), "title": lesson["title"][:500], "kind": "text"}
                | {"minutes": lesson.get("minutes", 0), "is_required": True, "is_preview": bool(preview)}
                | {"revision": 1, "updated_at": course["updated_at"]}
            )
            if preview:
                body = {"text": preview}
                bodies.append({"lesson_id": ids["lesson"], "body": body} | {"search_text": "", "is_generated": False})


def _key(title: str, taken: set[str]) -> str:
    folded = " ".join(unicodedata.normalize("NFKC", title).casefold().split())[:_KEY_LENGTH]
    number, key = 1, folded
    while key in taken:
        number += 1
        key = f"{folded}-{number}"
    taken.add(key)
    return key


def _put_outlines(courses: list[Json]) -> None:
    rows = [{"row_id": course["id"], "outline": course["sections"]} for course in courses]
    if rows:
        changed = sa.update(_COURSES).where(_COURSES.c.id == sa.bindparam("row_id"))
        op.get_bind().execute(changed.values(sections=sa.bindparam("outline", type_=sa.JSON())), rows)
