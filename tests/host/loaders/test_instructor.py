"""/instructors/{slug}: a person and the courses of theirs that visitors may buy."""

import pytest
from sqlalchemy import select

from domain.catalogue import instructors
from domain.tables import Category, CourseInstructor, Instructor, Product
from tests.host.admin.test_staff import page
from tests.host.partners import HIDDEN, SEEN, restricted
from tests.host.signing import learner
from tests.host.site import ORIGIN


def teach(site, *slugs: str, who: str = "ada") -> None:
    """Instructor `who` teaches these courses."""
    with site.db.write_session() as session:
        person = session.scalars(select(Instructor.id).where(Instructor.slug == who)).one()
        for course in session.scalars(select(Product.id).where(Product.slug.in_(slugs))):
            session.add(CourseInstructor(course_id=course, instructor_id=person, position=0))


def add_instructor(site, slug: str, name: str, **about) -> None:
    with site.db.write_session() as session:
        session.add(Instructor(slug=slug, name=name, **about))


@pytest.fixture
async def site(open_site, start_renderer):
    return await open_site((await start_renderer()).address)


async def test_a_page_says_who_somebody_is_and_what_they_teach(site):
    teach(site, "course-01", "course-02", "draft-course", "old-course")
    found = await site.document("/instructors/ada")
    props = found.state["props"]
    about = {name: props[name] for name in ("name", "title", "bio", "rating", "ratingCount", "courseCount", "allHref")}
    assert about == {
        "name": "Ada Lovelace",
        "title": "Adviser",
        "bio": "Twenty years of returns.",
        "rating": 4.5,
        "ratingCount": 12,
        "courseCount": 3,
        "allHref": None,
    }
    assert [card["name"] for card in props["cards"]] == ["VAT basics", "Course 01", "Course 02"]
    assert (found.title, found.meta("description")) == ("Ada Lovelace | Meridian Learning", "Twenty years of returns.")
    profile, breadcrumbs, courses = found.json_ld
    assert profile["mainEntity"] == {
        "@type": "Person",
        "name": "Ada Lovelace",
        "jobTitle": "Adviser",
        "url": f"{ORIGIN}/instructors/ada",
        "description": "Twenty years of returns.",
    }
    assert (breadcrumbs["@type"], courses["numberOfItems"]) == ("BreadcrumbList", 3)


async def test_the_page_of_a_course_leads_to_its_instructors_while_it_is_sold(site):
    teach(site, "old-course")
    assert (await site.document("/course-details?course=vat-basics")).state["props"]["instructors"][0]["href"] == (
        "/instructors/ada"
    )
    retired = await site.document("/course-details?course=old-course")
    assert retired.state["props"]["instructors"][0]["href"] is None


async def test_a_slug_in_any_script_is_found_and_its_address_escaped(site):
    add_instructor(site, "花子", "佐藤 花子")
    teach(site, "course-01", who="花子")
    found = await site.document("/instructors/%E8%8A%B1%E5%AD%90")
    assert (found.status, found.canonical) == (200, f"{ORIGIN}/instructors/%E8%8A%B1%E5%AD%90")
    assert found.meta("description") == "佐藤 花子 teaches 1 course at Meridian Learning."


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/instructors/ADA", (301, "/instructors/ada")),
        ("/instructors/Nobody", (404, None)),
        ("/instructors/ada%20", (404, None)),
        ("/instructors/" + "a" * 2000, (404, None)),
        ("/instructors/idle", (404, None)),
        ("/instructors", (404, None)),
    ],
)
async def test_an_address_without_an_instructor_who_sells_something(site, path, expected):
    add_instructor(site, "idle", "Only Drafts")
    teach(site, "draft-course", "old-course", who="idle")
    answer = await site.get(path)
    assert (answer.status, answer.headers.get("Location")) == expected


async def test_of_many_courses_the_most_popular_are_shown_and_the_search_has_all(site, monkeypatch):
    monkeypatch.setattr(instructors, "MOST_COURSES", 2)
    teach(site, "course-01", "course-02")
    props = (await site.document("/instructors/ada")).state["props"]
    assert [card["name"] for card in props["cards"]] == ["VAT basics", "Course 01"]
    assert (props["courseCount"], props["allHref"]) == (3, "/search?q=Ada+Lovelace")


async def test_a_restricted_member_sees_the_courses_of_their_contract_alone(partner_site):
    site = await partner_site()
    teach(site, HIDDEN)
    add_instructor(site, "grace", "Grace Hopper")
    teach(site, HIDDEN, who="grace")
    cookie = restricted(site).cookie["Cookie"]
    for path, seen in (("/instructors/ada", 1), ("/instructors/grace", None)):
        everyones = await site.document(path)
        own = await site.get(path, Cookie=cookie)
        assert everyones.status == 200
        assert own.status == (404 if seen is None else 200)
    data = await (await site.get("/data/instructors/ada", Cookie=cookie)).json()
    assert [card["href"] for card in data["props"]["cards"]] == [f"/course-details?course={SEEN}"]


async def test_the_sitemap_names_those_with_a_course_on_sale(site):
    add_instructor(site, "idle", "Only Drafts")
    teach(site, "draft-course", who="idle")
    with site.db.read_session() as session:
        assert [slug for slug, _ in instructors.last_changes(session)] == ["ada"]


async def test_staff_are_led_to_the_page_that_an_instructor_or_category_has(site):
    add_instructor(site, "idle", "Only Drafts")
    teach(site, "draft-course", who="idle")
    editor = learner(site, "Editor", area="admin", roles=["editor"])
    with site.db.read_session() as session:
        ids = dict(session.execute(select(Instructor.slug, Instructor.id)).all())
        tax = session.scalars(select(Category.id).where(Category.slug == "tax")).one()
    found = [
        (await page(editor, f"/admin/{path}"))[1]["shopHref"]
        for path in (f"instructors/{ids['ada']}", f"instructors/{ids['idle']}", f"categories/{tax}")
    ]
    assert found == ["/instructors/ada", None, "/shop?category=tax"]
