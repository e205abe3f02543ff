"""What a day's raw visits say of served documents: counts of the host, and first visits of documents."""

from collections import Counter, deque
from collections.abc import Iterable, Iterator

from domain.visits.days.paths import UNKNOWN, place_of
from domain.visits.evidence_bits import OF_LOADED_DOCUMENT
from domain.visits.raw.day_rows import DayRow
from domain.visits.raw.visit_context import BY_SCRIPT
from domain.visits.served_documents import COUNTS, agent_class, read_text
from domain.visits.stored_days.served_rows import ServedDayRow

_SEEN = BY_SCRIPT | OF_LOADED_DOCUMENT


def is_seen_document(row: DayRow) -> bool:
    """Whether a visit is the first one of a document of the shop. One without a page was answered with an error."""
    if row.context.signs & _SEEN != _SEEN:
        return False
    place = place_of(row.url)
    return not place.area and place.page != UNKNOWN


class ServedTally:
    """Collects raw rows, in any order."""

    def __init__(self) -> None:
        self._documents: Counter[str] = Counter()
        self._seen: Counter[str] = Counter()

    def visits(self, rows: Iterable[DayRow]) -> Iterator[DayRow]:
        """The rows without the counts, which are no visits."""
        for row in rows:
            if row.context.visitor_class == COUNTS:
                self._documents.update(read_text(row.context.attributes))
                continue
            if is_seen_document(row):
                self._seen[agent_class(row.context.visitor_class, row.context.agent)] += 1
            yield row

    def rows(self) -> list[ServedDayRow]:
        """In the order of their keys."""
        classes = sorted({*self._documents, *self._seen})
        return [ServedDayRow(name, self._documents[name], self._seen[name]) for name in classes]


def served_of(rows: Iterable[DayRow]) -> list[ServedDayRow]:
    tally = ServedTally()
    deque(tally.visits(rows), maxlen=0)
    return tally.rows()
