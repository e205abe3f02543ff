"""Pages of areas: who may open them, in documents and page data, and what both hold. The rows are the test's own."""

import json
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from aiohttp import ClientResponse

from domain.errors import NotFound, ServiceUnavailable
from host.loaders.areas import area_page
from host.rendering.page_request import PageRequest
from tests.host.pages import replace_loader
from tests.host.signing import Learner, learner
from tests.host.site import Site
from tests.support import factories

APART = ("private, no-store", "Accept-Encoding, Cookie")
COURSES = "/admin/courses?q=Ada%20L&page=2"


@pytest.fixture(autouse=True)
def own_rows(area_rows: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages that say whom and what they were loaded for."""

    async def load(request: PageRequest, route):
        name = request.session.name if request.session else ""
        return area_page.page(
            request, route, {"title": route.title, "name": name, "query": dict(request.query), **request.values}
        )

    for page_id in ("admin-home", "admin-courses", "admin-staff", "organization-members", "organization-application"):
        replace_loader(monkeypatch, page_id, load)
    replace_loader(monkeypatch, "certificate", load)


def sent_by(person: Learner | None) -> dict[str, str]:
    """What a browser sends with a document."""
    if person is None:
        return {}
    token = quote(json.dumps({"accessToken": person.token, "user": {}}))
    return {"Cookie": f"userInfo={token}; {person.cookie['Cookie']}"}


def people(site: Site) -> dict[str, Learner | None]:
    owner = learner(site, "Olga Owner", area="organisation")
    with site.db.write_session() as session:
        organisation = factories.organisation(session, "northwind-areas")
        factories.member(session, owner.id, organisation.id, role="owner")
    owner.choose(organisation.id)
    return {
        "nobody": None,
        "learner": learner(site),
        "owner": owner,
        "administrator as a learner": learner(site, "Lea Learner", roles=["administrator"]),
        "former": learner(site, "Fred Former", area="admin"),
        "marketer": learner(site, "Mia Marketer", area="admin", roles=["marketer"]),
        "administrator": learner(site, "Alan Admin", area="admin", roles=["administrator"]),
    }


TO_ADMIN, TO_ORGANISATION = "/adminlogin", "/organization-login"
# Page -> answer for each person: a status, or the sign-in page that the answer leads to.
ANSWERS: dict[str, dict[str, int | str]] = {
    "/admin": {"former": 200, "marketer": 200, "administrator": 200},
    COURSES: {"former": 403, "marketer": 200, "administrator": 200},
    "/admin/staff": {"former": 403, "marketer": 403, "administrator": 200},
    "/organization/members": {"owner": 200},
    "/organization/application": {"nobody": TO_ORGANISATION},
    "/admin/later": {},
}


def expected(path: str, who: str) -> int | str:
    others: int | str = TO_ORGANISATION if path.startswith("/organization") else TO_ADMIN
    others = {"/organization/application": 200, "/admin/later": 404}.get(path, others)
    return ANSWERS[path].get(who, others)


def sign_in_of(location: str, path: str) -> str:
    parts = urlsplit(location)
    assert parse_qs(parts.query) == {"returnTo": [path]}
    return parts.path


async def answer_of(response: ClientResponse, path: str) -> int | str:
    if response.status == 303:
        return sign_in_of(response.headers["Location"], path)
    if response.content_type == "application/json" and "location" in (body := await response.json()):
        return sign_in_of(body["location"], path)
    return response.status


async def test_documents_and_data_are_for_the_session_of_the_area_and_then_for_its_permission(own_site):
    for who, person in people(own_site).items():
        for path in ANSWERS:
            document = await own_site.get(path, **sent_by(person))
            data = await own_site.get(f"/data{path}", **sent_by(person))
            found = await answer_of(document, path), await answer_of(data, path)
            assert (who, path, *found) == (who, path, *[expected(path, who)] * 2)
            assert "no-store" in document.headers["Cache-Control"]
            assert "no-store" in data.headers["Cache-Control"]


async def test_a_redirect_to_the_sign_in_is_kept_by_nobody(own_site):
    response = await own_site.get("/admin")
    assert (response.status, response.headers["Location"]) == (303, "/adminlogin?returnTo=/admin")
    assert (response.headers["Cache-Control"], response.headers["Vary"]) == APART


async def test_a_refusal_names_the_permission_and_its_roles_in_the_layout_of_the_area(own_site):
    marketer = sent_by(people(own_site)["marketer"])
    document = await own_site.document("/admin/staff", **marketer)
    data = await (await own_site.get("/data/admin/staff", **marketer)).json()
    for state in (document.state, data):
        assert (state["page"], state["status"], state["props"]["title"]) == ("area-error", 403, "Admin-staff")
        assert (state["props"]["permission"], state["props"]["roles"]) == ("staff.write", ["administrator"])
        assert (state["area"]["layout"], state["session"]["learner"]["name"]) == ("area", "Mia Marketer")
    assert "staff.write, which these roles have: administrator" in document.html


def link(href: str, label: str, below: str | None = None) -> dict[str, str | None]:
    return {"href": href, "label": label, "below": below}


async def test_the_navigation_holds_what_the_session_may_open(own_site):
    everyone = people(own_site)
    start = {"title": "Start", "links": [link("/admin", "Overview")]}
    courses = {"title": "Catalogue", "links": [link("/admin/courses", "Courses")]}
    staff = {"title": "People", "links": [link("/admin/staff", "Staff")]}
    for who, nav in (
        ("former", [start]),
        ("marketer", [start, courses]),
        ("administrator", [start, courses, staff]),
    ):
        document = await own_site.document("/admin", **sent_by(everyone[who]))
        assert document.state["area"]["nav"] == nav


async def test_document_and_data_hold_the_same_page_with_its_query(own_site):
    administrator = sent_by(people(own_site)["administrator"])
    document = await own_site.document(f"{COURSES}&unknown=1", **administrator)
    data = await (await own_site.get(f"/data{COURSES}", **administrator)).json()
    for state in (document.state, data):
        assert (state["page"], state["status"], state["documentKind"]) == ("admin-courses", 200, "admin")
        assert state["props"] == {"title": "Admin-courses", "name": "Alan Admin", "query": {"q": "Ada L", "page": "2"}}
    assert document.state["area"] == data["area"]
    assert (document.headers["Cache-Control"], document.headers["Vary"]) == APART
    assert (document.meta("robots"), document.headers["X-Robots-Tag"]) == ("noindex, nofollow", "noindex")


async def test_the_document_has_the_style_sheet_and_the_entry_of_the_areas_and_says_that_it_needs_javascript(own_site):
    document = await own_site.document("/admin", **sent_by(people(own_site)["administrator"]))
    shop = await own_site.document("/shop")
    sheets = [[link["href"] for link in page.all("link", rel="stylesheet")] for page in (document, shop)]
    assert [sheet for sheet in sheets[0] if sheet not in sheets[1]] == [sheets[0][-1]]
    assert "/static/dist/areas-" in sheets[0][-1]
    entries = [[about["src"] for about, _ in page.scripts if about.get("src")] for page in (document, shop)]
    assert ("/area-client-" in entries[0][0], "/client-" in entries[1][0]) == (True, True)
    assert "Administration needs JavaScript" in document.html


async def test_node_renders_the_loading_view_of_a_page_once_and_gets_neither_name_nor_navigation(
    open_site, start_renderer
):
    renderer = await start_renderer()
    site = await open_site(renderer.address)
    everyone = people(site)
    for who in ("administrator", "marketer"):
        await site.document("/admin/staff?q=Ada", **sent_by(everyone[who]))
    (job,) = renderer.jobs
    assert (job.asked["page"], job.asked["url"], job.asked["status"]) == ("admin-staff", "/admin/staff", 200)
    assert (job.asked["area"]["nav"], job.asked["props"]) == ([], {"title": "Admin-staff", "html": ""})
    assert not [word for word in ("Alan", "Mia", "Ada") if word in json.dumps(job.asked)]


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (NotFound("There is no course 7."), 404, "There is no course 7."),
        (ServiceUnavailable("away"), 503, "The database does not answer. Please try again in a moment."),
        (RuntimeError("x"), 500, "Please try again; if it keeps happening, quote this reference: "),
    ],
)
async def test_a_loader_that_fails_leaves_the_layout(own_site, monkeypatch, error, status, message):
    async def fail(*_: object) -> None:
        raise error

    replace_loader(monkeypatch, "admin-course", fail)
    administrator = sent_by(people(own_site)["administrator"])
    document = await own_site.document("/admin/courses/7", **administrator)
    assert (document.status, document.state["page"]) == (status, "area-error")
    assert document.state["props"]["message"].startswith(message)
    assert len(document.state["area"]["nav"]) == 3


async def test_a_certificate_is_public_rendered_by_the_server_and_in_no_index(own_site):
    document = await own_site.document("/verify-certificate/7K2M")
    assert (document.status, document.root) == (200, "<main>drawn certificate</main>")
    assert (document.state["area"]["layout"], document.state["props"]["code"]) == ("blank", "7K2M")
    assert (document.meta("robots"), "session" in document.state) == ("noindex, nofollow", False)
    assert document.state["documentKind"] == "verify-certificate"


async def test_area_pages_are_in_no_sitemap(own_site):
    text = await (await own_site.get("/sitemaps/pages.xml")).text()
    assert ("/shop</loc>" in text, "/admin" in text, "/organization" in text) == (True, False, False)
