"""Areas and their pages in routes.json: what a row may say, matching a path, and the page ids of visits."""

import json

import pytest

from domain import route_rows
from domain.routes import area_pages, areas, match_route, normalised_path, table
from domain.visits.visits import page_of
from tests.support.area_rows import row, use_rows


def test_the_product_has_three_areas_of_which_that_of_certificates_is_public():
    assert [(area.id, area.session, area.sign_in, area.home) for area in areas()] == [
        ("admin", "admin", "/adminlogin", "/admin"),
        ("organization", "organisation", "/organization-login", "/organization"),
        ("verify-certificate", None, None, "/verify-certificate"),
    ]
    public = [page.path for page in area_pages() if page.area.session is None]
    assert public == ["/verify-certificate", "/verify-certificate/{code}"]


def test_the_sign_in_of_an_area_is_a_public_page():
    paths = {page.path for page in table() if page.served}
    assert {area.sign_in for area in areas() if area.sign_in} <= paths


@pytest.mark.parametrize(
    ("path", "page", "values"),
    [
        ("/admin", "admin-home", {}),
        ("/admin/courses", "admin-courses", {}),
        ("/admin/courses/7", "admin-course", {"id": "7"}),
        ("/organization/members", "organization-members", {}),
        ("/verify-certificate/7K2M", "certificate", {"code": "7K2M"}),
        ("/shop", "shop", {}),
    ],
)
@pytest.mark.usefixtures("area_rows")
def test_a_path_matches_a_page_of_either_table(path, page, values):
    match = match_route(path)
    assert match is not None
    assert (match.page.id, match.values, page_of(path + "?q=ada")) == (page, values, page)


@pytest.mark.usefixtures("area_rows")
def test_a_page_of_an_area_is_private_and_never_indexed_and_a_public_one_is_rendered_by_the_server():
    facts = {page.id: (page.private, page.indexable, page.server_rendered, page.layout) for page in area_pages()}
    assert facts["admin-courses"] == facts["organization-members"] == (True, False, False, "area")
    assert facts["certificate"] == (False, False, True, "blank")
    assert "admin-courses" not in {page.id for page in table()}


@pytest.mark.usefixtures("area_rows")
def test_paths_of_areas_are_normalised():
    assert [normalised_path(path) for path in ("/Admin/Courses/", "/ADMIN", "/admin//courses/aB")] == [
        "/admin/courses",
        "/admin",
        "/admin/courses/aB",
    ]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([row("a", "nowhere", "/admin/a")], "the page a is in no area"),
        ([row("a", "admin", "/administration")], "not below its home"),
        ([row("a", "admin", "/organization/a")], "not below its home"),
        ([row("a", "admin", "/admin/a", permission="members.write")], "no role of its area has"),
        ([row("a", "verify-certificate", "/verify-certificate/a", permission="staff.write")], "no role of its area"),
        ([row("shop", "admin", "/admin/a")], "one id or one path"),
        ([row("a", "admin", "/admin/a"), row("b", "admin", "/admin/a")], "one id or one path"),
    ],
)
def test_a_row_that_contradicts_itself_or_another_is_refused(rows, reason, monkeypatch, tmp_path):
    with use_rows(monkeypatch, tmp_path, tuple(rows)), pytest.raises(route_rows.InvalidRow, match=reason):
        area_pages()


def test_an_area_with_a_sign_in_needs_sessions(monkeypatch, tmp_path):
    with use_rows(monkeypatch, tmp_path, ()):
        file = route_rows.ROUTES_FILE
        changed = json.loads(file.read_text("utf-8"))
        changed["areas"][0]["session"] = None
        file.write_text(json.dumps(changed), "utf-8")
        with pytest.raises(route_rows.InvalidRow, match="the area admin needs both"):
            areas()
