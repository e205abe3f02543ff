"""A course as it was read from a package, in the forms of this shop, with what could not come along."""

import hashlib
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from domain.course_packages.archive import MAX_TEXT_BYTES, Archive
from domain.learning import captions, lesson_bodies
from domain.publishing.editing.lesson_content import CaptionTrack
from domain.publishing.records import Json
from domain.uploads.contents import HEAD_BYTES, media_type

MAX_TITLE_LENGTH = 500
# How long what has no time of its own takes.
WORDS_A_MINUTE = 200
MINUTES_A_QUESTION = 2
MINUTES_OF_A_FILE = 5
MAX_LOST = 200


@dataclass(frozen=True)
class PackageFile:
    """A file of the package that lessons use. `path`: its name in the archive."""

    sha256: str
    path: str
    name: str
    media_type: str
    bytes: int


@dataclass(frozen=True)
class OwnLesson:
    """A lesson that this shop has written into the package: which one it was, and what a cartridge has no words for.
    `is_generated`: the shop wrote its text, and writes it anew for another course."""

    id: int
    check: str
    minutes: int
    is_required: bool
    is_preview: bool
    is_generated: bool


@dataclass(frozen=True)
class PackageLesson:
    """`key`: how the package names it; `digest`: of that and of what the package says of itself, so that it is known
    again in the next export of that course. `body`: in the form of its kind (domain/learning/lesson_bodies.py), that of
    a video without captions and transcript, which are made of `tracks`. `lost`: sentences on what did not come along.
    """

    key: str
    title: str
    kind: str
    body: Json
    tracks: tuple[CaptionTrack, ...] = ()
    is_required: bool = True
    lost: tuple[str, ...] = ()
    own: OwnLesson | None = None
    digest: str = ""

    @property
    def ref(self) -> str:
        """How a draft of an outline names it."""
        return self.digest[:16]

    @property
    def source_key(self) -> str:
        """The key of a new lesson that comes from it."""
        return f"package {self.digest[:32]}"

    @property
    def minutes(self) -> int:
        """How long it takes: as our own file says, else an estimate of at least one."""
        if self.own is not None:
            return self.own.minutes
        if self.kind == "video":
            seconds = max((cue["end"] for cue in captions.cues(self.tracks[0].text)), default=0) if self.tracks else 0
            return max(1, math.ceil(seconds / 60))
        words = len(lesson_bodies.plain_text({"text": self.body.get("text", "")}).split())
        reading = math.ceil(words / WORDS_A_MINUTE)
        extra = {"quiz": MINUTES_A_QUESTION * len(self.body.get("questions") or ()), "file": MINUTES_OF_A_FILE}
        return max(1, reading + extra.get(self.kind, 0))


@dataclass(frozen=True)
class PackageSection:
    title: str
    lessons: tuple[PackageLesson, ...]


@dataclass(frozen=True)
class CoursePackage:
    """`files`: by SHA-256. `lost`: what did not come along of the course as a whole, or belongs to no lesson."""

    format: str
    title: str
    sections: tuple[PackageSection, ...]
    files: dict[str, PackageFile]
    lost: tuple[str, ...]

    @property
    def lessons(self) -> Iterator[PackageLesson]:
        for section in self.sections:
            yield from section.lessons


@dataclass
class UsedFiles:
    """The files of an archive that lessons use; each is read once."""

    archive: Archive
    files: dict[str, PackageFile] = field(default_factory=dict)
    _by_path: dict[str, PackageFile] = field(default_factory=dict)

    def take(self, path: str, *, takes_text: bool = False) -> PackageFile | None:
        """None for what a lesson can neither show nor offer. `takes_text`: plain text too, which lessons of this shop
        may offer, and which browsers save."""
        if path in self._by_path:
            return self._by_path[path]
        kind = media_type(self.archive.head(path, HEAD_BYTES)) or (self._text_type(path) if takes_text else None)
        if kind is None:
            return None
        digest = hashlib.sha256()
        for part in self.archive.chunks(path):
            digest.update(part)
        name = path.rpartition("/")[2]
        file = PackageFile(digest.hexdigest(), path, name, kind, self.archive.sizes[path])
        self._by_path[path] = self.files[file.sha256] = file
        return file

    def _text_type(self, path: str) -> str | None:
        if self.archive.sizes[path] > MAX_TEXT_BYTES:
            return None
        try:
            text = self.archive.text(path).decode()
        except UnicodeDecodeError:
            return None
        return None if "\0" in text else "text/plain"

    def picture(self, path: str) -> PackageFile | None:
        file = self.take(path)
        return file if file is not None and file.media_type.startswith("image/") else None


def clean_title(title: str, instead: str) -> str:
    """On one line, as long as a title may be."""
    return " ".join(title.split())[:MAX_TITLE_LENGTH] or instead


def text_body(text: str) -> Json:
    return {"text": text}


def fitting_text(text: str, lost: list[str]) -> str:
    """The text, or as much of it as a lesson may have."""
    if len(text.encode()) <= lesson_bodies.MAX_TEXT_BYTES:
        return text
    lost.append(f"Its text has more than {lesson_bodies.MAX_TEXT_BYTES // 1024} KiB: what is beyond is left out.")
    return text.encode()[: lesson_bodies.MAX_TEXT_BYTES].decode("utf-8", errors="ignore")


QuestionKind = Literal["one", "several", "number"]
_NO_ID = re.compile(r"[^a-z0-9_-]+")


def question_id(name: str, taken: set[str]) -> str:
    """An id in the form of questions and options, made of the package's own; each once."""
    base = _NO_ID.sub("-", name.casefold()).strip("-")[:40] or "q"
    number, found = 1, base
    while found in taken:
        number += 1
        found = f"{base[:36]}-{number}"
    taken.add(found)
    return found


def choice_question(name: str, text: str, options: list[tuple[str, str, bool]], explanation: str = "") -> Json:
    """A question with options of (id, text, is right). Its kind follows from how many are right."""
    taken: set[str] = set()
    rows = [{"id": question_id(key, taken), "text": words, "is_right": right} for key, words, right in options]
    kind: QuestionKind = "several" if sum(right for _, _, right in options) > 1 else "one"
    return {"id": name, "kind": kind, "text": text, "explanation": explanation, "options": rows}


def number_question(name: str, text: str, value: str, tolerance: str, explanation: str = "") -> Json:
    about = {"id": name, "kind": "number", "text": text, "explanation": explanation}
    return about | {"value": value, "tolerance": tolerance, "unit": ""}


def quiz_body(text: str, questions: list[Json], attempts: int | None = None) -> Json:
    """Each question with an id of its own."""
    taken: set[str] = set()
    rows = [{**question, "id": question_id(question["id"], taken)} for question in questions]
    return {"text": text, "questions": rows, "attempts": attempts, "wait_min": 0}


def with_digests(identity: str, sections: list[PackageSection]) -> tuple[PackageSection, ...]:
    """Each lesson under a key of its own: packages name two items alike. `identity`: what the package says of itself.
    Sections without lessons are left out."""
    taken: set[str] = set()

    def own(lesson: PackageLesson) -> PackageLesson:
        number, key = 1, lesson.key
        while key in taken:
            number += 1
            key = f"{lesson.key} ({number})"
        taken.add(key)
        return replace(lesson, key=key, digest=hashlib.sha256(f"{identity}\n{key}".encode()).hexdigest())

    return tuple(replace(section, lessons=tuple(map(own, section.lessons))) for section in sections if section.lessons)
