"""GET /data…: what client navigation fetches is what the document of the same address carries."""

import pytest

from host.rendering.assets import ASSETS
from host.rendering.page_result import LoaderResult
from tests.host.pages import replace_loader
from tests.host.site import ORIGIN, SHARED

pytestmark = SHARED

VAT = "/course-details?course=vat-basics"


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/shop?category=data&page=2",
        VAT,
        "/course-details?course=old-course",
        "/shop-details/{item}",
        "/about",
        "/contact",
        "/refund-grievance-policy",
        "/nothing",
        "/cart",
        "/login?returnTo=/checkout",
        "/course-details?course=unknown",
        "/shop?category=law&kind=book",
    ],
)
async def test_data_and_document_say_the_same(site, path):
    path = path.format(item=site.id_of("tax-tables"))
    document, answer = await site.document(path), await site.get("/data" + path)
    data, state = await answer.json(), document.state
    assert (answer.status, data["status"], data["page"]) == (document.status, state["status"], state["page"])
    assert data["props"] == {**state["props"], **document.parts}
    assert list(document.parts) == state["deferred"]


@pytest.mark.parametrize("path", ["/", "/shop?page=2", VAT, "/nothing"])
async def test_the_head_for_the_browser_is_the_head_of_the_document(site, path):
    document, head = await site.document(path), (await site.data(path))["head"]
    assert head == {
        "title": document.title,
        "description": document.meta("description"),
        "canonical": document.canonical,
        "robots": document.meta("robots"),
        "type": document.meta("og:type"),
        "image": document.meta("og:image"),
        "jsonLd": document.json_ld,
    }


async def test_deferred_parts_stand_in_the_props(site):
    props = (await site.data(VAT))["props"]
    assert [one["author"] for one in props["reviews"]["items"]] == ["Grace H.", "Alan T."]
    assert props["reviews"]["counts"] == [0, 0, 0, 1, 1]
    assert [card["href"] for card in props["related"]] == ["/course-details?course=script-course"]


async def test_the_answer_names_its_build_and_is_kept_by_nobody(site):
    answer = await site.get("/data/shop")
    build = site.app[ASSETS].build
    assert (answer.headers["X-Build"], answer.headers["Cache-Control"]) == (build, "no-store")
    assert answer.headers["X-Robots-Tag"] == "noindex"
    assert answer.headers["Content-Type"] == "application/json; charset=utf-8"


async def test_an_address_that_has_moved_is_told_and_not_followed(site):
    number = site.id_of("vat-basics")
    answer = await site.get(f"/data/course-details?id={number}")
    assert (answer.status, await answer.json()) == (200, {"location": VAT})


@pytest.mark.parametrize("path", ["/data/Shop", "/data//shop", "/data/shop/", "/data", "/data/", "/data/data/shop"])
async def test_only_an_exact_address_has_data(site, path):
    answer = await site.get(path)
    assert answer.status == (200 if path == "/data/" else 404)


async def test_the_site_in_the_state_is_the_shop_and_no_visitor(site):
    first = (await site.document("/shop", Cookie="userInfo=x; IsRestrictedAccess=true")).state["site"]
    second = (await site.document("/about")).state["site"]
    assert first == second
    assert (first["name"], first["origin"], first["currency"], first["api"]) == (
        "Meridian Learning",
        ORIGIN,
        {"code": "USD", "exponent": 2, "quantum": 1},
        "/api",
    )
    assert [one["slug"] for one in first["categories"]] == ["tax", "data", "law"]


@pytest.fixture
def mistaken(monkeypatch):
    """The loader of /about has a mistake."""

    async def load(_asked: object) -> LoaderResult:
        raise ZeroDivisionError

    replace_loader(monkeypatch, "about", load)


@pytest.mark.usefixtures("mistaken")
async def test_a_loader_that_fails_answers_with_words_and_a_number(site, caplog):
    answer = await site.get("/data/about")
    data = await answer.json()
    assert (answer.status, data["page"], data["props"]["suggestions"]) == (500, "error", [])
    assert answer.headers["X-Request-Id"] in data["props"]["message"]
    assert "the loader of /about failed" in caplog.text


@pytest.mark.usefixtures("mistaken")
async def test_a_page_whose_loader_fails_has_words_and_a_way_home(plain_site):
    found = await plain_site.document("/about")
    assert (found.status, found.title, found.headers["Cache-Control"]) == (500, "Error Page", "no-store")
    assert f"quote this reference: {found.headers['X-Request-Id']}." in found.state["props"]["message"]
    assert "Back to Home" in found.words
