"""Crawlers and referral links beyond their limits are served as ever; their visits are counted instead of stored."""

import pytest

from host.rate_limits.limiter import Limiter
from tests.host.partners import cookies
from tests.support.waiting import until

GOOGLE = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
LIMITED = {"CRAWLS_PER_NETWORK_MINUTE": "2", "REFERRAL_LINKS_PER_ADDRESS_MINUTE": "2", "TRUSTED_PROXIES": "127.0.0.1"}


async def counts(site) -> dict[str, int]:
    return (await (await site.get("/readyz")).json())["counts"]


async def crawl(site, address: str) -> int:
    return (await site.get("/about", User_Agent=GOOGLE, X_Forwarded_For=address)).status


@pytest.mark.parametrize(
    ("same_network", "other"), [(["192.0.2.1", "192.0.2.77"], "192.0.3.1"), (["2001:db8::1", "2001:db8:0:9::1"], "::9")]
)
async def test_the_fetches_of_one_network_are_stored_up_to_its_limit(open_site, same_network, other):
    site = await open_site(**LIMITED)
    statuses = [await crawl(site, address) for address in [*same_network, *same_network, same_network[0], other]]
    await until(lambda: len(site.visits()) == 3)
    assert set(statuses) == {200}
    found = await counts(site)
    assert (found["crawls_unrecorded"], found["referral_links_unrecorded"]) == (3, 0)
    networks = [visit.address for visit in site.visits()]
    assert sorted(networks.count(network) for network in set(networks)) == [1, 2]


async def test_the_links_of_one_address_are_stored_up_to_its_limit(open_site):
    site = await open_site(**LIMITED)
    links = ["/d?coupon=SPRING&to=/shop", "/s?n=S-1&c=SPRING&to=/shop"] * 2
    answers = [await site.get(link, X_Forwarded_For="192.0.2.1") for link in links]
    await site.get(links[0], X_Forwarded_For="192.0.2.2")
    await until(lambda: len(site.visits()) == 3)
    assert [(answer.status, answer.headers["Location"]) for answer in answers] == [(303, "/shop")] * 4
    # A visit that is not stored is not referred to; the link's own cookies are set.
    assert ["referral" in cookies(answer) for answer in answers] == [True, True, False, False]
    assert {cookies(answer)["CouponID"] for answer in answers} == {"SPRING"}
    found = await counts(site)
    assert (found["crawls_unrecorded"], found["referral_links_unrecorded"]) == (0, 2)


async def test_only_referral_links_wait_for_the_limiter(open_site, monkeypatch):
    async def fail(*_about: object) -> None:
        raise AssertionError("asked")

    monkeypatch.setattr(Limiter, "check", fail)
    site = await open_site()
    assert [(await site.get("/about")).status, await crawl(site, "192.0.2.1")] == [200, 200]
    await until(site.visits)
    # The negative control.
    assert (await site.get("/s?n=S-1&to=/shop")).status == 500
