"""Sections and lessons of courses, the texts of lessons, how far each learner is in them, and what they wrote there."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, Folded, LongText, UTCTime, UuidText


class CourseSection(Base):
    __tablename__ = "course_sections"
    __table_args__ = (Index("ix_course_sections_course_id_position", "course_id", "position"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    course_id: Mapped[int] = mapped_column(BigKey, ForeignKey("courses.id", ondelete="CASCADE"))
    position: Mapped[int]
    title: Mapped[str] = mapped_column(String(500))


class Lesson(Base):
    """What lists of lessons show. A lesson never moves to another course. `source_key`: how a source names it: its own
    id, else the folded title. `withdrawn_at`: no longer in the outline; who has begun it can still read it."""

    __tablename__ = "lessons"
    __table_args__ = (
        UniqueConstraint("course_id", "source_key"),
        CheckConstraint("kind IN ('text', 'video', 'quiz', 'file')", name="kind"),
        Index("ix_lessons_course_id_section_id_position", "course_id", "section_id", "position"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    course_id: Mapped[int] = mapped_column(BigKey, ForeignKey("courses.id", ondelete="CASCADE"))
    # A withdrawn lesson has none.
    section_id: Mapped[int | None] = mapped_column(
        BigKey, ForeignKey("course_sections.id", ondelete="SET NULL"), index=True
    )
    position: Mapped[int]
    source_key: Mapped[str] = mapped_column(Folded)
    title: Mapped[str] = mapped_column(String(500))
    kind: Mapped[str] = mapped_column(String(10))
    minutes: Mapped[int] = mapped_column(default=0)
    is_required: Mapped[bool] = mapped_column(default=True)
    is_preview: Mapped[bool] = mapped_column(default=False)
    # Counts the changes of title, kind and body.
    revision: Mapped[int] = mapped_column(default=1)
    updated_at: Mapped[datetime] = mapped_column(UTCTime)
    # None: before this was recorded.
    added_at: Mapped[datetime | None] = mapped_column(UTCTime)
    withdrawn_at: Mapped[datetime | None] = mapped_column(UTCTime)


class LessonBody(Base):
    """`body` has the form of the lesson's kind (domain/learning/lesson_bodies.py). `search_text`: its words, folded."""

    __tablename__ = "lesson_bodies"
    __table_args__ = MARIADB

    lesson_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("lessons.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    body: Mapped[dict[str, Any]] = mapped_column(JSON)
    search_text: Mapped[str] = mapped_column(LongText, default="")
    # Written by the shop because the source has no text for the lesson.
    is_generated: Mapped[bool] = mapped_column(default=False)


class LessonProgress(Base):
    """A lesson is not deleted while there are rows of it. `position`: seconds of a video, thousandths of a text;
    `furthest`: the largest of them. `done_at` and `position_at` are the times of the newest change of each, also of one
    that took `is_done` back."""

    __tablename__ = "lesson_progress"
    __table_args__ = ({**MARIADB, "sqlite_with_rowid": False},)

    learner_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("learners.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    course_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("courses.id", ondelete="CASCADE"), primary_key=True, autoincrement=False, index=True
    )
    lesson_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("lessons.id"), primary_key=True, autoincrement=False, index=True
    )
    is_done: Mapped[bool] = mapped_column(default=False)
    done_at: Mapped[datetime | None] = mapped_column(UTCTime)
    position: Mapped[int] = mapped_column(default=0)
    position_at: Mapped[datetime | None] = mapped_column(UTCTime)
    furthest: Mapped[int] = mapped_column(default=0)
    opened_at: Mapped[datetime] = mapped_column(UTCTime)


class QuizAttempt(Base):
    """Answers that a learner sent, as they were marked then. `event_id`: the browser's, so that a resend is one
    attempt. `number`: 1, 2, … in this quiz; `revision`: the lesson's. `answers`: id of a question -> ids
    of options, or a number as text; `marks` and `score` are per mille."""

    __tablename__ = "quiz_attempts"
    __table_args__ = (
        UniqueConstraint("learner_id", "event_id"),
        UniqueConstraint("learner_id", "lesson_id", "number"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    event_id: Mapped[str] = mapped_column(UuidText)
    learner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="CASCADE"))
    lesson_id: Mapped[int] = mapped_column(BigKey, ForeignKey("lessons.id"), index=True)
    number: Mapped[int]
    revision: Mapped[int]
    answers: Mapped[dict[str, Any]] = mapped_column(JSON)
    marks: Mapped[dict[str, int]] = mapped_column(JSON)
    score: Mapped[int]
    is_passed: Mapped[bool]
    attempted_at: Mapped[datetime] = mapped_column(UTCTime)


class LessonNote(Base):
    """`version` counts the changes: a change names the version that it was made from."""

    __tablename__ = "lesson_notes"
    __table_args__ = MARIADB

    learner_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("learners.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    lesson_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("lessons.id"), primary_key=True, autoincrement=False, index=True
    )
    body: Mapped[str] = mapped_column(LongText)
    version: Mapped[int]
    updated_at: Mapped[datetime] = mapped_column(UTCTime)
