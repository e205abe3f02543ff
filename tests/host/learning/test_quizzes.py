"""Quizzes over the wire: no right answer before an attempt, no score but the server's, nothing for strangers."""

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from sqlalchemy import func, select

from domain.publishing import lessons as publishing_lessons
from domain.publishing.records import LessonRecord, SectionRecord
from domain.tables import Lesson, LessonProgress, QuizAttempt
from host.learning.quiz_options import QUIZ_OPTIONS
from tests.host.learning.studies import COURSE, enrol
from tests.host.signing import learner
from tests.host.site import Site

# Each text that must not leave the server too early is found nowhere else.
SECRETS = ("is_right", "isRight", "tolerance", "EXPLAINED-VAT", "EXPLAINED-SHARE", "19.25", "0.0125")
VAT = {"id": "vat", "kind": "one", "text": "What is **VAT**?", "explanation": "EXPLAINED-VAT"}
VAT["options"] = [{"id": key, "text": f"Option {key}", "is_right": key == "a"} for key in "abc"]
SHARE = {"id": "share", "kind": "number", "text": "How much?", "value": "19.25", "tolerance": "0.0125", "unit": "%"}
SHARE["explanation"] = "EXPLAINED-SHARE"
BODY = {"text": "Try it.", "questions": [VAT, SHARE], "attempts": 2, "wait_min": 0}
RIGHT, WRONG = {"vat": ["a"], "share": "19.25 %"}, {"vat": ["b"], "share": "7"}


def publish(site: Site, **about) -> int:
    """The id of a quiz, the only lesson of the course."""
    record = LessonRecord("Test", 5, kind="quiz", body={**BODY, **about})
    with site.db.write_session() as session:
        at = datetime.now(UTC) - timedelta(days=2)
        publishing_lessons.put_lessons(session, site.id_of(COURSE), (SectionRecord("All", (record,)),), at)
        query = select(Lesson.id).where(Lesson.course_id == site.id_of(COURSE), Lesson.kind == "quiz")
        return session.scalars(query).one()


@pytest.fixture
def quiz(own_site):
    """A site, a learner who has the course, and the id of its quiz."""
    ada = learner(own_site)
    lesson = publish(own_site)
    enrol(own_site, ada)
    return own_site, ada, lesson


def attempt(answers: dict, revision: int = 1, **about) -> dict:
    return {"eventId": str(uuid4()), "revision": revision, "answers": answers, **about}


def named(quiz, question: str, options: list[str], who=None) -> list[str]:
    """The options as the learner's browser knows them, in the order in which the server names several."""
    site, ada, lesson = quiz
    names = site.app[QUIZ_OPTIONS].of((who or ada).id, lesson)
    return sorted(names.name(question, option) for option in options)


async def send(quiz, body: dict, who=None, *, is_raw: bool = False):
    """`is_raw`: options by the ids that their author gave them, which no browser knows."""
    site, ada, lesson = quiz
    if isinstance(body["answers"], dict) and not is_raw:
        answers = {
            key: named(quiz, key, answer, who) if isinstance(answer, list) else answer
            for key, answer in body["answers"].items()
        }
        body = {**body, "answers": answers}
    return await site.answer(f"learning/lessons/{lesson}/attempts", body, (who or ada).headers)


def number_of_attempts(site: Site) -> int:
    with site.db.read_session() as session:
        return session.scalar(select(func.count()).select_from(QuizAttempt)) or 0


def places(lesson: int, course: int) -> list[str]:
    """Where a learner can read of the quiz."""
    page = f"/user-dashboard?course={COURSE}"
    of_lesson, of_course = f"/api/learning/lessons/{lesson}", f"/api/learning/courses/{course}"
    calls = [of_lesson, f"{of_lesson}/quiz", f"{of_lesson}/note", of_course, f"{of_course}/search?q=option"]
    pages = [f"{page}&lesson={lesson}", page, f"{page}&q=option", "/user-dashboard"]
    return [
        *pages,
        *(f"/data{address}" for address in pages),
        *calls,
        "/api/learning/dashboard",
        "/api/learning/notes",
        "/api/account/export",
        f"/course-details?course={COURSE}",
    ]


async def read(site: Site, path: str, **headers: str) -> str:
    answer = await site.get(path, **headers)
    return await answer.text()


async def test_no_right_answer_is_in_any_byte_before_the_attempt(quiz):
    site, ada, lesson = quiz
    for path in places(lesson, site.id_of(COURSE)):
        answer = await site.get(path, **ada.headers)
        assert (path, answer.status) == (path, 200)
        text = await answer.text()
        assert [secret for secret in SECRETS if secret in text] == [], path


@pytest.mark.parametrize("words", ["EXPLAINED-VAT", "19.25", "0.0125"])
async def test_no_search_finds_what_is_secret(quiz, words):
    site, ada, _lesson = quiz
    _, found = await ada.get(f"learning/courses/{site.id_of(COURSE)}/search?q={words}")
    assert found["hits"] == []


async def test_right_answers_and_explanations_come_when_no_attempt_is_left(quiz):
    site, ada, lesson = quiz
    first = await (await send(quiz, attempt(WRONG))).json()
    result = first["quiz"]["result"]
    assert (result["score"], result["isPassed"], first["isDone"], first["completedAt"]) == (0, False, False, None)
    assert [(row["mark"], row["right"]) for row in result["questions"]] == [(0, None), (0, None)]
    for path in places(lesson, site.id_of(COURSE)):
        text = await read(site, path, **ada.headers)
        assert [secret for secret in SECRETS if secret in text] == [], path
    last = await (await send(quiz, attempt({"vat": ["a"]}))).json()
    assert (last["quiz"]["attemptsLeft"], last["quiz"]["result"]["score"]) == (0, 500)
    assert [row["right"] for row in last["quiz"]["result"]["questions"]] == [
        named(quiz, "vat", ["a"]),
        "19.25",
    ]
    assert [row["explanation"] for row in last["quiz"]["result"]["questions"]] == [
        "<p>EXPLAINED-VAT</p>",
        "<p>EXPLAINED-SHARE</p>",
    ]
    refused = await send(quiz, attempt(RIGHT))
    assert (refused.status, number_of_attempts(site)) == (409, 2)


async def test_new_questions_are_as_secret_as_the_first(quiz):
    site, ada, lesson = quiz
    await send(quiz, attempt(WRONG))
    publish(site, questions=[{**SHARE, "value": "8.5"}])
    text = await read(site, f"/api/learning/lessons/{lesson}/quiz", **ada.headers)
    assert "8.5" not in text
    assert '"questions":[]' in text


async def test_a_passed_quiz_is_done_and_completes_the_course(quiz):
    _site, _ada, _lesson = quiz
    answer = await (await send(quiz, attempt(RIGHT))).json()
    assert (answer["isDone"], answer["quiz"]["isPassed"], answer["completedAt"] is not None) == (True, True, True)


async def test_answers_to_changed_questions_get_the_new_ones_and_use_no_attempt(quiz):
    site, _ada, _lesson = quiz
    publish(site, questions=[VAT])
    refused = await send(quiz, attempt(RIGHT))
    body = await refused.json()
    assert (refused.status, body["quiz"]["revision"], [row["id"] for row in body["quiz"]["questions"]]) == (
        409,
        2,
        ["vat"],
    )
    assert (body["quiz"]["result"], number_of_attempts(site)) == (None, 0)


async def test_equal_events_at_once_are_one_attempt_with_one_answer(quiz):
    site, _ada, _lesson = quiz
    body = attempt(RIGHT)
    # As many as the limit of a minute lets through; tests/domain has twenty.
    answers = await asyncio.gather(*(send(quiz, body) for _ in range(10)))
    texts = {await answer.text() for answer in answers}
    assert ({answer.status for answer in answers}, len(texts), number_of_attempts(site)) == ({200}, 1, 1)


@pytest.mark.parametrize(
    "forged",
    [
        {"score": 1000},
        {"isPassed": True},
        {"answers": {"vat": ["a", "b"], "share": "19.25"}},
        {"answers": {"score": "1000"}},
        {"answers": [["vat", "a"]]},
        {"answers": {}},
        {"answers": {"vat": [], "share": " "}},
        {"eventId": "1"},
        {"revision": "1"},
    ],
)
async def test_forged_attempts_are_refused_and_store_nothing(quiz, forged):
    site, ada, _lesson = quiz
    answer = await send(quiz, attempt(RIGHT) | forged)
    assert (answer.status, number_of_attempts(site)) == (422, 0)
    with site.db.read_session() as session:
        assert session.scalars(select(LessonProgress).where(LessonProgress.learner_id == ada.id)).all() == []


async def test_an_attempt_without_any_answer_is_refused_with_a_sentence(quiz):
    answer = await send(quiz, attempt({"vat": [], "share": ""}))
    assert (answer.status, (await answer.json())["errors"]) == (422, {"answers": "Answer at least one question."})


async def test_the_authors_ids_of_options_answer_nothing(quiz):
    site, _ada, _lesson = quiz
    answer = await send(quiz, attempt(RIGHT), is_raw=True)
    assert (answer.status, number_of_attempts(site)) == (422, 0)


async def test_options_have_other_names_for_everybody_and_the_same_after_a_reload(quiz):
    site, ada, lesson = quiz
    grace = learner(site, "Grace Hopper")
    enrol(site, grace)

    async def option_ids(who) -> list[str]:
        question = (await who.get(f"learning/lessons/{lesson}/quiz"))[1]["questions"][0]
        return [option["id"] for option in question["options"]]

    first = await option_ids(ada)
    assert (await option_ids(ada), sorted(first)) == (first, named(quiz, "vat", ["a", "b", "c"]))
    assert {len(name) for name in first} == {12}
    assert not {*first, "a", "b", "c"} & {*await option_ids(grace)}


async def test_strangers_and_foreign_lessons_get_one_404(quiz):
    site, ada, lesson = quiz
    grace = learner(site, "Grace Hopper")
    stranger = await send(quiz, attempt(RIGHT), grace)
    unknown = await send((site, ada, 999_999), attempt(RIGHT))
    assert (stranger.status, unknown.status) == (404, 404)
    assert await stranger.read() == await unknown.read()
    for call in ("quiz", "note"):
        assert (await site.get(f"/api/learning/lessons/{lesson}/{call}", **grace.headers)).status == 404
    assert (await site.answer(f"learning/lessons/{lesson}/attempts", attempt(RIGHT))).status == 401
    assert number_of_attempts(site) == 0


async def test_the_eleventh_attempt_of_a_minute_waits(quiz):
    statuses = [(await send(quiz, attempt({"vat": ["x"]}))).status for _ in range(11)]
    assert statuses == [422] * 10 + [429]


async def save(quiz, body: str, version: int, who=None, **about):
    site, ada, lesson = quiz
    draft = {"learnerId": ada.id, "body": body, "version": version, **about}
    return await site.answer(f"learning/lessons/{lesson}/note", draft, (who or ada).headers, "PUT")


async def test_a_note_is_saved_listed_and_shown_beside_its_lesson(quiz):
    site, ada, lesson = quiz
    stored = await (await save(quiz, "Mine <b>", 0)).json()
    assert (stored["lesson"], stored["body"], stored["version"]) == (lesson, "Mine <b>", 1)
    answer = await site.get(f"/data/user-dashboard?course={COURSE}&lesson={lesson}", **ada.headers)
    assert (await answer.json())["props"]["learning"]["note"] == stored
    listed = await (await site.get("/api/learning/notes", **ada.headers)).json()
    link = {"name": "Test", "href": f"/user-dashboard?course={COURSE}&lesson={lesson}"}
    assert (listed["total"], listed["notes"][0]["body"], listed["notes"][0]["link"]) == (1, "Mine <b>", link)


async def test_a_note_changed_elsewhere_comes_back_beside_the_own(quiz):
    await save(quiz, "Mine", 0)
    refused = await save(quiz, "Theirs", 0)
    body = await refused.json()
    assert (refused.status, body["note"]["body"], body["note"]["version"]) == (409, "Mine", 1)


async def test_a_note_of_another_learner_is_not_saved_as_ones_own(quiz):
    site, ada, _lesson = quiz
    grace = learner(site, "Grace Hopper")
    assert (await save(quiz, "Text", 0, grace)).status == 409
    assert (await save(quiz, "Text", 0, grace, learnerId=grace.id)).status == 404
    assert (await save(quiz, "x" * 20_001, 0)).status == 422
    assert (await (await site.get("/api/learning/notes", **ada.headers)).json())["total"] == 0
