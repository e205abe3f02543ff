"""/user-dashboard: each view by its query, for its learner alone."""

from decimal import Decimal

import pytest
from sqlalchemy import update

from domain.account import dashboard as dashboards
from domain.catalogue.changes import bump_version
from domain.database.database import Database
from domain.tables import Product
from host.auth import private_pages
from tests.host.learning.studies import COURSE, enrol, finish, publish
from tests.host.signing import learner
from tests.host.site import Site
from tests.support import factories


async def view_of(site: Site, ada, query: str = "") -> tuple[int, dict]:
    """Status and the view of the page's data."""
    answer = await site.get(f"/data/user-dashboard{query}", **ada.headers)
    return answer.status, (await answer.json())["props"].get("learning", {})


async def test_a_new_learner_has_an_empty_dashboard(own_site):
    status, view = await view_of(own_site, learner(own_site))
    own = view["dashboard"]
    assert (status, view["view"]) == (200, "dashboard")
    assert (own["courses"], own["ongoing"], own["orders"], own["recommended"]) == ([], [], [], [])


@pytest.mark.parametrize(("price", "source"), [(0, "Enrolled"), (80, "Bought")])
async def test_nobody_has_bought_what_is_free(own_site, price, source):
    ada = learner(own_site)
    publish(own_site)
    with own_site.db.write_session() as session:
        session.get_one(Product, own_site.id_of(COURSE)).list_price = price
        bump_version(session)
    enrol(own_site, ada)
    _, view = await view_of(own_site, ada)
    [course] = view["dashboard"]["courses"]
    _, page = await view_of(own_site, ada, f"?course={COURSE}")
    assert (course["source"], page["course"]["source"]) == (source, source)


async def test_a_bought_course_is_shown_with_its_rule_and_where_to_begin(own_site):
    ada = learner(own_site)
    ids = publish(own_site)
    enrol(own_site, ada)
    _, view = await view_of(own_site, ada)
    [course] = view["dashboard"]["courses"]
    address = f"/user-dashboard?course={COURSE}"
    assert (course["learnHref"], course["state"], course["source"]) == (address, "new", "Bought")
    assert (course["rule"], course["done"], course["needed"]) == ("Finish all 4 lessons.", 0, 4)
    [ongoing] = view["dashboard"]["ongoing"]
    assert (ongoing["course"], ongoing["resume"]["id"]) == (course["id"], ids["Rates"])
    assert (ongoing["resume"]["href"], course["minutesLeft"]) == (f"{address}&lesson={ids['Rates']}", 20)


async def test_the_course_goes_on_after_the_lesson_that_was_finished_last(own_site):
    ada = learner(own_site)
    ids = publish(own_site)
    enrol(own_site, ada)
    finish(own_site, ada, ids["Rates"])
    _, view = await view_of(own_site, ada, f"?course={COURSE}")
    course = view["course"]
    assert (course["state"], course["resume"]["id"], course["minutesLeft"]) == ("underway", ids["Exempt"], 15)
    assert course["status"] == {
        "done": 1,
        "needed": 4,
        "percent": 25,
        "isComplete": False,
        "missing": [ids["Exempt"], ids["Returns"], ids["Deadlines"]],
    }
    assert [(section["title"], [one["isDone"] for one in section["lessons"]]) for section in course["sections"]] == [
        ("First", [True, False]),
        ("Then", [False, False]),
    ]


async def test_a_lesson_has_its_text_and_its_neighbours(own_site):
    ada = learner(own_site)
    ids = publish(own_site)
    enrol(own_site, ada)
    _, view = await view_of(own_site, ada, f"?course={COURSE}&lesson={ids['Returns']}")
    lesson = view["lesson"]
    assert (view["view"], lesson["title"], lesson["number"], lesson["section"]) == ("lesson", "Returns", 3, "Then")
    assert lesson["body"] == {"kind": "text", "html": "<p>All about <strong>Returns</strong>.</p>"}
    assert (lesson["previous"]["id"], lesson["next"]["id"]) == (ids["Exempt"], ids["Deadlines"])


async def test_session_and_page_come_from_one_transaction(own_site, monkeypatch):
    ada = learner(own_site)
    ids = publish(own_site)
    enrol(own_site, ada)
    reads: list[object] = []
    read_on_loop = Database._read_on_loop

    def counted(db: Database, *args: object) -> object:
        reads.append(args)
        return read_on_loop(db, *args)

    monkeypatch.setattr(Database, "_read_on_loop", counted)
    _, lesson = await view_of(own_site, ada, f"?course={COURSE}&lesson={ids['Rates']}")
    assert (lesson["view"], len(reads)) == ("lesson", 1)
    _, dashboard = await view_of(own_site, ada)
    assert dashboard["view"] == "dashboard"
    # What it offers beside its own comes later.
    assert [args[0] for args in reads].index(private_pages._read, 1) == 1
    assert dashboards.dashboard not in [args[0] for args in reads]


async def test_a_first_read_that_fails_answers_with_words_and_a_number(own_site, monkeypatch, caplog):
    ada = learner(own_site)
    monkeypatch.setattr("domain.account.dashboard.dashboard", mistake)
    data = await own_site.get("/data/user-dashboard", **ada.headers)
    document = await own_site.document("/user-dashboard", **ada.headers)
    shown = await data.json()
    assert (data.status, document.status, shown["page"], document.state["page"]) == (500, 500, "error", "error")
    assert data.headers["X-Request-Id"] in shown["props"]["message"]
    # The browser keeps its session: nobody knows whose page it was.
    assert "session" not in shown
    assert "the session for /user-dashboard, or what is read with it, could not be read" in caplog.text


def mistake(*_: object) -> None:
    raise ZeroDivisionError


@pytest.mark.parametrize("lesson", ["9999", "x", "1e3", "999999999999999999999"])
async def test_a_lesson_of_no_or_another_course_is_not_found_in_the_frame_of_the_course(own_site, lesson):
    ada = learner(own_site)
    publish(own_site)
    enrol(own_site, ada)
    status, view = await view_of(own_site, ada, f"?course={COURSE}&lesson={lesson}")
    assert (status, view["view"], view["course"]["slug"]) == (404, "missing-lesson", COURSE)


async def test_a_course_of_others_shows_only_what_the_catalogue_does(own_site):
    ada, grace = learner(own_site), learner(own_site, "Grace Hopper")
    ids = publish(own_site)
    enrol(own_site, ada)
    for query in (f"?course={COURSE}", f"?course={COURSE}&lesson={ids['Rates']}"):
        status, view = await view_of(own_site, grace, query)
        assert (status, view["view"], view["isSold"]) == (200, "not-owned", True)
        assert sorted(view) == ["course", "isSold", "subtitle", "view"]


@pytest.mark.parametrize("query", ["?course=unknown", "?course=draft-course", "?list=unknown", "?list=courses&page=2"])
async def test_what_does_not_exist_is_the_error_page(own_site, query):
    ada = learner(own_site)
    answer = await own_site.get(f"/data/user-dashboard{query}", **ada.headers)
    assert (answer.status, (await answer.json())["page"]) == (404, "error")


async def test_the_lists_have_pages(own_site):
    ada = learner(own_site)
    publish(own_site)
    enrol(own_site, ada)
    _, view = await view_of(own_site, ada, "?list=courses")
    assert (view["view"], view["page"], view["pages"], len(view["courses"])) == ("courses", 1, 1, 1)
    _, view = await view_of(own_site, ada, "?list=orders")
    assert (view["view"], view["orders"], view["pages"]) == ("orders", [], 1)


async def test_the_list_of_notes_is_the_learners_own(own_site):
    ada, grace = learner(own_site), learner(own_site, "Grace Hopper")
    ids = publish(own_site)
    for who in (ada, grace):
        enrol(own_site, who)
    for title in ("Rates", "Exempt"):
        await ada.call(f"learning/lessons/{ids[title]}/note", "PUT", learnerId=ada.id, body=f"On {title}", version=0)
    _, view = await view_of(own_site, ada, "?list=notes")
    assert (view["view"], view["page"], view["pages"]) == ("notes", 1, 1)
    assert {(note["body"], note["link"]["name"]) for note in view["notes"]} == {
        ("On Rates", "Rates"),
        ("On Exempt", "Exempt"),
    }
    assert view["notes"][0]["course"]["href"] == f"/user-dashboard?course={COURSE}"
    _, other = await view_of(own_site, grace, "?list=notes")
    assert other["notes"] == []


async def test_the_document_links_the_style_sheet_of_the_page_and_holds_the_view(own_site):
    ada = learner(own_site)
    document = await own_site.document("/user-dashboard", **ada.headers)
    style = document.state["props"]["styleHref"]
    assert (document.status, document.state["props"]["learning"]["view"]) == (200, "dashboard")
    assert f'<link rel="stylesheet" href="{style}"' in document.html
    assert (document.headers["Cache-Control"], document.headers["X-Robots-Tag"]) == ("private, no-store", "noindex")


async def test_whoever_is_not_signed_in_is_asked_to(own_site):
    response = await own_site.get(f"/user-dashboard?course={COURSE}")
    assert (response.status, response.headers["Location"]) == (
        303,
        f"/login?returnTo=/user-dashboard?course%3D{COURSE}",
    )


async def test_the_course_has_the_learners_own_review_or_says_what_comes_before_it(own_site):
    ada = learner(own_site)
    ids = publish(own_site)
    enrol(own_site, ada)
    _, before = await view_of(own_site, ada, f"?course={COURSE}")
    refusal = "Finish 1 required lesson first: you have finished 0."
    assert before["review"] == {"refusal": refusal, "own": None}
    finish(own_site, ada, ids["Rates"])
    await ada.call(f"learning/courses/{before['course']['id']}/review", "PUT", rating=5, title="Clear")
    _, after = await view_of(own_site, ada, f"?course={COURSE}")
    assert (after["review"]["refusal"], after["review"]["own"]["title"]) == (None, "Clear")


async def test_the_end_of_a_course_says_what_is_missing_and_then_what_came_of_it(own_site):
    ada = learner(own_site)
    ids = publish(own_site)
    enrol(own_site, ada)
    query = f"?course={COURSE}&lesson=end"
    status, view = await view_of(own_site, ada, query)
    assert (status, view["view"], view["course"]["status"]["missing"]) == (200, "course-end", list(ids.values()))
    finish(own_site, ada, *ids.values())
    _, view = await view_of(own_site, ada, query)
    assert (view["course"]["status"]["isComplete"], view["review"]["refusal"]) == (True, None)
    certificates = view["certificates"]
    assert len(certificates["issued"]) + len(certificates["unnamed"]) == 1
    assert view["course"]["resume"]["id"] == ids["Rates"]
    shown = (await own_site.document(f"/user-dashboard{query}", **ada.headers)).html.partition('id="no-script">')[2]
    assert "<h1>You have completed VAT basics</h1>" in shown


async def test_what_is_recommended_has_the_language_of_ones_courses_and_the_price_for_members(own_site):
    ada = learner(own_site)
    enrol(own_site, ada)
    with own_site.db.write_session() as session:
        category = session.get_one(Product, own_site.id_of(COURSE)).category_id
        session.execute(update(Product).where(Product.slug == COURSE).values(level="beginner", language="en"))
        about = {"level": "intermediate", "list_price": Decimal("200.00")}
        english = factories.course(session, category, "english", language="en", **about).id
        factories.course(session, category, "spanish", language="es", **about)
    _, view = await view_of(own_site, ada)
    assert [(row["id"], row["price"]) for row in view["dashboard"]["recommended"]] == [(english, 20_000)]
    with own_site.db.write_session() as session:
        organisation = factories.organisation(session).id
        factories.member(session, ada.id, organisation)
        factories.contract(session, organisation, english, kind="percent", value=Decimal(30))
    _, view = await view_of(own_site, ada)
    assert [(row["id"], row["price"]) for row in view["dashboard"]["recommended"]] == [(english, 14_000)]
