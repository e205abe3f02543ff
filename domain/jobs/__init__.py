"""Long work of staff, in slices: who started it, how far it is, and what came of it.

A process claims a job for a slice. Each step of it is one transaction that does the work and moves `processed` on, if
the process still has the job: whatever is killed, every step counts once. A job whose process fell silent for LEASE is
claimed by another one, which goes on at `processed`.
"""

from domain.jobs.claims import LEASE, Claim, JobLost, Step, claim, do_step, fail, finish, release
from domain.jobs.rows import JobView, NewJob, is_idle, job_view, start, start_as_staff, stop, stop_as_staff
from domain.jobs.starters import starter_of

__all__ = [
    "LEASE",
    "Claim",
    "JobLost",
    "JobView",
    "NewJob",
    "Step",
    "claim",
    "do_step",
    "fail",
    "finish",
    "is_idle",
    "job_view",
    "release",
    "start",
    "start_as_staff",
    "starter_of",
    "stop",
    "stop_as_staff",
]
