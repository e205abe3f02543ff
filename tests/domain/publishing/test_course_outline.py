"""The outline of a course as staff edit it, and what each lesson teaches, on both databases."""

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select

from domain.audit import recording
from domain.errors import InvalidInput, NotFound, Refused
from domain.learning import files
from domain.learning.completion import CompletionRule
from domain.learning.files import FileFacts, path_of
from domain.publishing.editing import course_outline, lesson_content
from domain.publishing.editing.course_outline import EditedLesson, EditedOutline, EditedSection
from domain.publishing.editing.lesson_content import CaptionTrack, LessonDraft, LessonEdit
from domain.publishing.editing.stored_course import Edit, NewerVersion, stored_course
from domain.publishing.lessons import derived_outline
from domain.tables import AuditEvent, Course, Enrolment, Lesson, LessonBody, LessonProgress
from tests.support import factories
from tests.support.factories import NOON

VTT = "WEBVTT\n\n00:01.000 --> 00:04.000\nGood <b>morning</b>.\n\n1:00:00.000 --> 1:00:02.500\nBye.\n"
QUIZ = {
    "questions": [
        {
            **{"id": "q1", "kind": "one", "text": "Due?", "explanation": ""},
            "options": [{"id": "a", "text": "Yes", "is_right": True}, {"id": "b", "text": "No", "is_right": False}],
        }
    ]
}


@pytest.fixture
def editor(session):
    return factories.actor(factories.learner(session).id, "editor", at=NOON)


@pytest.fixture
def course_id(session):
    return factories.course(session, factories.category(session).id).id


def act(session, editor, function, *arguments):
    return recording.run(session, editor, function, *arguments)


def section(title, *titles, **values):
    return EditedSection(title, tuple(EditedLesson(None, name, 10, **values) for name in titles))


def change(session, editor, course_id, edited):
    edit = Edit(editor, course_id, stored_course(session, course_id).product.version)
    return act(session, editor, course_outline.change_outline, edit, edited)


@pytest.fixture
def outline(session, editor, course_id):
    """Two sections with three lessons, stored."""
    sections = (section("Basics", "One", "Two"), section("Practice", "Three"))
    change(session, editor, course_id, EditedOutline(sections, CompletionRule()))
    return course_outline.read_outline(session, course_id)


def actions(session):
    return [*session.scalars(select(AuditEvent.action).order_by(AuditEvent.number))]


def titles(session, course_id):
    return [
        (part.title, [lesson.title for lesson in part.lessons])
        for part in course_outline.read_outline(session, course_id).sections
    ]


def test_what_pages_read_is_what_the_editor_wrote(session, editor, course_id, outline):
    course = session.get_one(Course, course_id)
    assert course.sections == derived_outline(session, course_id)
    assert [part["title"] for part in course.sections] == ["Basics", "Practice"]
    renamed = replace(outline.sections[0], title="First steps")
    change(session, editor, course_id, EditedOutline((renamed,), CompletionRule()))
    assert course.sections == derived_outline(session, course_id)
    assert [part["title"] for part in course.sections] == ["First steps"]


def test_lessons_are_counted_recorded_and_never_empty(session, editor, course_id, outline):
    product = stored_course(session, course_id).product
    assert (product.lesson_count, product.version, actions(session)) == (3, 2, ["course.edit_lessons"])
    assert course_outline.generated_ids(session, course_id) == {lesson.id for lesson in outline.lessons}
    assert change(session, editor, course_id, outline) == 2
    assert actions(session) == ["course.edit_lessons"]


def test_the_guide_of_a_course_without_lessons_is_not_edited_and_first_lessons_take_its_place(
    session, editor, course_id, outline
):
    change(session, editor, course_id, replace(outline, sections=()))
    assert titles(session, course_id) == []
    assert session.scalars(select(Lesson.title)).all() == ["Course guide"]
    change(session, editor, course_id, replace(outline, sections=(section("First", "Begin"),)))
    assert titles(session, course_id) == [("First", ["Begin"])]
    assert session.scalars(select(Lesson.title)).all() == ["Begin"]


def test_the_guide_of_a_course_without_lessons_is_no_lesson_for_its_editors(session, editor, course_id, outline):
    version = change(session, editor, course_id, replace(outline, sections=()))
    guide = session.scalars(select(Lesson.id)).one()
    draft = LessonDraft("Guide", "text", 5, {"text": "Mine"})
    with pytest.raises(NotFound, match="no such lesson"):
        lesson_content.stored_lesson(session, guide)
    with pytest.raises(NotFound, match="no such lesson"):
        act(session, editor, lesson_content.change_lesson, LessonEdit(editor, guide, version), draft, Path("unused"))


def test_a_moved_lesson_keeps_its_id_also_beside_a_new_one_with_its_title(session, editor, course_id, outline):
    (basics, practice), two = outline.sections, outline.lessons[1]
    moved = (replace(basics, lessons=basics.lessons[:1]), replace(practice, lessons=(EditedLesson(None, "Two"), two)))
    change(session, editor, course_id, replace(outline, sections=moved))
    assert titles(session, course_id) == [("Basics", ["One"]), ("Practice", ["Two", "Two"])]
    assert [lesson.id == two.id for lesson in course_outline.read_outline(session, course_id).lessons[1:]] == [
        False,
        True,
    ]


@pytest.mark.each_database
def test_a_lesson_that_somebody_has_begun_is_withdrawn_and_others_are_deleted(session, editor, course_id, outline):
    one, two, _ = outline.lessons
    begin(session, course_id, one.id)
    change(session, editor, course_id, replace(outline, sections=outline.sections[1:]))
    rows = dict(session.execute(select(Lesson.id, Lesson.withdrawn_at)).all())
    assert (rows[one.id], two.id in rows) == (NOON, False)


def begin(session, course_id, *lesson_ids, name="Berta Buyer"):
    learner = factories.learner(session, name)
    for lesson_id in lesson_ids:
        values = {"learner_id": learner.id, "course_id": course_id, "lesson_id": lesson_id}
        session.add(LessonProgress(**values, is_done=True, done_at=NOON, opened_at=NOON))
    session.add(Enrolment(learner_id=learner.id, product_id=course_id, enrolled_at=NOON))
    session.flush()


def test_the_duration_follows_the_lessons_until_somebody_types_one(session, editor, course_id, outline):
    product = stored_course(session, course_id).product
    for typed, expected in ((30, 20), (45, 45), (None, 20)):
        product.duration_min = typed
        session.flush()
        change(session, editor, course_id, outline)
        basics, practice = outline.sections
        fewer = replace(outline, sections=(replace(basics, lessons=basics.lessons[:1]), practice))
        change(session, editor, course_id, fewer)
        assert stored_course(session, course_id).product.duration_min == expected
        outline = course_outline.read_outline(session, course_id)
        product.duration_min = None
        sections = (section("Basics", "One", "Two"), section("Practice", "Three"))
        change(session, editor, course_id, replace(outline, sections=sections))
        outline = course_outline.read_outline(session, course_id)


def test_a_rule_says_in_words_whom_it_completes_before_it_is_saved(session, editor, course_id, outline):
    begin(session, course_id, *(lesson.id for lesson in outline.lessons[:2]))
    begin(session, course_id, outline.lessons[0].id, name="Otto Other")
    now = course_outline.effects(session, course_id, outline, NOON)
    assert (now.rule, now.owners, now.completing.count) == ("Finish all 3 lessons.", 2, 0)
    looser = replace(outline, rule=replace(outline.rule, required_percent=60))
    then = course_outline.effects(session, course_id, looser, NOON)
    assert (then.rule, then.completed, then.completing.count) == ("Finish 2 of 3 lessons.", 0, 1)
    assert course_outline.read_outline(session, course_id).rule.required_percent == 100
    assert change(session, editor, course_id, looser) == 3


@pytest.mark.parametrize(
    ("edited", "names"),
    [
        (EditedOutline((section(" "),), CompletionRule()), ["sections.0.title"]),
        (EditedOutline((section("A", ""),), CompletionRule()), ["sections.0.lessons.0.title"]),
        (EditedOutline((), CompletionRule(required_percent=0)), ["required_percent"]),
        (
            EditedOutline((EditedSection("A", (EditedLesson(1, "A"), EditedLesson(1, "B"))),), CompletionRule()),
            ["form"],
        ),
    ],
)
def test_what_cannot_be_stored_is_named_and_nothing_changes(session, editor, course_id, edited, names):
    with pytest.raises(InvalidInput) as refusal:
        change(session, editor, course_id, edited)
    assert ([*refusal.value.errors], actions(session)) == (names, [])


def test_of_two_editors_of_lessons_the_second_is_refused(session, editor, course_id, outline):
    edit = Edit(editor, course_id, stored_course(session, course_id).product.version)
    act(session, editor, course_outline.change_outline, edit, replace(outline, sections=outline.sections[:1]))
    with pytest.raises(NewerVersion):
        act(session, editor, course_outline.change_outline, edit, outline)
    assert [title for title, _ in titles(session, course_id)] == ["Basics"]


def write(session, editor, lesson_id, draft, folder):
    version = lesson_content.stored_lesson(session, lesson_id).course.product.version
    return act(session, editor, lesson_content.change_lesson, LessonEdit(editor, lesson_id, version), draft, folder)


def test_a_lesson_becomes_a_quiz_and_the_others_stay(session, editor, course_id, outline, tmp_path):
    lesson = outline.lessons[1]
    draft = LessonDraft("Test", "quiz", 5, {"text": "", **QUIZ, "attempts": None, "wait_min": 0})
    write(session, editor, lesson.id, draft, tmp_path)
    stored = lesson_content.stored_lesson(session, lesson.id)
    assert (stored.lesson.title, stored.lesson.kind, stored.place, stored.section) == ("Test", "quiz", 2, "Basics")
    assert (stored.is_generated, titles(session, course_id)[0]) == (False, ("Basics", ["One", "Test"]))
    edited = course_outline.read_outline(session, course_id)
    effects = course_outline.effects(session, course_id, edited, NOON)
    assert effects.rule == "Finish all 3 lessons and pass the quiz with 70%."


def test_a_change_of_a_text_alone_is_recorded_with_its_lesson(session, editor, outline, tmp_path):
    lesson = outline.lessons[0]
    for text in ("First words.", "Better words."):
        draft = LessonDraft("One", lesson.kind, lesson.minutes, {"text": text})
        write(session, editor, lesson.id, draft, tmp_path)
    event = session.scalars(select(AuditEvent).order_by(AuditEvent.number.desc()).limit(1)).one()
    assert (event.action, event.after) == ("course.edit_lessons", {"lesson": "One"})


def test_a_video_needs_captions_and_its_transcript_is_what_they_say(session, editor, outline, tmp_path):
    lesson_id = outline.lessons[0].id
    body = {"text": "", "embed": {"provider": "x", "url": "https://videos.example/1", "title": "One"}}
    draft = LessonDraft("One", "video", 10, body)
    with pytest.raises(InvalidInput) as refusal:
        write(session, editor, lesson_id, draft, tmp_path)
    assert [*refusal.value.errors] == ["tracks"]
    write(session, editor, lesson_id, replace(draft, tracks=(CaptionTrack("en", VTT),)), tmp_path)
    assert session.get_one(LessonBody, lesson_id).body["transcript"] == [
        {"start": 1.0, "end": 4.0, "text": "Good morning."},
        {"start": 3600.0, "end": 3602.5, "text": "Bye."},
    ]
    tracks = lesson_content.tracks_of(lesson_content.stored_lesson(session, lesson_id).body, tmp_path)
    assert [track.text.count("-->") for track in tracks] == [2]


def test_captions_of_an_own_video_become_files(session, editor, outline, tmp_path):
    lesson_id = outline.lessons[0].id
    facts = FileFacts("one.mp4", "video/mp4", "lesson")
    video = files.store(session, tmp_path, b"ftyp", facts, NOON)
    body = {"text": "", "files": [{"sha256": video.sha256, "media_type": "video/mp4"}], "poster": None}
    draft = LessonDraft("One", "video", 10, body, (CaptionTrack("en", VTT),))
    write(session, editor, lesson_id, draft, tmp_path)
    stored = lesson_content.stored_lesson(session, lesson_id)
    (track,) = stored.body["captions"]
    assert path_of(tmp_path, track["sha256"]).read_text() == VTT
    assert lesson_content.tracks_of(stored.body, tmp_path) == (CaptionTrack("en", VTT),)
    missing = replace(draft, body={**body, "files": [{"sha256": "0" * 64, "media_type": "video/mp4"}]})
    with pytest.raises(InvalidInput, match="no longer there"):
        write(session, editor, lesson_id, missing, tmp_path)


def test_a_lesson_that_left_the_course_cannot_be_edited(session, editor, course_id, outline, tmp_path):
    lesson_id = outline.lessons[2].id
    change(session, editor, course_id, replace(outline, sections=outline.sections[:1]))
    with pytest.raises(NotFound):
        lesson_content.stored_lesson(session, lesson_id)


@pytest.fixture
def retired(session, course_id, outline):
    stored_course(session, course_id).product.status = "retired"
    session.flush()
    return outline


def with_first(outline, **values):
    (basics, *others) = outline.sections
    lessons = (replace(basics.lessons[0], **values), *basics.lessons[1:])
    return replace(outline, sections=(replace(basics, lessons=lessons), *others))


def test_a_retired_course_is_only_corrected(session, editor, course_id, retired):
    corrected = with_first(retired, title="One, again", minutes=12, is_preview=True)
    assert change(session, editor, course_id, corrected) == 3
    assert titles(session, course_id)[0] == ("Basics", ["One, again", "Two"])


PROMISED = {
    "a lesson comes": lambda given: replace(given, sections=(*given.sections, section("More", "Four"))),
    "a lesson goes": lambda given: replace(given, sections=given.sections[:1]),
    "lessons move": lambda given: replace(given, sections=given.sections[::-1]),
    "a lesson is no longer required": lambda given: with_first(given, is_required=False),
    "the rule is easier": lambda given: replace(given, rule=CompletionRule(required_percent=50)),
}


@pytest.mark.parametrize("case", PROMISED)
def test_what_was_promised_of_a_retired_course_stays(session, editor, course_id, retired, case):
    with pytest.raises(Refused, match="This course is retired"):
        change(session, editor, course_id, PROMISED[case](retired))
    assert titles(session, course_id) == [("Basics", ["One", "Two"]), ("Practice", ["Three"])]


def test_a_lesson_of_a_retired_course_is_rewritten_and_keeps_its_kind(session, editor, course_id, retired, tmp_path):
    lesson_id = retired.lessons[0].id
    edit = LessonEdit(editor, lesson_id, stored_course(session, course_id).product.version)
    text = LessonDraft("One", "text", 10, {"text": "Corrected."}, ())
    version = act(session, editor, lesson_content.change_lesson, edit, text, tmp_path)
    quiz = LessonDraft("One", "quiz", 10, QUIZ, ())
    with pytest.raises(Refused, match="This course is retired"):
        act(session, editor, lesson_content.change_lesson, replace(edit, version=version), quiz, tmp_path)
