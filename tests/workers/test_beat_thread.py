"""Beat in a thread of the worker: sends what is due, begins again after an error, and ends with the worker."""

import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest
import redis

from contracts.tasks import Queue
from tests.support.servers import CeleryWorker
from tests.support.waiting import LIMIT_S, until_now
from workers import beat_thread
from workers.app import app
from workers.beat_thread import BeatThread


@dataclass
class Clock:
    """In place of Celery's service: fails as often as it is told, then runs until it is stopped."""

    failures: int
    starts: int = 0
    is_stopped: threading.Event = field(default_factory=threading.Event)

    def start(self) -> None:
        self.starts += 1
        if self.starts <= self.failures:
            raise OSError("no space left")
        self.is_stopped.wait(LIMIT_S)

    def stop(self) -> None:
        self.is_stopped.set()


@pytest.fixture
def begin(monkeypatch) -> Callable[[Clock], BeatThread]:
    def begin(clock: Clock) -> BeatThread:
        monkeypatch.setattr(beat_thread, "Service", lambda *_, **__: clock)
        thread = BeatThread(app, "unused", pause_s=0.01)
        thread.start()
        return thread

    return begin


def test_beat_begins_again_after_an_error_and_says_so(begin, caplog):
    thread = begin(clock := Clock(failures=2))
    until_now(lambda: clock.starts == 3)
    thread.stop()
    assert not thread.is_alive()
    said = [record.getMessage() for record in caplog.records]
    assert said == ["beat failed and begins again in 0.01 s"] * 2


def test_a_worker_does_not_wait_for_beat_that_waits_for_the_broker(begin, monkeypatch):
    monkeypatch.setattr(beat_thread, "STOP_S", 0.05)
    thread = begin(clock := Clock(failures=0))
    monkeypatch.setattr(clock, "stop", lambda: None)
    until_now(lambda: clock.starts == 1)
    thread.stop()
    assert (thread.is_alive(), thread.daemon) == (True, True)
    clock.is_stopped.set()
    thread.join(LIMIT_S)
    assert not thread.is_alive()


def test_a_worker_sends_what_is_due_as_one_process_and_ends_with_its_schedule_stored(redis_server, tmp_path: Path):
    schedule = tmp_path / "beat-schedule"
    worker = CeleryWorker()
    try:
        worker.start(redis_server.url, [Queue.HEALTH], words=("--beat-thread", "--schedule", str(schedule)))
        with redis.Redis.from_url(redis_server.url) as broker:
            until_now(lambda: broker.llen(Queue.JOBS) > 0, deadline_s=60)
        process = psutil.Process(worker.pid)
        assert process.children() == []
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        until_now(lambda: not process.is_running() or process.status() == psutil.STATUS_ZOMBIE)
        assert time.monotonic() - began < 4
        assert [file for file in tmp_path.iterdir() if file.name.startswith("beat-schedule")]
    finally:
        worker.close()
