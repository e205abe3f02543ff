"""SSR workers behind one name: each address is a worker, found and left while the site runs."""

import asyncio
import socket
from collections.abc import Callable, Iterator

import pytest

from host.rendering import ssr_replicas
from host.rendering.ssr_client import SSR_CLIENT
from host.rendering.ssr_replicas import is_name, look_up
from host.resilience.loop_keys import LOOPS
from tests.host.site import Site
from tests.support.servers import NodeWorker, free_port
from tests.support.waiting import until

PORT = free_port()


@pytest.fixture
def resolver(monkeypatch) -> dict[str, set[str] | OSError]:
    """What the resolver says of a name; a change is seen at once."""
    names: dict[str, set[str] | OSError] = {}

    def look_up(name: str, port: int) -> set[str]:
        found = names[name]
        if isinstance(found, OSError):
            raise found
        return {f"tcp://{address}:{port}" for address in found}

    monkeypatch.setattr(ssr_replicas, "look_up", look_up)
    monkeypatch.setattr(ssr_replicas, "LOOK_UP_EVERY_S", 0.02)
    return names


@pytest.fixture
def replica() -> Iterator[Callable[[str], NodeWorker]]:
    started: list[NodeWorker] = []

    def start(address: str) -> NodeWorker:
        worker = NodeWorker(f"tcp://{address}:{PORT}")
        started.append(worker)
        worker.start()
        return worker

    yield start
    for worker in started:
        worker.close()


def addresses(site: Site) -> list[str]:
    return sorted(worker.address.split("/")[2].split(":")[0] for worker in site.app[SSR_CLIENT].workers)


def rendered(site: Site) -> list[int]:
    return [int(str(worker.status["rendered"])) for worker in site.app[SSR_CLIENT].workers]


async def open_with(open_site, **environment: str) -> Site:
    # Time for 20 renders at once on a busy machine.
    times = {"SSR_WAIT_MS": "30000", "SSR_FIRST_MS": "30000"}
    return await open_site(SSR_URL=f"tcp://ssr.test:{PORT}", **times, **environment)


async def test_jobs_are_spread_over_all_replicas_and_go_on_when_one_is_killed(open_site, resolver, replica):
    first, _second = replica("127.0.0.1"), replica("127.0.0.2")
    resolver["ssr.test"] = {"127.0.0.1", "127.0.0.2"}
    site = await open_with(open_site)
    client = site.app[SSR_CLIENT]
    await until(lambda: client.ready == 2)
    pages = await asyncio.gather(*(site.document("/about") for _ in range(20)))
    assert all(page.is_rendered for page in pages)
    await until(lambda: sum(rendered(site)) == 20)
    assert min(rendered(site)) > 0

    rendering = [asyncio.create_task(site.document("/about")) for _ in range(20)]
    first.kill()
    assert all(page.is_rendered for page in await asyncio.gather(*rendering))
    assert client.failures == client.shed == 0
    resolver["ssr.test"] = {"127.0.0.2", "127.0.0.3"}
    replica("127.0.0.3")
    await until(lambda: client.ready == 2 and addresses(site) == ["127.0.0.2", "127.0.0.3"])
    assert sorted(loop.name for loop in site.app[LOOPS] if "127.0.0." in loop.name) == [
        f"connection to tcp://127.0.0.{number}:{PORT}" for number in (2, 3)
    ]


async def test_while_the_name_cannot_be_looked_up_the_workers_stay(open_site, resolver, replica, caplog):
    replica("127.0.0.1")
    resolver["ssr.test"] = {"127.0.0.1"}
    site = await open_with(open_site)
    await until(lambda: site.app[SSR_CLIENT].ready == 1)
    resolver["ssr.test"] = socket.gaierror(-2, "Name or service not known")
    await until(lambda: "cannot be looked up" in caplog.text)
    assert (await site.document("/about")).is_rendered
    assert caplog.text.count("cannot be looked up") == 1


async def test_a_worker_that_answers_stays_when_a_resolver_leaves_it_out(open_site, resolver, replica):
    replica("127.0.0.1")
    resolver["ssr.test"] = {"127.0.0.1"}
    site = await open_with(open_site)
    await until(lambda: site.app[SSR_CLIENT].ready == 1)
    resolver["ssr.test"] = {"127.0.0.4"}
    await until(lambda: addresses(site) == ["127.0.0.1", "127.0.0.4"])
    assert (await site.document("/about")).is_rendered


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("unix:/run/ssr.sock", False),
        ("tcp://10.0.0.1:9400", False),
        ("tcp://[fd00::1]:9400", False),
        ("tcp://ssr:9400", True),
        ("tcp://localhost:9400", True),
    ],
)
def test_only_names_are_looked_up(address, expected):
    assert is_name(address) is expected


def test_a_name_with_addresses_of_both_kinds_is_not_counted_twice(monkeypatch):
    found = [
        (socket.AF_INET6, socket.SOCK_STREAM, 6, "", ("fd00::1", 9400, 0, 0)),
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.1", 9400)),
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.2", 9400)),
    ]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_arguments, **_options: found)
    assert look_up("ssr", 9400) == {"tcp://10.0.0.1:9400", "tcp://10.0.0.2:9400"}
    del found[1:]
    assert look_up("ssr", 9400) == {"tcp://[fd00::1]:9400"}


def test_localhost_is_looked_up_for_real():
    assert look_up("localhost", 9400) <= {"tcp://127.0.0.1:9400", "tcp://[::1]:9400"}
