"""Counts of events that this process decides about alone, and reports to Redis with the batches of visits. The answer
to a report says what all processes have counted, so that this one learns of the others at most one flush late."""

from collections import OrderedDict
from collections.abc import Sequence

import orjson

from contracts.redis_keys import RATE_LIMIT

# Keys of one length of window. Anybody can send names: beyond so many, those that were not seen for longest are
# forgotten.
MAX_KEYS = 100_000
# Keys in one report: Redis does nothing else meanwhile. The rest goes with the next one.
MAX_REPORTED = 2_000
# Windows that Redis still holds, so that clocks of machines may differ.
_WINDOWS_HELD = 2


def slot_name(key: str, window_s: int, now: float) -> str:
    """The key in Redis of the window that contains `now`."""
    return _slot(key, int(now // window_s))


def _slot(key: str, window: int) -> str:
    # JSON may contain a lone surrogate, which UTF-8 and so Redis cannot take.
    return f"{RATE_LIMIT}{key.encode('utf-8', 'backslashreplace').decode()}:{window}"


class _Count:
    """`total`: of all processes, as Redis last said. The others are of this process and not in it: `waiting` for the
    next report, `sent` in one that is not answered, `failed` in one that may not have arrived."""

    __slots__ = ("failed", "sent", "total", "waiting")

    def __init__(self) -> None:
        self.total = self.waiting = self.sent = self.failed = 0


class _Window:
    def __init__(self, number: int):
        self.number = number
        self.counts: OrderedDict[str, _Count] = OrderedDict()
        self.waiting: dict[str, _Count] = {}

    def of(self, key: str) -> _Count:
        count = self.counts.get(key)
        if count is not None:
            self.counts.move_to_end(key)
            return count
        count = self.counts[key] = _Count()
        if len(self.counts) > MAX_KEYS:
            oldest, _ = self.counts.popitem(last=False)
            self.waiting.pop(oldest, None)
        return count

    def take(self, most: int) -> list[tuple[str, _Count]]:
        """Up to `most` of the counts that wait, those that wait longest first."""
        if len(self.waiting) <= most:
            taken, self.waiting = list(self.waiting.items()), {}
            return taken
        taken = [pair for pair, _ in zip(self.waiting.items(), range(most), strict=False)]
        for key, _ in taken:
            del self.waiting[key]
        return taken


class CountReport:
    """Counts on their way to Redis. Either `finish` or `fail` is called, in the thread of the event loop."""

    def __init__(self, rows: list[tuple[str, int, int]], counts: list[_Count]):
        self._counts = counts
        self._added = [row[1] for row in rows]
        # JSON: for each count the key in Redis, what to add, and after how many seconds Redis forgets it.
        self.payload = orjson.dumps(rows)

    def finish(self, totals: Sequence[int]) -> None:
        """`totals`: of all processes, in the order of the payload."""
        for count, added, total in zip(self._counts, self._added, totals, strict=True):
            count.total = total
            count.sent -= added
            count.failed = 0

    def fail(self) -> None:
        """Nobody knows whether Redis has added them. They are not reported again: nobody's events count twice."""
        for count, added in zip(self._counts, self._added, strict=True):
            count.sent -= added
            count.failed += added


class ReportedCounts:
    """Counts by key and window. `is_shared`: whether there is a Redis to report to.

    `is_alone`: Redis did not answer when it was last sent something. Meanwhile counts wait; those of windows that end
    are forgotten.
    """

    def __init__(self, is_shared: bool):
        self._is_shared = is_shared
        self._windows: dict[int, _Window] = {}
        self.is_alone = False

    def exceeds(self, key: str, limit: int, window_s: int, now: float) -> bool:
        """Count one event; whether there are more than `limit` in this window of `window_s` seconds. While Redis is
        away this process may add no more than half of the limit to what it knows."""
        number = now // window_s
        window = self._windows.get(window_s)
        if window is None or window.number != number:
            window = self._windows[window_s] = _Window(int(number))
        count = window.of(key)
        if not count.waiting and self._is_shared:
            window.waiting[key] = count
        count.waiting += 1
        own = count.waiting + count.sent + count.failed
        return count.total + own > limit or (self.is_alone and own > max(1, limit // 2))

    def take(self) -> CountReport | None:
        """What waits to be reported, None if nothing does."""
        rows: list[tuple[str, int, int]] = []
        counts: list[_Count] = []
        for window_s, window in self._windows.items():
            for key, count in window.take(MAX_REPORTED - len(rows)):
                rows.append((_slot(key, window.number), count.waiting, window_s * _WINDOWS_HELD))
                counts.append(count)
                count.sent, count.waiting = count.sent + count.waiting, 0
        return CountReport(rows, counts) if rows else None
