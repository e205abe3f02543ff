"""The visit of /d or /s and the next visit of the browser belong together; a privacy signal keeps them apart."""

from http.cookies import SimpleCookie
from urllib.parse import quote

import pytest

from domain.errors import ServiceUnavailable
from host.messaging.visit_queue import VISIT_QUEUE
from host.visits import referral_cookie
from host.visits.referral_cookie import MAX_AGE_S, TakenReferrals
from tests.host.partners import add_partner, cookies
from tests.support.waiting import until

TRACE = {"Url": "/shop", "SessionID": "0b9c5f2e-1111-4222-8333-444455556666", "AAUserID": 7}
NEWS = "https://news.example/2026/vat"


@pytest.fixture
def site(bare_site):
    add_partner(bare_site)
    return bare_site


async def follow(site, link: str, **headers: str) -> str:
    """The Cookie header after a link was followed and its visit is stored."""
    before = len(site.visits())
    answer = await site.get(link, **headers)
    await until(lambda: len(site.visits()) == before + 1)
    return "; ".join(f"{name}={value}" for name, value in cookies(answer).items())


async def trace(site, cookie: str = "", **about: object) -> SimpleCookie:
    """Log a visit; the cookies that the response sets."""
    signals = {name: about.pop(name) for name in ("DNT", "Sec-GPC") if name in about}
    answer = await site.answer("SetAAUserTraceLog", TRACE | about, {"Cookie": cookie} | signals)
    assert answer.status == 202
    return SimpleCookie("; ".join(answer.headers.getall("Set-Cookie", ())))


@pytest.mark.parametrize("link", ["/d?k=northwind", "/s?n=S-ADA2"])
async def test_a_link_sets_a_cookie_for_the_next_visit_alone(site, link):
    answer = await site.get(link)
    await until(site.visits)
    (heading,) = [head for head in answer.headers.getall("Set-Cookie") if head.startswith("referral=")]
    expected = "HttpOnly; Max-Age=120; Path=/api/SetAAUserTraceLog; SameSite=Lax; Secure"
    assert heading == f"referral={site.visits()[0].event_id}; {expected}"


async def test_the_next_visit_refers_to_that_of_the_link_and_removes_the_cookie(site):
    cookie = await follow(site, "/d?k=northwind&utm_source=mail")
    removed = (await trace(site, cookie))["referral"]
    assert (removed.value, removed["max-age"], removed["path"]) == ("", "0", "/api/SetAAUserTraceLog")
    assert await trace(site) == {}
    link, first, second = site.visits()
    assert (first.referral_id, first.partner) == (link.event_id, "northwind")
    assert (link.partner, link.referral_id, link.session_id) == ("northwind", None, "")
    assert (second.referral_id, second.partner) == (None, "")


async def test_of_pages_that_are_opened_at_once_only_the_first_refers_to_the_link(site):
    """Each sends the cookie, because no answer has removed it yet. A visit that is sent again stays the first."""
    cookie = await follow(site, "/d?k=northwind")
    first, second = (f"0b9c5f2e-2222-4222-8333-44445555666{number}" for number in range(2))
    for event_id in (first, second, first):
        await trace(site, cookie, EventID=event_id)
    link, *visits = site.visits()
    assert [(visit.event_id, visit.referral_id) for visit in visits] == [(first, link.event_id), (second, None)]


def test_a_link_is_forgotten_with_its_cookie_and_no_more_than_some_are_remembered(monkeypatch):
    monkeypatch.setattr(referral_cookie, "MAX_TAKEN", 2)
    taken, later = TakenReferrals(), MAX_AGE_S + 1
    assert [taken.is_first("link", visit, 0) for visit in ("a", "b", "a")] == [True, False, True]
    assert taken.is_first("link", "b", later)
    assert [taken.is_first(link, "c", later) for link in ("link", "2", "3", "link")] == [False, True, True, True]


@pytest.mark.parametrize("value", ["", "not-an-id", "%00", "1" * 400, "'; DROP TABLE visits"])
async def test_an_invalid_referral_cookie_is_ignored(site, value):
    await trace(site, f"referral={value}")
    assert site.visits()[0].referral_id is None


@pytest.mark.parametrize("value", ["", "NORTHWIND", "../x", "a" * 192, "%3Cscript%3E"])
async def test_an_invalid_partner_cookie_is_ignored(site, value):
    await trace(site, f"__Host-partner={value}")
    assert site.visits()[0].partner == ""


async def test_a_visit_that_is_not_accepted_leaves_the_cookie_for_its_next_attempt(site, monkeypatch):
    async def full(*_about: object) -> None:
        raise ServiceUnavailable("full")

    monkeypatch.setattr(site.app[VISIT_QUEUE], "enqueue", full)
    answer = await site.answer("SetAAUserTraceLog", TRACE, {"Cookie": f"referral={'0' * 32}"})
    assert (answer.status, answer.headers.getall("Set-Cookie", [])) == (503, [])


@pytest.mark.parametrize(
    ("sent", "stored"),
    [
        (f"{NEWS}?q=ada#top", NEWS),
        ("https://mail.example/u/ada@example.test", "https://mail.example/u/{email}"),
        ("https://shop.example/about", ""),
        ("a friend", ""),
        (None, ""),
        (7, ""),
    ],
)
async def test_the_host_cuts_the_referrer_that_the_browser_sent(site, sent, stored):
    await trace(site, Referrer=sent)
    assert site.visits()[0].referrer == stored


async def test_the_referrer_of_a_link_is_cut_too(site):
    await follow(site, "/s?n=S-ADA2", Referer=f"{NEWS}?token=s3cret")
    assert site.visits()[0].referrer == NEWS


@pytest.mark.parametrize("signal", ["DNT", "Sec-GPC"])
async def test_with_a_privacy_signal_nothing_connects_the_visits(site, signal):
    link = "/d?k=northwind&coupon=SPRING&utm_source=mail"
    cookie = await follow(site, link, **{signal.replace("-", "_"): "1", "Referer": NEWS})
    assert "referral" not in cookie
    earlier = f"{cookie}; referral=5b2f6f0e-8d1c-4b1e-9c7a-0123456789ab"
    await trace(site, earlier, **{signal: "1", "Referrer": NEWS, "CouponID": "SPRING", "Url": "/shop?utm_source=mail"})
    for visit in site.visits():
        personal = (visit.session_id, visit.learner_id, visit.claimed_id, visit.referral_id, visit.partner)
        assert (personal, visit.address, visit.referrer) == (("", None, None, None, ""), "", "news.example")
        assert (visit.coupon_id, visit.campaign) == ("SPRING", {"utm_source": "mail"})


LINK = "utm_source=mail&utm_medium=e+mail&utm_id=7&gclid=x%2By&page=9&n=S-1"
CAMPAIGN = "utm_source=mail&utm_medium=e+mail&utm_id=7&gclid=x%2By"


@pytest.mark.parametrize(
    ("to", "location"),
    [
        ("/shop", f"/shop?{CAMPAIGN}"),
        ("/shop?page=2", f"/shop?page=2&{CAMPAIGN}"),
        ("/about#team", f"/about?{CAMPAIGN}#team"),
        ("", f"/?{CAMPAIGN}"),
        ("//evil.example", f"/?{CAMPAIGN}"),
        ("/shop?utm_campaign=own", "/shop?utm_campaign=own"),
        ("/shop?fbclid=own", "/shop?fbclid=own"),
        ("/" + "x" * 2000, "/" + "x" * 2000),
    ],
)
async def test_a_target_without_a_campaign_gets_that_of_the_link(site, to, location):
    for door in ("/d", "/s"):
        answer = await site.get(f"{door}?{LINK}&to={quote(to, safe='')}")
        assert (answer.status, answer.headers["Location"]) == (303, location)


@pytest.mark.parametrize("value", ["", "%0d%0aX-Evil:%201", "%ff", "%ed%a0%80", "%23top", "x" * 3000])
async def test_no_campaign_changes_where_a_link_leads(site, value):
    answer = await site.get(f"/s?utm_source={value}&to=/shop")
    location = answer.headers["Location"]
    assert (answer.status, location.partition("?")[0], "X-Evil" in answer.headers) == (303, "/shop", False)
    assert "#" not in location
    assert len(location) <= 2048
