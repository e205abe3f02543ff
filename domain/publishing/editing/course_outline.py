"""The outline of a course as staff edit it: sections, lessons in their order, and the rule by which it is completed."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.errors import InvalidInput, Refused
from domain.learning import outline, recount, rules
from domain.learning.completion import CompletionRule, OutlineLesson, describe_rule
from domain.learning.recount import Completing
from domain.publishing.editing.course_texts import MAX_MINUTES, shortened
from domain.publishing.editing.stored_course import Edit, StoredCourse, locked_course, stored_course
from domain.publishing.lessons import folded_key, put_lessons
from domain.publishing.records import Json, LessonRecord, SectionRecord
from domain.publishing.study_sheets import GUIDE_KEY
from domain.tables import CourseSection, Enrolment, Lesson, LessonBody
from domain.text_direction import isolated

MAX_SECTIONS, MAX_LESSONS = 200, 1_000
MAX_TITLE_LENGTH = 500
FROZEN = (
    "This course is retired: its rule, and which lessons it has, stay as those who have it were promised. Titles, "
    "minutes and what lessons teach can still be corrected."
)


@dataclass(frozen=True)
class EditedLesson:
    """`id` None: a new lesson, which begins as a text. `kind` is that of what is stored: the lesson's own page changes
    it. A lesson of a course package (`ref`: how the package names it) brings kind and body with it; `source_key`: its
    key as a new one. `body` None leaves what is stored."""

    id: int | None
    title: str
    minutes: int = 0
    is_required: bool = True
    is_preview: bool = False
    kind: str = "text"
    ref: str = ""
    body: Json | None = None
    source_key: str = ""


@dataclass(frozen=True)
class EditedSection:
    title: str
    lessons: tuple[EditedLesson, ...]


@dataclass(frozen=True)
class EditedOutline:
    """`version` and `changed_at` of the rule do not count."""

    sections: tuple[EditedSection, ...]
    rule: CompletionRule

    @property
    def lessons(self) -> list[EditedLesson]:
        return [lesson for section in self.sections for lesson in section.lessons]


@dataclass(frozen=True)
class OutlineEffects:
    """What an outline would do. `rule`: in words. `owners`: learners who have or had the course; `completed`: those
    who have completed it, and stay so."""

    rule: str
    lessons: int
    minutes: int
    owners: int
    completed: int
    completing: Completing


class _Stored(NamedTuple):
    """`is_generated`: the shop wrote its text."""

    id: int
    section: int
    source_key: str
    title: str
    kind: str
    minutes: int
    is_required: bool
    is_preview: bool
    is_generated: bool


def read_outline(session: Session, course_id: int) -> EditedOutline:
    """Without the guide of a course that has no lessons: nobody edits it."""
    lessons = _stored_lessons(session, course_id)
    sections = tuple(
        EditedSection(title, tuple(_edited(row) for row in lessons if row.section == position))
        for position, title in _stored_sections(session, course_id)
    )
    sections = tuple(section for section in sections if section.title or section.lessons)
    return EditedOutline(sections, outline.rule_of(session, course_id))


def generated_ids(session: Session, course_id: int) -> set[int]:
    """The lessons whose text the shop wrote, because nobody else has."""
    return {row.id for row in _stored_lessons(session, course_id) if row.is_generated}


def effects(session: Session, course_id: int, edited: EditedOutline, at: datetime) -> OutlineEffects:
    """Writes nothing. Raises NotFound, InvalidInput."""
    stored_course(session, course_id)
    _require_valid(edited)
    kinds = {row.id: row.kind for row in _stored_lessons(session, course_id)}
    counted = [
        OutlineLesson(
            lesson.id or -number, lesson.kind if lesson.ref else kinds.get(lesson.id or 0, "text"), lesson.is_required
        )
        for number, lesson in enumerate(edited.lessons, start=1)
    ]
    owners = select(func.count(), func.count(Enrolment.completed_at)).where(Enrolment.product_id == course_id)
    count, completed = session.execute(owners).one()
    return OutlineEffects(
        rule=describe_rule(edited.rule, counted),
        lessons=len(counted),
        minutes=sum(lesson.minutes for lesson in edited.lessons),
        owners=count,
        completed=completed,
        completing=recount.count_completing(session, course_id, edited.rule, counted, at),
    )


def change_outline(session: Session, edit: Edit, edited: EditedOutline) -> int:
    """Store the outline and the rule, and return the new version. A lesson whose id the course does not have is a new
    one. Raises NotFound, NewerVersion, and InvalidInput: also where a published course would lose its duration."""
    _require_valid(edited)
    stored = locked_course(session, edit.product_id, edit.version)
    before = read_outline(session, edit.product_id)
    records = outline_records(session, edit.product_id, edited)
    return put_records(session, edit, stored, before, (records, edited.rule))


def put_records(
    session: Session,
    edit: Edit,
    stored: StoredCourse,
    before: EditedOutline,
    wanted: tuple[tuple[SectionRecord, ...], CompletionRule],
) -> int:
    """Write outline and rule of a locked course, with what is counted of them, and record it. Raises Refused for more
    than corrections of a retired one."""
    records, rule = wanted
    at, course_id = edit.actor.at, edit.product_id
    if is_frozen(stored) and _is_more_than_corrections(session, course_id, before.rule, wanted):
        raise Refused(FROZEN)
    changed = _count(stored, before, records)
    changed |= put_lessons(session, course_id, records, at)
    changed |= rules.put_rule(session, course_id, rule, at).version != before.rule.version
    if not changed:
        recording.no_change(session)
        return stored.product.version
    stored.product.version += 1
    stored.product.updated_at = at
    session.flush()
    after = read_outline(session, course_id)
    subject = Subject("course", course_id)
    # The summary has no texts: without title or package a change of them alone would say nothing.
    own = {name: text for name in ("lesson", "package") if (text := getattr(edit, name))}
    recording.record(session, "course.edit_lessons", subject, before=_summary(before), after=_summary(after) | own)
    return stored.product.version


def is_frozen(stored: StoredCourse) -> bool:
    """Whether rule and outline are only corrected."""
    return stored.product.status == "retired"


def _is_more_than_corrections(
    session: Session,
    course_id: int,
    rule: CompletionRule,
    wanted: tuple[tuple[SectionRecord, ...], CompletionRule],
) -> bool:
    """Whether lessons come, go, move or change their kind, or the rule changes."""
    records, wanted_rule = wanted
    present = [(row.section, row.source_key, row.kind, row.is_required) for row in _stored_lessons(session, course_id)]
    future = [
        (place, lesson.source_key, lesson.kind, lesson.is_required)
        for place, section in enumerate(records)
        for lesson in section.lessons
    ]
    same_rule = replace(wanted_rule, version=rule.version, changed_at=rule.changed_at)
    return present != future or same_rule != rule


def outline_records(session: Session, course_id: int, edited: EditedOutline) -> tuple[SectionRecord, ...]:
    """The records for the writer, without bodies but those of a package: what is stored stays. A new lesson gets a key
    that no other one has or had, so that it never takes the place of one that people have begun; one of a package has
    its own, by which a lesson that was withdrawn comes back."""
    rows = {row.id: row for row in _stored_lessons(session, course_id)}
    taken = {*session.scalars(select(Lesson.source_key).where(Lesson.course_id == course_id))}
    used = {row.source_key for row in rows.values()}

    def record(lesson: EditedLesson) -> LessonRecord:
        row = rows.get(lesson.id or 0)
        own = folded_key(lesson.source_key) if lesson.source_key else ""
        new = own if own and own not in used else folded_key(lesson.title, taken)
        key = new if row is None else row.source_key
        taken.add(key)
        used.add(key)
        return LessonRecord(
            title=" ".join(lesson.title.split()),
            minutes=lesson.minutes,
            source_key=key,
            kind=_kind(lesson, row),
            is_required=lesson.is_required,
            is_preview=lesson.is_preview,
            body=lesson.body,
        )

    return tuple(
        SectionRecord(" ".join(section.title.split()), tuple(record(lesson) for lesson in section.lessons))
        for section in edited.sections
    )


def _kind(lesson: EditedLesson, row: _Stored | None) -> str:
    if lesson.body is not None:
        return lesson.kind
    return "text" if row is None else row.kind


def _stored_sections(session: Session, course_id: int) -> list[tuple[int, str]]:
    query = select(CourseSection.position, CourseSection.title).where(CourseSection.course_id == course_id)
    return [(position, title) for position, title in session.execute(query.order_by(CourseSection.position))]


def _stored_lessons(session: Session, course_id: int) -> list[_Stored]:
    columns = (Lesson.title, Lesson.kind, Lesson.minutes, Lesson.is_required, Lesson.is_preview)
    query = (
        select(
            Lesson.id, CourseSection.position, Lesson.source_key, *columns, func.coalesce(LessonBody.is_generated, 0)
        )
        .join(CourseSection, CourseSection.id == Lesson.section_id)
        .outerjoin(LessonBody, LessonBody.lesson_id == Lesson.id)
        .where(Lesson.source_key != GUIDE_KEY, Lesson.course_id == course_id, Lesson.withdrawn_at.is_(None))
        .order_by(CourseSection.position, Lesson.position, Lesson.id)
    )
    return [_Stored(*row[:-1], bool(row[-1])) for row in session.execute(query)]


def _edited(row: _Stored) -> EditedLesson:
    return EditedLesson(row.id, row.title, row.minutes, row.is_required, row.is_preview, row.kind)


def _count(stored: StoredCourse, before: EditedOutline, records: tuple[SectionRecord, ...]) -> bool:
    """Let the product's counts follow the outline; whether one changed. A duration that somebody typed stays: it is
    counted while it is none, or was the sum of the lessons."""
    product = stored.product
    minutes = sum(lesson.minutes for section in records for lesson in section.lessons)
    lessons = sum(len(section.lessons) for section in records)
    former = sum(lesson.minutes for lesson in before.lessons)
    counted = (lessons, minutes or None if product.duration_min in (None, 0, former) else product.duration_min)
    if counted == (product.lesson_count or 0, product.duration_min):
        return False
    product.lesson_count, product.duration_min = counted
    if product.status in ("published", "scheduled") and not product.duration_min:
        raise InvalidInput({"form": f"This course is {product.status}, and needs lessons with minutes or a duration."})
    return True


def _require_valid(edited: EditedOutline) -> None:
    if errors := {**dict(_problems(edited)), **rules.problems(edited.rule)}:
        raise InvalidInput(errors)


def _problems(edited: EditedOutline) -> Iterator[tuple[str, str]]:
    if len(edited.sections) > MAX_SECTIONS or len(edited.lessons) > MAX_LESSONS:
        yield "form", f"A course has at most {MAX_SECTIONS} sections and {MAX_LESSONS} lessons."
    ids = [lesson.id for lesson in edited.lessons if lesson.id is not None]
    if len({*ids}) < len(ids):
        yield "form", "A lesson is in the outline twice."
    for place, section in enumerate(edited.sections):
        if not section.title.strip():
            yield f"sections.{place}.title", "Enter a title."
        for number, lesson in enumerate(section.lessons):
            if not lesson.title.strip():
                yield f"sections.{place}.lessons.{number}.title", "Enter a title."
            if not 0 <= lesson.minutes <= MAX_MINUTES:
                yield f"sections.{place}.lessons.{number}.minutes", f"Enter 0 to {MAX_MINUTES} minutes."


def _summary(edited: EditedOutline) -> Json:
    """For the event: the titles as far as there is room, and the rule in words."""
    lines = [
        f"{isolated(section.title)}: " + ", ".join(_words(lesson) for lesson in section.lessons)
        for section in edited.sections
    ]
    counted = [OutlineLesson(lesson.id or 0, lesson.kind, lesson.is_required) for lesson in edited.lessons]
    return {"lessons": shortened("; ".join(lines)), "rule": describe_rule(edited.rule, counted)} | _rule_values(edited)


def _words(lesson: EditedLesson) -> str:
    marks = ("" if lesson.is_required else ", optional") + (", preview" if lesson.is_preview else "")
    return f"{isolated(lesson.title)} ({lesson.kind}, {lesson.minutes} min{marks})"


def _rule_values(edited: EditedOutline) -> Json:
    rule = edited.rule
    months = "no end" if rule.valid_months is None else f"{rule.valid_months} months"
    return {"certificate": months if rule.has_certificate else "none", "pass_mark": rule.pass_mark}
