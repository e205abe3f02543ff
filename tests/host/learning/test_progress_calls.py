"""PUT learning/progress and the GET calls of learning: one learner's own, and one answer for everything else."""

import time
from datetime import UTC, datetime, timedelta

import jsonschema
import pytest
from sqlalchemy import func, select

from domain.tables import Enrolment, LessonProgress
from tests.host.learning.studies import COURSE, end_access, enrol, publish
from tests.host.signing import Learner, learner
from tests.host.site import Site


def now_ms() -> int:
    return int(time.time() * 1000)


async def put(ada: Learner, *changes: dict, learner_id: int | None = None) -> tuple[int, dict]:
    body = {"learnerId": ada.id if learner_id is None else learner_id, "changes": list(changes)}
    return await ada.call("learning/progress", method="PUT", **body)


def rows(site: Site) -> int:
    with site.db.read_session() as session:
        return session.scalar(select(func.count()).select_from(LessonProgress)) or 0


@pytest.fixture
def ada(own_site) -> Learner:
    return learner(own_site)


@pytest.fixture
def ids(own_site, ada) -> dict[str, int]:
    lessons = publish(own_site)
    enrol(own_site, ada)
    return lessons


async def test_a_finished_lesson_is_stored_and_counted(own_site, ada, ids):
    at = now_ms() - 5_000
    status, answer = await put(
        ada, {"lesson": ids["Rates"], "done": True, "at": at}, {"lesson": ids["Rates"], "position": 400, "at": at}
    )
    assert status == 200
    assert answer["lessons"] == [
        {"lesson": ids["Rates"], "isDone": True, "doneAt": at, "position": 400, "positionAt": at, "furthest": 400}
    ]
    [course] = answer["courses"]
    assert (course["course"], course["completedAt"]) == (own_site.id_of(COURSE), None)
    assert (course["status"]["done"], course["status"]["needed"], course["status"]["percent"]) == (1, 4, 25)


async def test_the_same_message_again_changes_nothing(own_site, ada, ids):
    change = {"lesson": ids["Rates"], "done": True, "at": now_ms() - 1000}
    first = await put(ada, change)
    assert await put(ada, change) == first
    assert rows(own_site) == 1


async def test_all_lessons_complete_the_course(own_site, ada, ids):
    _, answer = await put(ada, *({"lesson": lesson, "done": True, "at": now_ms()} for lesson in ids.values()))
    [course] = answer["courses"]
    assert (course["status"]["isComplete"], course["status"]["percent"], course["status"]["missing"]) == (True, 100, [])
    assert course["completedAt"] is not None


async def test_a_clock_that_is_ahead_counts_as_now(own_site, ada, ids):
    before = now_ms()
    _, answer = await put(ada, {"lesson": ids["Rates"], "done": True, "at": 2**53 - 1})
    assert before <= answer["lessons"][0]["doneAt"] <= now_ms()


async def test_changes_of_another_learner_are_refused(own_site, ada, ids):
    status, answer = await put(ada, {"lesson": ids["Rates"], "done": True, "at": 1}, learner_id=ada.id + 1)
    assert (status, answer["status"], rows(own_site)) == (409, 409, 0)


FOREIGN = ["foreign", 999_999_999, "999999999", 1.5, 99_999.0, "1e3", "", -1, True, None, [], [1], {"id": 1}, 2**80]


@pytest.mark.parametrize("lesson", FOREIGN, ids=repr)
async def test_every_lesson_that_is_not_the_learners_gets_the_same_answer_and_nothing_is_stored(
    own_site, ada, ids, lesson
):
    foreign = publish(own_site, "script-course")["Rates"]
    own = {"lesson": ids["Rates"], "done": True, "at": 1}
    body = {"learnerId": ada.id, "changes": [own, {**own, "lesson": foreign if lesson == "foreign" else lesson}]}
    answer = await own_site.answer("learning/progress", body, ada.headers, "PUT")
    unknown = {**body, "changes": [{**own, "lesson": 888_888}]}
    expected = await own_site.answer("learning/progress", unknown, ada.headers, "PUT")
    assert (answer.status, await answer.read()) == (404, await expected.read())
    assert rows(own_site) == 0


async def test_a_lesson_is_stored_no_longer_once_access_is_over(own_site, ada, ids):
    end_access(own_site, ada)
    assert (await put(ada, {"lesson": ids["Rates"], "done": True, "at": 1}))[0] == 404
    assert rows(own_site) == 0


REFUSED_BODIES = {
    "no changes": {"changes": []},
    "too many": {"changes": [{"lesson": 1, "at": 1}] * 101},
    "a position below 0": {"changes": [{"lesson": 1, "at": 1, "position": -1}]},
    "a score": {"changes": [{"lesson": 1, "at": 1, "score": 1000}]},
    "done in words": {"changes": [{"lesson": 1, "at": 1, "done": "perhaps"}]},
}


@pytest.mark.parametrize("body", REFUSED_BODIES.values(), ids=REFUSED_BODIES)
async def test_a_body_of_another_form_is_refused(own_site, ada, ids, body):
    assert (await ada.call("learning/progress", method="PUT", **{"learnerId": ada.id, **body}))[0] == 422


@pytest.mark.parametrize("half", ["bearer", "cookie"])
async def test_half_a_sign_in_reads_and_stores_nothing(own_site, ada, ids, half):
    headers = getattr(ada, half)
    body = {"learnerId": ada.id, "changes": [{"lesson": ids["Rates"], "done": True, "at": 1}]}
    assert (await own_site.call("learning/progress", body, headers, "PUT"))[0] == 401
    for name in ("learning/dashboard", f"learning/lessons/{ids['Rates']}"):
        assert (await own_site.call(name, None, headers, "GET"))[0] == 401
    assert rows(own_site) == 0


async def test_the_calls_answer_as_the_page_does(own_site, ada, ids):
    answer = await own_site.get(f"/data/user-dashboard?course={COURSE}&lesson={ids['Exempt']}", **ada.headers)
    view = (await answer.json())["props"]["learning"]
    assert await ada.get(f"learning/courses/{own_site.id_of(COURSE)}") == (200, view["course"])
    assert await ada.get(f"learning/lessons/{ids['Exempt']}") == (200, view["lesson"])
    status, own = await ada.get("learning/dashboard")
    assert (status, [course["learnHref"] for course in own["courses"]]) == (200, [f"/user-dashboard?course={COURSE}"])
    # Reading a lesson, as browsers do ahead, is not opening it.
    assert (rows(own_site), view["course"]["state"]) == (0, "new")


async def test_no_more_lessons_are_read_once_access_is_over(own_site, ada, ids):
    end_access(own_site, ada)
    assert (await ada.get(f"learning/lessons/{ids['Rates']}"))[0] == 404
    status, course = await ada.get(f"learning/courses/{own_site.id_of(COURSE)}")
    assert (status, course["state"]) == (200, "ended")


async def test_a_course_is_searched_by_folded_words(own_site, ada, ids):
    course_id = own_site.id_of(COURSE)
    status, found = await ada.get(f"learning/courses/{course_id}/search?q=DÉADLINES%20all")
    assert status == 200
    assert [(hit["lesson"]["id"], hit["sentence"]) for hit in found["hits"]] == [
        (ids["Deadlines"], "All about Deadlines.")
    ]
    for query in ("nothing", "", "%25", "rates%20exempt"):
        assert (await ada.get(f"learning/courses/{course_id}/search?q={query}"))[1]["hits"] == []


async def test_last_activity_is_that_of_the_newest_change(own_site, ada, ids):
    at = datetime.now(UTC) - timedelta(hours=2)
    await put(ada, {"lesson": ids["Rates"], "position": 1, "at": int(at.timestamp() * 1000)})
    with own_site.db.read_session() as session:
        row = session.scalars(select(Enrolment)).one()
    assert row.last_lesson_id == ids["Rates"]
    assert abs((row.last_active_at - at).total_seconds()) < 0.01


@pytest.mark.parametrize(("setting", "name"), [("PROGRESS_CALLS", "progress"), ("LEARNING_CALLS", "dashboard")])
async def test_calls_of_a_minute_are_limited_for_each_learner(open_site, setting, name):
    site = await open_site(**{f"{setting}_PER_LEARNER_MINUTE": "2"})
    ada, grace = learner(site), learner(site, "Grace Hopper")

    async def call(who: Learner) -> int:
        if name == "dashboard":
            return (await who.get("learning/dashboard"))[0]
        return (await put(who, {"lesson": 1, "done": True, "at": 1}))[0]

    first = await call(ada)
    assert first in (200, 404)
    assert [await call(ada), await call(ada), await call(grace)] == [first, 429, first]


async def test_the_responses_match_their_descriptions(own_site, ada, ids):
    document = await (await own_site.get("/openapi.json")).json()
    course_id = own_site.id_of(COURSE)
    answers = {
        "learning/dashboard": await ada.get("learning/dashboard"),
        "learning/courses/{id}": await ada.get(f"learning/courses/{course_id}"),
        "learning/lessons/{id}": await ada.get(f"learning/lessons/{ids['Rates']}"),
        "learning/courses/{id}/search": await ada.get(f"learning/courses/{course_id}/search?q=rates"),
        "learning/progress": await put(ada, {"lesson": ids["Rates"], "done": True, "at": 1}),
    }
    for name, (status, answer) in answers.items():
        [operation] = document["paths"][f"/api/{name}"].values()
        schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
        whole = {**schema, "components": document["components"]}
        assert (name, status) == (name, 200)
        jsonschema.Draft202012Validator(whole).validate(answer)
