"""The supervisor leaves nothing behind and says clearly why it cannot start."""

import os
import shutil
import signal
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import aiohttp
import pytest

from tests.support.faults import supervision
from tests.support.site import WITHOUT_STANDINS, Site, running
from tests.support.waiting import until

pytestmark = pytest.mark.faults

# Starts sooner; one test has every kind of child.
SMALL = {"SSR_WORKERS": "1", **WITHOUT_STANDINS}


@pytest.mark.parametrize("frozen", [None, "ssr", "redis"])
async def test_a_killed_supervisor_leaves_no_orphan(frozen: str | None) -> None:
    site = Site(**({} if frozen is None else SMALL)).ready()
    try:
        if frozen is not None:
            site.signal(frozen, signal.SIGSTOP)
        left, _ = await supervision.orphans_after_kill(site)
    finally:
        site.clear()
    assert left == []


@pytest.mark.parametrize("kind", ["host", "worker", "ssr", "redis"])
def test_a_frozen_child_does_not_hold_up_the_stop(kind: str) -> None:
    with running(**SMALL) as site:
        site.signal(kind, signal.SIGSTOP)


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


def test_a_second_site_on_the_same_folder_is_refused() -> None:
    with running(**SMALL) as site:
        second = Site(var_dir=site.var_dir, **SMALL)
        assert second.end() == 3
    assert second.lines == [
        f"Coursefront cannot start: another Coursefront runs on {site.var_dir}; stop it or set VAR_DIR"
    ]


async def test_a_program_that_cannot_be_started_is_shown_by_readyz_until_it_can(tmp_path: Path) -> None:
    node = tmp_path / "node"
    node.symlink_to(shutil.which("node") or "node")
    with running(**SMALL, PATH=f"{tmp_path}:{os.environ['PATH']}") as site:
        async with aiohttp.ClientSession(site.url) as http:

            async def status() -> tuple[str, bool]:
                async with http.get("/readyz") as answer:
                    body = await answer.json()
                return body["loops"]["supervision of ssr-1"]["state"], "loops" in body["degraded"]

            await until(lambda: _is(status, ("running", False)))
            hidden = node.rename(tmp_path / "hidden")
            site.signal("ssr", signal.SIGKILL)
            await until(lambda: _is(status, ("failing", True)))
            hidden.rename(node)
            await until(lambda: _is(status, ("running", False)))
            assert len(site.pids()["ssr"]) == 1


async def _is(status: Callable[[], Awaitable[tuple[str, bool]]], expected: tuple[str, bool]) -> bool:
    return await status() == expected
