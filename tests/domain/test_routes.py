"""routes.json against the specification, matching a path, its normalised form, and the canonical query."""

import pytest

from domain.routes import MAX_VALUES, by_id, canonical_query, match_route, normalised_path, own_pages, table

# The specification's table, §2: path -> layout; None where it says "not shown".
SPECIFICATION = {
    "/": "none",
    "/about": None,
    "/additional": None,
    "/adminlogin": "blank",
    "/cart": None,
    "/checkout": None,
    "/completed_old": None,
    "/completed/{id}": None,
    "/contact": None,
    "/course-details": None,
    "/create-password": "blank",
    "/d": None,
    "/email-verify/{token}": None,
    "/forget-password/{token}": None,
    "/forgot": "blank",
    "/login": "blank",
    "/logincallback": None,
    "/logout": "blank",
    "/order/{id}": None,
    "/organization-forgot": "blank",
    "/organization-login": "blank",
    "/organization-register": "blank",
    "/profile": None,
    "/refund-grievance-policy": None,
    "/register": "blank",
    "/reset-password": None,
    "/s": None,
    "/search": None,
    "/shop-details/{id}": None,
    "/shop": None,
    "/user-dashboard": None,
    "/verify": "blank",
    "/wishlist": None,
}
LAYOUT_ONE = {"/shop", "/shop-details/{id}", "/course-details", "/search"}
INDEXABLE = {"/", "/shop", "/course-details", "/shop-details/{id}", "/about", "/contact", "/refund-grievance-policy"}


def test_the_table_holds_the_33_routes_of_the_specification_and_no_other():
    assert {page.path for page in table()} ^ set(SPECIFICATION) == set(), "SPECIFICATION lists the rows of routes.json"
    assert len(table()) == len({page.id for page in table()}) == 33


def test_the_shop_has_pages_of_its_own_beside_them():
    own = ["/instructors/{slug}", "/terms", "/privacy", "/imprint", "/accessibility", "/withdraw"]
    assert [page.path for page in own_pages()] == own


@pytest.mark.parametrize(("path", "layout"), SPECIFICATION.items())
def test_a_route_has_the_layout_that_was_specified(path, layout):
    page = next(page for page in table() if page.path == path)
    assert page.layout == (layout or ("layout-one" if path in LAYOUT_ONE else "default"))


def test_search_engines_may_index_exactly_the_public_pages():
    assert {page.path for page in table() if page.indexable} == INDEXABLE, "INDEXABLE lists the indexable rows"
    assert {page.path for page in table() if page.server_rendered} == {*INDEXABLE, "/search"}


@pytest.mark.parametrize(
    ("path", "page", "values"),
    [
        ("/", "home", {}),
        ("/shop", "shop", {}),
        ("/completed_old", "completed-old", {}),
        ("/shop-details/7", "shop-details", {"id": "7"}),
        ("/completed/7", "completed", {"id": "7"}),
        ("/email-verify/aB.c-_", "email-verify", {"token": "aB.c-_"}),
    ],
)
def test_an_exact_path_matches_its_page(path, page, values):
    match = match_route(path)
    assert match is not None
    assert (match.page.id, match.values) == (page, values)


@pytest.mark.parametrize(
    "path", ["", "/nothing", "/Shop", "/shop/", "//", "/shop-details", "/shop-details/", "/shop-details/7/8", "/{id}"]
)
def test_another_path_matches_no_page(path):
    assert match_route(path) is None


@pytest.mark.parametrize(
    ("path", "exact"),
    [
        ("/Shop", "/shop"),
        ("/shop/", "/shop"),
        ("/Shop/", "/shop"),
        ("/shop//", "/shop"),
        ("//shop", "/shop"),
        ("///SHOP///", "/shop"),
        ("//", "/"),
        ("/COMPLETED_OLD", "/completed_old"),
        ("/SHOP-DETAILS/7/", "/shop-details/7"),
        ("/shop-details//7", "/shop-details/7"),
        ("/Completed/aBc", "/completed/aBc"),
        ("/Email-Verify/aBC.d/", "/email-verify/aBC.d"),
        ("/Order/a b?c", "/order/a%20b%3Fc"),
        ("/Order/Ä", "/order/%C3%84"),
    ],
)
def test_a_path_is_normalised(path, exact):
    assert normalised_path(path) == exact


@pytest.mark.parametrize(
    "path",
    ["/", "/shop", "/shop-details/7", "/order/ABC", "//evil.com", "//evil.com/shop", "/nothing/", "/api/", "/shop/x"],
)
def test_an_exact_or_unknown_path_has_no_normalised_form(path):
    assert normalised_path(path) is None


FACETS = ["category", "level", "language", "price", "duration", "kind"]
QUERIES = {
    "shop": [*FACETS, "sort", "page"],
    "search": ["q", "exact", *FACETS, "sort", "page"],
    "course-details": ["course", "id"],
    "contact": ["sent", "about"],
    "cart": ["add", "gift", "cartToken", "kept"],
    "completed": ["n", "open", "back"],
    "login": ["returnTo"],
    "register": ["returnTo"],
    "profile": ["access"],
    "user-dashboard": ["list", "page", "course", "lesson", "q", "inviteToken", "giftToken", "joinCode"],
}


@pytest.mark.parametrize("page", table(), ids=lambda page: page.id)
def test_each_page_lists_its_parameters(page):
    assert list(page.query) == QUERIES.get(page.id, [])
    assert list(page.repeatable) == (FACETS if page.id in ("shop", "search") else [])


@pytest.mark.parametrize(
    ("page", "query", "canonical"),
    [
        ("course-details", [("course", "a"), ("course", "b")], [("course", "a")]),
        ("course-details", [("course", "b"), ("course", "a")], [("course", "b")]),
        ("course-details", [("id", "7"), ("course", ""), ("course", "a")], [("course", ""), ("id", "7")]),
        ("shop", [("page", "2"), ("level", "b"), ("level", "a")], [("level", "a"), ("level", "b"), ("page", "2")]),
        ("shop", [("level", "a"), ("level", "a"), ("utm_source", "mail")], [("level", "a")]),
        ("shop", [("language", str(n)) for n in range(100, 150)], [("language", str(n)) for n in range(100, 120)]),
        ("search", [("sort", "newest"), ("q", "b"), ("q", "a")], [("q", "b"), ("sort", "newest")]),
        ("search", [("q", "x" * 201)], [("q", "x" * 200)]),
        ("about", [("course", "a")], []),
    ],
)
def test_the_canonical_query_holds_what_the_page_depends_on(page, query, canonical):
    assert list(canonical_query(by_id()[page], query)) == canonical


def test_canonicalising_a_query_twice_changes_nothing():
    query = [(name, f"{name}-{n}") for name in FACETS for n in range(2 * MAX_VALUES)]
    canonical = canonical_query(by_id()["shop"], query)
    assert canonical_query(by_id()["shop"], canonical) == canonical
