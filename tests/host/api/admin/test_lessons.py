"""Lessons by the calls and pages of the area: two editors at once, trying a quiz, and files."""

from typing import Any

import pytest

from host.api.body import STAFF_BODY_LIMIT
from tests.host.page_props import page_props
from tests.host.signing import Learner, learner
from tests.host.test_area_matrix import sent_by

QUESTION = {
    **{"id": "q1", "kind": "one", "text": "Due?", "explanation": "**By law.**"},
    "options": [{"id": "a", "text": "Yes", "isRight": True}, {"id": "b", "text": "No", "isRight": False}],
}


async def props(person: Learner, path: str) -> Any:
    return await page_props(person, f"/admin/courses/{path}")


async def save(person: Learner, course_id: int, version: int, outline: dict[str, Any]) -> tuple[int, Any]:
    body = {**outline, "version": version}
    return await person.site.call(f"admin/courses/{course_id}/outline", body, person.headers, method="PUT")


def lesson(title: str, lesson_id: int | None = None) -> dict[str, Any]:
    return {"id": lesson_id, "title": title, "minutes": 10, "isRequired": True, "isPreview": False}


@pytest.fixture
async def course(bare_site, editor) -> int:
    """A course with two lessons in a section."""
    course_id = bare_site.id_of("vat-basics")
    page = await props(editor, f"{course_id}/lessons")
    sections = [{"title": "Basics", "lessons": [lesson("One"), lesson("Two")]}]
    status, _ = await save(editor, course_id, page["frame"]["version"], {**page["outline"], "sections": sections})
    assert status == 200
    return course_id


async def test_of_two_editors_of_lessons_nothing_is_lost(bare_site, editor, course):
    other = learner(bare_site, "Otto Other", area="admin", roles=["editor"])
    page = await props(editor, f"{course}/lessons")
    version, outline = page["frame"]["version"], page["outline"]
    (basics,) = outline["sections"]
    theirs = {**outline, "sections": [{**basics, "lessons": [*basics["lessons"], lesson("Three")]}]}
    assert (await save(other, course, version, theirs))[0] == 200
    mine = {**outline, "sections": [{**basics, "title": "The basics"}]}
    status, answer = await save(editor, course, version, mine)
    assert (status, answer["conflict"]["changedBy"], answer["conflict"]["version"]) == (409, "Otto Other", version + 1)
    now = (await props(editor, f"{course}/lessons"))["outline"]
    assert answer["conflict"]["values"] == now
    assert [entry["title"] for entry in now["sections"][0]["lessons"]] == ["One", "Two", "Three"]


async def test_the_rule_is_said_in_words_before_anything_is_stored(editor, course):
    page = await props(editor, f"{course}/lessons")
    outline = {**page["outline"], "rule": {**page["outline"]["rule"], "requiredPercent": 50}}
    path = f"admin/courses/{course}/outline-preview"
    _, preview = await editor.site.call(path, outline, editor.headers)
    assert (preview["rule"], preview["lessons"], preview["completing"]) == ("Finish 1 of 2 lessons.", 2, 0)
    assert (await props(editor, f"{course}/lessons"))["effects"]["rule"] == "Finish all 2 lessons."


async def test_a_quiz_is_written_and_tried_and_learners_get_it(editor, course):
    page = await props(editor, f"{course}/lessons")
    href = page["stored"][1]["href"].removeprefix("/admin/courses/")
    shown = await props(editor, href)
    assert (shown["isGenerated"], shown["place"], shown["count"]) == (True, 2, 2)
    body = {**shown["fields"], "kind": "quiz", "questions": [QUESTION], "version": shown["frame"]["version"]}
    lesson_id = shown["lessonId"]
    status, saved = await editor.site.call(f"admin/lessons/{lesson_id}", body, editor.headers, method="PUT")
    assert (status, saved["version"]) == (200, shown["frame"]["version"] + 1)
    stored = await props(editor, href)
    assert stored["fields"]["questions"] == [{**QUESTION, "value": "", "tolerance": "", "unit": ""}]
    trial = {"questions": [QUESTION], "answers": {"q1": ["b"]}}
    _, tried = await editor.site.call("admin/quiz-trial", trial, editor.headers)
    result = {"id": "q1", "mark": 0, "right": ["a"], "explanation": "<p><strong>By law.</strong></p>"}
    assert tried == {"percent": 0, "questions": [result]}
    assert (await props(editor, f"{course}/lessons"))["effects"]["rule"] == (
        "Finish all 2 lessons and pass the quiz with 70%."
    )


async def test_a_video_without_captions_is_refused_with_all_it_lacks(editor, course):
    page = await props(editor, f"{course}/lessons")
    shown = await props(editor, page["stored"][0]["href"].removeprefix("/admin/courses/"))
    video = {"kind": "video", "embedUrl": "https://videos.example/1", "embedTitle": "One", "tracks": []}
    body = {**shown["fields"], **video, "version": shown["frame"]["version"]}
    path = f"admin/lessons/{shown['lessonId']}"
    status, answer = await editor.site.call(path, body, editor.headers, method="PUT")
    assert (status, [*answer["errors"]]) == (422, ["tracks"])
    body["tracks"] = [{"language": "en", "text": "WEBVTT\n\n00:01.000 --> 00:02.000\nHello.\n"}]
    assert (await editor.site.call(path, body, editor.headers, method="PUT"))[0] == 200


async def test_staff_send_long_lessons_and_others_no_more_than_before(bare_site, editor, course):
    page = await props(editor, f"{course}/lessons")
    shown = await props(editor, page["stored"][0]["href"].removeprefix("/admin/courses/"))
    body = {**shown["fields"], "text": "Long. " * 20_000, "version": shown["frame"]["version"]}
    path = f"admin/lessons/{shown['lessonId']}"
    assert (await editor.site.call(path, body, editor.headers, method="PUT"))[0] == 200
    body["text"] = "x" * STAFF_BODY_LIMIT
    status, answer = await editor.site.call(path, body, editor.headers, method="PUT")
    assert (status, answer["detail"]) == (413, "The body must not exceed 1048576 bytes.")
    assert (await bare_site.call("cart/quote", {"lines": [], "code": "x" * 70_000}))[0] == 413


async def test_a_lesson_of_another_course_is_not_found_below_this_one(bare_site, editor, course):
    page = await props(editor, f"{course}/lessons")
    lesson_id = page["stored"][0]["id"]
    other = bare_site.id_of("course-01")
    answer = await bare_site.get(f"/data/admin/courses/{other}/lessons/{lesson_id}", **sent_by(editor))
    assert (await answer.json())["status"] == 404


async def test_text_is_rendered_as_learners_read_it(editor):
    _, rendered = await editor.site.call("admin/lesson-preview", {"text": "**Now** <script>"}, editor.headers)
    assert rendered["html"] == "<p><strong>Now</strong> &lt;script&gt;</p>"


WRONG_RULES = {
    "rule.requiredPercent": {"requiredPercent": 101},
    "rule.passMark": {"passMark": 101},
    "rule.validMonths": {"validMonths": 1_201},
}


@pytest.mark.parametrize("field", WRONG_RULES)
async def test_saving_and_preview_name_what_is_wrong_in_a_rule_as_it_was_sent(editor, course, field):
    page = await props(editor, f"{course}/lessons")
    outline = {**page["outline"], "rule": {**page["outline"]["rule"], **WRONG_RULES[field]}}
    status, answer = await save(editor, course, page["frame"]["version"], outline)
    assert (status, list(answer["errors"])) == (422, [field])
    status, answer = await editor.site.call(f"admin/courses/{course}/outline-preview", outline, editor.headers)
    assert (status, list(answer["errors"])) == (422, [field])


async def test_an_outline_of_no_course_has_no_effects(editor, course):
    outline = (await props(editor, f"{course}/lessons"))["outline"]
    status, _ = await editor.site.call("admin/courses/999999/outline-preview", outline, editor.headers)
    assert status == 404
