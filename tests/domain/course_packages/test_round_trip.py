"""A course that is exported and comes back: ids, questions, answers and progress are those of before."""

import zipfile
from dataclasses import replace
from io import BytesIO

import pytest
from sqlalchemy import select

from domain.audit import recording
from domain.course_packages import cartridge_export, course_import, formats
from domain.course_packages.archive import open_archive
from domain.course_packages.course_import import PackageSource
from domain.errors import InvalidInput
from domain.learning import files, grants, progress
from domain.learning.files import FileFacts
from domain.learning.grants import GrantSource
from domain.learning.progress_merge import ProgressChange
from domain.publishing import lessons as publishing_lessons
from domain.publishing.editing import course_outline, lesson_content
from domain.publishing.editing.course_outline import EditedLesson, EditedSection
from domain.publishing.editing.lesson_content import CaptionTrack, LessonDraft, LessonEdit
from domain.publishing.editing.stored_course import Edit, NewerVersion, stored_course
from domain.publishing.records import LessonRecord, SectionRecord
from domain.tables import AuditEvent, Lesson, LessonBody, LessonProgress
from host.rendering.lesson_html import LESSON_HTML
from tests.domain.course_packages.packages import PDF, PNG, VTT
from tests.domain.learning.quiz_world import BODY
from tests.support import factories
from tests.support.factories import NOON

TEXT = "# Wages\n\nWhat **is** due on 12\\. March, and `a|b`.\n"


@pytest.fixture
def editor(session):
    return factories.actor(factories.learner(session, "Edda Editor").id, "editor", at=NOON)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "files"


def add_file(session, folder, content, name, media_type):
    return files.store(session, folder, content, FileFacts(name, media_type, "lesson"), NOON).sha256


@pytest.fixture
def course_id(session, editor, folder):
    """A course with a lesson of every kind, and one whose text the shop wrote."""
    course = factories.course(session, factories.category(session).id).id
    picture = add_file(session, folder, PNG, "wages.png", "image/png")
    paper = add_file(session, folder, PDF, "wages.pdf", "application/pdf")
    queries = add_file(session, folder, b"select 1;\n", "Abfragen für alle.sql", "text/plain")
    quiz = {**BODY, "attempts": 3, "wait_min": 5, "text": "Try *it*."}
    quiz["questions"] = [*quiz["questions"], {**quiz["questions"][0], "id": "only", "kind": "several"}]
    lessons = (
        LessonRecord("Wages", 7, "w", body={"text": f"{TEXT}![What is due](/files/{picture})"}, is_preview=True),
        LessonRecord("Paper", 3, "p", "file", is_required=False, body={"text": "Read it.", "sha256": paper}),
        LessonRecord("Test", 5, "t", "quiz", body=quiz),
        LessonRecord("Sheet", 4, "s"),
        LessonRecord("Film", 2, "f"),
        LessonRecord("Queries", 1, "q", "file", body={"text": "", "sha256": queries}),
    )
    publishing_lessons.put_lessons(session, course, (SectionRecord("Basics & more", lessons),), NOON)
    film = session.scalars(select(Lesson).where(Lesson.title == "Film")).one()
    embed = {"provider": "videos.example", "url": "https://videos.example/1", "title": "One"}
    draft = LessonDraft("Film", "video", 2, {"text": "", "embed": embed}, (CaptionTrack("en", VTT),))
    edit = LessonEdit(editor, film.id, stored_course(session, course).product.version)
    recording.run(session, editor, lesson_content.change_lesson, edit, draft, folder)
    return course


def exported(session, course_id, folder, tmp_path):
    course = cartridge_export.exported_course(session, course_id, folder)
    path = tmp_path / "course.imscc"
    path.write_bytes(b"".join(cartridge_export.parts(course, folder, LESSON_HTML.render, NOON)))
    return path


def take(session, editor, course_id, path, *, edited=None):
    """Save the outline with all lessons of the package, as the editor's draft would."""
    folder = path.parent / "files"
    with open_archive(path) as archive:
        package = formats.read(archive)
        coming = course_import.coming_sections(session, course_id, package)
        refs = [lesson.ref for lesson in package.lessons]
        source = PackageSource(package, course_import.place_files(archive, package, refs, folder), folder)
    stored = course_outline.read_outline(session, course_id)
    edited = edited or replace(stored, sections=tuple(map(edited_section, coming)))
    edit = Edit(editor, course_id, stored_course(session, course_id).product.version, package="course.imscc")
    recording.run(session, editor, course_import.change_outline, edit, edited, source)
    return coming


def edited_section(coming):
    return EditedSection(
        coming.title,
        tuple(
            EditedLesson(
                each.id,
                each.lesson.title,
                each.lesson.minutes,
                each.lesson.is_required,
                each.lesson.own.is_preview if each.lesson.own else False,
                each.lesson.kind,
                each.lesson.ref,
            )
            for each in coming.lessons
        ),
    )


def bodies(session, course_id):
    query = select(Lesson, LessonBody).join(LessonBody, LessonBody.lesson_id == Lesson.id)
    rows = session.execute(query.where(Lesson.course_id == course_id, Lesson.withdrawn_at.is_(None)))
    return {lesson.title: (lesson.kind, body.body, body.is_generated) for lesson, body in rows}


def revisions_of(session):
    return session.execute(select(Lesson.id, Lesson.revision)).all()


def ids(session, course_id):
    query = select(Lesson.title, Lesson.id).where(Lesson.course_id == course_id, Lesson.withdrawn_at.is_(None))
    return dict(session.execute(query).all())


@pytest.mark.each_database
def test_an_export_that_comes_back_changes_nothing(session, editor, course_id, folder, tmp_path):
    before = (ids(session, course_id), bodies(session, course_id), course_outline.read_outline(session, course_id))
    version, revisions = stored_course(session, course_id).product.version, revisions_of(session)
    coming = take(session, editor, course_id, exported(session, course_id, folder, tmp_path))
    assert [lesson.id for section in coming for lesson in section.lessons] == [*before[0].values()]
    assert [lesson.lesson.lost for section in coming for lesson in section.lessons] == [()] * 6
    after = (ids(session, course_id), bodies(session, course_id), course_outline.read_outline(session, course_id))
    assert after == before
    assert (stored_course(session, course_id).product.version, revisions_of(session)) == (version, revisions)


def test_what_was_edited_since_the_export_is_as_it_was_then_under_the_same_ids(
    session, editor, course_id, folder, tmp_path
):
    before, written = ids(session, course_id), bodies(session, course_id)
    path = exported(session, course_id, folder, tmp_path)
    edit = LessonEdit(editor, before["Test"], stored_course(session, course_id).product.version)
    recording.run(
        session, editor, lesson_content.change_lesson, edit, LessonDraft("Test", "text", 1, {"text": "No."}), folder
    )
    take(session, editor, course_id, path)
    assert ids(session, course_id) == before
    assert bodies(session, course_id) == written
    event = session.scalars(select(AuditEvent).order_by(AuditEvent.id.desc())).first()
    assert (event.action, event.after["package"]) == ("course.edit_lessons", "course.imscc")


@pytest.mark.each_database
def test_a_lesson_that_was_taken_out_comes_back_with_its_id_and_its_progress(
    session, editor, course_id, folder, tmp_path
):
    path, before = exported(session, course_id, folder, tmp_path), ids(session, course_id)
    learner = factories.learner(session, "Ada").id
    grants.grant(session, learner, [course_id], GrantSource("order", 1), NOON)
    progress.record(session, learner, [ProgressChange(before["Wages"], NOON, True)], NOON)
    written = bodies(session, course_id)
    stored = course_outline.read_outline(session, course_id)
    (section,) = stored.sections
    left = replace(stored, sections=(replace(section, lessons=section.lessons[1:]),))
    edit = Edit(editor, course_id, stored_course(session, course_id).product.version)
    recording.run(session, editor, course_outline.change_outline, edit, left)
    assert "Wages" not in ids(session, course_id)
    coming = take(session, editor, course_id, path)
    first = coming[0].lessons[0]
    assert (first.id, first.returns) == (None, True)
    assert (ids(session, course_id), bodies(session, course_id)) == (before, written)
    assert session.scalars(select(LessonProgress.lesson_id)).all() == [before["Wages"]]


@pytest.mark.each_database
def test_another_course_gets_lessons_of_its_own_and_a_second_time_the_same(
    session, editor, course_id, folder, tmp_path
):
    path, before = exported(session, course_id, folder, tmp_path), ids(session, course_id)
    other = factories.course(session, stored_course(session, course_id).product.category_id, "vat-again").id
    coming = take(session, editor, other, path)
    assert {lesson.id for section in coming for lesson in section.lessons} == {None}
    made = ids(session, other)
    assert (made.keys(), {*made.values()} & {*before.values()}) == (before.keys(), set())
    assert bodies(session, other)["Test"] == bodies(session, course_id)["Test"]
    assert "in *Vat Again*" in bodies(session, other)["Sheet"][1]["text"]
    assert bodies(session, other)["Sheet"][2] is True
    again = take(session, editor, other, path)
    assert [lesson.id for section in again for lesson in section.lessons] == [*made.values()]
    assert ids(session, other) == made


def test_the_ids_of_another_site_mean_nothing_here(session, editor, course_id, folder, tmp_path):
    path = exported(session, course_id, folder, tmp_path)
    for lesson in session.scalars(select(Lesson)):
        # As if these lessons had been written at another time, by another site.
        lesson.added_at = NOON.replace(year=2020)
    session.flush()
    with open_archive(path) as archive:
        package = formats.read(archive)
    coming = course_import.coming_sections(session, course_id, package)
    assert {lesson.id for section in coming for lesson in section.lessons} == {None}


def test_another_system_finds_pages_questions_and_files(session, course_id, folder, tmp_path):
    path = exported(session, course_id, folder, tmp_path)
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        kept = [name for name in archive.namelist() if not name.startswith("coursefront/")]
        content = BytesIO()
        with zipfile.ZipFile(content, "w") as without:
            for name in kept:
                without.writestr(name, archive.read(name))
    path.write_bytes(content.getvalue())
    with open_archive(path) as archive:
        package = formats.read(archive)
    (section,) = package.sections
    assert (package.format, package.title, section.title) == ("Common Cartridge 1.3", "Vat Basics", "Basics & more")
    assert [(lesson.kind, lesson.title) for lesson in section.lessons] == [
        ("text", "Wages"),
        ("text", "Paper"),
        ("file", "wages.pdf"),
        ("quiz", "Test"),
        ("text", "Sheet"),
        ("text", "Film"),
        ("text", "Queries"),
    ]
    assert section.lessons[-1].lost == (
        "The file “Abfragen_f_r_alle.sql” does not come along: lessons offer PDF, PNG, JPEG, WebP, MP4, WebM, MP3 and "
        "M4A files.",
    )
    one, several, number, _ = section.lessons[3].body["questions"]
    assert [option["is_right"] for option in several["options"]] == [True, False, True, False]
    assert (one["id"], one["kind"], one["explanation"]) == ("vat", "one", "It is *a* tax.")
    assert (several["id"], several["kind"]) == ("rates", "several")
    assert (number["id"], number["kind"], number["value"], number["tolerance"]) == ("share", "number", "19.25", "0")
    assert section.lessons[3].body["attempts"] == 3
    assert section.lessons[0].body["text"].startswith("## Wages\n\nWhat **is** due on 12\\. March, and `a|b`.\n")


def test_an_outline_of_somebody_else_is_not_overwritten(session, editor, course_id, folder, tmp_path):
    path, before = exported(session, course_id, folder, tmp_path), bodies(session, course_id)
    with open_archive(path) as archive:
        package = formats.read(archive)
        source = PackageSource(package, course_import.place_files(archive, package, (), folder), folder)
    edited = course_outline.read_outline(session, course_id)
    with pytest.raises(NewerVersion):
        recording.run(session, editor, course_import.change_outline, Edit(editor, course_id, 99), edited, source)
    assert bodies(session, course_id) == before


def test_a_lesson_that_the_package_lacks_is_refused_by_its_title(session, editor, course_id, folder, tmp_path):
    path, before = exported(session, course_id, folder, tmp_path), bodies(session, course_id)
    stored = course_outline.read_outline(session, course_id)
    lesson = replace(stored.sections[0].lessons[0], ref="0" * 16)
    edited = replace(stored, sections=(EditedSection("Basics", (lesson,)),))
    with pytest.raises(InvalidInput) as raised:
        take(session, editor, course_id, path, edited=edited)
    assert raised.value.errors == {"form": "“Wages” is not in the package that was sent last."}
    assert bodies(session, course_id) == before
