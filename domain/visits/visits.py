"""Visits: what is kept of one, who may count it, and storing many at once so that none counts twice."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from ipaddress import ip_address, ip_network
from typing import Any
from urllib.parse import parse_qsl

from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError, StatementError
from sqlalchemy.orm import Session

from domain import retirement
from domain.db import upsert_ignoring
from domain.pages import match, redacted
from domain.tables import DeadLetter, Visit

URL_LENGTH = 2048
FIELD_LENGTH = 64
REFERRER_LENGTH = 500
CAMPAIGN_KEYS = ("utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "gclid", "fbclid", "msclkid")
# NUL and friends would break logs and terminals that show visits.
# Half a surrogate pair cannot be written in UTF-8.
_CONTROL = dict.fromkeys((*range(32), 127, *range(0x80, 0xA0), 0x2028, 0x2029, *range(0xD800, 0xE000)))


@dataclass(frozen=True)
class Row:
    """One accepted visit as it travels to a worker; `at` is ISO 8601 in UTC. The fields are those of the table."""

    event_id: str
    at: str
    session_id: str = ""
    page: str = ""
    url: str = ""
    learner_id: int | None = None
    claimed_id: int | None = None
    coupon_id: str = ""
    student_number: str = ""
    special_coupon: str = ""
    campaign: dict[str, str] = field(default_factory=dict)
    referrer: str = ""
    visitor_class: str = "human"
    source: str = "browser"
    agent: str = ""
    address: str = ""

    def as_dict(self) -> dict[str, Any]:
        return dict(vars(self))


def plain(text: str, length: int) -> str:
    """Without control characters, cut to its column."""
    # What can be printed has none of them: nearly everything, told in a tenth of the time.
    return (text if text.isprintable() else text.translate(_CONTROL))[:length]


def page_of(url: str) -> str:
    """Id of the page behind path and query, "" for an unknown one."""
    found = match(url.partition("?")[0])
    return found.page.id if found else ""


def campaign_of(url: str) -> dict[str, str]:
    query = url.partition("?")[2]
    if "utm_" not in query and "clid" not in query:
        return {}
    pairs = parse_qsl(query, max_num_fields=200) if query.count("&") < 200 else []
    return {name: plain(value, 200) for name, value in pairs if name in CAMPAIGN_KEYS}


def kept_url(url: str) -> str:
    """The Url as it is stored: secrets cut first, so that cutting to length never hides one from the knife."""
    return plain(redacted(plain(url, 4 * URL_LENGTH)), URL_LENGTH)


@lru_cache(10_000)
def cut_address(address: str) -> str:
    """The network of an address: /24 for IPv4, /48 for IPv6; "" for what is none."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return ""
    mapped = getattr(parsed, "ipv4_mapped", None)
    parsed = mapped or parsed
    return str(ip_network((parsed, 24 if parsed.version == 4 else 48), strict=False))


def store(session: Session, rows: Iterable[Any], at: datetime) -> None:
    """Store visits in one statement; those with a known event id change nothing.

    Rows that cannot be stored, whatever is wrong with them, are kept as dead letters, each with its reason, and do not
    hold up the others. Raises OperationalError when the records are away: the caller tries the whole batch again.
    """
    given = list(rows)
    try:
        records = [_record(row) for row in given]
        with session.begin_nested():
            upsert_ignoring(session, Visit, records)
    except OperationalError:
        raise
    except _BAD_ROW:
        for row in given:
            _store_alone(session, row, at)
    else:
        retirement.note_visits(session, records)


# From a queue that anybody with its address may write to: values no column takes, rows that are no rows.
_BAD_ROW = (StatementError, ValueError, TypeError, LookupError, AttributeError, OverflowError)


def _store_alone(session: Session, row: Any, at: datetime) -> None:
    try:
        with session.begin_nested():
            upsert_ignoring(session, Visit, [_record(row)])
    except OperationalError:
        raise
    except _BAD_ROW as error:
        body = json.loads(json.dumps(row, default=str, ensure_ascii=False).encode("utf-8", "replace"))
        reason = f"{type(error).__name__}: {error}".encode("utf-8", "replace").decode()[:2000]
        session.add(DeadLetter(at=at, task="visits.store", body=body, error=reason))


def _record(row: Any) -> dict[str, Any]:
    """A row as the table takes it. Raises what _BAD_ROW names for one that is not of Row's form."""
    known = dict(vars(Row(**row)))
    if not known["event_id"]:
        raise ValueError("a visit without an event id cannot be told from another")
    if known["claimed_id"] is not None and not 0 <= known["claimed_id"] < 2**63:
        raise ValueError("an id beyond 63 bits")
    return {**known, "at": datetime.fromisoformat(known["at"])}


def count_of_session(session: Session, session_id: str) -> int:
    return session.scalar(select(func.count()).select_from(Visit).where(Visit.session_id == session_id)) or 0


def of_session(session: Session, session_id: str) -> list[Visit]:
    found = select(Visit).where(Visit.session_id == session_id).order_by(Visit.at, Visit.id)
    return list(session.scalars(found))


def latest(session: Session, since: datetime, limit: int) -> list[Visit]:
    """The newest visits first."""
    return list(session.scalars(select(Visit).where(Visit.at >= since).order_by(Visit.at.desc()).limit(limit)))
