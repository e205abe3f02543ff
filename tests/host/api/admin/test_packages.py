"""Course packages by the calls and pages of the area: who may, what is refused, and a course that goes out and back."""

import zipfile
from io import BytesIO
from typing import Any

import pytest
from sqlalchemy import select, update

from domain.audit.recording import EVENTS
from domain.course_packages import archive
from domain.seed import book_files
from domain.tables import File, Lesson, Upload
from domain.uploads.contents import EPUB, NO_EPUB
from host.api.admin.catalogue import packages
from tests.domain.course_packages.packages import PNG, page_cartridge, zipped
from tests.host.api.admin.test_uploads_and_imports import complete, send
from tests.host.page_props import page_props
from tests.host.signing import Learner, learner
from tests.host.test_area_matrix import sent_by

PAGE = page_cartridge('<p>Due in <b>March</b>.</p><img src="due.png" alt="When">', {"pages/due.png": PNG})
GONE = (
    "The course package is no longer here: a file that was sent stays for a day. Send it again, and take its lessons "
    "over once more."
)


async def props(person: Learner, path: str) -> Any:
    return await page_props(person, f"/admin/courses/{path}")


async def upload(person: Learner, content: bytes) -> int:
    upload_id: int = await send(person, content, "lesson")
    status, answer = await complete(person, upload_id, content)
    assert status == 200, answer
    return upload_id


async def preview(person: Learner, course_id: int, upload_id: int) -> tuple[int, Any]:
    return await person.site.call(f"admin/courses/{course_id}/package", {"uploadId": upload_id}, person.headers)


def drafted(coming: dict[str, Any]) -> list[dict[str, Any]]:
    """The sections of a package as the editor's draft takes them over."""
    names = ("id", "title", "minutes", "isRequired", "isPreview")
    return [
        {
            "title": section["title"],
            "lessons": [
                {**{name: lesson[name] for name in names}, "contents": {name: lesson[name] for name in ("ref", "kind")}}
                for lesson in section["lessons"]
            ],
        }
        for section in coming["sections"]
    ]


async def save(
    person: Learner, course_id: int, sections: list[dict[str, Any]], package_id: int | None
) -> tuple[int, Any]:
    page = await props(person, f"{course_id}/lessons")
    body = {**page["outline"], "sections": sections, "version": page["frame"]["version"], "packageId": package_id}
    return await person.site.call(f"admin/courses/{course_id}/outline", body, person.headers, method="PUT")


def lessons(site: Any) -> list[tuple[int, str]]:
    with site.db.write_session() as session:
        return [(row.id, row.title) for row in session.scalars(select(Lesson).order_by(Lesson.id))]


async def test_a_package_is_read_without_storing_anything_and_comes_with_the_save(bare_site, editor):
    course_id = bare_site.id_of("vat-basics")
    before = lessons(bare_site)
    upload_id = await upload(editor, PAGE)
    status, coming = await preview(editor, course_id, upload_id)
    ((section),) = coming["sections"]
    assert (status, coming["format"], coming["title"]) == (200, "Common Cartridge 1.3", "Payroll")
    (lesson,) = section["lessons"]
    assert {**lesson, "ref": ""} == {
        **{"ref": "", "id": None, "returns": False, "title": "Wages", "kind": "text", "minutes": 1, "lost": []},
        **{"isRequired": True, "isPreview": False},
    }
    assert lessons(bare_site) == before
    status, saved = await save(editor, course_id, drafted(coming), upload_id)
    assert (status, saved["text"]) == (200, "The lessons are saved.")
    page = await props(editor, f"{course_id}/lessons")
    shown = await props(editor, page["stored"][0]["href"].removeprefix("/admin/courses/"))
    with bare_site.db.write_session() as session:
        row = session.scalars(select(File).where(File.name == "due.png")).one()
    assert shown["fields"]["text"] == f"Due in **March**.\n\n![When](/files/{row.sha256})"
    assert (bare_site.settings.files_folder / row.sha256[:2] / row.sha256).read_bytes() == PNG
    # The next export of that course brings the same lesson.
    _, again = await preview(editor, course_id, upload_id)
    assert again["sections"][0]["lessons"][0]["id"] == shown["lessonId"]


async def test_what_a_course_exports_comes_back_under_the_same_ids(bare_site, editor):
    course_id = bare_site.id_of("vat-basics")
    upload_id = await upload(editor, PAGE)
    await save(editor, course_id, drafted((await preview(editor, course_id, upload_id))[1]), upload_id)
    before = lessons(bare_site)
    answer = await bare_site.get(f"/course-cartridges/{course_id}.imscc", **sent_by(editor))
    assert (answer.status, answer.content_type) == (200, "application/zip")
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="vat-basics.imscc"')
    content = await answer.read()
    with zipfile.ZipFile(BytesIO(content)) as exported:
        assert exported.testzip() is None
        assert {"imsmanifest.xml", "coursefront/lessons.xml"} < {*exported.namelist()}
    exported_id = await upload(editor, content)
    _, coming = await preview(editor, course_id, exported_id)
    assert [lesson["id"] for section in coming["sections"] for lesson in section["lessons"]] == [before[-1][0]]
    assert (await save(editor, course_id, drafted(coming), exported_id))[0] == 200
    assert lessons(bare_site) == before
    with bare_site.db.write_session() as session:
        actions = session.scalars(select(EVENTS.c.action)).all()
    assert actions.count("course.export") == 1


REFUSED = {
    "no package": (zipped({"a.txt": "x"}), "This is no course package"),
    "a broken ZIP": (PAGE[:-30], "The ZIP is broken"),
    "a document type": (
        zipped({"imsmanifest.xml": '<!DOCTYPE x [<!ENTITY a "b">]><manifest>&a;</manifest>'}),
        "“imsmanifest.xml” has a document type",
    ),
    "a name that leads out": (zipped({"../imsmanifest.xml": "x"}), "“../imsmanifest.xml” is not a name"),
}


@pytest.mark.parametrize("name", REFUSED)
async def test_what_is_no_course_package_says_why_and_changes_nothing(bare_site, editor, name):
    content, reason = REFUSED[name]
    before = lessons(bare_site)
    status, answer = await preview(editor, bare_site.id_of("vat-basics"), await upload(editor, content))
    assert (status, [*answer["errors"]]) == (422, ["uploadId"])
    assert answer["errors"]["uploadId"].startswith(reason)
    assert lessons(bare_site) == before


async def test_a_package_with_too_much_in_it_is_refused(bare_site, editor, monkeypatch):
    monkeypatch.setattr(archive, "MAX_BYTES", 1_000)
    bomb = zipped({"imsmanifest.xml": "<manifest/>", "zeros": b"\0" * 2_000})
    status, answer = await preview(editor, bare_site.id_of("vat-basics"), await upload(editor, bomb))
    assert (status, answer["errors"]) == (422, {"uploadId": "Unpacked, this package has more than 0 MiB."})


async def test_one_that_is_too_large_says_what_to_do(bare_site, editor, monkeypatch):
    monkeypatch.setattr(packages, "MAX_PACKAGE_BYTES", 100)
    status, answer = await preview(editor, bare_site.id_of("vat-basics"), await upload(editor, PAGE))
    assert (status, answer["errors"]) == (
        422,
        {
            "uploadId": "A course package has at most 0 MiB. Take videos out of it, and add them to their lessons "
            "afterwards."
        },
    )


async def test_a_text_file_is_refused_when_it_is_sent(editor):
    upload_id = await send(editor, b"no package", "lesson")
    status, answer = await complete(editor, upload_id, b"no package")
    assert (status, answer["errors"]) == (
        422,
        {
            "file": "This is neither a file of a lesson (MP4, WebM, MP3, M4A, WebVTT, an image or a PDF) nor a course "
            "package (ZIP or tar.gz)."
        },
    )


async def test_a_package_is_no_file_of_a_lesson(editor):
    answer = await editor.site.call("admin/lesson-files", {"uploadId": await upload(editor, PAGE)}, editor.headers)
    assert (answer[0], answer[1]["errors"]) == (422, {"uploadId": NO_EPUB})
    with editor.site.db.read_session() as session:
        assert session.scalars(select(File)).all() == []


async def test_an_epub_is_kept_for_the_buyers_of_an_item(editor):
    book = book_files.epub("Honest numbers", "What they say.")
    answer = await editor.site.call("admin/lesson-files", {"uploadId": await upload(editor, book)}, editor.headers)
    assert (answer[0], answer[1]["mediaType"], answer[1]["bytes"]) == (201, EPUB, len(book))


async def test_an_unfinished_file_and_that_of_somebody_else_are_not_read(bare_site, editor):
    course_id, other = bare_site.id_of("vat-basics"), learner(bare_site, "Otto Other", area="admin", roles=["editor"])
    upload_id = await upload(editor, PAGE)
    assert (await preview(other, course_id, upload_id))[0] == 404
    unfinished = await send(editor, PAGE, "lesson")
    assert (await preview(editor, course_id, unfinished))[0] == 403
    assert (await preview(editor, 10**9, upload_id))[0] == 404


async def test_a_save_after_the_package_expired_changes_nothing_and_says_what_to_do(bare_site, editor):
    course_id, before = bare_site.id_of("vat-basics"), lessons(bare_site)
    upload_id = await upload(editor, PAGE)
    sections = drafted((await preview(editor, course_id, upload_id))[1])
    with bare_site.db.write_session() as session:
        expired = session.get_one(Upload, upload_id).created_at
        session.execute(update(Upload).where(Upload.id == upload_id).values(expires_at=expired))
    status, answer = await save(editor, course_id, sections, upload_id)
    assert (status, answer["errors"], lessons(bare_site)) == (422, {"form": GONE}, before)


async def test_lessons_of_a_package_that_is_not_named_are_refused(bare_site, editor):
    course_id, before = bare_site.id_of("vat-basics"), lessons(bare_site)
    sections = drafted((await preview(editor, course_id, await upload(editor, PAGE)))[1])
    status, answer = await save(editor, course_id, sections, None)
    assert (status, answer["errors"], lessons(bare_site)) == (422, {"form": GONE}, before)
    sections[0]["lessons"][0]["contents"]["ref"] = "0" * 16
    status, answer = await save(editor, course_id, sections, await upload(editor, PAGE))
    assert (status, answer["errors"], lessons(bare_site)) == (
        422,
        {"form": "“Wages” is not in the package that was sent last."},
        before,
    )


async def test_who_may_not_edit_lessons_neither_reads_a_package_nor_gets_a_cartridge(bare_site, editor):
    course_id = bare_site.id_of("vat-basics")
    upload_id = await upload(editor, PAGE)
    reader = learner(bare_site, "Sue Support", area="admin", roles=["support"])
    assert (await preview(reader, course_id, upload_id))[0] == 403
    path = f"/course-cartridges/{course_id}.imscc"
    for sent in (sent_by(reader), sent_by(learner(bare_site, "Lea Learner")), {}):
        assert (await bare_site.get(path, **sent)).status == 404
    assert (await bare_site.get(f"/course-cartridges/{10**9}.imscc", **sent_by(editor))).status == 404


async def test_the_preview_of_the_rule_counts_a_quiz_that_comes(bare_site, editor):
    course_id = bare_site.id_of("vat-basics")
    page = await props(editor, f"{course_id}/lessons")
    quiz = {"id": None, "title": "Test", "minutes": 1, "isRequired": True, "isPreview": False}
    sections = [{"title": "All", "lessons": [{**quiz, "contents": {"ref": "0" * 16, "kind": "quiz"}}]}]
    body = {**page["outline"], "sections": sections}
    _, answer = await editor.site.call(f"admin/courses/{course_id}/outline-preview", body, editor.headers)
    assert answer["rule"] == "Finish the lesson and pass the quiz with 70%."
