"""`celery worker --beat-thread`: beat in a thread of the worker. Celery's own `--beat` is a process of 25 MB that
sleeps nearly always, and that outlives a killed worker.

Only the supervisor's worker has this option: production has one beat beside its workers (docs/operations.md).
"""

import logging
import threading
from typing import Any

import click
from celery import Celery, bootsteps
from celery.beat import Service

log = logging.getLogger("coursefront.workers.beat")

# Beat sleeps for at most this long, so that it notices its end.
INTERVAL_S = 1.0
# The supervisor gives a worker 4 s for all of its stop. What the file of the schedule lacks then is when tasks last
# began: they begin once more.
STOP_S = 1.5
# The pause after an error that beat does not expect.
PAUSE_S = 5.0


class BeatThread(threading.Thread):
    """Sends what is due until `stop`. An unexpected error is logged, and beat begins anew."""

    def __init__(self, app: Celery, schedule: str, pause_s: float = PAUSE_S):
        super().__init__(name="beat", daemon=True)
        self._app, self._schedule, self._pause_s = app, schedule, pause_s
        self._is_stopping = threading.Event()
        self._service: Any = None

    def run(self) -> None:
        self._app.set_current()
        while not self._is_stopping.is_set():
            self._service = Service(self._app, max_interval=INTERVAL_S, schedule_filename=self._schedule)
            try:
                # Returns after its `stop`.
                if not self._is_stopping.is_set():
                    self._service.start()
            except Exception:
                log.exception("beat failed and begins again in %g s", self._pause_s)
                self._is_stopping.wait(self._pause_s)

    def stop(self) -> None:
        """Ask it to end, and wait for STOP_S: without a broker it waits for one, and ends with the process."""
        self._is_stopping.set()
        if self._service is not None:
            self._service.stop()
        self.join(STOP_S)

    terminate = stop


class BeatStep(bootsteps.StartStopStep):  # type: ignore[misc] # Celery has no types
    """The step of a worker's start and stop."""

    label = "Beat in a thread"

    def __init__(self, worker: Any, *, beat_thread: bool = False, **options: Any):
        self.enabled = beat_thread
        super().__init__(worker, **options)

    def create(self, worker: Any) -> BeatThread:
        return BeatThread(worker.app, worker.schedule_filename)


def add_option(app: Celery) -> None:
    """Give the worker of this application the option."""
    app.user_options["worker"].add(click.Option(("--beat-thread",), is_flag=True, help="Run beat in a thread."))
    app.steps["worker"].add(BeatStep)
