"""Whose address counts: forwarding headers are believed only when a listed proxy wrote them."""

from types import SimpleNamespace

import pytest
from multidict import CIMultiDict

from host import keys
from host.addresses import visitor_address
from host.settings import Settings

NETWORKS = "10.0.0.0/8,192.168.1.1,2001:db8::/32"
CASES = [
    ("no proxy is listed", "", "198.51.100.1", ["203.0.113.9"], "198.51.100.1"),
    ("the peer is no proxy", NETWORKS, "198.51.100.1", ["203.0.113.9"], "198.51.100.1"),
    ("the peer is a proxy", NETWORKS, "10.1.2.3", ["203.0.113.9"], "203.0.113.9"),
    ("a proxy without a header", NETWORKS, "10.1.2.3", [], "10.1.2.3"),
    ("only what the nearest proxy saw counts", NETWORKS, "10.1.2.3", ["6.6.6.6, 203.0.113.9"], "203.0.113.9"),
    ("through two proxies", NETWORKS, "10.1.2.3", ["203.0.113.9, 192.168.1.1"], "203.0.113.9"),
    ("in two headers", NETWORKS, "10.1.2.3", ["6.6.6.6", "203.0.113.9, 10.9.9.9"], "203.0.113.9"),
    ("all are proxies", NETWORKS, "10.1.2.3", ["10.5.5.5, 192.168.1.1"], "10.1.2.3"),
    ("a name is no address", NETWORKS, "10.1.2.3", ["evil.example"], "10.1.2.3"),
    ("nonsense before the proxies", NETWORKS, "10.1.2.3", ["203.0.113.9, x, 10.9.9.9"], "10.1.2.3"),
    ("an empty header", NETWORKS, "10.1.2.3", [""], "10.1.2.3"),
    ("over IPv6", NETWORKS, "2001:db8::5", ["2001:4860::8"], "2001:4860::8"),
    ("a peer without address", NETWORKS, None, ["203.0.113.9"], ""),
]


@pytest.mark.parametrize(
    ("trusted", "peer", "headers", "found"), [case[1:] for case in CASES], ids=[c[0] for c in CASES]
)
def test_the_address_of_a_visitor(trusted, peer, headers, found):
    settings = Settings.from_environment({"TRUSTED_PROXIES": trusted})
    sent = CIMultiDict([("X-Forwarded-For", one) for one in headers])
    request = SimpleNamespace(remote=peer, headers=sent, app={keys.SETTINGS: settings})
    assert visitor_address(request) == found


@pytest.mark.asyncio(loop_scope="session")
async def test_without_listed_proxies_a_visit_keeps_the_real_address(plain_site):
    _, answer = await plain_site.call("SetAAUserTraceLog", {"Url": "/"}, {"X-Forwarded-For": "203.0.113.9"})
    (visit,) = [one for one in plain_site.visits() if one.event_id == answer["EventID"]]
    assert visit.address == "127.0.0.0/24"


async def test_behind_a_listed_proxy_a_visit_keeps_the_visitors_network(open_site):
    site = await open_site(TRUSTED_PROXIES="127.0.0.0/8")
    await site.call("SetAAUserTraceLog", {"Url": "/"}, {"X-Forwarded-For": "203.0.113.9"})
    assert [one.address for one in site.visits()] == ["203.0.113.0/24"]
