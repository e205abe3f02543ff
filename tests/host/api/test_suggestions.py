"""GET /api/search/suggest: suggestions while a visitor types."""

import pytest

from domain.search import query_log
from host.search_log import SEARCH_LOG
from tests.host.site import SHARED
from tests.support.factories import NOON
from tests.support.waiting import until


@SHARED
async def test_suggestions_have_links_and_are_cacheable_for_a_minute(site):
    answer = await site.get("/api/search/suggest?q=ta")
    assert (answer.status, answer.headers["Cache-Control"]) == (200, "public, max-age=60")
    item = site.id_of("tax-tables")
    assert (await answer.json())["suggestions"] == [
        {"text": "Tax", "href": "/shop?category=tax", "kind": "category"},
        {"text": "Tax tables", "href": f"/shop-details/{item}", "kind": "item"},
    ]


@pytest.mark.parametrize("query", ["q=qwrtz", "q=", "q=%F0%9F%99%82", "q=%25", "q=a&q=b&other=1"])
@SHARED
async def test_suggestions_may_be_empty(site, query):
    answer = await site.get(f"/api/search/suggest?{query}")
    assert (answer.status, list(await answer.json())) == (200, ["suggestions"])


@pytest.mark.parametrize("query", ["", "other=1", f"q={'x' * 201}"])
@SHARED
async def test_an_invalid_query_is_refused(site, query):
    answer = await site.get(f"/api/search/suggest?{query}")
    assert (answer.status, list((await answer.json())["errors"])) == (422, ["q"])


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
@SHARED
async def test_only_get_and_head_are_allowed(site, method):
    answer = await site.get("/api/search/suggest?q=v", method)
    assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD")


@SHARED
async def test_head_returns_no_body(site):
    answer = await site.get("/api/search/suggest?q=v", "HEAD")
    assert (answer.status, await answer.read()) == (200, b"")


@SHARED
async def test_the_openapi_document_describes_it(site):
    described = (await (await site.get("/openapi.json")).json())["paths"]["/api/search/suggest"]["get"]
    (parameter,) = described["parameters"]
    assert (parameter["name"], parameter["in"], parameter["required"]) == ("q", "query", True)
    assert parameter["schema"]["maxLength"] == 200
    assert set(described["responses"]) == {"200", "405", "422", "429", "503"}


async def test_suggestions_are_rate_limited(open_site):
    site = await open_site(SUGGESTIONS_PER_ADDRESS_MINUTE="3")
    answers = [await site.get("/api/search/suggest?q=v") for _ in range(4)]
    assert [answer.status for answer in answers] == [200, 200, 200, 429]
    assert int(answers[-1].headers["Retry-After"]) <= 61


async def test_popular_searches_are_suggested(open_site):
    site = await open_site()
    with site.db.write_session() as session:
        for _ in range(3):
            query_log.log_query(session, "vat basics", 1, "exact", NOON)
    assert site.app[SEARCH_LOG].popular() == ()
    await until(site.app[SEARCH_LOG].popular)
    reply = await (await site.get("/api/search/suggest?q=vat")).json()
    assert reply["suggestions"][0] == {"text": "vat basics", "href": "/search?q=vat+basics", "kind": "query"}
