"""What one lesson teaches, as staff write it: its kind, its text, and by kind a video, a quiz or a file."""

from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.errors import InvalidInput, NotFound
from domain.languages import OWN_NAMES
from domain.learning import captions, files, lesson_bodies
from domain.learning.files import FileFacts, LessonFileRow
from domain.permissions import Actor
from domain.publishing.editing import course_outline
from domain.publishing.editing.course_texts import MAX_MINUTES
from domain.publishing.editing.stored_course import Edit, StoredCourse, locked_course, stored_course
from domain.publishing.records import Json, LessonRecord, SectionRecord
from domain.publishing.study_sheets import GUIDE_KEY
from domain.tables import CourseSection, Lesson, LessonBody

KINDS = ("text", "video", "quiz", "file")
LANGUAGES = OWN_NAMES
CAPTIONS_TYPE = "text/vtt"


@dataclass(frozen=True)
class CaptionTrack:
    """`text`: WebVTT."""

    language: str
    text: str


@dataclass(frozen=True)
class LessonDraft:
    """A lesson as typed. `body` has the form of its kind (domain/learning/lesson_bodies.py); that of a video is without
    captions and transcript, which are made of `tracks`: the first one is the transcript."""

    title: str
    kind: str
    minutes: int
    body: Json
    tracks: tuple[CaptionTrack, ...] = ()


@dataclass(frozen=True)
class LessonEdit:
    """Who changes which lesson. `version`: that of its course which they have seen."""

    actor: Actor
    lesson_id: int
    version: int


@dataclass(frozen=True)
class StoredLesson:
    """`place`: of `count` lessons, from 1. `files`: those of its body, by digest."""

    course: StoredCourse
    lesson: Lesson
    section: str
    place: int
    count: int
    body: Json
    is_generated: bool
    files: dict[str, LessonFileRow]


def stored_lesson(session: Session, lesson_id: int) -> StoredLesson:
    """Raises NotFound: also for a lesson that is no longer in its course, and for the guide of a course without
    lessons, which nobody edits."""
    lesson = _lesson(session, lesson_id)
    order = (
        select(Lesson.id)
        .join(CourseSection, CourseSection.id == Lesson.section_id)
        .where(Lesson.course_id == lesson.course_id, Lesson.withdrawn_at.is_(None))
        .order_by(CourseSection.position, Lesson.position, Lesson.id)
    )
    ids = [*session.scalars(order)]
    stored = session.get(LessonBody, lesson_id)
    body = {} if stored is None else stored.body
    return StoredLesson(
        course=stored_course(session, lesson.course_id),
        lesson=lesson,
        section=session.get_one(CourseSection, lesson.section_id).title,
        place=ids.index(lesson_id) + 1,
        count=len(ids),
        body=body,
        is_generated=stored is not None and stored.is_generated,
        files=files.by_digests(session, lesson_bodies.file_digests(body)),
    )


def tracks_of(body: Json, folder: Path) -> tuple[CaptionTrack, ...]:
    """The captions as they are edited; of a video of another site its transcript as the only track."""
    if body.get("captions"):
        return tuple(CaptionTrack(track["language"], _read(folder, track["sha256"])) for track in body["captions"])
    transcript = body.get("transcript") or []
    return (CaptionTrack("en", captions.vtt_of(transcript)),) if transcript else ()


def change_lesson(session: Session, edit: LessonEdit, draft: LessonDraft, folder: Path) -> int:
    """Store the lesson and return the new version of its course. Raises NotFound, NewerVersion, and InvalidInput for
    what its kind lacks."""
    course_id = _lesson(session, edit.lesson_id).course_id
    stored = locked_course(session, course_id, edit.version)
    body = body_to_store(session, draft, folder, edit.actor)
    before = course_outline.read_outline(session, course_id)
    records = course_outline.outline_records(session, course_id, before)
    ids = [lesson.id for lesson in before.lessons]
    changed = _with_lesson(records, ids.index(edit.lesson_id), draft, body)
    about = Edit(edit.actor, course_id, lesson=draft.title)
    return course_outline.put_records(session, about, stored, before, (changed, before.rule))


def _lesson(session: Session, lesson_id: int) -> Lesson:
    lesson = session.get(Lesson, lesson_id)
    if lesson is None or lesson.withdrawn_at is not None or lesson.section_id is None or lesson.source_key == GUIDE_KEY:
        raise NotFound("There is no such lesson.")
    return lesson


def _read(folder: Path, sha256: str) -> str:
    path = files.path_of(folder, sha256)
    return path.read_text("utf-8", errors="replace") if path.is_file() else ""


def _with_lesson(
    records: tuple[SectionRecord, ...], place: int, draft: LessonDraft, body: Json
) -> tuple[SectionRecord, ...]:
    """The outline with the lesson at this place, counted over all sections, replaced."""
    sections: list[SectionRecord] = []
    for section in records:
        lessons = list(section.lessons)
        if 0 <= place < len(lessons):
            lessons[place] = _record(lessons[place], draft, body)
        place -= len(lessons)
        sections.append(replace(section, lessons=tuple(lessons)))
    return tuple(sections)


def _record(record: LessonRecord, draft: LessonDraft, body: Json) -> LessonRecord:
    title = " ".join(draft.title.split())
    return replace(record, title=title, kind=draft.kind, minutes=draft.minutes, body=body)


def body_to_store(session: Session, draft: LessonDraft, folder: Path, actor: Actor) -> Json:
    """The body of a lesson as it is stored, with captions as files. Raises InvalidInput for what its kind lacks."""
    errors = {
        "title": "" if draft.title.strip() else "Enter a title.",
        "minutes": "" if 0 <= draft.minutes <= MAX_MINUTES else f"Enter 0 to {MAX_MINUTES} minutes.",
        "kind": "" if draft.kind in KINDS else "Choose text, video, quiz or file.",
        **({} if draft.kind != "video" else _track_errors(draft.tracks)),
    }
    if draft.kind == "text" and not str(draft.body.get("text", "")).strip():
        errors["text"] = "Write what the lesson teaches."
    if wrong := {name: text for name, text in errors.items() if text}:
        raise InvalidInput(wrong)
    body = dict(draft.body)
    if draft.kind == "video":
        tracks = draft.tracks
        body["captions"] = [] if body.get("embed") else [_stored_track(session, t, folder, actor) for t in tracks]
        body["transcript"] = captions.cues(tracks[0].text)
    lesson_bodies.check(draft.kind, body)
    _require_files(session, body)
    return body


def _track_errors(tracks: tuple[CaptionTrack, ...]) -> dict[str, str]:
    if not tracks:
        return {"tracks": "A video needs captions, for everybody who cannot hear it."}
    errors: dict[str, str] = {}
    for place, track in enumerate(tracks):
        if track.language not in LANGUAGES:
            errors[f"tracks.{place}.language"] = "Choose a language."
        elif track.language in [other.language for other in tracks[:place]]:
            errors[f"tracks.{place}.language"] = "This language is there already."
        if text := captions.problem(track.text):
            errors[f"tracks.{place}.text"] = text
    return errors


def _stored_track(session: Session, track: CaptionTrack, folder: Path, actor: Actor) -> Json:
    facts = FileFacts(f"captions-{track.language}.vtt", CAPTIONS_TYPE, "lesson", created_by=actor.learner_id)
    row = files.store(session, folder, track.text.encode(), facts, actor.at)
    return {"sha256": row.sha256, "language": track.language, "label": LANGUAGES[track.language]}


def _require_files(session: Session, body: Json) -> None:
    """Each digest is a file that the site has."""
    wanted = lesson_bodies.file_digests(body)
    if set(wanted) - files.by_digests(session, wanted).keys():
        raise InvalidInput({"form": "A file of this lesson is no longer there. Send it again."})


def store_file(session: Session, facts: FileFacts, sha256: str, size: int, at: datetime) -> LessonFileRow:
    """The row of a file whose contents are in their place. It is recorded with the lesson that uses it."""
    recording.no_change(session)
    row = files.add_row(session, sha256, size, facts, at)
    return LessonFileRow(row.id, row.sha256, row.name, row.media_type, row.bytes)
