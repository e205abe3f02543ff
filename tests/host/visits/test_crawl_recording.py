"""What the host notes of a crawler's fetch once it is answered; beyond the limit of a network exact counts alone."""

import json
from collections import Counter
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from domain.publishing.prices import change_price
from domain.visits.days.compute import compute
from host.site_state import SITE
from host.visits.crawl_counts import CRAWL_COUNTS
from tests.support.shops import USD
from tests.support.waiting import until

GOOGLE = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36"
SLUG = "vat-basics"
VAT = f"/course-details?course={SLUG}"
LIMITED = {"CRAWLS_PER_NETWORK_MINUTE": "2", "TRUSTED_PROXIES": "127.0.0.1"}


async def noted(site, *paths, **headers):
    """What is noted of these fetches, by the URL."""
    before = len(site.visits())
    sizes = {}
    for path in paths:
        answer = await site.get(path, **{"User_Agent": GOOGLE, "Accept_Encoding": "identity", **headers})
        sizes[path] = len(await answer.read())
    await until(lambda: len(site.visits()) == before + len(paths))
    return {row.url: json.loads(row.attributes) for row in site.visits()[before:]}, sizes


@pytest.mark.asyncio(loop_scope="function")
async def test_pages_and_files_for_programs_are_noted_with_status_bytes_and_time(own_site):
    paths = ("/about", "/nothing-here", "/robots.txt", "/sitemap.xml", "/products.jsonl", "/llms.txt", "/about/")
    found, sizes = await noted(own_site, *paths)
    statuses = {path: values["status"] for path, values in found.items()}
    assert statuses == {**dict.fromkeys(paths, 200), "/nothing-here": 404, "/about/": 301}
    assert {path: found[path]["bytes"] for path in paths[:-1]} == {path: sizes[path] for path in paths[:-1]}
    assert all(0 <= values["ms"] < 60_000 for values in found.values())


@pytest.mark.asyncio(loop_scope="function")
async def test_calls_assets_and_people_are_not_noted(own_site):
    for path in (
        "/api/GetCartCount",
        "/static/none.css",
        "/pictures/course/tax/vat-basics/0.svg",
        "/healthz",
        "/d?to=/shop",
    ):
        await own_site.get(path, User_Agent=GOOGLE)
    for path in ("/robots.txt", "/about"):
        await own_site.get(path, User_Agent=CHROME)
    await until(own_site.visits)
    await noted(own_site, "/robots.txt")
    assert [row.url for row in own_site.visits()] == ["/d?to=/shop", "/robots.txt"]
    assert own_site.visits()[0].attributes is None


@pytest.mark.asyncio(loop_scope="function")
async def test_what_a_search_engine_learns_of_a_product_is_noted(own_site):
    (first, _), again = await noted(own_site, VAT), (await noted(own_site, VAT))[0]
    assert first[VAT]["title"] == again[VAT]["title"] == "VAT basics"
    assert (first[VAT]["currency"], first[VAT]["digest"]) == ("USD", again[VAT]["digest"])
    with own_site.db.write_session() as session:
        change_price(session, SLUG, Decimal("12.34"), None, datetime.now(UTC), USD)
    site_state = own_site.app[SITE]
    await site_state.refresh()
    later = (await noted(own_site, f"{VAT}&utm_source=a"))[0]
    values = later[f"{VAT}&utm_source=a"]
    assert (values["price"], values["digest"] != first[VAT]["digest"]) == (1234, True)
    assert "noindex" not in values
    hidden = (await noted(own_site, "/search?q=vat"))[0]
    assert hidden["/search?q=vat"]["noindex"] == 1


async def test_fetches_beyond_the_limit_of_a_network_are_counted_exactly(open_site):
    site = await open_site(**LIMITED)
    answered = Counter()
    for number in range(20):
        path = "/about" if number % 4 else "/nothing-here"
        answer = await site.get(path, User_Agent=GOOGLE, X_Forwarded_For=f"192.0.2.{number}")
        answered["page" if number % 4 else "other", answer.status] += 1
    await until(lambda: len(site.visits()) == 2)
    counts = site.app[CRAWL_COUNTS]
    counts.flush(2**62)
    await until(lambda: len(site.visits()) > 2)
    await until(lambda: sum(json.loads(row.attributes).get("count", 1) for row in site.visits()) == 20)
    rows = site.visits()
    with site.db.read_session() as session:
        rules = site.settings.day_rules
        computed = compute(session, rules.day_of(rows[0].visited_at), rules)
    found = Counter()
    for row in computed.crawls.days:
        found[row.page_kind, row.status] += row.fetches
    assert (found, computed.visits) == (answered, len(rows))
    assert {row.address for row in rows} == {"192.0.2.0/24"}
    assert len(rows) <= 2 + 2 * 2


async def test_counts_of_many_names_take_little_room(open_site, monkeypatch):
    monkeypatch.setattr("host.visits.crawl_counts.MAX_KEYS", 3)
    site = await open_site(**{**LIMITED, "CRAWLS_PER_NETWORK_MINUTE": "1"})
    for number in range(12):
        agent = f"Mozilla/5.0 (compatible; Foo{chr(65 + number)}Bot/1.0; +http://foo.example/bot)"
        await site.get("/about", User_Agent=agent, X_Forwarded_For="192.0.2.1")
    await until(lambda: len(site.visits()) == 1)
    site.app[CRAWL_COUNTS].flush(2**62)
    await until(lambda: sum(json.loads(row.attributes).get("count", 1) for row in site.visits()) == 12)
    assert len(site.visits()) <= 1 + 3 + 2
