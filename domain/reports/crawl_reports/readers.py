"""Which crawlers a report shows: those that proved who they are, and others as long as none of their name has."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, Protocol

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.crawlers.operators import kind_of
from domain.crawlers.verification import CrawlerVerification
from domain.tables import CrawlPage

NOT_VERIFIED = "not verified"
NOT_VERIFIED_NOTE = (
    "“Not verified”: anybody can send this name. Once fetches under it come from addresses of its operator, these "
    "alone are counted."
)
ALL = "all"
# There is a row for each page and crawler: as those of a mapped class they take longer to read.
_PAGES: Any = CrawlPage.__table__.c


class ReadPrice(Protocol):
    """When a crawler first and last read a page, and the price that it read last. `price_minor` None: the page named
    none, or it was not noted."""

    @property
    def first_ok_at(self) -> datetime: ...
    @property
    def last_ok_at(self) -> datetime: ...
    @property
    def price_minor(self) -> int | None: ...
    @property
    def currency(self) -> str: ...


class Reading(NamedTuple):
    """What a crawler last read of a page; `title` "": not noted."""

    crawler: str
    path: str
    first_ok_at: datetime
    last_ok_at: datetime
    title: str
    price_minor: int | None
    currency: str
    digest: str
    is_verified: bool

    @property
    def label(self) -> str:
        return label_of(self.crawler, is_verified=self.is_verified)


def label_of(crawler: str, *, is_verified: bool) -> str:
    return crawler if is_verified else f"{crawler} ({NOT_VERIFIED})"


def shown_identities(found: Iterable[tuple[str, str]]) -> Mapping[str, str]:
    """By the name of a crawler what its counted fetches are: verified if any are, else claimed. `found`: names with
    what fetches under them are. Who is only imitated is not shown."""
    shown: dict[str, str] = {}
    for crawler, verification in found:
        if verification == CrawlerVerification.VERIFIED or (
            verification == CrawlerVerification.CLAIMED and crawler not in shown
        ):
            shown[crawler] = str(verification)
    return shown


def readings(session: Session, kind: str, is_included: Callable[[str], bool] = lambda _name: True) -> list[Reading]:
    """What crawlers of a kind (search, assistant, or all) know, of all pages; `is_included`: whether those of a name
    are among them."""
    columns = [_PAGES[name] for name in Reading._fields if name != "is_verified"]
    found: list[Reading] = []
    for name, identity in sorted(_shown(session, kind).items()):
        if is_included(name):
            verified = (identity == CrawlerVerification.VERIFIED,)
            found += [Reading._make((*row, *verified)) for row in _of_crawler(session, name, identity, columns)]
    return found


def prices_by_path(session: Session, kind: str) -> Mapping[str, list[ReadPrice]]:
    """What crawlers of a kind read of each page, without the rest that a reading says: it is of all pages."""
    columns = (_PAGES.path, _PAGES.first_ok_at, _PAGES.last_ok_at, _PAGES.price_minor, _PAGES.currency)
    found = defaultdict[str, list[ReadPrice]](list)
    for name, identity in sorted(_shown(session, kind).items()):
        for row in _of_crawler(session, name, identity, columns):
            found[row.path].append(row)
    return found


def _of_crawler(session: Session, name: str, identity: str, columns: Sequence[Any]) -> Sequence[Any]:
    is_theirs = (_PAGES.crawler == name, _PAGES.verification == identity)
    return session.execute(select(*columns).where(*is_theirs)).all()


def last_reads(session: Session) -> Mapping[str, datetime]:
    """By the name of a crawler when it last read a page."""
    latest = select(CrawlPage.crawler, CrawlPage.verification, func.max(CrawlPage.last_ok_at))
    rows = session.execute(latest.group_by(CrawlPage.crawler, CrawlPage.verification)).all()
    shown = shown_identities((name, verification) for name, verification, _ in rows)
    return {name: at for name, verification, at in rows if shown.get(name) == verification}


def recorded_since(session: Session) -> datetime | None:
    """When a crawler was first seen to read a page; None: not yet."""
    return session.scalar(select(func.min(CrawlPage.first_ok_at)))


def labels(session: Session, kind: str) -> list[str]:
    """The crawlers whose readings these are."""
    shown = _shown(session, kind)
    return [label_of(name, is_verified=shown[name] == CrawlerVerification.VERIFIED) for name in sorted(shown)]


def _shown(session: Session, kind: str) -> dict[str, str]:
    names = session.execute(select(CrawlPage.crawler, CrawlPage.verification).distinct())
    shown = shown_identities((name, verification) for name, verification in names)
    return {name: verification for name, verification in shown.items() if is_of_kind(name, kind)}


def is_of_kind(crawler: str, kind: str) -> bool:
    return kind in (ALL, kind_of(crawler))


def percentile(ordered: Sequence[int], percent: int) -> int | None:
    """The smallest value that at least so many percent do not exceed."""
    return None if not ordered else ordered[max(0, -(-percent * len(ordered) // 100) - 1)]


def second_text(at: datetime | None) -> str:
    """In ISO's form, to the second: it can be compared, put in order and found in a log. "" for None."""
    return "" if at is None else at.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "seconds")


def whole_seconds(time: timedelta) -> int:
    return time // timedelta(seconds=1)


def notes_of(labels: Collection[str]) -> list[str]:
    return [NOT_VERIFIED_NOTE] if any(label.endswith(f"({NOT_VERIFIED})") for label in labels) else []
