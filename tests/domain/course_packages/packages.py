"""Small packages of both formats, made of their files."""

import gzip
import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

from domain.course_packages import formats
from domain.course_packages.archive import open_archive
from domain.course_packages.package import CoursePackage, PackageLesson

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20
PDF = b"%PDF-1.7 not much"
MP4 = b"\0\0\0\x18ftypmp42" + b"\0" * 20
SRT = "1\n00:00:01,000 --> 00:00:04,000\nGood morning.\n\n2\n00:01:00,000 --> 00:01:30,500\nBye.\n"
VTT = "WEBVTT\n\n00:00:01.000 --> 00:00:04.000\nGood morning.\n\n00:01:00.000 --> 00:01:30.500\nBye.\n"

Files = Mapping[str, bytes | str]


def zipped(files: Files) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return target.getvalue()


def tarred(files: Files) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        for name, content in files.items():
            data = content.encode() if isinstance(content, str) else content
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return gzip.compress(target.getvalue())


def read(folder: Path, content: bytes) -> CoursePackage:
    path = folder / "package"
    path.write_bytes(content)
    with open_archive(path) as archive:
        return formats.read(archive)


def shape(package: CoursePackage) -> dict[str, list[tuple[str, str]]]:
    """Kinds and titles of the lessons, by section."""
    return {section.title: [(lesson.kind, lesson.title) for lesson in section.lessons] for section in package.sections}


def only(package: CoursePackage) -> PackageLesson:
    (lesson,) = package.lessons
    return lesson


def cartridge(items: str, resources: str, files: Files, version: str = "1.3.0") -> bytes:
    """A Common Cartridge whose items are in the one item without a title that the format asks for."""
    place = "".join(version.split(".")[:1]) + "p" + version.split(".")[1]
    manifest = f"""<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="m1" xmlns="http://www.imsglobal.org/xsd/imsccv{place}/imscp_v1p1"
  xmlns:lom="http://ltsc.ieee.org/xsd/imsccv{place}/LOM/manifest">
  <metadata><schema>IMS Common Cartridge</schema><schemaversion>{version}</schemaversion>
    <lom:lom><lom:general><lom:title><lom:string>Payroll</lom:string></lom:title></lom:general></lom:lom></metadata>
  <organizations><organization identifier="o" structure="rooted-hierarchy">
    <item identifier="root">{items}</item></organization></organizations>
  <resources>{resources}</resources>
</manifest>"""
    return zipped({"imsmanifest.xml": manifest, **files})


def section(title: str, *items: str) -> str:
    return f'<item identifier="{title}"><title>{title}</title>{"".join(items)}</item>'


def item(title: str, resource: str) -> str:
    return f'<item identifier="i-{title}" identifierref="{resource}"><title>{title}</title></item>'


def resource(identifier: str, kind: str, *names: str) -> str:
    rows = "".join(f'<file href="{name}"/>' for name in names)
    href = f' href="{names[0]}"' if kind == "webcontent" else ""
    return f'<resource identifier="{identifier}" type="{kind}"{href}>{rows}</resource>'


def page_cartridge(html: str, files: Files | None = None) -> bytes:
    """A cartridge with one page, pages/a.html."""
    resources = resource("r", "webcontent", "pages/a.html")
    return cartridge(section("Basics", item("Wages", "r")), resources, {"pages/a.html": html, **(files or {})})


def quiz_cartridge(*questions: str, about: str = "") -> bytes:
    quiz = f"""<questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2"><assessment ident="a" title="Test">
  <qtimetadata>{about}</qtimetadata><section ident="s">{"".join(questions)}</section></assessment></questestinterop>"""
    resources = resource("r", "imsqti_xmlv1p2/imscc_xmlv1p3/assessment", "quiz.xml")
    return cartridge(section("Basics", item("Test", "r")), resources, {"quiz.xml": quiz})


def qti_field(label: str, entry: str) -> str:
    fields = f"<fieldlabel>{label}</fieldlabel><fieldentry>{entry}</fieldentry>"
    return f"<qtimetadatafield>{fields}</qtimetadatafield>"


def qti_choice(options: Mapping[str, str], conditions: str, cardinality: str = "Single", more: str = "") -> str:
    labels = "".join(
        f'<response_label ident="{key}"><material><mattext>{text}</mattext></material></response_label>'
        for key, text in options.items()
    )
    asked = (
        f'<response_lid ident="x" rcardinality="{cardinality}"><render_choice>{labels}</render_choice></response_lid>'
    )
    text = '<material><mattext texttype="text/html">&lt;p&gt;Which?&lt;/p&gt;</mattext></material>'
    presentation = f"<presentation>{text}{asked}</presentation>"
    return f'<item ident="Q1">{presentation}<resprocessing>{conditions}</resprocessing>{more}</item>'


def qti_typed(profile: str, conditions: str) -> str:
    metadata = f"<itemmetadata><qtimetadata>{qti_field('cc_profile', profile)}</qtimetadata></itemmetadata>"
    asked = '<material><mattext>How much?</mattext></material><response_str ident="x"><render_fib/></response_str>'
    presentation = f"<presentation>{asked}</presentation>"
    return f'<item ident="Q1">{metadata}{presentation}<resprocessing>{conditions}</resprocessing></item>'


def qti_points(inner: str, score: str = "100", action: str = "Set") -> str:
    points = f'<setvar varname="SCORE" action="{action}">{score}</setvar>'
    return f"<respcondition><conditionvar>{inner}</conditionvar>{points}</respcondition>"


def qti_equal(*values: str, case: str = "") -> str:
    about = f' case="{case}"' if case else ""
    return "".join(f'<varequal respident="x"{about}>{value}</varequal>' for value in values)


def olx(blocks: str, files: Files | None = None) -> bytes:
    """A course of Open edX with one unit, whose blocks are written within it."""
    course = {
        "course/course.xml": '<course url_name="run" org="Org" course="C1"/>',
        "course/course/run.xml": '<course display_name="Payroll"><chapter url_name="c"/></course>',
        "course/chapter/c.xml": '<chapter display_name="Basics"><sequential url_name="s"/></chapter>',
        "course/sequential/s.xml": '<sequential display_name="Basics"><vertical url_name="v"/></sequential>',
        "course/vertical/v.xml": f'<vertical display_name="Wages">{blocks}</vertical>',
    }
    return tarred({**course, **(files or {})})
