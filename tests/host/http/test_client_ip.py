"""The client's address: forwarding headers count only when a listed proxy set them."""

from types import SimpleNamespace

import pytest
from multidict import CIMultiDict

from config.settings import Settings
from host.app_keys import SETTINGS
from host.http.client_ip import client_ip

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
    ("trusted", "peer", "headers", "expected"), [case[1:] for case in CASES], ids=[c[0] for c in CASES]
)
def test_client_ip_trusts_only_listed_proxies(trusted, peer, headers, expected):
    settings = Settings.from_environment({"TRUSTED_PROXIES": trusted})
    sent = CIMultiDict([("X-Forwarded-For", value) for value in headers])
    request = SimpleNamespace(remote=peer, headers=sent, app={SETTINGS: settings})
    assert client_ip(request) == expected


@pytest.mark.asyncio(loop_scope="session")
async def test_without_listed_proxies_a_visit_has_the_peers_address(plain_site):
    _, answer = await plain_site.call("SetAAUserTraceLog", {"Url": "/"}, {"X-Forwarded-For": "203.0.113.9"})
    (visit,) = [visit for visit in plain_site.visits() if visit.event_id == answer["EventID"]]
    assert visit.address == "127.0.0.0/24"


async def test_behind_a_listed_proxy_a_visit_has_the_clients_network(open_site):
    site = await open_site(TRUSTED_PROXIES="127.0.0.0/8")
    await site.call("SetAAUserTraceLog", {"Url": "/"}, {"X-Forwarded-For": "203.0.113.9"})
    assert [visit.address for visit in site.visits()] == ["203.0.113.0/24"]
