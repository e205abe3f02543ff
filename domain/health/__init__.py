"""How the site was: samples that host processes take, and what they come to."""

from domain.health.jobs import JobCounts, count_jobs, stalled_jobs
from domain.health.samples import EVERY_S, KEEP, delete_old, store
from domain.health.series import Bucket, newest, series

__all__ = [
    "EVERY_S",
    "KEEP",
    "Bucket",
    "JobCounts",
    "count_jobs",
    "delete_old",
    "newest",
    "series",
    "stalled_jobs",
    "store",
]
