"""What a cartridge has no words for, in a file of our own beside its lessons: which lesson each one is, so that it
keeps its id and its learners' progress when it comes back, its minutes, its Markdown and its captions as typed.

Other systems ignore the file. A lesson is known again by its id together with a check of what never changes about it,
so that the ids of another site mean nothing here.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from xml.etree.ElementTree import Element, SubElement, tostring

from domain.course_packages.archive import Archive
from domain.course_packages.package import OwnLesson, PackageLesson, UsedFiles
from domain.learning.lesson_bodies import VIDEO_TYPES, file_digests
from domain.publishing.editing.course_texts import MAX_MINUTES
from domain.publishing.editing.lesson_content import CaptionTrack
from domain.publishing.records import Json
from domain.typed_values import is_number

PATH = "coursefront/lessons.xml"
VERSION = "1"
_KINDS = ("text", "video", "quiz", "file")


@dataclass(frozen=True)
class ExportedLesson:
    """A stored lesson on its way into a cartridge. `item`: its identifier there."""

    id: int
    added_at: datetime | None
    item: str
    title: str
    kind: str
    minutes: int
    is_required: bool
    is_preview: bool
    is_generated: bool
    body: Json
    tracks: tuple[CaptionTrack, ...]


@dataclass(frozen=True)
class OwnEntry:
    """A lesson as our own file describes it."""

    lesson: OwnLesson
    element: Element


def check_of(lesson_id: int, added_at: datetime | None) -> str:
    """A digest of what never changes about a lesson."""
    text = f"{lesson_id} {'' if added_at is None else added_at.isoformat()}"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def written(lessons: Sequence[ExportedLesson], paths: dict[str, str]) -> bytes:
    """The file. `paths`: in the cartridge, by SHA-256."""
    root = Element("lessons", version=VERSION)
    for lesson in lessons:
        about = {"item": lesson.item, "id": str(lesson.id), "check": check_of(lesson.id, lesson.added_at)}
        about |= {"kind": lesson.kind, "minutes": str(lesson.minutes)}
        about |= {"required": _yes(lesson.is_required), "preview": _yes(lesson.is_preview)}
        about |= {"sheet": _yes(lesson.is_generated)}
        element = SubElement(root, "lesson", about)
        SubElement(element, "text").text = xml_text(lesson.body.get("text", ""))
        for digest in _digests(lesson.body):
            if digest in paths:
                SubElement(element, "file", sha256=digest, path=paths[digest])
        for track in lesson.tracks:
            SubElement(element, "track", language=track.language).text = xml_text(track.text)
        if embed := lesson.body.get("embed"):
            SubElement(element, "embed", url=xml_text(embed["url"]), title=xml_text(embed["title"]))
        if lesson.kind == "quiz":
            _write_quiz(element, lesson.body)
    return bytes(tostring(root, "utf-8", xml_declaration=True))


def entries(archive: Archive) -> dict[str, OwnEntry]:
    """By the identifier of the item; empty for a package of another system, and for a file that cannot be read."""
    if PATH not in archive:
        return {}
    root = archive.xml(PATH)
    if root.tag != "lessons" or root.get("version") != VERSION:
        return {}
    found: dict[str, OwnEntry] = {}
    for element in root.iter("lesson"):
        lesson_id, minutes = _count(element.get("id")), _count(element.get("minutes"))
        if lesson_id is not None and minutes is not None and element.get("kind") in _KINDS:
            marks = (element.get(name) == "yes" for name in ("required", "preview", "sheet"))
            own = OwnLesson(lesson_id, element.get("check") or "", min(minutes, MAX_MINUTES), *marks)
            found[element.get("item") or ""] = OwnEntry(own, element)
    return found


def lesson_of(entry: OwnEntry, item: str, title: str, questions: list[Json], files: UsedFiles) -> PackageLesson | None:
    """The lesson as it was written. `questions`: those of its quiz in the cartridge. None when a file of it is not in
    the package any more: then it is read as that of another system."""
    element = entry.element
    kind = element.get("kind") or "text"
    body: Json = {"text": element.findtext("text") or ""}
    used = {file.get("sha256") or "": file.get("path") or "" for file in element.iter("file")}
    for digest, path in used.items():
        taken = files.take(path, takes_text=True) if path in files.archive else None
        if taken is None or taken.sha256 != digest:
            return None
    tracks = tuple(CaptionTrack(track.get("language") or "", track.text or "") for track in element.iter("track"))
    if kind == "file":
        body["sha256"] = next((digest for digest in used if digest not in body["text"]), None)
    elif kind == "video":
        body |= _video(element, used, files)
    elif kind == "quiz":
        body |= _quiz(element, questions)
    own = entry.lesson
    return PackageLesson(item, title, kind, body, tracks, own.is_required, own=own)


def xml_text(text: str) -> str:
    """Without the signs that XML cannot hold."""
    return "".join(sign for sign in text if sign in "\t\n\r" or (sign >= " " and sign not in "\ufffe\uffff"))


def _write_quiz(element: Element, body: Json) -> None:
    attempts = body.get("attempts")
    about = {"attempts": "" if attempts is None else str(attempts), "wait": str(body.get("wait_min") or 0)}
    quiz = SubElement(element, "quiz", about)
    for question in body.get("questions") or ():
        about = {"id": question["id"], "kind": question["kind"]}
        if question["kind"] == "number":
            about |= {name: str(question.get(name) or "") for name in ("value", "tolerance", "unit")}
        row = SubElement(quiz, "question", {name: xml_text(value) for name, value in about.items()})
        SubElement(row, "text").text = xml_text(question["text"])
        SubElement(row, "explanation").text = xml_text(question.get("explanation") or "")
        for option in question.get("options") or ():
            SubElement(row, "option", id=option["id"]).text = xml_text(option["text"])


def _quiz(element: Element, questions: list[Json]) -> Json:
    """Which questions there are, and which answers are right, the cartridge says; how they were typed, our own file."""
    quiz = element.find("quiz")
    typed = {} if quiz is None else {row.get("id") or "": row for row in quiz.iter("question")}
    merged = [_typed(question, typed.get(question["id"])) for question in questions]
    about = Element("quiz") if quiz is None else quiz
    attempts, wait = _count(about.get("attempts")), _count(about.get("wait")) or 0
    return {"questions": merged, "attempts": attempts or None, "wait_min": wait}


def _typed(question: Json, row: Element | None) -> Json:
    if row is None or (row.get("kind") == "number") != (question["kind"] == "number"):
        return question
    words: Json = {"text": row.findtext("text") or question["text"], "explanation": row.findtext("explanation") or ""}
    if question["kind"] == "number":
        return question | words | {name: row.get(name) or "" for name in ("value", "tolerance", "unit")}
    texts = {option.get("id"): option.text or "" for option in row.iter("option")}
    options = [option | {"text": texts.get(option["id"]) or option["text"]} for option in question["options"]]
    # Where one of several answers is right, the cartridge alone would make that a choice of one.
    kind = "several" if row.get("kind") == "several" else question["kind"]
    return question | words | {"kind": kind, "options": options}


def _video(element: Element, used: dict[str, str], files: UsedFiles) -> Json:
    embed = element.find("embed")
    if embed is not None:
        url = embed.get("url") or ""
        provider = url.partition("://")[2].partition("/")[0]
        return {"poster": None, "embed": {"provider": provider, "url": url, "title": embed.get("title") or ""}}
    taken = {digest: file for digest in used if (file := files.files.get(digest)) is not None}
    videos = [file for file in taken.values() if file.media_type in VIDEO_TYPES]
    text = element.findtext("text") or ""
    poster = (key for key, file in taken.items() if file.media_type.startswith("image/") and key not in text)
    rows = [{"sha256": file.sha256, "media_type": file.media_type} for file in videos]
    return {"poster": next(poster, None), "files": rows}


def _digests(body: Json) -> list[str]:
    """All files but captions, which are written as tracks."""
    captions = {track["sha256"] for track in body.get("captions") or ()}
    return [digest for digest in file_digests(body) if digest not in captions]


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _count(text: str | None) -> int | None:
    return int(text) if text and is_number(text) else None
