"""OLX, the form in which Open edX's Studio exports a course: chapters, subsections, units and their blocks.

A subsection is a section here, and a unit one lesson or several in its order: texts, a video with captions, and
problems that follow one another as one quiz.
"""

import json
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from domain import html_markdown
from domain.course_packages import markup, olx_videos
from domain.course_packages.archive import Archive, PackageRefused
from domain.course_packages.lesson_parts import (
    QuizRead,
    attached,
    decoded,
    file_lesson,
    quiz_lesson,
    with_lost,
)
from domain.course_packages.markup import Attachment, Markup, Target
from domain.course_packages.package import (
    CoursePackage,
    PackageLesson,
    PackageSection,
    UsedFiles,
    clean_title,
    fitting_text,
    text_body,
    with_digests,
)
from domain.course_packages.problems import ProblemReader, inner_html
from domain.learning.lesson_bodies import VIDEO_TYPES
from domain.publishing.records import Json
from domain.text_direction import isolated

COURSE = "course.xml"
_STATIC = re.compile(r"^(?:/?static/|/asset-v1:[^/]*block@|/c4x/[^/]+/[^/]+/asset/)")
# Blocks of which lessons have no counterpart, by what they are.
_BLOCKS = {
    "discussion": "a discussion",
    "lti": "a tool of another site (LTI)",
    "lti_consumer": "a tool of another site (LTI)",
    "library_content": "questions that are drawn from a library",
    "itembank": "questions that are drawn from a library",
    "openassessment": "a text that others assess",
    "poll": "a poll",
    "survey": "a survey",
    "word_cloud": "a word cloud",
    "annotatable": "an annotated text",
    "drag-and-drop-v2": "a picture on which parts are dropped",
    "scorm": "a SCORM package",
    "edx_sga": "a task that staff assess",
    "staffgradedxblock": "a task that staff assess",
    "conditional": "parts that are shown on a condition",
    "split_test": "parts that are shown to some learners",
    "done": "a button by which learners say that they are done",
    "google-document": "a document of another site",
    "google-calendar": "a calendar of another site",
}
# Parts of a course beside its chapters.
_BESIDE = ("wiki", "textbook", "lti_passports", "course_wiki_slug")


def root_of(archive: Archive) -> str | None:
    """The folder of course.xml, with a slash at its end or ""; None without one."""
    names = [name for name in archive.sizes if posixpath.basename(name) == COURSE and name.count("/") <= 2]
    names.sort(key=lambda name: (name.count("/"), name))
    return names[0].removesuffix(COURSE) if names else None


def read(archive: Archive, root: str) -> CoursePackage:
    """Raises PackageRefused."""
    pointer = archive.xml(f"{root}{COURSE}")
    if pointer.tag != "course":
        raise PackageRefused("Its course.xml holds no course.")
    reading = _Reading(archive, root, UsedFiles(archive), _assets(archive, root))
    course = reading.whole(pointer)
    reading.policies = _policies(archive, root, pointer.get("url_name") or "")
    title = " ".join(reading.display_name(course, pointer.get("url_name") or "", "").split())
    sections = [section for chapter in course.findall("chapter") for section in reading.sections(chapter)]
    if f"{root}about/overview.html" in archive:
        reading.lost.append("The page about the course does not come along: its texts are written in the course here.")
    if any(course.find(tag) is not None for tag in _BESIDE[1:]):
        reading.lost.append("Textbooks of the course do not come along.")
    lost = tuple(dict.fromkeys(reading.lost))
    identity = " ".join(pointer.get(name) or "" for name in ("org", "course", "url_name"))
    return CoursePackage("Open edX (OLX)", title, with_digests(identity, sections), reading.files.files, lost)


@dataclass
class _Reading:
    archive: Archive
    root: str
    files: UsedFiles
    assets: dict[str, str]
    policies: dict[str, Any] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)

    def whole(self, element: Element) -> Element:
        """The element that this one points to, or itself. Attributes of the pointer stay."""
        name = (element.get("url_name") or "").replace(":", "/")
        path = f"{self.root}{element.tag}/{name}.xml"
        if len(element) or not name or path not in self.archive:
            return element
        found = self.archive.xml(path)
        if found.tag != element.tag:
            raise PackageRefused(f"“{path}” holds another kind of block than its name says.")
        found.set("url_name", name)
        return found

    def display_name(self, element: Element, name: str, instead: str) -> str:
        """Older exports keep names in the course's policy."""
        policy = self.policies.get(f"{element.tag}/{name or element.get('url_name') or ''}")
        other = policy.get("display_name") if isinstance(policy, dict) else None
        return element.get("display_name") or (other if isinstance(other, str) else "") or instead

    def sections(self, pointer: Element) -> Iterator[PackageSection]:
        chapter = self.whole(pointer)
        heading = clean_title(self.display_name(chapter, "", "Section"), "Section")
        if self._is_for_staff(chapter, heading):
            return
        subsections = [self.whole(element) for element in chapter if element.tag in ("sequential", "videosequence")]
        for subsection in subsections:
            own = clean_title(self.display_name(subsection, "", ""), "")
            title = heading if not own or own == heading else clean_title(f"{heading}: {own}", heading)
            if self._is_for_staff(subsection, title):
                continue
            lessons = tuple(lesson for element in subsection for lesson in self.unit(element))
            if not lessons:
                self.lost.append(f"Nothing of “{isolated(title)}” comes along.")
            yield PackageSection(title, lessons)
        if not subsections:
            self.lost.append(f"The section “{isolated(heading)}” is empty.")

    def unit(self, pointer: Element) -> Iterator[PackageLesson]:
        """The lessons of a unit; a block that stands without a unit is one by itself."""
        if not pointer.tag:
            return
        element = self.whole(pointer)
        title = clean_title(self.display_name(element, "", "Unit"), "Unit")
        if self._is_for_staff(element, title):
            return
        blocks = [self.whole(block) for block in element if block.tag] if element.tag == "vertical" else [element]
        unit = _Unit(self, title, element.get("url_name") or title)
        for block in blocks:
            unit.add(block)
        yield from unit.finish()

    def _is_for_staff(self, element: Element, title: str) -> bool:
        if element.get("visible_to_staff_only", "").casefold() != "true":
            return False
        self.lost.append(f"“{isolated(title)}” is for staff alone there: it does not come along.")
        return True

    def convert(self, html: str) -> Markup:
        return markup.to_markup(html, markup.resolver("", lambda _path: None, self._own), self.files)

    def _own(self, reference: str) -> Target | None:
        match = _STATIC.match(reference)
        path = None if match is None else self.asset(reference[match.end() :])
        return None if path is None else Target(path=path)

    def caption_file(self, name: str) -> tuple[str, str] | None:
        """Name and text of a file of captions."""
        path = self.asset(posixpath.basename(name))
        return None if path is None else (path, self.archive.text(path).decode("utf-8", errors="replace"))

    def asset(self, name: str) -> str | None:
        """A file of the course by its name in addresses, where signs other than letters are underscores."""
        return self.assets.get(_asset_key(unquote(name.partition("?")[0].partition("#")[0])))


@dataclass
class _Unit:
    """The lessons of a unit while its blocks are read. `text`: since the last lesson; `quiz`: of the last problems."""

    reading: _Reading
    title: str
    key: str
    lessons: list[PackageLesson] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    quiz: QuizRead | None = None
    problems: ProblemReader | None = None
    name: str = ""

    def add(self, block: Element) -> None:
        own = " ".join(self.reading.display_name(block, "", "").split())
        if self.reading._is_for_staff(block, own or self.title):
            return
        if block.tag == "html":
            self._end_quiz()
            self._html(block)
        elif block.tag == "video":
            self._end_quiz()
            self._video(block, own)
        elif block.tag == "problem":
            self._problem(block, own)
        else:
            what = _BLOCKS.get(block.tag, f"a block of the kind “{block.tag}”")
            self.lost.append(f"“{own or self.title}” is {what}: it does not come along.")

    def finish(self) -> list[PackageLesson]:
        self._end_quiz()
        self._end_text()
        lessons, said = attached(self.attachments, self.key, self.reading.files)
        self.lost += said
        if self.lost and self.lessons:
            self.lessons[-1] = with_lost(self.lessons[-1], self.lost)
        elif self.lost:
            self.reading.lost += [f"“{isolated(self.title)}”: {sentence}" for sentence in self.lost]
        return [*self.lessons, *lessons]

    def _html(self, block: Element) -> None:
        name = block.get("filename") or block.get("url_name") or ""
        path = f"{self.reading.root}html/{name.replace(':', '/')}.html"
        is_file = len(block) == 0 and path in self.reading.archive
        html = decoded(self.reading.archive.text(path)) if is_file else inner_html(block)
        self._take(self.reading.convert(html))
        self.name = self.name or f"html {block.get('url_name') or name}"

    def _take(self, found: Markup) -> None:
        self.lost += found.lost
        self.attachments += found.attachments
        if found.text:
            self.text.append(found.text)

    def _video(self, block: Element, own: str) -> None:
        youtube = olx_videos.youtube_id(block)
        sources = olx_videos.sources(block)
        paths = [path for source in sources if (path := self._static(source)) is not None]
        tracks = [*olx_videos.tracks(block, self.reading.caption_file, self.reading.lost)]
        title = own or self.title
        if block.get("start_time", "00:00:00") != "00:00:00" or block.get("end_time", "00:00:00") != "00:00:00":
            self.lost.append(f"The video “{isolated(title)}” is shown whole, not from {olx_videos.shown_part(block)}.")
        body: Json = {"poster": None}
        videos = [file for path in paths if (file := self.reading.files.take(path)) and file.media_type in VIDEO_TYPES]
        if videos and tracks:
            body["files"] = [{"sha256": file.sha256, "media_type": file.media_type} for file in videos]
        elif youtube and tracks:
            url = f"https://www.youtube-nocookie.com/embed/{youtube}"
            body["embed"] = {"provider": "www.youtube-nocookie.com", "url": url, "title": title}
        else:
            self._link_video(title, youtube, sources, paths)
            return
        key = f"video {block.get('url_name') or title}"
        text = fitting_text(self._text(), self.lost)
        self._add(PackageLesson(key, title, "video", {"text": text} | body, tuple(tracks)))

    def _link_video(self, title: str, youtube: str, sources: list[str], paths: list[str]) -> None:
        """A video without captions cannot be shown here, but led to, or downloaded."""
        reason = "has no captions in the package, without which no video is shown here"
        if paths:
            lesson = file_lesson(f"video {paths[0]}", title, paths[0], self.reading.files)
            if lesson is not None:
                self._end_text()
                self.lessons.append(lesson)
                return
        url = (
            f"https://www.youtube.com/watch?v={youtube}"
            if youtube
            else next(filter(olx_videos.is_web_address, sources), "")
        )
        if not url:
            self.lost.append(f"The video “{isolated(title)}” is not in the package: it does not come along.")
            return
        self.text.append(f"[{html_markdown.plain_markdown(title)}]({url.replace(' ', '%20').replace(')', '%29')})")
        self.lost.append(f"The video “{isolated(title)}” {reason}: it is a link.")
        self.name = self.name or f"video {youtube or url}"

    def _problem(self, block: Element, own: str) -> None:
        name = block.get("url_name") or f"p{len(self.lessons)}"
        if self.quiz is None or self.problems is None:
            self.quiz = QuizRead(title=own)
            self.problems = ProblemReader(self.reading.convert, self.quiz)
            self.name = f"problem {name}"
        self.problems.read(block, name)

    def _end_quiz(self) -> None:
        if self.quiz is None:
            return
        quiz, self.quiz, self.problems = self.quiz, None, None
        title = self.title if not self.lessons else quiz.title or self.title
        if not quiz.questions:
            self.lost += quiz.lost
            return
        quiz.text = self._text()
        self.attachments += quiz.attachments
        lesson = quiz_lesson(self.name, clean_title(title, self.title), quiz, [], self.reading.lost)
        if lesson is not None:
            self._add(lesson)

    def _end_text(self) -> None:
        if not self.text:
            return
        text = fitting_text(self._text(), self.lost)
        self._add(PackageLesson(self.name or self.key, self.title, "text", text_body(text)))

    def _add(self, lesson: PackageLesson) -> None:
        self.lessons.append(with_lost(lesson, self.lost))
        self.lost, self.name = [], ""

    def _text(self) -> str:
        text, self.text = "\n\n".join(self.text), []
        return text

    def _static(self, source: str) -> str | None:
        target = self.reading._own(source)
        return None if target is None else target.path


def _assets(archive: Archive, root: str) -> dict[str, str]:
    folder = f"{root}static/"
    return {_asset_key(name.removeprefix(folder)): name for name in archive.sizes if name.startswith(folder)}


def _asset_key(name: str) -> str:
    return re.sub(r"[^\w.-]", "_", name).casefold()


def _policies(archive: Archive, root: str, run: str) -> dict[str, Any]:
    path = f"{root}policies/{run}/policy.json"
    if path not in archive:
        return {}
    try:
        found = json.loads(archive.text(path))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
