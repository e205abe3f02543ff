"""Does jobs slice by slice: in a worker, or in a host without a broker."""

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import UTC, datetime

from sqlalchemy.exc import InterfaceError, OperationalError

from domain import fault_points
from domain.database.database import Database
from domain.errors import DomainError
from domain.jobs import claims as job_claims
from domain.jobs.claims import Claim, JobLost, JobStep

log = logging.getLogger("coursefront.jobs")

# No step is begun later in a slice: a slice ends well before the limit of a task, 20 s.
SLICE_S = 8.0
# The steps of a job from `claim.processed` on. Raises DomainError, whose text ends the job.
Kind = Callable[[Claim], Iterator[JobStep]]
UNEXPECTED = "Something went wrong on our side. What was done so far stays, the rest was not done."


class JobRunner:
    """Keeps the iterators of unfinished jobs between slices: whoever begins a file anew reads it up to where it was.

    `kept`: kinds that begin at their start whatever was processed. Between slices such a job stays claimed: two
    processes that took it from each other would never end it.
    """

    def __init__(self, database: Database, kinds: Mapping[str, Kind], kept: Collection[str] = ()):
        self._database, self._kinds, self._kept = database, kinds, kept
        # Claims that go on after a slice for another job, and whether the last slice was for one of these.
        self._waiting: list[Claim] = []
        # A worker has several threads.
        self._lock = threading.Lock()
        self._was_kept = False
        # Id of the job -> how far it was at the end of the slice, and its next steps.
        self._begun: dict[int, tuple[int, Iterator[JobStep]]] = {}

    def run_slice(self, slice_s: float = SLICE_S) -> bool:
        """Whether there was a job to do something of. Raises OperationalError, InterfaceError while the database is
        away: the job goes on after its lease."""
        claim = self._next_claim()
        if claim is None:
            return False
        processed, steps = self._begun.pop(claim.id, (None, None))
        # Another process may have had the job meanwhile.
        if steps is None or processed != claim.processed:
            steps = self._kinds[claim.kind](claim)
        try:
            self._do_steps(claim, steps, slice_s)
        except JobLost as error:
            log.info("%s was stopped, or another process has it", error)
        return True

    def _next_claim(self) -> Claim | None:
        """A job that is kept, and one that nobody has, in turn."""
        if (kept := self._take_kept(after_another=False)) is not None:
            return kept
        claim: Claim | None = self._database.write_sync(job_claims.claim, self._kinds, _now())
        if claim is None:
            return self._take_kept(after_another=True)
        self._was_kept = False
        return claim

    def _take_kept(self, *, after_another: bool) -> Claim | None:
        """The job that was kept first; None when it had the last slice and others have not been looked for since."""
        with self._lock:
            if not self._waiting or (self._was_kept and not after_another):
                return None
            self._was_kept = True
            return self._waiting.pop(0)

    def _do_steps(self, claim: Claim, steps: Iterator[JobStep], slice_s: float) -> None:
        """Raises JobLost."""
        until = time.monotonic() + slice_s
        try:
            for step in steps:
                claim = self._database.write_sync(job_claims.do_step, claim, step, _now())
                fault_points.hit("job.committed")
                if time.monotonic() > until:
                    self._begun[claim.id] = (claim.processed, steps)
                    if claim.kind in self._kept:
                        self._waiting.append(claim)
                    else:
                        self._database.write_sync(job_claims.release, claim)
                    return
        except (OperationalError, InterfaceError, JobLost):
            raise
        except DomainError as error:
            self._database.write_sync(job_claims.fail, claim, str(error), _now())
        except Exception:
            log.exception("job %d (%s) failed", claim.id, claim.kind)
            self._database.write_sync(job_claims.fail, claim, UNEXPECTED, _now())
        else:
            self._database.write_sync(job_claims.finish, claim, _now())


def _now() -> datetime:
    return datetime.now(UTC)
