"""What a host notes of a request beside its page: signs that no person's browser sent it."""

from datetime import UTC, datetime

import pytest

from domain.crawlers import stored_ranges
from domain.crawlers.ranges import PublishedList
from domain.visits.evidence_bits import EvidenceBit
from host.http.user_agents import sends_fetch_metadata
from host.visits.crawler_watch import CRAWLER_WATCH, CrawlerWatch
from tests.support.waiting import until

CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"
GOOGLEBOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
BROWSER = {"User_Agent": CHROME, "Accept_Language": "pt", "Sec_Fetch_Site": "same-origin"}
SECURE = {"SITE_ORIGIN": "https://shop.example", "TRUSTED_PROXIES": "127.0.0.1"}
NOTHING, ALL = EvidenceBit(0), EvidenceBit
LISTS = {"google-common": "66.249.64.0/27", "google-agents": "66.249.80.0/27", "google-cloud": "34.1.208.0/20"}


@pytest.fixture
async def site(open_site):
    site = await open_site(LIMITS="off", **SECURE)
    with site.db.write_session() as session:
        for name, prefix in LISTS.items():
            found = PublishedList((prefix,), None)
            stored_ranges.store_list(session, name, found, datetime.now(UTC), is_forced=False)
    site.app[CRAWLER_WATCH].read_lists()
    return site


async def noted(site, ip: str = "203.0.113.9", **headers: str) -> int:
    """The evidence of a link that somebody follows."""
    await site.get("/s?n=S-1&to=/shop", X_Forwarded_For=ip, X_Forwarded_Proto="https", **headers)
    await until(lambda: len(site.visits()) == 1)
    return site.visits()[0].evidence


@pytest.mark.parametrize(
    ("headers", "evidence"),
    [
        (BROWSER, NOTHING),
        ({**BROWSER, "Accept_Language": None}, ALL.NO_LANGUAGE),
        ({**BROWSER, "Sec_Fetch_Site": None}, ALL.NO_FETCH_METADATA),
        ({"User_Agent": CHROME}, ALL.NO_LANGUAGE | ALL.NO_FETCH_METADATA),
        # An older one does not send it.
        ({"User_Agent": CHROME.replace("142", "79"), "Accept_Language": "pt"}, NOTHING),
        # Programs and crawlers are known by what they say of themselves.
        ({"User_Agent": "curl/8.5.0"}, NOTHING),
        ({"User_Agent": GOOGLEBOT}, NOTHING),
    ],
    ids=["a browser", "no language", "no Sec-Fetch", "neither", "an old browser", "a program", "a crawler"],
)
async def test_what_headers_lack_is_noted(site, headers, evidence):
    assert await noted(site, **{name: value for name, value in headers.items() if value is not None}) == evidence


@pytest.mark.parametrize(
    ("ip", "evidence"),
    [
        ("66.249.64.1", ALL.CRAWLER_RANGE),
        ("::ffff:66.249.64.1", ALL.CRAWLER_RANGE),
        ("34.1.208.7", ALL.HOSTING),
        # An assistant's browser has somebody who watches it.
        ("66.249.80.1", NOTHING),
        ("66.249.64.32", NOTHING),
    ],
)
async def test_whose_an_address_is_is_noted(site, ip, evidence):
    assert await noted(site, ip, **BROWSER) == evidence


async def test_the_address_of_visitors_with_a_privacy_signal_says_nothing(site):
    assert await noted(site, "66.249.64.1", **BROWSER, Sec_GPC="1") == NOTHING


async def test_nobody_says_where_a_request_comes_from_without_https(open_site):
    site = await open_site(LIMITS="off", SITE_ORIGIN="http://localhost:8080")
    await site.get("/s?n=S-1&to=/shop", User_Agent=CHROME, Accept_Language="pt")
    await until(lambda: len(site.visits()) == 1)
    assert site.visits()[0].evidence == NOTHING


def store(database, prefix: str) -> None:
    found = PublishedList((prefix,), None)
    with database.write_session() as session:
        stored_ranges.store_list(session, "google-common", found, datetime.now(UTC), is_forced=True)


def test_what_addresses_say_is_looked_up_once_until_lists_change(database):
    store(database, "66.249.64.0/27")
    watch = CrawlerWatch(database, "secret", None, asks_names=False)
    watch.read_lists()
    assert watch.evidence_of("66.249.64.1") == ALL.CRAWLER_RANGE
    assert watch.evidence_of("nowhere") == NOTHING
    store(database, "66.249.70.0/27")
    assert watch.evidence_of("66.249.64.1") == ALL.CRAWLER_RANGE
    watch.read_lists()
    assert watch.evidence_of("66.249.64.1") == NOTHING


@pytest.mark.parametrize(
    ("agent", "sends"),
    [
        (CHROME, True),
        (CHROME.replace("142", "80"), True),
        (CHROME.replace("142", "79"), False),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", True),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:89.0) Gecko/20100101 Firefox/89.0", False),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.4 "
            "Safari/605.1.15",
            True,
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 16_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
            "Version/16.3 Mobile/15E148 Safari/604.1",
            False,
        ),
        # Its engine is that of the system, whatever its own version.
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 15_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
            "CriOS/142.0.0.0 Mobile/15E148 Safari/604.1",
            False,
        ),
        ("curl/8.5.0", False),
        ("", False),
    ],
)
def test_which_browsers_say_where_each_request_comes_from(agent, sends):
    assert sends_fetch_metadata(agent) is sends
