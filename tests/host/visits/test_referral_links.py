"""/d and /s: cookies with values of the database, a visit, and a redirect within this site."""

from urllib.parse import quote

import pytest
from aiohttp import ClientResponse

from domain.errors import ServiceUnavailable
from domain.tables import Organisation
from host.http.local_redirects import safe_local_path
from tests.host.partners import add_partner, cookies
from tests.support import factories
from tests.support.factories import NOON
from tests.support.waiting import until

LOGO = "/static/images/partners/northwind.svg"


@pytest.fixture
def partner(bare_site):
    """A partner whose visitors see one course."""
    add_partner(bare_site, logo=LOGO)
    return bare_site


def attribution_cookies(answer: ClientResponse) -> dict[str, str]:
    """The cookies of the response without that of the visit itself."""
    return {name: value for name, value in cookies(answer).items() if name != "referral"}


async def test_a_partner_link_sets_cookies_and_redirects(partner):
    answer = await partner.get("/d?k=northwind&coupon=SPRING15&to=/shop?page=2")
    assert (answer.status, answer.headers["Location"]) == (303, "/shop?page=2")
    assert attribution_cookies(answer) == {
        "CouponID": "SPRING15",
        "domainLogo": quote(LOGO, safe=""),
        "IsRestrictedAccess": "true",
        "__Host-partner": "northwind",
    }
    assert (answer.headers["Cache-Control"], answer.headers["X-Robots-Tag"]) == ("no-store", "noindex, nofollow")


async def test_the_cookies_are_those_of_the_specification(partner):
    answer = await partner.get("/d?k=northwind&coupon=SPRING15")
    for head in answer.headers.getall("Set-Cookie")[:-1]:
        assert head.endswith("; Max-Age=10800; Path=/; SameSite=Lax; Secure") or "__Host-partner" in head
        assert ("HttpOnly" in head) == head.startswith("__Host-partner")


async def test_an_unrestricted_contract_sets_no_restriction_cookie(bare_site):
    with bare_site.db.write_session() as session:
        partner = factories.organisation(session)
        factories.contract(session, partner.id, has_all_courses=True, starts_at=NOON)
    assert attribution_cookies(await bare_site.get("/d?k=northwind")) == {"__Host-partner": "northwind"}


@pytest.mark.parametrize(
    "key", ["nobody", "", "NORTHWIND", "north%20wind", "../x", "%00", "x" * 300, "northwind%0d%0aX: y"]
)
async def test_an_unknown_partner_sets_no_cookie_and_redirects(partner, key):
    answer = await partner.get(f"/d?k={key}&to=/shop")
    assert (answer.status, answer.headers["Location"], attribution_cookies(answer)) == (303, "/shop", {})


async def test_a_partner_that_was_not_approved_is_unknown(partner):
    with partner.db.write_session() as session:
        session.query(Organisation).update({"state": "declined"})
    assert attribution_cookies(await partner.get("/d?k=northwind")) == {}


async def test_a_logo_of_another_site_is_not_set(partner):
    with partner.db.write_session() as session:
        session.query(Organisation).update({"logo": "//evil.example/x.svg"})
    assert "domainLogo" not in attribution_cookies(await partner.get("/d?k=northwind"))


async def test_a_students_link_sets_student_and_coupon(bare_site):
    answer = await bare_site.get("/s?n=S-ADA2-LQ27&c=SPRING15&to=/course-details?course=vat-basics")
    assert (answer.status, answer.headers["Location"]) == (303, "/course-details?course=vat-basics")
    assert attribution_cookies(answer) == {"Stunum": "S-ADA2-LQ27", "CouponID": "SPRING15"}


async def test_dashes_and_hidden_signs_of_a_pasted_link_do_not_matter(bare_site):
    answer = await bare_site.get("/s?n=S%E2%80%91ADA2%E2%80%93LQ27%E2%80%8B&c=SPRING%E2%81%A015&to=/shop")
    assert attribution_cookies(answer) == {"Stunum": "S-ADA2-LQ27", "CouponID": "SPRING15"}


@pytest.mark.parametrize(
    "value",
    ["", "%20", "a%20b", "a;b", "a%0d%0aSet-Cookie:x=1", "<script>", "x" * 65, "%F0%9F%93%9A", "-x", "=1", '"x"'],
)
async def test_a_malformed_code_sets_no_cookie(bare_site, value):
    for link in (f"/s?n={value}&c={value}", f"/d?coupon={value}"):
        answer = await bare_site.get(link)
        assert (answer.status, answer.headers["Location"], attribution_cookies(answer)) == (303, "/", {})


ELSEWHERE = [
    *("//evil.example", "///evil.example", "https://evil.example", "http:evil.example", "javascript:alert(1)"),
    *("/\\evil.example", "\\\\evil.example", "/%5cevil.example\\", "/\t/evil.example", "/\n//evil.example"),
    *(
        "/a\r\nSet-Cookie: x=1",
        "/..//evil.example",
        "/./../x",
        "/a//evil.example",
        "evil.example",
        "@evil.example",
        "",
        " /shop",
    ),
    *("/" + "x" * 3000, "/\u2028x", "/\x00"),
]


@pytest.mark.parametrize("to", ELSEWHERE)
async def test_no_link_redirects_to_another_site(bare_site, to):
    for door in ("/d", "/s"):
        answer = await bare_site.get(f"{door}?to={quote(to, safe='')}")
        assert (answer.status, answer.headers["Location"], attribution_cookies(answer)) == (303, "/", {})


@pytest.mark.parametrize(
    ("to", "where"),
    [
        ("/", "/"),
        ("/shop?category=tax&page=2", "/shop?category=tax&page=2"),
        ("/search?q=é", "/search?q=%C3%A9"),
        ("/about#team", "/about#team"),
        ("/a%2F%2Fb", "/a%2F%2Fb"),
        ("/%0d%0aX", "/%0D%0AX"),
    ],
)
def test_a_link_redirects_to_a_path_of_this_site(to, where):
    assert safe_local_path(to) == where


async def test_the_visit_is_recorded_by_the_host(bare_site):
    await bare_site.get("/s?n=S-ADA2&c=SPRING&utm_source=news&to=/shop", Referer="https://mail.example/x?token=secret")
    await until(bare_site.visits)
    (visit,) = bare_site.visits()
    assert (visit.page, visit.student_number, visit.coupon_id, visit.source) == (
        "share-link",
        "S-ADA2",
        "SPRING",
        "host",
    )
    assert (visit.campaign, visit.visitor_class) == ({"utm_source": "news"}, "human")
    assert "secret" not in visit.referrer


AHEAD = [
    ("Sec_Purpose", "prefetch"),
    ("Sec_Purpose", "prefetch;prerender"),
    ("Sec_Purpose", "prefetch;anonymous-client-ip"),
    ("Purpose", "prefetch"),
    ("X_Purpose", "preview"),
    ("X_Moz", "prefetch"),
]


@pytest.mark.parametrize(("name", "value"), AHEAD)
async def test_a_link_that_is_fetched_before_the_click_counts_at_the_click(partner, name, value):
    for link in ("/d?k=northwind&coupon=SPRING", "/s?n=S-ADA2&c=SPRING"):
        answer = await partner.get(link, **{name: value})
        assert (answer.status, cookies(answer), answer.headers["Cache-Control"]) == (503, {}, "no-store")
    await partner.get("/d?k=northwind&coupon=SPRING")
    await until(partner.visits)
    assert [visit.visitor_class for visit in partner.visits()] == ["human"]


async def test_a_look_whether_a_link_works_is_no_visit(partner):
    for link in ("/d?k=northwind&to=/shop", "/s?n=S-ADA2&to=/shop"):
        answer = await partner.get(link, method="HEAD")
        assert (answer.status, answer.headers["Location"], "referral" in cookies(answer)) == (303, "/shop", False)
    await partner.get("/d?k=northwind")
    await until(partner.visits)
    assert len(partner.visits()) == 1


@pytest.mark.parametrize(
    ("agent", "kind"),
    [
        ("WhatsApp/2.22.9.76 i", "crawler"),
        ("GuzzleHttp/7", "suspected"),
        ("Mozilla/5.0 (Macintosh) AppleWebKit/537.36 WhatsApp/2.2424.0 Chrome/91.0 Safari/537.36", "human"),
    ],
)
async def test_a_link_in_a_chat_is_visited_by_whoever_opens_it(bare_site, agent, kind):
    await bare_site.get("/s?n=S-ADA2", User_Agent=agent)
    await until(bare_site.visits)
    assert bare_site.visits()[0].visitor_class == kind


@pytest.mark.parametrize(
    ("link", "where"),
    [
        ("/d?to=/shop&UTM_Source=News&amp;utm_medium=email", "/shop?utm_source=News&utm_medium=email"),
        ("/s?to=/shop?page=2&gbraid=1%2B1#x", "/shop?page=2&gbraid=1%2B1"),
        ("/s?to=/shop%23top&utm_id=7", "/shop?utm_id=7#top"),
        ("/d?to=/shop%3FUtm_Source%3Da&utm_source=b&ttclid=1", "/shop?Utm_Source=a"),
    ],
)
async def test_a_path_without_a_campaign_gets_that_of_the_link(bare_site, link, where):
    assert (await bare_site.get(link)).headers["Location"] == where


async def test_do_not_track_is_respected(bare_site):
    await bare_site.get("/d?coupon=SPRING", DNT="1")
    await until(bare_site.visits)
    assert (bare_site.visits()[0].page, bare_site.visits()[0].address) == ("doorway", "")


async def test_other_spellings_redirect_to_the_normalised_address(bare_site):
    for sloppy, exact in (("/D?k=x", "/d?k=x"), ("/s/?n=S", "/s?n=S")):
        answer = await bare_site.get(sloppy)
        assert (answer.status, answer.headers["Location"]) == (301, exact)


async def test_without_the_database_a_link_still_redirects(partner, monkeypatch):
    async def away(*_about: object) -> None:
        raise ServiceUnavailable("away")

    monkeypatch.setattr(partner.db, "read", away)
    answer = await partner.get("/d?k=northwind&coupon=SPRING&to=/shop")
    assert (answer.status, answer.headers["Location"], attribution_cookies(answer)) == (
        303,
        "/shop",
        {"CouponID": "SPRING"},
    )
