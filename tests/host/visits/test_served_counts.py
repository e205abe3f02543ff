"""Which answers the host counts as served documents, and how the counts reach the database."""

import json

import pytest

from domain.visits.evidence_bits import OF_LOADED_DOCUMENT
from domain.visits.served_documents import COUNTS
from host.visits.served_counts import SERVED_COUNTS
from tests.host.site import CHROME
from tests.support.waiting import until

GOOGLE = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
ASSISTANT = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ChatGPT-User/1.0; +https://openai.com/bot)"
pytestmark = pytest.mark.asyncio(loop_scope="function")


def counted(site):
    """By class, whatever the minute."""
    sums = {}
    for (_, agent_class), count in site.app[SERVED_COUNTS].documents.items():
        sums[agent_class] = sums.get(agent_class, 0) + count
    return sums


async def test_documents_are_counted_by_who_asks_from_the_cache_too(open_site, start_renderer):
    site = await open_site((await start_renderer()).address, PAGE_CACHE="on", DEV_DELAY="")
    for agent in (CHROME, CHROME, GOOGLE, ASSISTANT, "curl/8.5.0", ""):
        assert (await site.get("/shop", User_Agent=agent)).status == 200
    assert (await site.get("/shop", User_Agent=CHROME)).headers["X-Cache"] == "hit"
    assert counted(site) == {"browser": 3, "search": 1, "assistant": 1, "program": 2}


async def test_a_page_that_has_not_changed_was_served_and_so_was_a_private_one(open_site, start_renderer):
    site = await open_site((await start_renderer()).address, PAGE_CACHE="on", DEV_DELAY="")
    tag = (await site.get("/shop", User_Agent=CHROME)).headers["ETag"]
    assert (await site.get("/shop", User_Agent=CHROME, If_None_Match=tag)).status == 304
    assert (await site.get("/cart", User_Agent=CHROME)).status == 200
    assert counted(site) == {"browser": 3}


@pytest.mark.parametrize(
    "path", ["/nothing-here", "/about/", "/data/shop", "/robots.txt", "/healthz", "/admin", "/static/none.css"]
)
async def test_errors_redirects_json_files_and_areas_are_not_counted(own_site, path):
    await own_site.get(path, User_Agent=CHROME)
    assert counted(own_site) == {}


async def test_a_head_is_not_counted(own_site):
    assert (await own_site.client.head("/shop", headers={"User-Agent": CHROME})).status == 200
    assert counted(own_site) == {}


async def test_a_minute_becomes_one_row_and_what_follows_another(own_site):
    documents = own_site.app[SERVED_COUNTS].documents
    documents[7, "browser"], documents[7, "seo"], documents[8, "browser"] = 3, 1, 5
    own_site.app[SERVED_COUNTS].flush(8)
    await until(own_site.rows)
    (row,) = own_site.rows()
    assert (row.visitor_class, row.source, row.url, row.visited_at.timestamp()) == (COUNTS, "host", "", 420)
    assert json.loads(row.attributes) == {"documents": {"browser": 3, "seo": 1}}
    assert dict(documents) == {(8, "browser"): 5}


async def test_the_first_visit_of_a_document_is_marked(own_site):
    visit = {"Url": "/shop", "EventID": "019341f2-7c1a-7abc-8def-0123456789ab"}
    later = {"Url": "/about", "EventID": "019341f2-7c1a-7abc-8def-0123456789ac"}
    for body in ({**visit, "Load": "first"}, later):
        answer = await own_site.client.post("/api/SetAAUserTraceLog", json=body, headers={"User-Agent": CHROME})
        assert answer.status == 202
    await until(lambda: len(own_site.visits()) == 2)
    marks = {row.url: bool(row.evidence & OF_LOADED_DOCUMENT) for row in own_site.visits()}
    assert marks == {"/shop": True, "/about": False}
