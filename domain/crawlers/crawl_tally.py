"""The fetches of crawlers on a day, summed up: what crawl_days, crawl_pages and change_fetches get of it."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from domain.crawlers.fetches import NOT_NOTED, PAGE_KINDS, READ, CrawlFetch, ServedPage
from domain.crawlers.verification import CrawlerVerification

# The name of a crawler and the hash of an address.
Sender = tuple[str, str]
OTHER = "(other)"
# A page that is read again sooner has hardly changed.
AGAIN_WITHIN = 3_600_000_000


class CrawlDayRow(NamedTuple):
    """A row of `crawl_days`, but for its day."""

    crawler: str
    verification: str
    page_kind: str
    status: int
    fetches: int
    bytes: int
    ms: int
    wasted: int


class PageKey(NamedTuple):
    crawler: str
    verification: str
    path: str


class PageReads(NamedTuple):
    """What a day has of a page that a crawler has read. Times in microseconds since 1970; `reads` in their order.
    `served`: with the last of them."""

    key: PageKey
    reads: Sequence[int]
    last_at: int
    last_status: int
    served: ServedPage | None


class CrawlRows(NamedTuple):
    """Each in the order of its keys."""

    days: Sequence[CrawlDayRow] = ()
    pages: Sequence[PageReads] = ()


class CrawlTally:
    """Collects the fetches of a day, in any order."""

    def __init__(self) -> None:
        self._fetches: list[CrawlFetch] = []

    def add(self, fetch: CrawlFetch) -> None:
        self._fetches.append(fetch)

    def senders(self) -> set[Sender]:
        return {(fetch.crawler, fetch.ip_hash) for fetch in self._fetches}

    def rows(self, verified: Mapping[Sender, CrawlerVerification], most_crawlers: int) -> CrawlRows:
        """`most_crawlers`: so many have rows of their own; anybody can send a name."""
        names = Counter[str]()
        for fetch in self._fetches:
            names[fetch.crawler] += fetch.answer.count
        ranked = sorted(names, key=lambda name: (-names[name], name))
        known = set(ranked[:most_crawlers])
        sums: defaultdict[tuple[str, str, str, int], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
        pages: defaultdict[PageKey, list[CrawlFetch]] = defaultdict(list)
        for (name, verification, _), fetches in self._by_address(verified).items():
            crawler = name if name in known else OTHER
            for fetch, is_wasted in _judged(fetches):
                answer = fetch.answer
                wasted = answer.count if is_wasted else 0
                total = sums[crawler, verification, fetch.page_kind, answer.status]
                for place, number in enumerate((answer.count, answer.bytes, answer.ms, wasted)):
                    total[place] += number
                if fetch.path and crawler != OTHER:
                    pages[PageKey(crawler, verification, fetch.path)].append(fetch)
        read = (_reads_of(key, sorted(fetches, key=_time)) for key, fetches in sorted(pages.items()))
        days = sorted(CrawlDayRow(*key, *total) for key, total in sums.items())
        return CrawlRows(days, [page for page in read if page is not None])

    def _by_address(
        self, verified: Mapping[Sender, CrawlerVerification]
    ) -> dict[tuple[str, str, str], list[CrawlFetch]]:
        """The fetches of each address by a crawler, in the order of time."""
        found: defaultdict[tuple[str, str, str], list[CrawlFetch]] = defaultdict(list)
        for fetch in sorted(self._fetches, key=_time):
            # As a plain text: the digest of the day is of what is stored.
            verification = str(verified.get((fetch.crawler, fetch.ip_hash), CrawlerVerification.CLAIMED))
            found[fetch.crawler, verification, fetch.address].append(fetch)
        return found


def _time(fetch: CrawlFetch) -> tuple[int, str]:
    return fetch.at, fetch.event_id


def _judged(fetches: Sequence[CrawlFetch]) -> Iterator[tuple[CrawlFetch, bool]]:
    """Each with whether it told the crawler nothing new. `fetches`: of one address, in the order of time."""
    read_at: int | None = None
    for fetch in fetches:
        status, served = fetch.answer.status, fetch.answer.served
        if status not in READ:
            yield fetch, status != NOT_NOTED
            continue
        is_page = fetch.page_kind in PAGE_KINDS and bool(fetch.address)
        is_again = read_at is not None and fetch.at - read_at < AGAIN_WITHIN
        is_hidden = served is not None and not served.is_indexable
        yield fetch, is_page and (is_again or is_hidden)
        read_at = fetch.at


def _reads_of(key: PageKey, fetches: Sequence[CrawlFetch]) -> PageReads | None:
    """None for a page that was never read."""
    last, reads = fetches[-1], [fetch for fetch in fetches if fetch.answer.status in READ]
    if not reads:
        return None
    return PageReads(key, [fetch.at for fetch in reads], last.at, last.answer.status, reads[-1].answer.served)
