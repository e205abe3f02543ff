"""What both formats have in common: quizzes, files as lessons of their own, captions, and texts in any encoding."""

import re
from dataclasses import dataclass, field, replace

from domain.course_packages.archive import Archive
from domain.course_packages.markup import Attachment
from domain.course_packages.package import PackageLesson, UsedFiles, clean_title, fitting_text, quiz_body
from domain.learning import captions
from domain.learning.lesson_bodies import MAX_QUESTIONS, VIDEO_TYPES
from domain.publishing.editing.lesson_content import CaptionTrack
from domain.publishing.records import Json
from domain.text_direction import isolated


@dataclass
class QuizRead:
    """`attempts` None: no limit. `total`: how many questions the package has, also those that do not come along."""

    title: str = ""
    text: str = ""
    questions: list[Json] = field(default_factory=list)
    attempts: int | None = None
    total: int = 0
    attachments: list[Attachment] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


def named(number: int, text: str) -> str:
    """A question in a sentence."""
    words = " ".join(text.split())
    return f"Question {number} (“{words[:60]}”)" if words else f"Question {number}"


def with_lost(lesson: PackageLesson, lost: list[str]) -> PackageLesson:
    """The lesson with more that it lost."""
    return replace(lesson, lost=tuple(dict.fromkeys((*lesson.lost, *lost))))


def quiz_lesson(key: str, title: str, quiz: QuizRead, lost: list[str], of_course: list[str]) -> PackageLesson | None:
    """None for a quiz of which no question comes along; `of_course` then says so."""
    lost += dict.fromkeys(quiz.lost)
    questions = quiz.questions[:MAX_QUESTIONS]
    if len(questions) < len(quiz.questions):
        lost.append(f"A quiz here has at most {MAX_QUESTIONS} questions: the last ones are left out.")
    if any(question["kind"] == "several" for question in questions):
        lost.append("Several right answers count in part here: the right ones that are chosen, minus the wrong ones.")
    if not questions:
        more = f" {' '.join(lost)}" if lost else " It has no questions."
        of_course.append(f"The quiz “{isolated(title)}” does not come along.{more}")
        return None
    body = quiz_body(fitting_text(quiz.text, lost), questions, quiz.attempts)
    return PackageLesson(key, title, "quiz", body, lost=tuple(dict.fromkeys(lost)))


NO_FILE = "lessons offer PDF, PNG, JPEG, WebP, MP4, WebM, MP3 and M4A files."


def attached(attachments: list[Attachment], key: str, files: UsedFiles) -> tuple[list[PackageLesson], list[str]]:
    """A lesson for each file that a text links to, and what is to be said of them at the text."""
    lessons, said = [], []
    for attachment in {each.path: each for each in attachments}.values():
        name = attachment.path.rpartition("/")[2]
        lesson = file_lesson(f"{key} {attachment.path}", attachment.title, attachment.path, files)
        if lesson is None:
            said.append(f"The file “{isolated(name)}” does not come along: {NO_FILE}")
        else:
            lessons.append(lesson)
            said.append(f"The file “{isolated(name)}” is a lesson of its own after it.")
    return lessons, said


def file_lesson(key: str, title: str, path: str, files: UsedFiles) -> PackageLesson | None:
    """A file as a lesson of its own: sound and video with the captions beside it, else to download. None for what
    lessons offer in no way."""
    file = files.take(path)
    if file is None or file.media_type == "text/vtt":
        return None
    name = clean_title(title, file.name)
    if file.media_type not in VIDEO_TYPES:
        return PackageLesson(key, name, "file", {"text": "", "sha256": file.sha256}, is_required=False)
    if track := captions_beside(path, files.archive):
        body: Json = {"text": "", "poster": None, "files": [{"sha256": file.sha256, "media_type": file.media_type}]}
        return PackageLesson(key, name, "video", body, (track,))
    lost = ("It has no captions in the package, without which no video is shown here: it comes as a file to download.",)
    return PackageLesson(key, name, "file", {"text": "", "sha256": file.sha256}, is_required=False, lost=lost)


def captions_beside(path: str, archive: Archive) -> CaptionTrack | None:
    """Captions of the same name in the same folder."""
    stem = path.rpartition(".")[0]
    for name in archive.sizes:
        ending = name.removeprefix(stem)
        match = re.fullmatch(r"(?:[.-]([a-z]{2})(?:-\w+)?)?\.(?:vtt|srt)", ending) if name.startswith(stem) else None
        if match and (text := as_vtt(archive.text(name).decode("utf-8", errors="replace"))):
            return CaptionTrack(match[1] or "en", text)
    return None


def as_vtt(text: str) -> str:
    """Captions as WebVTT, also of SubRip, whose times have commas; "" when nothing is said."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    cues = [cue for cue in captions.cues(text) if cue["end"] > cue["start"]]
    if not cues:
        return ""
    is_whole = text.startswith("WEBVTT") and captions.problem(text) is None
    return text if is_whole else captions.vtt_of(cues)


def decoded(content: bytes) -> str:
    """HTML by what it says of itself, else as UTF-8, else as Windows-1252, which fits everything."""
    head = content[:1024].decode("ascii", errors="ignore")
    said = re.search(r"charset=[\"']?([\w-]{2,20})", head, re.IGNORECASE)
    for encoding in filter(None, (said[1] if said else "", "utf-8-sig")):
        try:
            return content.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return content.decode("windows-1252", errors="replace")
