"""Courses that are over, retired, renamed or withdrawn, and the page without script."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from domain.audit import recording
from domain.learning import by_hand, closures, grants
from domain.learning.grants import GrantSource
from domain.permissions import SystemActor
from domain.publishing import lessons as publishing_lessons
from domain.publishing import slug_changes
from domain.publishing.records import LessonRecord, SectionRecord
from domain.tables import CourseClosure, Product
from tests.host.learning.studies import COURSE, OUTLINE, end_access, enrol, finish, publish
from tests.host.learning.test_user_dashboard import view_of
from tests.host.signing import learner
from tests.host.test_area_matrix import sent_by
from tests.support import order_rows
from tests.support.factories import NOON

SHORT = {"First": ("Exempt",), "Then": OUTLINE["Then"]}


@pytest.fixture
def ada(own_site):
    return learner(own_site)


@pytest.fixture
def ids(own_site, ada) -> dict[str, int]:
    lessons = publish(own_site)
    enrol(own_site, ada)
    return lessons


async def test_once_access_is_over_the_page_says_why_and_until_when_notes_can_be_read(own_site, ada, ids):
    course_id = own_site.id_of(COURSE)
    with own_site.db.write_session() as session:
        grants.end(session, GrantSource("order", 1_000 * ada.id + course_id), NOON, "refund")
    for query in (f"?course={COURSE}", f"?course={COURSE}&lesson={ids['Rates']}", f"?course={COURSE}&q=rates"):
        status, view = await view_of(own_site, ada, query)
        assert (status, view["view"], view["reason"]) == (200, "access-over", "The order was refunded.")
        assert (view["endedAt"][:10], view["readableUntil"][:10]) == ("2026-03-01", "2026-03-31")
        assert view["back"]["href"] == f"/course-details?course={COURSE}"


async def test_for_thirty_days_notes_and_results_are_read_where_access_is_over(own_site, ada, ids):
    course_id = own_site.id_of(COURSE)
    await ada.call(f"learning/lessons/{ids['Exempt']}/note", "PUT", learnerId=ada.id, body="Books", version=0)
    ended = datetime.now(UTC) - timedelta(days=1)
    with own_site.db.write_session() as session:
        grants.end(session, GrantSource("order", 1_000 * ada.id + course_id), ended, "refund")
    _, view = await view_of(own_site, ada, f"?course={COURSE}")
    [note] = view["notes"]
    assert (view["isReadable"], note["body"], note["link"]["name"]) == (True, "Books", "Exempt")
    assert (view["scores"], view["certificates"]) == ([], {"issued": [], "unnamed": []})
    document = await own_site.document(f"/user-dashboard?course={COURSE}", **ada.headers)
    assert '<p class="note-row__text">Books</p>' in document.html


async def test_time_that_is_over_is_a_reason_of_its_own(own_site, ada, ids):
    end_access(own_site, ada)
    _, view = await view_of(own_site, ada, f"?course={COURSE}")
    assert view["reason"] == "The time for which you had the course is over."


async def test_of_a_course_that_staff_completed_the_page_says_why(own_site, ada, ids):
    query, about = f"?course={COURSE}", {"staff_id": 9, "reason": "Exam taken on paper", "at": NOON}
    assert (await view_of(own_site, ada, query))[1]["course"]["completionReason"] is None
    actor, course_id = SystemActor("command", NOON), own_site.id_of(COURSE)
    with own_site.db.write_session() as session:
        recording.run(session, actor, by_hand.complete, ada.id, course_id, **about)
    assert (await view_of(own_site, ada, query))[1]["course"]["completionReason"] == "Exam taken on paper"
    shown = (await own_site.document(f"/user-dashboard{query}", **ada.headers)).html.partition('id="no-script">')[2]
    assert "<p>Our staff completed it for you: Exam taken on paper</p>" in shown


async def test_a_retired_course_is_studied_as_before_and_names_its_successor(own_site, ada, ids):
    with own_site.db.write_session() as session:
        successor = own_site.id_of("contracts")
        changed = {"status": "retired", "successor_id": successor, "retired_at": NOON}
        session.execute(update(Product).where(Product.slug == COURSE).values(changed))
    status, view = await view_of(own_site, ada, f"?course={COURSE}&lesson={ids['Rates']}")
    assert (status, view["view"], view["course"]["isRetired"]) == (200, "lesson", True)
    assert view["course"]["successor"] == {"name": "Contracts", "href": "/course-details?course=contracts"}
    _, dashboard = await view_of(own_site, ada)
    assert dashboard["dashboard"]["recommended"][0]["reason"] == "Replaces a course of yours"


async def test_a_retired_course_that_was_bought_just_before_leads_to_its_refund(own_site, ada, ids):
    terms = {"course": {"days": 14, "from": "payment", "unless": "certificate"}, "withdrawn_days": 60}
    with own_site.db.write_session() as session:
        course_id = own_site.id_of(COURSE)
        order = order_rows.order(session, ada.id, refund_terms=terms)
        line = order_rows.order_line(session, order.id, product_id=course_id)
        grants.grant(session, ada.id, [course_id], GrantSource("order", line.id), NOON)
        session.execute(update(Product).where(Product.id == course_id).values(status="retired", retired_at=NOON))
    query, link = f"?course={COURSE}", {"name": order.code, "href": f"/order/{order.code}"}
    assert (await view_of(own_site, ada, query))[1]["refund"] == link
    shown = (await own_site.document(f"/user-dashboard{query}", **ada.headers)).html.partition('id="no-script">')[2]
    assert f'money back: <a href="{link["href"]}">order {order.code}</a>' in shown


async def test_a_course_that_is_closed_says_when_and_why_and_leads_to_its_refund(own_site, ada, ids):
    admin = learner(own_site, "Adele Admin", area="admin", roles=["administrator"])
    editor = learner(own_site, "Edda Editor", area="admin", roles=["editor"])
    course_id, now = own_site.id_of(COURSE), datetime.now(UTC)
    terms = {"course": {"days": 14, "from": "payment", "unless": "certificate"}}
    with own_site.db.write_session() as session:
        order = order_rows.order(session, ada.id, refund_terms=terms)
        line = order_rows.order_line(session, order.id, product_id=course_id)
        grants.grant(session, ada.id, [course_id], GrantSource("order", line.id), NOON)
        session.execute(update(Product).where(Product.id == course_id).values(status="retired", retired_at=NOON))
    call, ends_at = f"admin/courses/{course_id}/close", now + timedelta(days=31)
    body = {"endsAt": ends_at.isoformat(), "reason": "A court has ruled."}
    assert (await editor.call(call, **body))[0] == 403
    assert (await admin.call(call, **{**body, "endsAt": now.isoformat()}))[1]["errors"] == {
        "endsAt": "Give at least 30 days of notice."
    }
    assert (await admin.call(call, **body))[0] == 200
    page = await own_site.get(f"/data/admin/courses/{course_id}/publication", **sent_by(admin))
    assert (await page.json())["props"]["closure"]["isOver"] is False
    with own_site.db.write_session() as session:
        closures.apply_slice(session, course_id, now)
    query, link = f"?course={COURSE}", {"name": order.code, "href": f"/order/{order.code}"}
    _, view = await view_of(own_site, ada, query)
    assert (view["refund"], view["closure"]["reason"]) == (link, "A court has ruled.")
    shown = (await own_site.document(f"/user-dashboard{query}", **ada.headers)).html.partition('id="no-script">')[2]
    assert "We have to end it for legal reasons: A court has ruled." in shown
    with own_site.db.write_session() as session:
        session.get_one(CourseClosure, course_id).ends_at = now
        closures.apply_slice(session, course_id, now)
    _, view = await view_of(own_site, ada, query)
    assert (view["view"], view["back"]) == ("access-over", {"name": "Ask for your money back", "href": link["href"]})
    assert view["reason"] == "We had to end this course for legal reasons: A court has ruled."
    assert (await admin.call(f"admin/courses/{course_id}/keep-open", reason="Lifted."))[0] == 403


async def test_a_former_slug_leads_to_the_same_lesson(own_site, ada, ids):
    with own_site.db.write_session() as session:
        slug_changes.rename(session, session.get_one(Product, own_site.id_of(COURSE)), "vat-for-all", NOON)
    answer = await own_site.get(f"/user-dashboard?course={COURSE}&lesson={ids['Rates']}", **ada.headers)
    target = f"/user-dashboard?course=vat-for-all&lesson={ids['Rates']}"
    assert (answer.status, answer.headers["Location"]) == (302, target)
    for query in ("", "&q=due+dates"):
        data = await own_site.get(f"/data/user-dashboard?course={COURSE}{query}", **ada.headers)
        assert await data.json() == {"location": f"/user-dashboard?course=vat-for-all{query}"}


async def test_a_withdrawn_lesson_stays_with_those_who_began_it(own_site, ada, ids):
    grace = learner(own_site, "Grace Hopper")
    enrol(own_site, grace)
    finish(own_site, ada, ids["Rates"])
    publish(own_site, outline=SHORT)
    query = f"?course={COURSE}&lesson={ids['Rates']}"
    status, view = await view_of(own_site, ada, query)
    assert (status, view["lesson"]["isWithdrawn"], view["lesson"]["number"]) == (200, True, 0)
    assert [lesson["id"] for lesson in view["course"]["withdrawn"]] == [ids["Rates"]]
    assert view["course"]["status"]["needed"] == 3
    status, view = await view_of(own_site, grace, query)
    assert (status, view["view"], view["course"]["withdrawn"]) == (404, "missing-lesson", [])


async def test_a_lesson_that_was_changed_says_when_and_stays_done(own_site, ada, ids):
    finish(own_site, ada, ids["Rates"])
    changed_at = datetime.now(UTC) + timedelta(seconds=1)
    lesson = LessonRecord("Rates", 5, body={"text": "Rewritten."})
    with own_site.db.write_session() as session:
        publishing_lessons.put_lessons(
            session, own_site.id_of(COURSE), (SectionRecord("First", (lesson,)),), changed_at
        )
    query = f"?course={COURSE}&lesson={ids['Rates']}"
    _, view = await view_of(own_site, ada, query)
    shown = view["course"]["sections"][0]["lessons"][0]
    assert (shown["isDone"], view["course"]["status"]["done"]) == (True, 1)
    assert [datetime.fromisoformat(one["changedAt"]) for one in (shown, view["lesson"])] == [changed_at] * 2
    document = await own_site.document(f"/user-dashboard{query}", **ada.headers)
    assert 'changed on <time datetime="' in document.html


async def test_without_script_the_dashboard_leads_to_the_lesson_and_the_lesson_to_its_neighbours(own_site, ada, ids):
    document = await own_site.document("/user-dashboard", **ada.headers)
    first = f'href="/user-dashboard?course={COURSE}&amp;lesson={ids["Rates"]}"'
    assert first in document.html
    lesson = (await own_site.document(f"/user-dashboard?course={COURSE}&lesson={ids['Exempt']}", **ada.headers)).html
    assert "<p>All about <strong>Exempt</strong>.</p>" in lesson
    assert first in lesson
    assert "Next: Returns" in lesson
    assert f'lesson={ids["Exempt"]}" aria-current="page"' in lesson


QUERIES = {
    "a list": ("?list=courses", 200, "Finish all 4 lessons."),
    "orders": ("?list=orders", 200, "You have not ordered anything yet."),
    "notes": ("?list=notes", 200, "You have written no notes yet."),
    "certificates": ("?list=certificates", 200, "You have no certificates yet."),
    "a course": (f"?course={COURSE}", 200, "Deadlines"),
    "a search": (f"?course={COURSE}&q=deadlines", 200, "All about Deadlines."),
    "an unknown lesson": (f"?course={COURSE}&lesson=9", 404, "This lesson is not part of the course."),
    "a foreign course": ("?course=contracts", 200, "You do not have this course"),
}


@pytest.mark.usefixtures("ids")
@pytest.mark.parametrize(("query", "status", "text"), QUERIES.values(), ids=QUERIES)
async def test_without_script_every_view_has_its_text(own_site, ada, query, status, text):
    document = await own_site.document(f"/user-dashboard{query}", **ada.headers)
    content = document.html.partition('id="no-script"')[2].partition("</section>")[0]
    assert (document.status, text in content) == (status, True), content


async def test_nothing_personal_is_rendered_cached_or_logged(own_site, ada, ids, caplog):
    document = await own_site.document(f"/user-dashboard?course={COURSE}&lesson={ids['Rates']}", **ada.headers)
    root = document.html.partition('<div id="root" data-signed-in>')[2].partition('<section class="no-script"')[0]
    assert "All about" not in root
    assert document.headers["Cache-Control"] == "private, no-store"
    stranger = await own_site.get(f"/user-dashboard?course={COURSE}&lesson={ids['Rates']}")
    assert (stranger.status, "All about" in await stranger.text()) == (303, False)
    assert "Ada" not in caplog.text


async def test_without_script_the_questions_of_a_quiz_can_be_read_and_not_their_answers(own_site, ada):
    options = [{"id": "a", "text": "Quarterly", "is_right": True}, {"id": "b", "text": "Never", "is_right": False}]
    question = {"id": "q1", "kind": "one", "text": "When is it **due**?", "options": options, "explanation": "By law."}
    body = {"text": "Think first.", "questions": [question], "attempts": None, "wait_min": 0}
    with own_site.db.write_session() as session:
        sections = (SectionRecord("All", (LessonRecord("Test", 5, kind="quiz", body=body),)),)
        publishing_lessons.put_lessons(session, own_site.id_of(COURSE), sections, NOON)
    enrol(own_site, ada)
    _, course = await ada.get(f"learning/courses/{own_site.id_of(COURSE)}")
    document = await own_site.document(course["resume"]["href"], **ada.headers)
    content = document.html.partition('id="no-script"')[2].partition("</section>")[0]
    assert "<p>When is it <strong>due</strong>?</p>" in content
    assert ("Quarterly" in content, "Never" in content) == (True, True)
    assert "By law." not in document.html
    assert "is_right" not in document.html
