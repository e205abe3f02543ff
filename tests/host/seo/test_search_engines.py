"""What search engines are told: robots.txt, the sitemap, and that it names exactly the pages they may keep."""

from datetime import UTC, datetime
from xml.etree import ElementTree

import pytest

from host.http.user_agents import browser_family, visitor_class
from tests.host.site import CHROME, ORIGIN, SHARED
from tests.host.small_shop import PLAIN
from tests.support.waiting import until

pytestmark = SHARED

NS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
GOOGLE = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
VAT = "/course-details?course=vat-basics"


async def named(site, path):
    """Address -> last change, of the index or of one of its files."""
    answer = await site.get(path)
    assert answer.content_type == "application/xml"
    tree = ElementTree.fromstring(await answer.text())
    return {one.findtext(f"{NS}loc").removeprefix(ORIGIN): one.findtext(f"{NS}lastmod") for one in tree}


async def entries(site):
    """Address -> last change, of all files of the sitemap together."""
    found = {}
    for path in await named(site, "/sitemap.xml"):
        found |= await named(site, path)
    return found


async def test_the_sitemap_names_every_page_that_may_be_kept(site):
    courses = ["vat-basics", "script-course", "contracts", "privacy"]
    courses += [f"course-{number:02}" for number in range(1, PLAIN + 1)]
    items = [site.id_of(slug) for slug in ("tax-tables", "sold-out")]
    assert set(await entries(site)) == {
        *("/", "/about", "/contact", "/refund-grievance-policy", "/shop", "/shop?page=2"),
        *("/shop?category=tax", "/shop?category=data", "/shop?category=data&page=2"),
        *(f"/course-details?course={slug}" for slug in ("old-course", "ended-course")),
        *(f"/course-details?course={slug}" for slug in courses),
        *(f"/shop-details/{number}" for number in items),
        "/instructors/ada",
    }


async def test_every_address_of_the_sitemap_is_its_own_canonical_and_may_be_kept(site):
    for path in await entries(site):
        found = await site.document(path)
        assert (found.status, found.canonical, found.meta("robots")) == (200, ORIGIN + path, "index, follow"), path


async def test_the_sitemap_says_when_content_changed(site):
    found = await entries(site)
    assert found[VAT] == "2026-03-01T12:00:00Z"
    assert found["/shop"] == "2026-03-01T12:00:00Z"
    assert found["/shop?page=2"] is None
    assert datetime.fromisoformat(found["/about"]).replace(tzinfo=UTC) < datetime.now(UTC)


async def test_an_open_site_lets_search_engines_in(site):
    answer = await site.get("/robots.txt")
    assert await answer.text() == (
        "User-agent: *\nDisallow: /api/\nDisallow: /data/\n"
        "Disallow: /shop?*&category=\nDisallow: /shop?*&level=\nDisallow: /shop?*&language=\n"
        "Disallow: /shop?*&price=\nDisallow: /shop?*&duration=\nDisallow: /shop?*&kind=\nDisallow: /shop?*sort=\n"
        f"Allow: /api/cart/links\n\nSitemap: {ORIGIN}/sitemap.xml\n"
        f"# Products as data: {ORIGIN}/products.jsonl\n# For programs: {ORIGIN}/llms.txt\n"
    )


@pytest.mark.asyncio(loop_scope="function")
async def test_a_closed_site_keeps_search_engines_out_everywhere(open_site):
    closed_site = await open_site(ROBOTS="closed")
    assert await (await closed_site.get("/robots.txt")).text() == "User-agent: *\nDisallow: /\n"
    for path in ("/", "/shop", VAT, "/about"):
        assert (await closed_site.get(path)).headers["X-Robots-Tag"] == "noindex"


@pytest.mark.parametrize(
    ("agent", "kind", "family"),
    [
        (CHROME, "human", "Chrome"),
        (GOOGLE, "crawler", "Googlebot"),
        ("Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", "crawler", "bingbot"),
        ("curl/8.5.0", "suspected", "curl"),
        ("python-requests/2.32", "suspected", "Python Requests"),
        ("HeadlessChrome/140.0", "suspected", "HeadlessChrome"),
        ("", "suspected", ""),
    ],
)
async def test_a_visitor_is_known_by_what_it_says_of_itself(agent, kind, family):
    assert (visitor_class(agent), browser_family(agent)) == (kind, family)


async def test_an_endless_user_agent_is_looked_at_only_at_its_beginning():
    assert visitor_class(CHROME + "x" * 600 + "Googlebot") == "human"
    assert visitor_class(GOOGLE + "x" * 100_000) == "crawler"


async def test_a_crawler_gets_the_whole_page_at_once(site):
    people, crawler = await site.document(VAT, User_Agent=CHROME), await site.document(VAT, User_Agent=GOOGLE)
    assert (people.state["deferred"], crawler.state["deferred"]) == (["reviews", "related"], [])
    assert crawler.state["props"] == {**people.state["props"], **people.parts}
    assert crawler.parts == {}
    assert (crawler.json_ld, crawler.title) == (people.json_ld, people.title)


@pytest.mark.asyncio(loop_scope="function")
async def test_a_crawlers_fetch_is_recorded_by_the_host(own_site):
    await own_site.get(VAT + "&utm_source=x", User_Agent=GOOGLE, Referer="https://a.example/?token=abc")
    await until(own_site.visits)
    (visit,) = own_site.visits()
    assert (visit.url, visit.page, visit.visitor_class, visit.source) == (
        VAT + "&utm_source=x",
        "course-details",
        "crawler",
        "host",
    )
    assert (visit.agent, visit.address, visit.session_id) == ("Googlebot", "127.0.0.0/24", "")
    assert (visit.referrer, visit.campaign) == ("https://a.example/", {"utm_source": "x"})


@pytest.mark.asyncio(loop_scope="function")
@pytest.mark.parametrize("agent", [CHROME, "curl/8.5.0", ""])
async def test_whoever_is_no_crawler_is_not_recorded_by_the_host(own_site, agent):
    await own_site.get("/shop", User_Agent=agent)
    await own_site.get("/shop", method="HEAD", User_Agent=GOOGLE)
    await own_site.call("SetAAUserTraceLog", {"Url": "/last"})
    assert [one.url for one in own_site.visits()] == ["/last"]
