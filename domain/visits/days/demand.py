"""What people looked for on a day: their searches, what they bought after them, and addresses that lead nowhere.

How often a query was sent and found nothing, the log of searches says, of everybody. What came of a search, sessions of
people say: their visits have its address.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.search import query_log
from domain.search.query_log import QueryCounts
from domain.tables import SearchDay
from domain.visits.days.channels import NONE, source_of
from domain.visits.days.figures import OTHER, most_visited
from domain.visits.days.orders import bought_lines
from domain.visits.days.paths import UNKNOWN, place_of
from domain.visits.days.session_rows import SessionRow
from domain.visits.days.traffic_class import PEOPLE
from domain.visits.raw.local_days import DayRules, DayWindow
from domain.visits.stored_days.day_rows import StoredRollup, rollup_of
from domain.visits.stored_days.demand_keys import RARE, DemandRows, SearchDayRow, SearchPurchaseRow, UnknownPathRow
from domain.visits.stored_days.demand_rows import stored_searches

_SEARCH = "search"
_PRODUCT_PAGES = frozenset(("course-details", "shop-details"))
Outcome = list[int]


def logged_queries(session: Session, day: date, window: DayWindow) -> dict[str, QueryCounts]:
    """The queries of the day. Once its log is being deleted: what was stored of it before."""
    rollup = rollup_of(session, day)
    if rollup is None or rollup.searches_deleted_at is None:
        return query_log.counts_between(session, window.since, window.until)
    rows = stored_searches(session, day)
    return {row.query: QueryCounts(row.searches, row.no_results, row.last_results) for row in rows}


def has_late_searches(session: Session, rollup: StoredRollup, rules: DayRules) -> bool:
    """Whether the log has more searches of the day than it was computed from."""
    if rollup.searches_deleted_at is not None:
        return False
    window = rules.window(rollup.day)
    counted = session.scalar(select(func.sum(SearchDay.searches)).where(SearchDay.day == rollup.day)) or 0
    return query_log.count_between(session, window.since, window.until) > counted


class DemandTally:
    """Collects what sessions of people looked for. `rare`: the stored sums of rare queries, of which the log is gone.

    Queries that the log does not have are not counted: anybody can send a visit with any address."""

    def __init__(self, logged: Mapping[str, QueryCounts], rare: SearchDayRow | None = None) -> None:
        self._logged, self._rare = logged, rare
        self._outcomes: defaultdict[str, Outcome] = defaultdict(lambda: [0, 0, 0])
        self._searched: defaultdict[int, dict[str, int]] = defaultdict(dict)
        self._unknown: Counter[tuple[str, str]] = Counter()

    @classmethod
    def of_day(cls, session: Session, day: date, window: DayWindow) -> "DemandTally":
        rollup, rare = rollup_of(session, day), None
        if rollup is not None and rollup.searches_deleted_at is not None:
            rare = next((row for row in stored_searches(session, day) if row.query == RARE), None)
        return cls(logged_queries(session, day, window), rare)

    def add_session(self, row: SessionRow) -> None:
        if row.traffic_class not in PEOPLE:
            return
        has_search = has_unknown = False
        for (page, _, product), *_ in row.opened:
            has_search = has_search or page == _SEARCH
            has_unknown = has_unknown or _is_unknown(page, product)
        if has_search:
            self._add_searches(row)
        if has_unknown:
            self._add_unknown(row)

    def _add_searches(self, row: SessionRow) -> None:
        learners = {visit.learner_id for visit in row.visits if visit.learner_id is not None}
        last = len(row.visits) - 1
        for query, first, end in _searches(row):
            if query not in self._logged or query == RARE:
                continue
            outcome = self._outcomes[query]
            outcome[0] += 1
            outcome[1] += int(end < last and bool(row.places[end + 1][2]))
            outcome[2] += int(end == last)
            for learner_id in learners:
                times = self._searched[learner_id]
                times[query] = min(times.get(query, first), first)

    def _add_unknown(self, row: SessionRow) -> None:
        """Each address once for a session, by the way it was first reached."""
        referrers: dict[str, str] = {}
        for number, (page, _, product) in enumerate(row.places):
            if _is_unknown(page, product):
                referrers.setdefault(place_of(row.visits[number].url).path, _referrer(row, number))
        self._unknown.update(referrers.items())

    def rows(self, session: Session, window: DayWindow, keys: int) -> DemandRows:
        """`keys`: how many addresses a day keeps."""
        searches = [
            SearchDayRow._make((query, *counts[:2], *self._outcomes[query], counts.last_results))
            for query, counts in self._logged.items()
            if query != RARE or self._rare is None
        ]
        if self._rare is not None:
            searches.append(self._rare)
        return DemandRows(sorted(searches), self._purchases(session, window), _unknown_rows(self._unknown, keys))

    def _purchases(self, session: Session, window: DayWindow) -> list[SearchPurchaseRow]:
        """An order is of a search when its learner was signed in in the session of the search, and placed it later."""
        buyers: defaultdict[tuple[str, int], set[int]] = defaultdict(set)
        for learner_id, placed_at, product_id in bought_lines(session, window, sorted(self._searched)):
            for query, searched_at in self._searched[learner_id].items():
                if searched_at <= placed_at:
                    buyers[query, product_id].add(learner_id)
        return sorted(SearchPurchaseRow(*key, len(learners)) for key, learners in buyers.items())


def _is_unknown(page: str, product: str) -> bool:
    """Whether such an address leads nowhere."""
    return page == UNKNOWN or (not product and page in _PRODUCT_PAGES)


def _searches(row: SessionRow) -> Iterator[tuple[str, int, int]]:
    """Query, time of the first visit, and place of the last one, of each search. Visits with the same query that follow
    each other are one search: further pages, filters, a reload."""
    current, since, end = RARE, 0, -1
    for number, (page, *_) in enumerate(row.places):
        query = query_log.query_of_address(row.visits[number].url) if page == _SEARCH else RARE
        if query == RARE or query != current:
            if current != RARE:
                yield current, since, end
            current, since = query, row.visits[number].at
        end = number
    if current != RARE:
        yield current, since, end


def _referrer(row: SessionRow, number: int) -> str:
    """The host of the site that led there, or the path of the page of this shop before it."""
    visit = row.visits[number]
    before = row.visits[number - 1] if number else row.earlier[-1] if row.earlier else None
    if visit.context.referrer or before is None:
        return source_of("", {}, visit.context.referrer, is_partner=False).referrer
    return place_of(before.url).path


def _unknown_rows(sessions: Counter[tuple[str, str]], keys: int) -> list[UnknownPathRow]:
    """The most visited addresses and ways to them; what is left is "(other)"."""
    by_path: Counter[str] = Counter()
    for (path, _), count in sessions.items():
        by_path[path] += count
    paths = most_visited(by_path, keys)
    pairs = sorted(sessions, key=lambda pair: (-sessions[pair], pair))
    named = {pair for pair in pairs[:keys] if pair[0] in paths}
    folded: Counter[tuple[str, str]] = Counter()
    for (path, referrer), count in sessions.items():
        key = (path, referrer if (path, referrer) in named else OTHER) if path in paths else (OTHER, NONE)
        folded[key] += count
    return sorted(UnknownPathRow(*key, count) for key, count in folded.items())


def days_with_searches(session: Session, rules: DayRules) -> Iterator[date]:
    """The oldest first."""
    since = datetime.fromtimestamp(0, UTC)
    while (at := query_log.first_time_from(session, since)) is not None:
        yield (day := rules.day_of(at))
        since = rules.window(day).until
