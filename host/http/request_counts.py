"""Counts requests and how long they took, for /metrics: cheap enough for every request."""

from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from aiohttp import web

# Upper bounds in seconds: of a cached page about 0.001, of the host's own deadline 10.
BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
# By the first segment of the path; every other path is a page.
_KINDS = {
    "api": "call",
    "data": "data",
    "static": "static",
    "pictures": "image",
    "healthz": "health",
    "readyz": "health",
}


def kind_of(path: str) -> str:
    """What a request is for: page, call, data, static, image or health; other for a target that is no path."""
    if not path.startswith("/"):
        return "other"
    return _KINDS.get(path.split("/", 2)[1], "page")


@dataclass
class Durations:
    """`buckets`: how many requests took at most BUCKETS_S[i] and more than the bound before; the last one: longer."""

    buckets: list[int] = field(default_factory=lambda: [0] * (len(BUCKETS_S) + 1))
    sum_s: float = 0.0


class RequestCounts:
    """`by_status`: (kind, status) -> number of requests. `durations`: kind -> Durations."""

    def __init__(self) -> None:
        self.by_status: Counter[tuple[str, int]] = Counter()
        self.durations: defaultdict[str, Durations] = defaultdict(Durations)

    def add(self, path: str, status: int, elapsed_s: float) -> None:
        kind = kind_of(path)
        self.by_status[kind, status] += 1
        durations = self.durations[kind]
        durations.buckets[bisect_left(BUCKETS_S, elapsed_s)] += 1
        durations.sum_s += elapsed_s


REQUEST_COUNTS = web.AppKey("request_counts", RequestCounts)
