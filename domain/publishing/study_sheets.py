"""Texts for lessons whose source has none: a study sheet made of what the course says of itself.

A course that somebody bought is never empty: one without lessons has a guide as its only one, for its learners alone
(`courses.sections` and so its public page leave it out). Sheets and guides are stored as generated, and what a person
writes replaces them (domain/publishing/lessons.py).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from domain.catalogue.changes import bump_version
from domain.learning import lesson_bodies
from domain.publishing.records import Json
from domain.tables import Course, CourseSection, Lesson, LessonBody, Product
from domain.text_direction import isolated

_BATCH = 500
GUIDE_TITLE = "Course guide"
# No source names a lesson so.
GUIDE_KEY = "shop: course guide"
_SOLD = ("published", "scheduled", "retired")


def study_sheet(course: str, section: str, lesson: str, position: int, outcomes: Sequence[str]) -> str:
    """The Markdown of a sheet. `position`: of the lesson in its course, which chooses the outcome it works towards."""
    lines = [f"This lesson belongs to **{isolated(section)}** in *{isolated(course)}*.", "", "## Aim", ""]
    aim = outcomes[position % len(outcomes)] if outcomes else ""
    lines.append(f"It works towards this outcome of the course: {_sentence(aim)}" if aim else _plain_aim(lesson))
    lines += ["", "## What to look at", "", *_questions(lesson), "", "## Exercise", "", *_exercise(lesson, aim)]
    return "\n".join(lines) + "\n"


def course_guide(description: str, outcomes: Sequence[str]) -> str:
    """The Markdown of the only lesson of a course without lessons."""
    lines = [description.strip()] if description.strip() else []
    if outcomes:
        lines += ["", "## What you can do afterwards", "", *(f"- {_sentence(outcome)}" for outcome in outcomes)]
    return "\n".join(lines).strip() + "\n"


def has_own_lessons(session: Session, course_id: int) -> bool:
    """Whether a person has written at least one lesson; others the shop makes of the outline and the texts."""
    written = (
        select(Lesson.id).join(LessonBody, LessonBody.lesson_id == Lesson.id).where(LessonBody.is_generated.is_(False))
    )
    return (
        session.scalar(written.where(Lesson.course_id == course_id, Lesson.withdrawn_at.is_(None)).limit(1)) is not None
    )


def fill_missing(session: Session, course_id: int | None = None) -> int:
    """Store a sheet for every lesson without a body, of one course or of all; returns how many. Lessons of videos,
    quizzes and files have bodies of their own. The caller increases the catalogue's version for one course."""
    count = 0
    while rows := _batch_without_body(session, course_id):
        session.add_all(_body_of(row) for row in rows)
        session.flush()
        count += len(rows)
    if count and course_id is None:
        bump_version(session)
    return count


def fill_missing_guides(session: Session, at: datetime) -> int:
    """Give every course without lessons the guide that is missing; returns how many changed (`put_guides`)."""
    ids = session.scalars(select(Course.id).order_by(Course.id)).all()
    changed = sum(put_guides(session, ids[first : first + _BATCH], at) for first in range(0, len(ids), _BATCH))
    # Hosts of the build before, which run beside this one for a while, have cached outlines and texts by the version.
    if changed:
        bump_version(session)
    return changed


def put_guides(session: Session, course_ids: Collection[int], at: datetime) -> int:
    """Give those of the courses that are sold and have no lesson a guide, and write guides anew whose course now says
    something else. Returns how many changed. A few statements, however many courses there are."""
    texts = _guide_texts(session, course_ids)
    query = select(Lesson, LessonBody).join(LessonBody, LessonBody.lesson_id == Lesson.id)
    rows = session.execute(query.where(Lesson.course_id.in_(texts), Lesson.source_key == GUIDE_KEY))
    stored = {lesson.course_id: (lesson, body) for lesson, body in rows}
    changed = sum(_rewrite_guide(session, *stored[key], texts[key], at) for key in texts.keys() & stored.keys())
    new = {key: text for key, text in texts.items() if key not in stored}
    if new:
        _insert_guides(session, new, at)
    session.flush()
    return changed + len(new)


def _guide_texts(session: Session, course_ids: Collection[int]) -> dict[int, str]:
    """By course, of those that have no other lesson."""
    other = (Lesson.course_id == Product.id, Lesson.withdrawn_at.is_(None), Lesson.source_key != GUIDE_KEY)
    query = (
        select(Product.id, Product.subtitle, Course.description, Course.outcomes)
        .join(Course, Course.id == Product.id)
        .where(Product.id.in_(course_ids), Product.status.in_(_SOLD), ~select(Lesson.id).where(*other).exists())
    )
    rows = session.execute(query)
    return {row.id: course_guide(row.description.strip() or row.subtitle, row.outcomes) for row in rows}


def _insert_guides(session: Session, texts: Mapping[int, str], at: datetime) -> None:
    sections = _insert_sections(session, texts.keys())
    about = {"position": 0, "source_key": GUIDE_KEY, "title": GUIDE_TITLE, "kind": "text", "minutes": 0}
    about |= {"is_required": True, "is_preview": False, "revision": 1, "updated_at": at, "added_at": at}
    rows = [{**about, "course_id": key, "section_id": sections[key]} for key in texts]
    session.execute(insert(Lesson), rows)
    # Ids are read back because MySQL has no RETURNING.
    query = select(Lesson.id, Lesson.course_id).where(Lesson.course_id.in_(texts), Lesson.source_key == GUIDE_KEY)
    session.execute(insert(LessonBody), [_guide_body(row.id, texts[row.course_id]) for row in session.execute(query)])


def _insert_sections(session: Session, course_ids: Collection[int]) -> dict[int, int]:
    """A section without a title for the guide of each course: its id by the course's."""
    session.execute(insert(CourseSection), [{"course_id": key, "position": 0, "title": ""} for key in course_ids])
    query = select(CourseSection.course_id, CourseSection.id)
    rows = session.execute(query.where(CourseSection.course_id.in_(course_ids), CourseSection.title == ""))
    return dict(rows.all())


def _guide_body(lesson_id: int, text: str) -> Json:
    body = {"text": text}
    return {
        "lesson_id": lesson_id,
        "body": body,
        "search_text": lesson_bodies.search_text(body),
        "is_generated": True,
    }


def _rewrite_guide(session: Session, guide: Lesson, body: LessonBody, text: str, at: datetime) -> bool:
    """Also of a course that had lessons meanwhile. Returns whether anything changed."""
    was_withdrawn, is_other = guide.withdrawn_at is not None, body.body != {"text": text}
    if was_withdrawn:
        guide.section_id = _insert_sections(session, [guide.course_id])[guide.course_id]
        guide.withdrawn_at, guide.position = None, 0
    if is_other:
        body.body, body.search_text = {"text": text}, lesson_bodies.search_text({"text": text})
        guide.revision, guide.updated_at = guide.revision + 1, at
    return was_withdrawn or is_other


def _batch_without_body(session: Session, course_id: int | None) -> list[Json]:
    query = (
        select(
            Lesson.id,
            Lesson.title,
            Lesson.position,
            CourseSection.title.label("section"),
            CourseSection.position.label("section_position"),
            Product.name.label("course"),
            Course.outcomes,
        )
        .join(CourseSection, CourseSection.id == Lesson.section_id)
        .join(Product, Product.id == Lesson.course_id)
        .join(Course, Course.id == Lesson.course_id)
        .outerjoin(LessonBody, LessonBody.lesson_id == Lesson.id)
        .where(LessonBody.lesson_id.is_(None), Lesson.kind == "text")
        .order_by(Lesson.id)
        .limit(_BATCH)
    )
    if course_id is not None:
        query = query.where(Lesson.course_id == course_id)
    return [dict(row) for row in session.execute(query).mappings()]


def _body_of(row: Json) -> LessonBody:
    body = {"text": _sheet_of(row)}
    return LessonBody(lesson_id=row["id"], body=body, search_text=lesson_bodies.search_text(body), is_generated=True)


def _sheet_of(row: Json) -> str:
    position = row["section_position"] + row["position"]
    return study_sheet(row["course"], row["section"], row["title"], position, row["outcomes"])


def _plain_aim(lesson: str) -> str:
    return f"After it you can explain “{isolated(lesson)}” in your own words and say where it matters in your work."


def _questions(lesson: str) -> Iterator[str]:
    yield f"- What does “{isolated(lesson)}” mean, in one sentence?"
    yield "- Where does it occur in your own work, and who else is concerned?"
    yield "- What goes wrong when it is left out or done badly?"


def _exercise(lesson: str, aim: str) -> Iterator[str]:
    yield f"1. Take one case from your own work that has to do with “{isolated(lesson)}”."
    yield f"2. Write down what you do today{', and what you would do to reach the aim' if aim else ''}."
    yield "3. Compare both with a colleague, and note one thing that you will change."


def _sentence(text: str) -> str:
    stripped = text.strip()
    return stripped if stripped.endswith((".", "!", "?")) else f"{stripped}."
