"""/admin/visits/link: the links that it makes, how reports count them, and what it refuses."""

from urllib.parse import urlencode

import pytest

from tests.host.admin.test_staff import page
from tests.host.signing import Learner, learner
from tests.host.site import ORIGIN
from tests.support import factories


def marketer(site) -> Learner:
    return learner(site, "Links marketer", area="admin", roles=["marketer"])


async def made(person: Learner, **values: str):
    _, props = await page(person, f"/admin/visits/link?{urlencode(values)}")
    return props


def errors_of(props) -> dict[str, str]:
    return {field["name"]: field["error"] for field in props["fields"] if field["error"]}


NEWS = {"source": "News Letter", "medium": "email", "campaign": "spring"}
UTM = "utm_source=News+Letter&utm_medium=email&utm_campaign=spring"
# Values -> the link without its origin, and the channel, source and campaign of its sessions.
LINKS = {
    "a page": ({"to": "/shop"}, "/shop", ["Direct", "None", "No campaign"]),
    "an address": ({"to": f"{ORIGIN}/shop?page=2#top"}, "/shop?page=2#top", ["Direct", "None", "No campaign"]),
    "the home page": ({"to": ORIGIN}, "/", ["Direct", "None", "No campaign"]),
    "a campaign": (
        {"to": "/shop?page=2#top", **NEWS},
        f"/shop?page=2&{UTM}#top",
        ["Email", "news letter", "news letter / email / spring"],
    ),
    "a partner": (
        {"to": "/shop", "partner": "northwind", **NEWS},
        f"/d?k=northwind&to=%2Fshop&{UTM}",
        ["Links of partners", "news letter", "news letter / email / spring"],
    ),
    "a student": (
        {"to": "/shop?a=1", "student": "S-7KQ2"},
        "/s?n=S-7KQ2&to=%2Fshop%3Fa%3D1",
        ["Links of students", "None", "No campaign"],
    ),
}


@pytest.mark.parametrize("case", LINKS)
async def test_a_link_and_how_reports_count_it(own_site, case):
    values, link, counted = LINKS[case]
    with own_site.db.write_session() as session:
        factories.organisation(session, "northwind")
    props = await made(marketer(own_site), **values)
    assert errors_of(props) == {}
    assert props["link"] == ORIGIN + link
    assert [fact["text"] for fact in props["countedAs"]] == counted


REFUSED = {
    "another site": ({"to": "https://evil.example/shop"}, "to"),
    "a page that does not exist": ({"to": "/no-such-page"}, "to"),
    "a page of staff": ({"to": "/admin/orders"}, "to"),
    "a host in disguise": ({"to": "//evil.example"}, "to"),
    "a campaign in the address": ({"to": "/shop?utm_source=a"}, "to"),
    "no page": ({"source": "news"}, "to"),
    "a campaign without a source": ({"to": "/shop", "campaign": "spring"}, "source"),
    "an unknown partner": ({"to": "/shop", "partner": "nobody"}, "partner"),
    "no student number": ({"to": "/shop", "student": "a b"}, "student"),
    "a partner and a student": ({"to": "/shop", "partner": "northwind", "student": "S-1"}, "student"),
    "a long campaign": ({"to": "/shop", "source": "a", "campaign": "a" * 101}, "campaign"),
}


@pytest.mark.parametrize("case", REFUSED)
async def test_what_cannot_be_used_is_refused_at_its_field(own_site, case):
    values, name = REFUSED[case]
    with own_site.db.write_session() as session:
        factories.organisation(session, "northwind")
    props = await made(marketer(own_site), **values)
    assert (list(errors_of(props)), props["link"], props["countedAs"]) == ([name], None, [])


async def test_an_empty_form_refuses_nothing(own_site):
    props = await made(marketer(own_site))
    assert (errors_of(props), props["link"]) == ({}, None)


async def test_the_link_of_a_partner_leads_to_its_page_with_the_campaign(own_site):
    with own_site.db.write_session() as session:
        factories.organisation(session, "northwind")
    props = await made(marketer(own_site), to="/shop?page=2", partner="northwind", source="news")
    answer = await own_site.get(props["link"].removeprefix(ORIGIN))
    assert (answer.status, answer.headers["Location"]) == (303, "/shop?page=2&utm_source=news")
