"""Attribution values name rows of ours or are unknown; URLs are of pages; links of a deleted account are nobody's."""

import pytest
from sqlalchemy import select

from domain.tables import FormerSlug, VisitDay
from domain.visits import link_counts
from domain.visits.days.compute import compute
from domain.visits.days.paths import place_of
from domain.visits.raw.local_days import DayRules
from tests.domain.visits.days.worlds import DAY, LATER, NOON, add, builder, visit
from tests.support import factories


def keys(session, dimension: str) -> dict[str, int]:
    rows = compute(session, DAY, DayRules()).days
    return {key.key: row[0] for key, row in rows if key.dimension == dimension}


@pytest.fixture
def offer(session):
    return factories.coupon(session, "Spring-1", is_special=True)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(["", ""], "(none)", id="nothing"),
        pytest.param([" SPRING-1", "", "guess"], "spring-1", id="the last that is ours"),
        pytest.param(["guess", "other"], "(unknown)", id="none of ours"),
        pytest.param(["x" * 64], "(unknown)", id="a long text"),
        pytest.param(["\u017fpring-1"], "spring-1", id="letters that fold to those of the code"),
    ],
)
def test_a_coupon_is_the_sessions_last_that_names_a_row(session, offer, given, expected):
    add(session, *(visit(number, NOON, coupon_id=text) for number, text in enumerate(given, 1)))
    assert keys(session, "coupon") == {expected: len(given)}


def test_a_special_offer_is_named_by_its_code_or_id(session, offer):
    add(session, visit(1, NOON, session_id="a", special_coupon=str(offer.id)))
    add(session, visit(2, NOON, session_id="b", special_coupon="SPRING-1"))
    add(session, visit(3, NOON, session_id="c", special_coupon=str(offer.id + 1)))
    assert keys(session, "special") == {"spring-1": 2, "(unknown)": 1}


def test_only_an_approved_organisation_is_a_partner(session):
    factories.organisation(session, "northwind")
    factories.organisation(session, "applicant", state="submitted")
    names = ("northwind", "NORTHWIND", "applicant", "nobody")
    add(session, *(visit(number, NOON, session_id=name, partner=name) for number, name in enumerate(names, 1)))
    assert keys(session, "partner") == {"northwind": 2, "(unknown)": 2}


@pytest.mark.each_database
def test_products_are_found_by_slug_former_slug_and_id(session):
    category = factories.category(session)
    course, item = factories.course(session, category.id, "vat"), factories.item(session, category.id)
    session.add(FormerSlug(kind="course", slug="old-vat", product_id=course.id, replaced_at=NOON))
    session.flush()
    courses = [f"/course-details?course={slug}" for slug in ("vat", "VAT", "old-vat", "gone")]
    items = [f"/shop-details/{name}" for name in (item.id, course.id, "x")]
    add(session, *(visit(number, NOON, url) for number, url in enumerate([*courses, *items], 1)))
    assert keys(session, "product") == {str(course.id): 3, str(item.id): 1}


@pytest.mark.parametrize(
    ("url", "page", "path"),
    [
        ("/", "home", "/"),
        ("", "home", "/"),
        ("/shop?page=2&utm_source=a", "shop", "/shop"),
        ("//Shop//", "shop", "/shop"),
        ("/course-details?x=1&course=VAT&course=other", "course-details", "/course-details?course=vat"),
        ("/course-details", "course-details", "/course-details?course="),
        ("/shop-details/7", "shop-details", "/shop-details/7"),
        ("/no/such/page?x", "(unknown)", "/no/such/page"),
        ("https://evil.example/shop", "(unknown)", "/https://evil.example/shop"),
        ("(other)", "(unknown)", "/(other)"),
        ("/x" + " " * 300 + "y", "(unknown)", "/x"),
        ("/" + "é" * 300, "(unknown)", "/" + "é" * 190),
    ],
)
def test_a_path_is_canonical_without_its_query(url, page, path):
    assert place_of(url)[:2] == (page, path)


@pytest.mark.parametrize(
    ("url", "area"),
    [("/admin", "admin"), ("/Admin/orders?x", "admin"), ("/organization/people", "organization"), ("/administer", "")],
)
def test_an_area_is_what_is_below_its_home(url, area):
    assert place_of(url).area == area


def test_what_links_of_a_deleted_account_brought_is_nobodys(database):
    """The figures stay, also beside those of somebody who was deleted before."""
    with database.write_session() as session:
        numbers = [factories.learner(session, name).student_number for name in ("Ada", "Eve", "Zoe")]
        add(
            session,
            *(visit(place, NOON, session_id=name, student_number=name) for place, name in enumerate(numbers, 1)),
        )
    builder(database).build(DAY)
    query = select(VisitDay.key, VisitDay.visits, VisitDay.sessions).where(VisitDay.dimension == "student")
    for number in numbers[:2]:
        with database.write_session() as session:
            link_counts.erase(session, number, LATER)
    with database.read_session() as session:
        assert set(map(tuple, session.execute(query))) == {("(erased)", 2, 2), (numbers[2], 1, 1)}
