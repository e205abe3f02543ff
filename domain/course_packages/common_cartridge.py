"""Common Cartridge 1.0 to 1.3: the outline of its manifest, with pages, links, topics, assignments, quizzes and files.

What the outline leaves out, such as pages that a course keeps outside of its modules, comes along in a section of its
own. Canvas writes cartridges with its own additions; what is known of them is read too.
"""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from domain import html_markdown
from domain.course_packages import markup, own_outline, qti
from domain.course_packages.archive import Archive, PackageRefused
from domain.course_packages.lesson_parts import NO_FILE, attached, decoded, file_lesson, quiz_lesson, with_lost
from domain.course_packages.markup import Attachment, Markup, Resolve, Target
from domain.course_packages.own_outline import OwnEntry
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
from domain.publishing.records import Json
from domain.text_direction import isolated

MANIFEST = "imsmanifest.xml"
OUTSIDE = "Outside of the outline"
_VERSION = re.compile(r"imsccv(\d)p(\d)")
_FILEBASE = re.compile(r"^\$?(?:%24)?IMS[-_]CC[-_]FILEBASE(?:\$|%24)/*", re.IGNORECASE)
_OTHER_SYSTEM = re.compile(r"^(?:\$|%24)(?:WIKI|CANVAS)_", re.IGNORECASE)
_PAGES = (".html", ".htm", ".xhtml")
# Files of Canvas with settings, which are no lessons.
_SETTINGS = ("course_settings/", "non_cc_assessments/", "coursefront/")
MAX_ITEM_DEPTH = 20


@dataclass(frozen=True)
class _Resource:
    """`files`: names in the archive; the first is its main one. `missing`: those that are not there. `variant`: the
    resource that says the same in a form which not every system reads, "" for none."""

    identifier: str
    kind: str
    files: tuple[str, ...]
    missing: tuple[str, ...]
    variant: str = ""

    @property
    def main(self) -> str:
        return self.files[0] if self.files else ""


@dataclass
class _Reading:
    archive: Archive
    files: UsedFiles
    resources: dict[str, _Resource]
    own: dict[str, OwnEntry]
    names: dict[str, str]
    lost: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)

    def convert(self, html: str, base: str) -> Markup:
        return markup.to_markup(html, self.resolve(base), self.files)

    def resolve(self, base: str) -> Resolve:
        def own(reference: str) -> Target | None:
            if (match := _FILEBASE.match(reference)) is None:
                return None
            path = unquote(reference[match.end() :].partition("?")[0].partition("#")[0])
            candidates = (path, f"web_resources/{path}", path.removeprefix("../"))
            return next((Target(path=name) for each in candidates if (name := self.name(each))), None)

        def names(path: str) -> str | None:
            return None if _OTHER_SYSTEM.match(path.rpartition("/")[0] or path) else self.name(path)

        return markup.resolver(base, names, own)

    def name(self, path: str) -> str | None:
        """The name in the archive, where systems differ in case."""
        return path if path in self.archive else self.names.get(path.casefold())


def read(archive: Archive) -> CoursePackage:
    """Raises PackageRefused."""
    manifest = archive.xml(MANIFEST)
    if manifest.tag != "manifest":
        raise PackageRefused("Its imsmanifest.xml is not the manifest of a course.")
    schema = (manifest.findtext("./metadata/schema") or "").strip()
    if "SCORM" in schema.upper():
        raise PackageRefused("This is a SCORM package, a program rather than texts. Export a Common Cartridge instead.")
    reading = _Reading(
        archive,
        UsedFiles(archive),
        _resources(manifest, archive),
        own_outline.entries(archive),
        {name.casefold(): name for name in archive.sizes},
    )
    title = " ".join((manifest.findtext("./metadata/lom/general/title/string") or "").split())
    sections = [*_sections(manifest, reading, title or "Lessons")]
    if outside := [*_outside(reading)]:
        sections.append(PackageSection(OUTSIDE, tuple(outside)))
    # Some systems give every manifest the same identifier.
    whole = with_digests(f"{manifest.get('identifier') or ''} {title}", sections)
    return CoursePackage(_format(archive, manifest), title, whole, reading.files.files, tuple(reading.lost))


def _format(archive: Archive, manifest: Element) -> str:
    version = (manifest.findtext("./metadata/schemaversion") or "").strip()
    if not version and (match := _VERSION.search(archive.text(MANIFEST)[:4_000].decode("utf-8", errors="replace"))):
        version = f"{match[1]}.{match[2]}"
    return f"Common Cartridge {version.removesuffix('.0')}".strip()


def _resources(manifest: Element, archive: Archive) -> dict[str, _Resource]:
    found: dict[str, _Resource] = {}
    for element in manifest.iterfind("./resources/resource"):
        names = [element.get("href") or "", *(file.get("href") or "" for file in element.findall("file"))]
        paths = [posixpath.normpath(unquote(name).partition("?")[0]) for name in dict.fromkeys(names) if name]
        identifier = element.get("identifier") or ""
        present = tuple(path for path in dict.fromkeys(paths) if path in archive)
        missing = tuple(path for path in dict.fromkeys(paths) if path not in archive)
        variant = next((each.get("identifierref") or "" for each in element.findall("variant")), "")
        found[identifier] = _Resource(identifier, (element.get("type") or "").casefold(), present, missing, variant)
    return found


def _sections(manifest: Element, reading: _Reading, title: str) -> Iterator[PackageSection]:
    """The items of the outline's first level with items of their own; others in a section of the course's name."""
    root = manifest.find("./organizations/organization")
    if root is None:
        return
    items = root.findall("item")
    # The format wraps all of them in one item without a title.
    if len(items) == 1 and items[0].get("identifierref") is None and not _title(items[0]):
        items = items[0].findall("item")
    loose: list[PackageLesson] = []
    for item in items:
        if item.find("item") is None and item.get("identifierref"):
            loose += _lessons(item, reading)
            continue
        if loose:
            yield PackageSection(title, tuple(loose))
            loose = []
        lessons = [lesson for inner in _leaves(item, reading, 0) for lesson in _lessons(inner, reading)]
        name = clean_title(_title(item), title)
        if not lessons:
            reading.lost.append(f"The section “{isolated(name)}” is empty.")
        yield PackageSection(name, tuple(lessons))
    if loose:
        yield PackageSection(title, tuple(loose))


def _leaves(item: Element, reading: _Reading, depth: int) -> Iterator[Element]:
    """An item that has a resource, and all items below it: a section here has one level."""
    if item.get("identifierref"):
        yield item
    elif depth and item.find("item") is None and _title(item):
        reading.lost.append(f"The heading “{_title(item)}” within a section does not come along.")
    elif depth:
        reading.lost.append(f"The lessons of “{_title(item)}” stand directly in their section.")
    if depth < MAX_ITEM_DEPTH:
        for child in item.findall("item"):
            yield from _leaves(child, reading, depth + 1)


def _title(item: Element) -> str:
    return " ".join((item.findtext("title") or "").split())


def _lessons(item: Element, reading: _Reading) -> Iterator[PackageLesson]:
    identifier, title = item.get("identifier") or "", _title(item)
    resource = reading.resources.get(item.get("identifierref") or "")
    if resource is None:
        reading.lost.append(f"“{isolated(title)}” has no contents in the package.")
        return
    reading.used |= {resource.identifier, resource.variant}
    yield from _of_resource(resource, identifier or resource.identifier, title, reading)


def _outside(reading: _Reading) -> Iterator[PackageLesson]:
    """What no item of the outline leads to and is a lesson by itself: not the files that pages use."""
    for resource in reading.resources.values():
        if resource.identifier in reading.used or resource.variant in reading.resources:
            continue
        if any(path.startswith(_SETTINGS) for path in (*resource.files, *resource.missing)):
            syllabus = [path for path in resource.missing if path.endswith(_PAGES)]
            reading.lost += [f"“{path}” is named but not in the package." for path in syllabus]
            if not (resource.main.endswith(_PAGES) and resource.main.startswith("course_settings/")):
                continue
        is_page = resource.kind == "webcontent" and resource.main.endswith(_PAGES)
        is_other = resource.kind.startswith(("imswl", "imsdt", "imsqti", "imsbasiclti", "assignment"))
        is_assignment = "learning-application-resource" in resource.kind and resource.main.endswith(_PAGES)
        if is_page or is_other or is_assignment:
            yield from _of_resource(resource, resource.identifier, "", reading)


def _of_resource(resource: _Resource, key: str, title: str, reading: _Reading) -> Iterator[PackageLesson]:
    """The lesson of a resource, and one for each file that it links to."""
    if not resource.files:
        reading.lost.append(f"“{title or key}” does not come along: its file is not in the package.")
        return
    entry = reading.own.get(key)
    lost: list[str] = []
    if entry is not None and (own := _own_lesson(entry, resource, key, title, reading)) is not None:
        yield own
        return
    try:
        lesson, attachments = _Lessons(resource, key, title, reading, lost).read()
    except PackageRefused as error:
        # One page that cannot be read is no reason to refuse a course.
        reading.lost.append(f"“{title or key}” does not come along: {error}")
        return
    lessons, said = attached(attachments, key, reading.files)
    if lesson is not None:
        yield with_lost(lesson, said)
    else:
        reading.lost += [f"“{title or key}”: {sentence}" for sentence in said if "does not" in sentence]
    yield from lessons


def _own_lesson(entry: OwnEntry, resource: _Resource, key: str, title: str, reading: _Reading) -> PackageLesson | None:
    questions: list[Json] = []
    if resource.kind.startswith("imsqti"):
        base, root = posixpath.dirname(resource.main), reading.archive.xml(resource.main)
        questions = qti.read_quiz(root, lambda text: reading.convert(text, base)).questions
    return own_outline.lesson_of(entry, key, clean_title(title, "Lesson"), questions, reading.files)


@dataclass
class _Lessons:
    """One resource as a lesson."""

    resource: _Resource
    key: str
    title: str
    reading: _Reading
    lost: list[str]

    def read(self) -> tuple[PackageLesson | None, list[Attachment]]:
        kind, main = self.resource.kind, self.resource.main
        readers = {
            "imsqti": self._quiz,
            "imswl": self._link,
            "imsdt": self._topic,
            "imsbasiclti": self._tool,
            "assignment": self._assignment,
        }
        if reader := next((reader for start, reader in readers.items() if kind.startswith(start)), None):
            return reader()
        if main.casefold().endswith(_PAGES):
            return self._page()
        lesson = file_lesson(self.key, self.title, main, self.reading.files)
        if lesson is None:
            self.reading.lost.append(f"“{self.title or main}” does not come along: {NO_FILE}")
        return lesson, []

    def _page(self) -> tuple[PackageLesson | None, list[Attachment]]:
        main = self.resource.main
        html = decoded(self.reading.archive.text(main))
        found = self.reading.convert(html, posixpath.dirname(main))
        settings = next((path for path in self.resource.files if path.endswith("assignment_settings.xml")), None)
        if settings is not None:
            self._say_assignment(self.reading.archive.xml(settings))
        return self._text(found, _page_title(html) or posixpath.basename(main).rpartition(".")[0])

    def _text(self, found: Markup, title: str) -> tuple[PackageLesson | None, list[Attachment]]:
        title = clean_title(self.title or title, "Lesson")
        self.lost += found.lost
        if not found.text:
            if not found.attachments:
                more = f" {' '.join(self.lost)}" if self.lost else ""
                self.reading.lost.append(f"“{isolated(title)}” is an empty page: it does not come along.{more}")
            return None, [Attachment(each.path, each.title or title) for each in found.attachments]
        body = text_body(fitting_text(found.text, self.lost))
        return PackageLesson(self.key, title, "text", body, lost=tuple(self.lost)), found.attachments

    def _link(self) -> tuple[PackageLesson | None, list[Attachment]]:
        root = self.reading.archive.xml(self.resource.main)
        title = " ".join((root.findtext("title") or "").split())
        url = root.find("url")
        address = ("" if url is None else url.get("href") or "").strip()
        if not re.match(r"https?://", address):
            address = f"https://{address}" if re.match(r"[\w-]+(\.[\w-]+)+(/|$)", address) else ""
        if not address:
            self.reading.lost.append(f"The link “{self.title or title}” has no address of the web.")
            return None, []
        self.lost.append("It is a link to another site.")
        words = html_markdown.plain_markdown(title or self.title or address)
        return self._text(Markup(f"[{words}]({_safe_address(address)})"), title)

    def _topic(self) -> tuple[PackageLesson | None, list[Attachment]]:
        main = self.resource.main
        root = self.reading.archive.xml(main)
        self.lost.append("Learners cannot discuss here: the topic comes as a text.")
        found = self._of_html(root.find("text"))
        resolve = self.reading.resolve(posixpath.dirname(main))
        for element in root.iterfind("./attachments/attachment"):
            target = resolve(element.get("href") or "")
            if target is not None and target.path:
                found.attachments.append(Attachment(target.path, ""))
        return self._text(found, root.findtext("title") or "")

    def _assignment(self) -> tuple[PackageLesson | None, list[Attachment]]:
        root = self.reading.archive.xml(self.resource.main)
        self._say_assignment(root)
        found = self._of_html(root.find("text"))
        other = self._of_html(root.find("instructor_text"))
        if other.text:
            self.lost.append("What it says to teachers alone does not come along.")
        return self._text(found, root.findtext("title") or "")

    def _say_assignment(self, settings: Element) -> None:
        gradable = settings.find("gradable")
        points = settings.findtext("points_possible") or ("" if gradable is None else gradable.get("points_possible"))
        number = (points or "").removesuffix(".0")
        text = f" for {number} points" if number not in ("", "0") else ""
        self.lost.append(f"Learners cannot hand in anything here: the assignment{text} comes as a text.")

    def _of_html(self, element: Element | None) -> Markup:
        text = "" if element is None else element.text or ""
        if element is not None and element.get("texttype") == "text/plain":
            return Markup("\n\n".join(html_markdown.plain_markdown(part) for part in text.split("\n\n")).strip())
        return self.reading.convert(text, posixpath.dirname(self.resource.main))

    def _tool(self) -> tuple[PackageLesson | None, list[Attachment]]:
        root = self.reading.archive.xml(self.resource.main)
        name = self.title or " ".join((root.findtext("title") or "").split()) or self.key
        self.reading.lost.append(f"“{isolated(name)}” is a tool of another site (LTI), which lessons here cannot open.")
        return None, []

    def _quiz(self) -> tuple[PackageLesson | None, list[Attachment]]:
        main = self.resource.main
        root = self.reading.archive.xml(main)
        base = posixpath.dirname(main)
        quiz = qti.read_quiz(root, lambda html: self.reading.convert(html, base))
        if root.find(".//objectbank") is not None:
            self.reading.lost.append(f"The question bank “{self.title or self.key}” does not come along: no lesson.")
            return None, []
        title = clean_title(self.title or quiz.title, "Quiz")
        return quiz_lesson(self.key, title, quiz, [*self.lost], self.reading.lost), quiz.attachments


def _page_title(html: str) -> str:
    match = re.search(r"<title[^>]*>([^<]{1,500})</title>", html, re.IGNORECASE)
    return "" if match is None else " ".join(unescape(match[1]).split())


def _safe_address(address: str) -> str:
    return address.replace(" ", "%20").replace("(", "%28").replace(")", "%29").replace("<", "%3C").replace(">", "%3E")
