"""Visits: how their fields are cleaned, and how batches are stored so that no visit counts twice."""

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

from contracts.payloads import known_fields
from contracts.tasks import Task
from domain.catalogue import retirement
from domain.database.database import insert_ignoring
from domain.redaction import redact
from domain.routes import match_route
from domain.tables import DeadLetter, Visit

# A visit as it is read from the database.
StoredVisit = Visit
URL_LENGTH = 2048
FIELD_LENGTH = 64
REFERRER_LENGTH = 500
CLICK_IDS = ("gclid", "fbclid", "msclkid")
CAMPAIGN_KEYS = ("utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", *CLICK_IDS)
# What a visit of a learner who has deleted the account has in place of what identifies the learner.
ANONYMOUS: dict[str, Any] = {
    "learner_id": None,
    "claimed_id": None,
    "session_id": "",
    "referral_id": None,
    "address": "",
}
# Control characters would break logs and terminals that show visits; lone surrogates cannot be written as UTF-8.
_CONTROL = dict.fromkeys((*range(32), 127, *range(0x80, 0xA0), 0x2028, 0x2029, *range(0xD800, 0xE000)))


@dataclass(frozen=True)
class NewVisit:
    """An accepted visit as it is sent to a worker; `at` is ISO 8601 in UTC. The fields are those of the table."""

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
    referral_id: str | None = None
    partner: str = ""
    visitor_class: str = "human"
    source: str = "browser"
    agent: str = ""
    address: str = ""

    def as_dict(self) -> dict[str, Any]:
        return dict(vars(self))


def clean_text(text: str, length: int) -> str:
    """Without control characters, truncated to `length`."""
    # Nearly every text is printable, and isprintable() takes a tenth of the time of translate().
    return (text if text.isprintable() else text.translate(_CONTROL))[:length]


def page_of(url: str) -> str:
    """Id of the page of a path with query, "" for an unknown one."""
    match = match_route(url.partition("?")[0])
    return match.page.id if match else ""


def campaign_of(url: str) -> dict[str, str]:
    query = url.partition("?")[2]
    if "utm_" not in query and "clid" not in query:
        return {}
    pairs = parse_qsl(query, max_num_fields=200) if query.count("&") < 200 else []
    return {name: clean_text(value, 200) for name, value in pairs if name in CAMPAIGN_KEYS}


def clean_url(url: str) -> str:
    """The URL as it is stored. Secrets are removed before truncation: a truncated secret might not be recognised."""
    return clean_text(redact(clean_text(url, 4 * URL_LENGTH)), URL_LENGTH)


@lru_cache(10_000)
def anonymise_ip(address: str) -> str:
    """The network of an address: /24 for IPv4, /48 for IPv6; "" for an invalid address."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return ""
    mapped = getattr(parsed, "ipv4_mapped", None)
    parsed = mapped or parsed
    return str(ip_network((parsed, 24 if parsed.version == 4 else 48), strict=False))


def store_visits(session: Session, rows: Iterable[Any], at: datetime) -> None:
    """Store visits in one statement; those with a known event id change nothing.

    Rows that cannot be stored become dead letters, each with its reason, and do not delay the others. Raises
    OperationalError when the database is unavailable: the caller tries the whole batch again.
    """
    batch = list(rows)
    try:
        records = [_record(row) for row in batch]
        with session.begin_nested():
            insert_ignoring(session, Visit, records)
    except OperationalError:
        raise
    except _ROW_ERRORS:
        for row in batch:
            _store_one(session, row, at)
    else:
        retirement.record_visits(session, records)


# Everybody with the queue's address can write to it: values may fit no column, rows may be of any type.
_ROW_ERRORS = (StatementError, ValueError, TypeError, LookupError, AttributeError, OverflowError)


def _store_one(session: Session, row: Any, at: datetime) -> None:
    if reason := try_store(session, row):
        body = json.loads(json.dumps(row, default=str, ensure_ascii=False).encode("utf-8", "replace"))
        session.add(DeadLetter(failed_at=at, task=str(Task.STORE_VISITS), body=body, error=reason))


def try_store(session: Session, row: Any) -> str | None:
    """Store one visit; None when it is stored, else the reason why it cannot be. Raises OperationalError."""
    try:
        record = _record(row)
        with session.begin_nested():
            insert_ignoring(session, Visit, [record])
            retirement.record_visits(session, [record])
    except OperationalError:
        raise
    except _ROW_ERRORS as error:
        return f"{type(error).__name__}: {error}".encode("utf-8", "replace").decode()[:2000]
    return None


def _record(row: Any) -> dict[str, Any]:
    """A row's values by column, without fields that only newer builds know. Raises _ROW_ERRORS for a malformed row."""
    known = dict(vars(NewVisit(**known_fields(NewVisit, row))))
    if not known["event_id"]:
        raise ValueError("a visit without an event id cannot be told from another")
    if known["claimed_id"] is not None and not 0 <= known["claimed_id"] < 2**63:
        raise ValueError("an id beyond 63 bits")
    visited_at = datetime.fromisoformat(known.pop("at"))
    return {**known, "visited_at": visited_at}


def count_of_session(session: Session, session_id: str) -> int:
    return session.scalar(select(func.count()).select_from(Visit).where(Visit.session_id == session_id)) or 0


def of_session(session: Session, session_id: str) -> list[Visit]:
    query = select(Visit).where(Visit.session_id == session_id).order_by(Visit.visited_at, Visit.id)
    return list(session.scalars(query))


def latest(session: Session, since: datetime, limit: int) -> list[Visit]:
    """The newest visits first."""
    return list(
        session.scalars(select(Visit).where(Visit.visited_at >= since).order_by(Visit.visited_at.desc()).limit(limit))
    )
