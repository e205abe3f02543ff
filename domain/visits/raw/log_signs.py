"""What a log says of a visitor beside the pages: whether a person or a program asked for them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntFlag

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.tables import ImportedVisit, VisitorSign
from domain.visits.raw.day_rows import DayRow
from domain.visits.raw.local_days import DayWindow
from domain.visits.raw.log_rows import LogVisits

FEW_PAGES, PAGES_WITHOUT_REFERRER, FOLLOWED_LINKS = 3, 5, 2


class Sign(IntFlag):
    """FILES: loaded style sheets, scripts or pictures. ROBOTS: asked for /robots.txt. PROBE: asked for a path that only
    programs look for, found or not."""

    FILES = 1
    ROBOTS = 2
    PROBE = 4


@dataclass(frozen=True)
class LogSigns:
    """`by_visitor`: session id -> its signs of the day. `has_files`: half of the visitors or more load files, so those
    who load none are different; `has_referrers`: the log has any."""

    by_visitor: Mapping[str, int]
    has_files: bool
    has_referrers: bool

    def evidence_of(self, visits: Sequence[DayRow]) -> list[str]:
        """Names of evidence.json, of one session."""
        signs = self.by_visitor.get(visits[0].session_id, 0)
        is_short = len(visits) < FEW_PAGES
        found = {
            "files": signs & Sign.FILES,
            "robots": signs & Sign.ROBOTS,
            "probe": signs & Sign.PROBE,
            "no_files_short": self.has_files and not signs & Sign.FILES and is_short,
            "no_files": self.has_files and not signs & Sign.FILES and not is_short,
            "no_referrers": self.has_referrers and _is_without_referrers(visits),
            "followed": len(visits) > FOLLOWED_LINKS and _followed_links(visits) >= FOLLOWED_LINKS,
        }
        return [name for name, is_so in found.items() if is_so]


def _is_without_referrers(visits: Sequence[DayRow]) -> bool:
    return len(visits) >= PAGES_WITHOUT_REFERRER and not any(visit.context.referrer for visit in visits)


def _followed_links(visits: Sequence[DayRow]) -> int:
    """How many visits came from a page that the session had seen before."""
    seen: set[str] = set()
    followed = 0
    for visit in visits:
        followed += visit.context.referrer.partition("?")[0] in seen
        seen.add(visit.url.partition("?")[0])
    return followed


def signs_of(session: Session, site: int, window: DayWindow) -> LogSigns:
    """The signs of visitors of a log in the hours that the window touches."""
    signs: defaultdict[str, int] = defaultdict(int)
    first_hour = window.since.replace(minute=0, second=0, microsecond=0)
    is_within = (VisitorSign.site == site, VisitorSign.hour >= first_hour, VisitorSign.hour < window.until)
    rows = session.execute(select(VisitorSign.session_id, VisitorSign.signs).where(*is_within))
    for session_id, bits in rows.yield_per(5_000):
        signs[session_id] |= bits
    is_of_day = LogVisits(site).within(window)
    visitors = select(func.count(ImportedVisit.session_id.distinct())).where(*is_of_day, ImportedVisit.session_id != "")
    with_files = sum(bits & Sign.FILES > 0 for bits in signs.values())
    referrer = select(ImportedVisit.event_id).where(*is_of_day, ImportedVisit.referrer != "").limit(1)
    has_files = 0 < (session.scalar(visitors) or 0) <= 2 * with_files
    return LogSigns(dict(signs), has_files, session.scalar(referrer) is not None)
