"""What a person writes about a course: its texts, and the lists and questions of its page."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256

from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.errors import InvalidInput
from domain.publishing import publish_rules
from domain.publishing.categories import category_ids, instructor_ids
from domain.publishing.editing.stored_course import Edit, StoredCourse, locked_course, put
from domain.publishing.records import CourseRecord, Json

LEVELS = ("beginner", "intermediate", "advanced", "all")
MAX_MINUTES = 60 * 1_000


@dataclass(frozen=True)
class CourseTexts:
    """The fields of the form, as typed. `instructors`: their slugs. `duration_min` 0: not known."""

    name: str
    subtitle: str
    description: str
    category: str
    level: str
    language: str
    provider: str
    instructors: tuple[str, ...]
    duration_min: int


@dataclass(frozen=True)
class CourseLists:
    """Lists of the course's page, one entry a line. `faq`: a question, on the lines after it its answer, an empty line
    before the next question."""

    outcomes: str
    prerequisites: str
    audience: str
    faq: str


def texts_of(record: CourseRecord) -> CourseTexts:
    return CourseTexts(
        name=record.name,
        subtitle=record.subtitle,
        description=record.description,
        category=record.category,
        level=record.level or "",
        language=record.language or "",
        provider=record.provider,
        instructors=tuple(record.instructors or ()),
        duration_min=record.duration_min or 0,
    )


def lists_of(record: CourseRecord) -> CourseLists:
    return CourseLists(
        outcomes="\n".join(record.outcomes),
        prerequisites="\n".join(record.prerequisites),
        audience="\n".join(record.audience),
        faq="\n\n".join(f"{entry['question']}\n{entry['answer']}" for entry in record.faq),
    )


def change_texts(session: Session, edit: Edit, texts: CourseTexts) -> int:
    """Store the texts and return the new version. Raises NotFound, NewerVersion and InvalidInput: also for texts
    without which a published course could not be shown."""
    stored = locked_course(session, edit.product_id, edit.version)
    return _change(session, edit, stored, _with_texts(session, stored.record, texts))


def change_lists(session: Session, edit: Edit, lists: CourseLists) -> int:
    """As `change_texts`."""
    stored = locked_course(session, edit.product_id, edit.version)
    record = replace(
        stored.record,
        outcomes=_lines(lists.outcomes),
        prerequisites=_lines(lists.prerequisites),
        audience=_lines(lists.audience),
        faq=_questions(lists.faq),
    )
    return _change(session, edit, stored, record)


def missing_with(stored: StoredCourse, texts: CourseTexts) -> tuple[str, ...]:
    """What the course would lack for its page with these texts, which may be half typed."""
    typed = {"name": texts.name, "subtitle": texts.subtitle, "description": texts.description}
    return publish_rules.missing_requirements(stored.row | typed | {"duration_min": texts.duration_min})


def _with_texts(session: Session, record: CourseRecord, texts: CourseTexts) -> CourseRecord:
    category_ids(session, {texts.category})
    slugs = tuple(dict.fromkeys(texts.instructors))
    instructor_ids(session, {*slugs})
    errors = {
        "name": "" if texts.name.strip() else "Enter a name.",
        "level": "" if texts.level in ("", *LEVELS) else f"Choose one of {', '.join(LEVELS)}.",
        "durationMinutes": "" if 0 <= texts.duration_min <= MAX_MINUTES else f"Enter 0 to {MAX_MINUTES} minutes.",
    }
    if wrong := {name: text for name, text in errors.items() if text}:
        raise InvalidInput(wrong)
    return replace(
        record,
        name=" ".join(texts.name.split()),
        subtitle=" ".join(texts.subtitle.split()),
        description=texts.description.strip(),
        category=texts.category,
        level=texts.level or None,
        language=texts.language or None,
        provider=texts.provider.strip(),
        instructors=slugs,
        duration_min=texts.duration_min or None,
        # From now on a person answers for the texts.
        is_generated=record.is_generated and record.description == texts.description.strip(),
    )


def _change(session: Session, edit: Edit, stored: StoredCourse, record: CourseRecord) -> int:
    _require_publishable(stored, record)
    before, after = _fields(stored.record), _fields(record)
    version = put(session, record, edit.actor.at)
    if before == after:
        recording.no_change(session)
    else:
        recording.record(session, "course.edit", Subject("course", stored.product.id), before=before, after=after)
    return version


def _require_publishable(stored: StoredCourse, record: CourseRecord) -> None:
    """A course that people can buy, or soon can, keeps what its page requires."""
    if record.status not in ("published", "scheduled"):
        return
    names = ("name", "subtitle", "description", "duration_min")
    row = stored.row | {name: getattr(record, name) for name in names}
    if missing := publish_rules.missing_requirements(row):
        raise InvalidInput({"form": f"This course is {record.status}, and {', '.join(missing)}."})


def _fields(record: CourseRecord) -> Json:
    """For the event, which never has a long text: that it changed is said by its length and its first words."""
    values: Json = {**vars(texts_of(record)), **vars(lists_of(record))}
    return {name: value if len(str(value)) <= 200 else shortened(str(value)) for name, value in values.items()}


def shortened(text: str) -> str:
    """For an event. `sum`: two long texts that differ have other sums, so that the event shows the change."""
    return f"{text[:120]}… ({len(text)} letters, sum {sha256(text.encode()).hexdigest()[:8]})"


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _questions(text: str) -> list[Json]:
    blocks = [_lines(block) for block in _blocks(text.splitlines())]
    if unanswered := next((block[0] for block in blocks if len(block) < 2), None):
        raise InvalidInput({"faq": f"“{unanswered}” has no answer: write it on the next line."})
    return [{"question": block[0], "answer": "\n".join(block[1:])} for block in blocks]


def _blocks(lines: Iterable[str]) -> list[str]:
    text = "\n".join(line.strip() for line in lines)
    return [block for block in text.split("\n\n") if block.strip()]
