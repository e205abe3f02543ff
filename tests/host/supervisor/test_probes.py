"""A render worker that is busy is not one that hangs: the supervisor kills only the latter."""

import asyncio
import time

import pytest

from config.settings import Settings
from host.supervisor import probes, programs, supervisor
from host.supervisor.child_process import Child
from host.supervisor.forks import ForkServer
from host.supervisor.probes import RendererState, renderer_state
from host.supervisor.supervisor import Supervisor
from tests.host.renderer import frame

STATUS = frame("O", 0, b'{"jobs":9,"rss":1,"build":"test"}')


class FakeWorker:
    """A render worker that answers pings `silence_s` after it was started, or never."""

    def __init__(self, path, silence_s=0.0):
        self.path, self.answers_at = path, time.monotonic() + silence_s
        self.pings, self._tasks = 0, []

    async def __aenter__(self):
        self._server = await asyncio.start_unix_server(self._serve, self.path)
        return self

    async def __aexit__(self, *_error):
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader, writer):
        self._tasks.append(asyncio.current_task())
        try:
            await reader.readexactly(9)
            self.pings += 1
            await asyncio.sleep(max(0.0, self.answers_at - time.monotonic()))
            writer.write(STATUS)
        finally:
            writer.close()


NEVER_S = 600.0


@pytest.fixture
def ssr_supervisor(sockets, tmp_path, monkeypatch):
    """A supervisor with one render worker that is only a socket, and the names of the killed."""
    settings = Settings.from_environment({"VAR_DIR": str(tmp_path), "SSR_FIRST_MS": "50"})
    site = Supervisor(settings)
    site.sockets = sockets
    site.children = [Child(programs.ssr(settings, "node", 1, sockets), {}, {}, ForkServer())]
    site.children[0].started_at = time.monotonic()
    killed = []
    monkeypatch.setattr(Child, "kill", lambda child: killed.append(child.program.name))
    return site, killed


@pytest.mark.parametrize(
    ("answers_after_s", "state"),
    [(0.0, RendererState.RESPONDS), (0.3, RendererState.RESPONDS), (NEVER_S, RendererState.SILENT)],
    ids=["idle", "busy", "hung"],
)
async def test_a_worker_that_answers_in_the_end_responds(sockets, answers_after_s, state):
    wait_s = 20.0 if answers_after_s < NEVER_S else 0.1
    async with FakeWorker(sockets / "ssr-1.sock", answers_after_s) as worker:
        assert await renderer_state(worker.path, wait_s) is state


async def test_a_worker_that_answers_the_second_ping_responds(sockets, monkeypatch):
    monkeypatch.setattr(probes, "CONFIRM_S", 20.0)
    async with FakeWorker(sockets / "ssr-1.sock", 0.2) as worker:
        assert await renderer_state(worker.path, 0.01) is RendererState.RESPONDS
        assert worker.pings == 2


async def test_a_worker_that_does_not_listen_is_absent(sockets):
    assert await renderer_state(sockets / "ssr-1.sock", 1.0) is RendererState.ABSENT


@pytest.mark.parametrize(("answers_after_s", "killed"), [(0.3, []), (NEVER_S, ["ssr-1"])], ids=["busy", "hung"])
async def test_only_a_worker_that_hangs_is_killed(ssr_supervisor, sockets, monkeypatch, answers_after_s, killed):
    monkeypatch.setattr(supervisor, "MAX_SILENCE_S", 20.0 if not killed else 0.05)
    site, names = ssr_supervisor
    async with FakeWorker(sockets / "ssr-1.sock", answers_after_s):
        await site._probe(site.children[0])
    assert names == killed


@pytest.mark.parametrize(("late_s", "killed"), [(-1.0, []), (1.0, ["ssr-1"])], ids=["starting", "stuck"])
async def test_a_worker_that_starts_gets_its_time_to_listen(ssr_supervisor, late_s, killed):
    site, names = ssr_supervisor
    site.children[0].started_at -= supervisor.LISTEN_WITHIN_S + late_s
    await site._probe(site.children[0])
    assert names == killed
