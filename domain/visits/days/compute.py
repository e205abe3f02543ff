"""Computes a day: its sessions with their sources, traffic classes and steps, summed up by every dimension."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from itertools import chain
from typing import NamedTuple
from zlib import crc32

from sqlalchemy.orm import Session

from domain.crawlers import crawl_storage
from domain.crawlers.crawl_storage import FirstRead
from domain.crawlers.crawl_tally import CrawlRows, CrawlTally
from domain.crawlers.operators import assistant_agents
from domain.crawlers.verification import verifications_of
from domain.database.cycle_collector import paused_collector
from domain.visits.days import coupon_hours, sessions
from domain.visits.days.attribution import FIELDS, KnownValues, known_values
from domain.visits.days.channels import VisitSource, source_of_fetch
from domain.visits.days.commerce_tally import CommerceTally
from domain.visits.days.crawl_rows import crawl_of, is_crawl, is_page
from domain.visits.days.day_files import DayFileRows, DayFileTally, DayFileWriter
from domain.visits.days.demand import DemandTally
from domain.visits.days.figures import BY_VISIT, OTHER, Tally, most_visited
from domain.visits.days.orders import paid_by_visit, placed_orders
from domain.visits.days.paths import PurchaseStep, place_of
from domain.visits.days.products import Products, known_products
from domain.visits.days.served_tally import ServedTally
from domain.visits.days.session_facts import agent_keys, figures_of, keys_of, step_of
from domain.visits.days.session_rows import Places, SessionKeys, SessionRow, opened_pages
from domain.visits.days.traffic_class import TrafficClass, audience_of, class_of
from domain.visits.days.visitor_tally import VisitorTally
from domain.visits.raw.day_rows import DayRow
from domain.visits.raw.local_days import SHOP, DayRules, DayWindow, hour_of, microseconds
from domain.visits.raw.log_rows import RawVisits, raw_visits
from domain.visits.raw.log_signs import LogSigns, signs_of
from domain.visits.stored_days.commerce_keys import CommerceRows
from domain.visits.stored_days.demand_keys import DemandRows
from domain.visits.stored_days.digests import PlainRow, digest_of, without_figures
from domain.visits.stored_days.file_list import WrittenFile
from domain.visits.stored_days.keys import DayKey, HourKey, VisitorRows
from domain.visits.stored_days.served_rows import ServedDayRow

WITHOUT_SESSION = "(without session)"
# Some 300 MB.
PART_VISITS = 500_000


@dataclass(frozen=True)
class ComputedDay:
    """`visits`: raw rows that were read. Rows in the order of their keys; `visitors`, `commerce`, `demand`, `crawls`,
    `first_reads` and `served`: of this shop alone; `digest`: that of all rows of the day."""

    visits: int
    days: Sequence[tuple[DayKey, list[int]]]
    hours: Sequence[tuple[HourKey, list[int]]]
    visitors: VisitorRows
    commerce: CommerceRows
    demand: DemandRows
    crawls: CrawlRows
    first_reads: Sequence[FirstRead]
    served: Sequence[ServedDayRow]
    digest: str
    # Those of the day's files, in any order.
    file_rows: DayFileRows = field(compare=False, repr=False)
    # None: it has none, because nobody could write them.
    files: Sequence[WrittenFile] | None = field(default=None, compare=False)


class _Address(NamedTuple):
    """What a URL counts for: page, path, and product or ""; and the step that it is of."""

    place: Places
    step: PurchaseStep


@dataclass(frozen=True)
class _Known:
    """What the visits of a day are compared with. `orders`: event id -> whether paid. `addresses`: of all URLs that are
    no area's. `earlier`: visits of the SessionIDs that go on over midnight. `log`: of a site whose logs were
    imported."""

    rules: DayRules
    values: KnownValues
    orders: Mapping[str, bool]
    addresses: Mapping[str, _Address]
    earlier: Mapping[str, sessions.Session]
    log: LogSigns | None


def compute(session: Session, day: date, rules: DayRules, site: int = SHOP) -> ComputedDay:
    """In one consistent state of the database."""
    window, before = rules.window(day), rules.window(day - timedelta(days=1))
    raw, products = raw_visits(site), known_products(session)
    placed, log = (placed_orders(session, window), None) if site == SHOP else ({}, signs_of(session, site, window))
    orders, hours_of_coupons = paid_by_visit(placed), coupon_hours.count(session, window) if site == SHOP else []
    count, tally, visitors, commerce = 0, Tally(), VisitorTally(products), CommerceTally(placed)
    crawls, served, files = CrawlTally(), ServedTally(), DayFileTally()
    demand = DemandTally.of_day(session, day, window) if site == SHOP else DemandTally({})
    with paused_collector():
        parts = DayParts(session, window, raw)
        leading, addresses = _leading_places(parts.urls(), products, rules.keys)
    for rows in parts:
        with paused_collector():
            count += len(rows)
            pages = list(_without_files(crawls, served.visits(rows))) if site == SHOP else rows
            grouped, alone = sessions.by_session(_without_areas(tally, addresses, pages))
            earlier = _sessions_before(session, raw, grouped, (before, window), rules.idle)
            values = known_values(session, (*rows, *(visit for visits in earlier.values() for visit in visits)))
            known = _Known(rules, values, orders, addresses, earlier, log)
            for visits in grouped.values():
                for row in _session_rows(visits, known):
                    files.add_session(row, tally.add_session(row))
                    if site == SHOP:
                        visitors.add_session(row, values)
                        commerce.add_session(row)
                        demand.add_session(row)
            for visit in alone:
                _add_alone(tally, files, visit, known)
                visitors.add_alone(visit)
    with paused_collector():
        sums = tally.sums()
        keys = sums.leading_keys(rules.keys) | {dimension: {*leading[dimension], OTHER} for dimension in BY_VISIT}
        file_rows = files.rows(tally.groups, keys)
        by_day, by_hour = sums.day_rows(keys), sums.hour_rows(keys)
        by_visitor = visitors.rows(session, day, rules)
        of_commerce = CommerceRows(hours_of_coupons, commerce.order_sessions())
        looked_for = demand.rows(session, window, rules.keys)
        by_crawler = crawls.rows(verifications_of(session, crawls.senders()), rules.keys)
        first_reads = crawl_storage.first_reads(session, by_crawler.pages, window.since, window.until)
        # Hashed before others wait for the transaction that stores it.
        by_class = served.rows()
        plain: Iterable[PlainRow] = chain(*by_visitor, *of_commerce, *looked_for, by_crawler.days, by_class)
        digest = digest_of(by_day, by_hour, without_figures(plain))
    of_shop = (by_visitor, of_commerce, looked_for, by_crawler, first_reads, by_class)
    return ComputedDay(count, by_day, by_hour, *of_shop, digest, file_rows)


def with_files(computed: ComputedDay, day: date, site: int, writer: DayFileWriter | None) -> ComputedDay:
    """Its files are written before the transaction that lists them."""
    return computed if writer is None else replace(computed, files=writer.write(site, day, computed.file_rows))


class DayParts:
    """The visits of a day. Few enough are read once; more in parts, each with all visits of its sessions."""

    def __init__(self, session: Session, window: DayWindow, raw: RawVisits):
        self._session, self._window, self._raw = session, window, raw
        self._parts = 1 + raw.count_of(session, window) // PART_VISITS
        self._rows = list(self._read()) if self._parts == 1 else []

    def _read(self) -> Iterator[DayRow]:
        return self._raw.rows_of(self._session, self._window)

    def urls(self) -> Iterable[str]:
        """The URLs of all visits of the day."""
        if self._parts == 1:
            return [row.url for row in self._rows]
        return self._raw.urls_of(self._session, self._window)

    def __iter__(self) -> Iterator[list[DayRow]]:
        if self._parts == 1:
            yield self._rows
            return
        for part in range(self._parts):
            yield [
                row for row in self._read() if crc32((row.session_id or row.event_id).encode()) % self._parts == part
            ]


def _leading_places(
    urls: Iterable[str], products: Products, keys: int
) -> tuple[dict[str, Set[str]], dict[str, _Address]]:
    """The most visited values of the dimensions by visit, and of each URL the values that it counts for. Needed before
    sessions are counted: how many have any of the other values is no sum."""
    visits: defaultdict[str, Counter[str]] = defaultdict(Counter)
    addresses: dict[str, _Address] = {}
    for url, count in Counter(urls).items():
        place = place_of(url)
        if not place.area:
            values = (place.page, place.path, products.get(place.product, "") if place.product else "")
            addresses[url] = _Address(values, step_of(place, products))
            for dimension, key in zip(BY_VISIT, values, strict=True):
                if key:
                    visits[dimension][key] += count
    leading = {dimension: most_visited(visits[dimension], keys) for dimension in BY_VISIT}
    return leading, {url: _Address(_folded(place, leading), step) for url, (place, step) in addresses.items()}


def _folded(keys: Places, leading: Mapping[str, Set[str]]) -> Places:
    page, path, product = (
        key if not key or key in leading[dimension] else OTHER for dimension, key in zip(BY_VISIT, keys, strict=True)
    )
    return page, path, product


def _without_files(crawls: CrawlTally, rows: Iterable[DayRow]) -> Iterator[DayRow]:
    """Crawlers' fetches are counted apart. Those of pages are visits too, as ever."""
    for row in rows:
        if is_crawl(row):
            crawls.add(crawl_of(row))
            if not is_page(row):
                continue
        yield row


def _without_areas(tally: Tally, addresses: Mapping[str, _Address], rows: Sequence[DayRow]) -> Iterator[DayRow]:
    """Staff would be customers: visits of their pages are counted apart."""
    for row in rows:
        if row.url in addresses:
            yield row
        else:
            tally.add_area(place_of(row.url).area, audience_of(class_of([row], 1, has_order=False)))


def _sessions_before(
    session: Session,
    raw: RawVisits,
    grouped: Mapping[str, sessions.Session],
    windows: tuple[DayWindow, DayWindow],
    idle: int,
) -> dict[str, sessions.Session]:
    """The last sessions of the day before whose SessionIDs go on within `idle` after midnight, and were seen within
    `idle` before. `windows`: of the day before and of the day."""
    before, window = windows
    midnight = microseconds(window.since)
    early = {name for name, visits in grouped.items() if visits[0].at - midnight <= idle}
    if not early:
        return {}
    evening = DayWindow(max(before.since, window.since - timedelta(microseconds=idle)), window.since)
    names = early & raw.session_ids_of(session, evening)
    if not names:
        return {}
    rows = (row for row in raw.rows_of_sessions(session, before, names) if not place_of(row.url).area)
    found = {name: sessions.cut(visits, idle)[-1] for name, visits in sessions.by_session(rows)[0].items()}
    return {name: last for name, last in found.items() if grouped[name][0].at - last[-1].at <= idle}


def _session_rows(visits: sessions.Session, known: _Known) -> Iterator[SessionRow]:
    """The sessions of all visits of a SessionID."""
    earlier: sessions.Session = known.earlier.get(visits[0].session_id, [])
    for part in sessions.cut(visits, known.rules.idle):
        yield _session_row(part, len(visits), earlier, known)
        earlier = []


def _session_row(visits: sessions.Session, visits_of_day: int, earlier: sessions.Session, known: _Known) -> SessionRow:
    orders = (
        [known.orders[visit.event_id] for visit in visits if visit.event_id in known.orders] if known.orders else []
    )
    traffic_class = class_of(visits, visits_of_day, has_order=bool(orders), log=known.log)
    addresses = [known.addresses[visit.url] for visit in visits]
    places = [address.place for address in addresses]
    keys = keys_of(visits, earlier, known.values)
    figures = figures_of(visits, traffic_class, orders, max([address.step for address in addresses]))
    return SessionRow(
        visits, earlier, traffic_class, orders, keys, figures, _hours_of(visits), places, opened_pages(places)
    )


def _hours_of(visits: sessions.Session) -> list[int]:
    first, last = hour_of(visits[0].at), hour_of(visits[-1].at)
    return [first] * len(visits) if first == last else [hour_of(visit.at) for visit in visits]


_NO_SOURCE = VisitSource(*(WITHOUT_SESSION for _ in VisitSource._fields))
_NO_VALUES = tuple(WITHOUT_SESSION for _ in FIELDS)


def _add_alone(tally: Tally, files: DayFileTally, visit: DayRow, known: _Known) -> None:
    """A visit without a session is in the visits of every dimension, and in no sessions. An assistant's fetch has the
    assistant for its source."""
    traffic_class = class_of([visit], 1, has_order=visit.event_id in known.orders, log=known.log)
    assistant = assistant_agents().get(visit.context.agent) if traffic_class is TrafficClass.CRAWLER else None
    source = _NO_SOURCE if assistant is None else source_of_fetch(assistant)
    keys = SessionKeys(source, WITHOUT_SESSION, _NO_VALUES, agent_keys(visit.context.agent))
    hour, place = hour_of(visit.at), known.addresses[visit.url].place
    files.add_alone(tally.add_alone(traffic_class, keys, hour, place), keys.landing, hour)
