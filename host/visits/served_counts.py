"""Counts of the documents that this process serves, by minute and kind of agent: one row of visits for each minute."""

from collections import defaultdict
from collections.abc import Iterator

from aiohttp import web

from domain.visits.served_documents import COUNTS, MINUTE, as_text
from host.messaging.visit_queue import VisitQueue
from host.visits.minute_counts import MinuteCounts


class ServedCounts(MinuteCounts):
    """`documents`: by minute since 1970 and class of agent. Whoever serves a page adds to it, without a call: this
    is on the path of every cached page."""

    def __init__(self, queue: VisitQueue) -> None:
        super().__init__("served pages", queue)
        self.documents: defaultdict[tuple[int, str], int] = defaultdict(int)

    def _take_rows(self, before_minute: int) -> Iterator[dict[str, object]]:
        found: defaultdict[int, dict[str, int]] = defaultdict(dict)
        for key in [key for key in self.documents if key[0] < before_minute]:
            minute, agent_class = key
            found[minute][agent_class] = self.documents.pop(key)
        for minute, counts in found.items():
            yield {"visited_at": minute * MINUTE, "visitor_class": COUNTS, "attributes": as_text(counts)}


SERVED_COUNTS = web.AppKey("served_counts", ServedCounts)
