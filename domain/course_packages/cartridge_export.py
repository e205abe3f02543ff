"""The lessons of a course as a Common Cartridge 1.3, written in parts, because videos are larger than memory.

Texts are pages, quizzes are QTI 1.2, files and captions lie beside the pages that use them. What the format has no
words for is in a file of our own (own_outline.py), and a page in the cartridge lists it.
"""

import html
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import IO, cast
from xml.etree.ElementTree import Element, SubElement, indent, register_namespace, tostring

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.course_packages import own_outline
from domain.course_packages.own_outline import ExportedLesson, check_of, xml_text
from domain.learning import files, lesson_bodies
from domain.learning.files import LessonFileRow
from domain.publishing.editing import lesson_content
from domain.publishing.editing.stored_course import stored_course
from domain.publishing.records import Json
from domain.publishing.study_sheets import GUIDE_KEY
from domain.tables import CourseSection, Lesson, LessonBody

# Markdown with the addresses of its pictures, by digest, as safe HTML.
ToHTML = Callable[[str, Mapping[str, str]], str]
ABOUT = "coursefront/about.html"
NOT_IN_A_CARTRIDGE = (
    "When the course is completed, its certificate, and which lessons are required or open to everybody.",
    "How many minutes a lesson takes, and how long one waits between two attempts of a quiz.",
    "Limits of more than five attempts of a quiz: others let people try as often as they like.",
    "How far a number of a quiz may be from the right one, and its unit: the exact number is asked for.",
    "Parts of the points for some of several right answers: others give all or none.",
    "Transcripts beside videos: captions lie in the cartridge as WebVTT files.",
    "Notes, progress and attempts of learners.",
)
_ENDINGS = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/webp": "webp",
    "video/mp4": "mp4",
    "video/webm": "webm",
    "audio/mpeg": "mp3",
    "audio/mp4": "m4a",
    "application/pdf": "pdf",
    "text/vtt": "vtt",
}
_MANIFEST = "http://www.imsglobal.org/xsd/imsccv1p3/imscp_v1p1"
_LOM = "http://ltsc.ieee.org/xsd/imsccv1p3/LOM/manifest"
_QTI = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
_XSI = "http://www.w3.org/2001/XMLSchema-instance"
_SCHEMAS = "http://www.imsglobal.org/profile/cc/ccv1p3"
_QUIZ_TYPE = "imsqti_xmlv1p2/imscc_xmlv1p3/assessment"
_OWN_TYPE = "associatedcontent/imscc_xmlv1p3/learning-application-resource"
_CHUNK = 256 * 1024
# The limits of attempts that the schema knows (rule 1i of its assessments).
_ATTEMPTS = range(1, 6)


@dataclass(frozen=True)
class ExportedSection:
    title: str
    lessons: tuple[ExportedLesson, ...]


@dataclass(frozen=True)
class ExportedCourse:
    """`files`: those of its lessons that are there, by digest."""

    id: int
    name: str
    slug: str
    sections: tuple[ExportedSection, ...]
    files: dict[str, LessonFileRow]

    @property
    def lessons(self) -> list[ExportedLesson]:
        return [lesson for section in self.sections for lesson in section.lessons]


def exported_course(session: Session, course_id: int, folder: Path) -> ExportedCourse:
    """The outline of a course with what its lessons teach. Raises NotFound."""
    product = stored_course(session, course_id).product
    query = (
        select(Lesson, CourseSection.position, LessonBody)
        .join(CourseSection, CourseSection.id == Lesson.section_id)
        .outerjoin(LessonBody, LessonBody.lesson_id == Lesson.id)
        .where(Lesson.course_id == course_id, Lesson.withdrawn_at.is_(None), Lesson.source_key != GUIDE_KEY)
        .order_by(CourseSection.position, Lesson.position, Lesson.id)
    )
    rows = [(lesson, position, body) for lesson, position, body in session.execute(query)]
    titles = select(CourseSection.position, CourseSection.title).where(CourseSection.course_id == course_id)
    sections = tuple(
        ExportedSection(title, tuple(_lesson(lesson, body, folder) for lesson, at, body in rows if at == position))
        for position, title in session.execute(titles.order_by(CourseSection.position))
        if title or any(at == position for _, at, _ in rows)
    )
    digests = {digest for _, _, body in rows if body is not None for digest in lesson_bodies.file_digests(body.body)}
    known = files.by_digests(session, sorted(digests))
    there = {digest: row for digest, row in known.items() if files.path_of(folder, digest).is_file()}
    return ExportedCourse(course_id, product.name, product.slug, sections, there)


def _lesson(lesson: Lesson, stored: LessonBody | None, folder: Path) -> ExportedLesson:
    body: Json = {"text": ""} if stored is None else stored.body
    return ExportedLesson(
        id=lesson.id,
        added_at=lesson.added_at,
        item=f"L{lesson.id}-{check_of(lesson.id, lesson.added_at)}",
        title=lesson.title,
        kind=lesson.kind,
        minutes=lesson.minutes,
        is_required=lesson.is_required,
        is_preview=lesson.is_preview,
        is_generated=stored is not None and stored.is_generated,
        body=body,
        tracks=lesson_content.tracks_of(body, folder) if lesson.kind == "video" else (),
    )


def parts(course: ExportedCourse, folder: Path, to_html: ToHTML, at: datetime) -> Iterator[bytes]:
    """The ZIP. Raises OSError when a file is deleted meanwhile."""
    sink = _Sink()
    paths = {digest: f"files/{digest[:16]}/{_file_name(row)}" for digest, row in course.files.items()}
    with zipfile.ZipFile(cast("IO[bytes]", sink), "w", zipfile.ZIP_DEFLATED) as target:

        def put(name: str, content: bytes) -> bytes:
            target.writestr(_info(name, at), content)
            return sink.taken()

        yield put("imsmanifest.xml", _manifest(course, paths))
        yield put(own_outline.PATH, own_outline.written(course.lessons, paths))
        yield put(ABOUT, _about(course).encode())
        for lesson in course.lessons:
            for name, content in _contents(lesson, course, paths, to_html):
                yield put(name, content)
        for digest, path in paths.items():
            # Sound, pictures and PDF are as small as they can be.
            info = _info(path, at, zipfile.ZIP_STORED)
            info.file_size = course.files[digest].bytes
            with files.path_of(folder, digest).open("rb") as source, target.open(info, "w") as copy:
                while part := source.read(_CHUNK):
                    copy.write(part)
                    yield sink.taken()
    yield sink.taken()


def _file_name(row: LessonFileRow) -> str:
    """The name of a file with the signs that every system takes, and the ending of its type."""
    path = PurePosixPath(re.sub(r"[^a-zA-Z0-9.-]+", "_", row.name).strip(".") or "file")
    ending = _ENDINGS.get(row.media_type)
    return f"{path.stem[:80]}{f'.{ending}' if ending else path.suffix[:10]}"


def _info(name: str, at: datetime, method: int = zipfile.ZIP_DEFLATED) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, at.timetuple()[:6])
    info.compress_type = method
    info.external_attr = 0o644 << 16
    return info


class _Sink:
    """What a ZIP is written to; it cannot go back in it."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing waits."""

    def taken(self) -> bytes:
        """All that was written since it was asked for last."""
        data = b"".join(self._parts)
        self._parts.clear()
        return data


def _manifest(course: ExportedCourse, paths: Mapping[str, str]) -> bytes:
    register_namespace("", _MANIFEST)
    register_namespace("lomimscc", _LOM)
    register_namespace("xsi", _XSI)
    root = Element(f"{{{_MANIFEST}}}manifest", identifier=f"coursefront-course-{course.id}")
    locations = f"{_MANIFEST} {_SCHEMAS}/ccv1p3_imscp_v1p2_v1p0.xsd {_LOM} {_SCHEMAS}/LOM/ccv1p3_lommanifest_v1p0.xsd"
    root.set(f"{{{_XSI}}}schemaLocation", locations)
    metadata = _child(root, "metadata")
    _child(metadata, "schema").text = "IMS Common Cartridge"
    _child(metadata, "schemaversion").text = "1.3.0"
    general = SubElement(SubElement(metadata, f"{{{_LOM}}}lom"), f"{{{_LOM}}}general")
    SubElement(SubElement(general, f"{{{_LOM}}}title"), f"{{{_LOM}}}string").text = xml_text(course.name)
    organization = _child(_child(root, "organizations"), "organization", identifier="outline")
    organization.set("structure", "rooted-hierarchy")
    top = _child(organization, "item", identifier="sections")
    for number, section in enumerate(course.sections, start=1):
        part = _child(top, "item", identifier=f"S{number}")
        _child(part, "title").text = xml_text(section.title) or "Lessons"
        for lesson in section.lessons:
            item = _child(part, "item", identifier=lesson.item, identifierref=f"R{lesson.id}")
            _child(item, "title").text = xml_text(lesson.title)
    resources = _child(root, "resources")
    for lesson in course.lessons:
        _lesson_resources(resources, lesson, paths)
    _resource(resources, "coursefront", _OWN_TYPE, [own_outline.PATH, ABOUT])
    indent(root)
    return bytes(tostring(root, "utf-8", xml_declaration=True))


def _child(parent: Element, name: str, **attributes: str) -> Element:
    return SubElement(parent, f"{{{_MANIFEST}}}{name}", attributes)


def _lesson_resources(parent: Element, lesson: ExportedLesson, paths: Mapping[str, str]) -> None:
    """A quiz may have one file alone (rule 3b of the schema): its pictures are a resource that it depends on."""
    used = _used_paths(lesson, paths)
    beside = used if lesson.kind != "quiz" else []
    resource = _resource(parent, f"R{lesson.id}", _type_of(lesson), [_path_of(lesson), *beside])
    if lesson.kind == "quiz" and used:
        _child(resource, "dependency", identifierref=f"P{lesson.id}")
        _resource(parent, f"P{lesson.id}", "webcontent", used)


def _resource(parent: Element, identifier: str, kind: str, names: list[str]) -> Element:
    resource = _child(parent, "resource", identifier=identifier, type=kind)
    if kind != _QUIZ_TYPE:
        resource.set("href", names[0])
    for name in names:
        _child(resource, "file", href=name)
    return resource


def _type_of(lesson: ExportedLesson) -> str:
    return _QUIZ_TYPE if lesson.kind == "quiz" else "webcontent"


def _path_of(lesson: ExportedLesson) -> str:
    return f"quizzes/{lesson.id}.xml" if lesson.kind == "quiz" else f"pages/{lesson.id}.html"


def _used_paths(lesson: ExportedLesson, paths: Mapping[str, str]) -> list[str]:
    return [paths[digest] for digest in lesson_bodies.file_digests(lesson.body) if digest in paths]


def _contents(
    lesson: ExportedLesson, course: ExportedCourse, paths: Mapping[str, str], to_html: ToHTML
) -> Iterator[tuple[str, bytes]]:
    if lesson.kind == "quiz":
        # The root of the cartridge in the words of the format.
        pictures = {digest: f"$IMS-CC-FILEBASE$/{path}" for digest, path in paths.items()}
        yield _path_of(lesson), _quiz(lesson, lambda text: to_html(text, pictures))
    else:
        yield _path_of(lesson), _page(lesson, course, paths, to_html).encode()


def _page(lesson: ExportedLesson, course: ExportedCourse, paths: Mapping[str, str], to_html: ToHTML) -> str:
    beside = {digest: f"../{path}" for digest, path in paths.items()}
    body = [*_media(lesson, course, beside), to_html(lesson.body.get("text", ""), beside)]
    return _document(lesson.title, "\n".join(part for part in body if part))


def _document(title: str, body: str) -> str:
    head = f'<meta charset="utf-8">\n<title>{html.escape(title)}</title>'
    return f"<!DOCTYPE html>\n<html>\n<head>\n{head}\n</head>\n<body>\n{body}\n</body>\n</html>\n"


def _media(lesson: ExportedLesson, course: ExportedCourse, beside: Mapping[str, str]) -> Iterator[str]:
    body = lesson.body
    if embed := body.get("embed"):
        yield f'<p><a href="{html.escape(embed["url"])}">{html.escape(embed["title"] or embed["url"])}</a></p>'
    sources = [file for file in body.get("files") or () if file["sha256"] in beside]
    if sources:
        tracks = [track for track in body.get("captions") or () if track["sha256"] in beside]
        rows = [f'<source src="{beside[file["sha256"]]}" type="{html.escape(file["media_type"])}">' for file in sources]
        rows += [
            f'<track kind="captions" src="{beside[track["sha256"]]}" srclang="{html.escape(track["language"])}">'
            for track in tracks
        ]
        yield f"<video controls>{''.join(rows)}</video>"
    digest = str(body.get("sha256") or "") if lesson.kind == "file" else ""
    if digest in beside:
        name = html.escape(course.files[digest].name or lesson.title)
        yield f'<p><a href="{beside[digest]}">{name}</a></p>'


def _about(course: ExportedCourse) -> str:
    rows = "\n".join(f"<li>{html.escape(sentence)}</li>" for sentence in NOT_IN_A_CARTRIDGE)
    introduction = f"<h1>{html.escape(course.name)}</h1>\n<p>What a Common Cartridge does not tell other systems:</p>"
    return _document(course.name, f"{introduction}\n<ul>\n{rows}\n</ul>")


def _quiz(lesson: ExportedLesson, to_html: Callable[[str], str]) -> bytes:
    register_namespace("", _QTI)
    register_namespace("xsi", _XSI)
    root = Element(f"{{{_QTI}}}questestinterop")
    root.set(f"{{{_XSI}}}schemaLocation", f"{_QTI} {_SCHEMAS}/ccv1p3_qtiasiv1p2p1_v1p0.xsd")
    assessment = _q(root, "assessment", ident=f"quiz-{lesson.id}", title=xml_text(lesson.title))
    attempts = lesson.body.get("attempts")
    _metadata(
        _q(assessment, "qtimetadata"),
        cc_profile="cc.exam.v0p1",
        qmd_assessmenttype="Examination",
        qmd_scoretype="Percentage",
        cc_maxattempts=str(attempts) if attempts in _ATTEMPTS else "unlimited",
    )
    if lesson.body.get("text"):
        _material(_q(assessment, "rubric"), to_html(lesson.body["text"]))
    section = _q(assessment, "section", ident="questions")
    for question in lesson.body.get("questions") or ():
        _question(section, question, to_html)
    indent(root)
    return bytes(tostring(root, "utf-8", xml_declaration=True))


_PROFILES = {"one": "cc.multiple_choice.v0p1", "several": "cc.multiple_response.v0p1", "number": "cc.fib.v0p1"}


def _question(section: Element, question: Json, to_html: Callable[[str], str]) -> None:
    item = _q(section, "item", ident=question["id"])
    _metadata(_q(_q(item, "itemmetadata"), "qtimetadata"), cc_profile=_PROFILES[question["kind"]])
    presentation = _q(item, "presentation")
    _material(presentation, to_html(question["text"]))
    options = question.get("options") or ()
    if question["kind"] == "number":
        response = _q(presentation, "response_str", ident="answer", rcardinality="Single")
        _q(response, "render_fib", prompt="Box")
    else:
        cardinality = "Multiple" if question["kind"] == "several" else "Single"
        response = _q(presentation, "response_lid", ident="answer", rcardinality=cardinality)
        choices = _q(response, "render_choice")
        for option in options:
            _material(_q(choices, "response_label", ident=option["id"]), to_html(option["text"]))
    processing = _q(item, "resprocessing")
    _q(_q(processing, "outcomes"), "decvar", varname="SCORE", vartype="Decimal", minvalue="0", maxvalue="100")
    if question.get("explanation"):
        shown = _q(processing, "respcondition")
        shown.set("continue", "Yes")
        _q(_q(shown, "conditionvar"), "other")
        _q(shown, "displayfeedback", feedbacktype="Response", linkrefid="general_fb")
    _right(processing, question)
    if question.get("explanation"):
        _material(_q(_q(item, "itemfeedback", ident="general_fb"), "flow_mat"), to_html(question["explanation"]))


def _right(processing: Element, question: Json) -> None:
    """The condition for all points."""
    options = question.get("options") or ()
    condition = _q(processing, "respcondition")
    condition.set("continue", "No")
    variable = _q(condition, "conditionvar")
    if question["kind"] == "several":
        both = _q(variable, "and")
        for option in options:
            parent = both if option["is_right"] else _q(both, "not")
            _q(parent, "varequal", respident="answer").text = option["id"]
    else:
        right = [option["id"] for option in options if option["is_right"]]
        _q(variable, "varequal", respident="answer").text = (right or [question.get("value") or "0"])[0]
    _q(condition, "setvar", varname="SCORE", action="Set").text = "100"


def _q(parent: Element, name: str, **attributes: str) -> Element:
    return SubElement(parent, f"{{{_QTI}}}{name}", attributes)


def _metadata(parent: Element, **fields: str) -> None:
    for label, entry in fields.items():
        row = _q(parent, "qtimetadatafield")
        _q(row, "fieldlabel").text = label
        _q(row, "fieldentry").text = entry


def _material(parent: Element, text: str) -> None:
    _q(_q(parent, "material"), "mattext", texttype="text/html").text = xml_text(text)
