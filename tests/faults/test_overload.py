"""Overload of real render workers: pages are shed, none is rendered twice, and no busy worker is killed."""

import aiohttp
import pytest

from tests.support.faults import overload, pages
from tests.support.site import WITHOUT_STANDINS, Site, running
from tests.support.waiting import until

pytestmark = [pytest.mark.faults, pytest.mark.usefixtures("filled_sites")]

# Two workers take 8 pages at once. On the code of before the excess was rendered by both, one after the other.
SETTINGS = {"PAGE_CACHE": "off", "LIMITS": "off", "SSR_JOBS_MAX": "4", "SSR_FIRST_MS": "1000", **WITHOUT_STANDINS}


async def counts(site: Site) -> dict[str, int]:
    async with aiohttp.ClientSession(site.url) as http, http.get("/readyz") as answer:
        found: dict[str, int] = (await answer.json())["counts"]
        return found


async def is_normal(site: Site) -> bool:
    async with aiohttp.ClientSession(site.url) as http, http.get("/shop?page=2") as answer:
        return pages.is_rendered(await answer.text())


async def test_four_times_what_fits_is_answered_by_the_same_workers(tmp_path) -> None:
    log = tmp_path / "renders"
    with running(**SETTINGS, **overload.slow_renders(log, 100)) as site:
        before = site.signal("ssr", 0)
        found = await overload.request_at_once(site, log, 32)
        shed = (await counts(site))["render_shed"]
        await until(lambda: is_normal(site))
        after = site.signal("ssr", 0)
    assert (found.flaws, found.rendered_twice, after) == ([], [], before)
    assert found.rendered + found.plain == 32
    assert found.rendered > 0
    assert shed > 0


@pytest.mark.soak
async def test_without_the_cap_no_page_is_shed_and_clients_wait_for_markup_in_vain(tmp_path) -> None:
    log = tmp_path / "renders"
    with running(**SETTINGS | {"SSR_JOBS_MAX": "10000"}, **overload.slow_renders(log, 100)) as site:
        # While the site starts, its first page may be plain.
        before = await counts(site)
        found = await overload.request_at_once(site, log, 64)
        totals = await counts(site)
    assert totals["render_shed"] == 0
    # 64 renders of 100 ms by two workers take 3.2 s; clients wait 1 s.
    assert totals["render_failures"] - before["render_failures"] == found.plain > 0
