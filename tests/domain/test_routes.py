"""routes.json against the specification, the match of a path, its one exact form, and what is cut from addresses."""

import pytest

from domain.pages import exact_form, match, redacted, table
from tests.agreements import cases

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
    assert sorted(page.path for page in table()) == sorted(SPECIFICATION)
    assert len(table()) == len({page.id for page in table()}) == 33


@pytest.mark.parametrize(("path", "layout"), SPECIFICATION.items())
def test_a_route_has_the_layout_that_was_specified(path, layout):
    page = next(one for one in table() if one.path == path)
    assert page.layout == (layout or ("layout-one" if path in LAYOUT_ONE else "default"))


def test_search_engines_may_keep_exactly_the_public_pages():
    assert {page.path for page in table() if page.indexable} == INDEXABLE
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
def test_an_exact_path_is_a_page(path, page, values):
    found = match(path)
    assert found is not None
    assert (found.page.id, found.values) == (page, values)


@pytest.mark.parametrize(
    "path", ["", "/nothing", "/Shop", "/shop/", "//", "/shop-details", "/shop-details/", "/shop-details/7/8", "/{id}"]
)
def test_another_path_is_no_page(path):
    assert match(path) is None


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
def test_a_sloppy_path_has_one_exact_form(path, exact):
    assert exact_form(path) == exact


@pytest.mark.parametrize(
    "path",
    ["/", "/shop", "/shop-details/7", "/order/ABC", "//evil.com", "//evil.com/shop", "/nothing/", "/api/", "/shop/x"],
)
def test_a_path_that_is_exact_or_no_page_has_no_other_form(path):
    assert exact_form(path) is None


@pytest.mark.parametrize("case", [*cases("redaction.json", "both"), *cases("redaction.json", "host")])
def test_secrets_are_cut_from_an_address(case):
    assert redacted(case["url"]) == case["kept"]


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("//email-verify/s3cret", "//email-verify/{token}"),
        ("/email-verify//s3cret", "/email-verify//{token}"),
        ("https://shop.example/email-verify/s3cret", "https://shop.example/email-verify/{token}"),
        ("/shop#access_token=s3cret", "/shop"),
        (f"/shop?{'a' * 201}=s3cret", f"/shop?{'a' * 201}={{removed}}"),
    ],
)
def test_secrets_are_cut_from_addresses_that_no_page_of_ours_sends(url, kept):
    assert redacted(url) == kept
