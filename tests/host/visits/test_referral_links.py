"""/d and /s: cookies from our own records, a visit, and a way on that never leaves this site."""

from urllib.parse import quote

import pytest

from domain.errors import Unavailable
from domain.tables import Organisation
from host.doorways import same_site
from tests import factories
from tests.factories import NOON
from tests.host.partners import add_partner, cookies
from tests.waiting import until

LOGO = "/static/images/partners/northwind.svg"


@pytest.fixture
def partner(bare_site):
    """A partner whose visitors see one course."""
    add_partner(bare_site, logo=LOGO)
    return bare_site


async def test_a_partners_link_sets_cookies_and_leads_on(partner):
    answer = await partner.get("/d?k=northwind&coupon=SPRING15&to=/shop?page=2")
    assert (answer.status, answer.headers["Location"]) == (303, "/shop?page=2")
    assert cookies(answer) == {
        "CouponID": "SPRING15",
        "domainLogo": quote(LOGO, safe=""),
        "IsRestrictedAccess": "true",
        "__Host-partner": "northwind",
    }
    assert (answer.headers["Cache-Control"], answer.headers["X-Robots-Tag"]) == ("no-store", "noindex, nofollow")


async def test_the_cookies_are_those_of_the_specification(partner):
    answer = await partner.get("/d?k=northwind&coupon=SPRING15")
    for head in answer.headers.getall("Set-Cookie"):
        assert head.endswith("; Max-Age=10800; Path=/; SameSite=Lax; Secure") or "__Host-partner" in head
        assert ("HttpOnly" in head) == head.startswith("__Host-partner")


async def test_a_contract_that_restricts_nobody_restricts_nobody(bare_site):
    with bare_site.db.session() as session:
        made = factories.organisation(session)
        factories.contract(session, made.id, has_all_courses=True, starts_at=NOON)
    assert cookies(await bare_site.get("/d?k=northwind")) == {"__Host-partner": "northwind"}


@pytest.mark.parametrize(
    "key", ["nobody", "", "NORTHWIND", "north%20wind", "../x", "%00", "x" * 300, "northwind%0d%0aX: y"]
)
async def test_an_unknown_partner_sets_nothing_and_leads_on(partner, key):
    answer = await partner.get(f"/d?k={key}&to=/shop")
    assert (answer.status, answer.headers["Location"], cookies(answer)) == (303, "/shop", {})


async def test_a_partner_that_was_not_approved_is_unknown(partner):
    with partner.db.session() as session:
        session.query(Organisation).update({"state": "declined"})
    assert cookies(await partner.get("/d?k=northwind")) == {}


async def test_a_logo_from_elsewhere_is_not_handed_out(partner):
    with partner.db.session() as session:
        session.query(Organisation).update({"logo": "//evil.example/x.svg"})
    assert "domainLogo" not in cookies(await partner.get("/d?k=northwind"))


async def test_a_students_link_names_student_and_coupon(bare_site):
    answer = await bare_site.get("/s?n=S-ADA2-LQ27&c=SPRING15&to=/course-details?course=vat-basics")
    assert (answer.status, answer.headers["Location"]) == (303, "/course-details?course=vat-basics")
    assert cookies(answer) == {"Stunum": "S-ADA2-LQ27", "CouponID": "SPRING15"}


@pytest.mark.parametrize(
    "value",
    ["", "%20", "a%20b", "a;b", "a%0d%0aSet-Cookie:x=1", "<script>", "x" * 65, "%F0%9F%93%9A", "-x", "=1", '"x"'],
)
async def test_what_is_no_code_is_no_cookie(bare_site, value):
    for link in (f"/s?n={value}&c={value}", f"/d?coupon={value}"):
        answer = await bare_site.get(link)
        assert (answer.status, answer.headers["Location"], cookies(answer)) == (303, "/", {})


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
async def test_no_link_leads_elsewhere(bare_site, to):
    for door in ("/d", "/s"):
        answer = await bare_site.get(f"{door}?to={quote(to, safe='')}")
        assert (answer.status, answer.headers["Location"], cookies(answer)) == (303, "/", {})


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
def test_a_path_of_ours_is_led_to(to, where):
    assert same_site(to) == where


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


async def test_do_not_track_is_respected(bare_site):
    await bare_site.get("/d?coupon=SPRING", DNT="1")
    await until(bare_site.visits)
    assert (bare_site.visits()[0].page, bare_site.visits()[0].address) == ("doorway", "")


async def test_sloppy_addresses_move_to_the_exact_ones(bare_site):
    for sloppy, exact in (("/D?k=x", "/d?k=x"), ("/s/?n=S", "/s?n=S")):
        answer = await bare_site.get(sloppy)
        assert (answer.status, answer.headers["Location"]) == (301, exact)


async def test_without_records_a_link_still_leads_on(partner, monkeypatch):
    async def away(*_about: object) -> None:
        raise Unavailable("away")

    monkeypatch.setattr(partner.db, "read", away)
    answer = await partner.get("/d?k=northwind&coupon=SPRING&to=/shop")
    assert (answer.status, answer.headers["Location"], cookies(answer)) == (303, "/shop", {"CouponID": "SPRING"})
