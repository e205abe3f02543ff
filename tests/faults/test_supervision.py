"""The supervisor leaves nothing behind and says clearly why it cannot start."""

import os
import shutil
import signal
import socket
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import aiohttp
import pytest

from tests.support.faults import supervision
from tests.support.site import STOP_S, WITHOUT_STANDINS, Site, running
from tests.support.waiting import until

pytestmark = [pytest.mark.faults, pytest.mark.usefixtures("filled_sites")]

# Starts sooner; one test has every kind of child.
SMALL = {"SSR_WORKERS": "1", **WITHOUT_STANDINS}


@pytest.fixture(scope="module")
def site(todays_demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """It finds node in a folder of its own, from which a test can take it."""
    folder = tmp_path_factory.mktemp("node")
    (folder / "node").symlink_to(shutil.which("node") or "node")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Site, "filled_database", todays_demo)
        with running(**SMALL, PATH=f"{folder}:{os.environ['PATH']}") as ready:
            yield ready


@pytest.mark.parametrize("frozen", [(), ("ssr", "redis")], ids=["all run", "two are frozen"])
async def test_a_killed_supervisor_leaves_no_orphan(frozen: tuple[str, ...]) -> None:
    site = Site(**(SMALL if frozen else {})).ready()
    assert [line for line in site.lines if "redis" in line.lower()] == []
    try:
        for kind in frozen:
            site.signal(kind, signal.SIGSTOP)
        # A host may take seconds to send what it has accepted, on a busy machine more of them.
        left, _ = await supervision.orphans_after_kill(site, STOP_S)
    finally:
        site.clear()
    assert left == []


def test_frozen_children_do_not_hold_up_the_stop() -> None:
    with running(**SMALL) as site:
        for kind in ("host", "worker", "ssr", "redis"):
            assert site.signal(kind, signal.SIGSTOP), kind


def test_a_port_in_use_ends_with_one_clear_line_and_exit_status_3() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        site = Site(port=port)
        try:
            assert site.end() == 3
        finally:
            site.clear()
    assert site.lines == [
        f"Coursefront cannot start: port {port} on 127.0.0.1 is not available (Address already in use); set PORT"
    ]


def test_a_second_site_on_the_same_folder_is_refused(site: Site) -> None:
    second = Site(var_dir=site.var_dir, **SMALL)
    assert second.end() == 3
    # The first one goes on: it still lists its processes.
    assert len(site.pids()["host"]) == 1
    assert second.lines == [
        f"Coursefront cannot start: another Coursefront runs on {site.var_dir}; stop it or set VAR_DIR"
    ]


async def test_a_program_that_cannot_be_started_is_shown_by_readyz_until_it_can(site: Site) -> None:
    node = Path(site.environment["PATH"].partition(":")[0]) / "node"
    async with aiohttp.ClientSession(site.url) as http:

        async def status() -> tuple[str, bool]:
            async with http.get("/readyz") as answer:
                body = await answer.json()
            return body["loops"]["supervision of ssr-1"]["state"], "loops" in body["degraded"]

        await until(lambda: _is(status, ("running", False)))
        hidden = node.rename(node.with_name("hidden"))
        site.signal("ssr", signal.SIGKILL)
        await until(lambda: _is(status, ("failing", True)))
        hidden.rename(node)
        await until(lambda: _is(status, ("running", False)))
        assert len(site.pids()["ssr"]) == 1


async def _is(status: Callable[[], Awaitable[tuple[str, bool]]], expected: tuple[str, bool]) -> bool:
    return await status() == expected
