"""Visits: how their fields are cleaned, and how batches are stored so that no visit counts twice."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from ipaddress import ip_address, ip_network
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError, StatementError
from sqlalchemy.orm import Session

from contracts.payloads import known_fields
from domain.catalogue import retirement
from domain.database.database import insert_ignoring
from domain.redaction import redact
from domain.routes import match_route
from domain.tables import DeadLetter, Visit
from domain.visits import erased
from domain.visits.campaigns import CAMPAIGN_KEYS, campaign_parameters
from domain.visits.evidence_bits import MAX_BITS

# A visit as it is read from the database.
StoredVisit = Visit
URL_LENGTH = 2048
# What dead letters of visits name as their task.
LETTER_TASK = "visits.store"
# Longer addresses are rarely visited twice, and would make the cache large.
MAX_CACHED_LENGTH = 256
FIELD_LENGTH = 64
REFERRER_LENGTH = 500
CAMPAIGN_LENGTH = 200
# In letters: of a crawler's fetch some 300.
ATTRIBUTES_LENGTH = 2000
# Control characters would break logs and terminals that show visits; lone surrogates cannot be written as UTF-8.
_CONTROL = dict.fromkeys((*range(32), 127, *range(0x80, 0xA0), 0x2028, 0x2029, *range(0xD800, 0xE000)))


@dataclass(frozen=True)
class NewVisit:
    """An accepted visit; `at` is ISO 8601 in UTC. The fields are those of the table."""

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
    ip_hash: str = ""
    evidence: int = 0
    attributes: str | None = None

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
    """What is stored of the campaign of an address."""
    found = campaign_parameters(url).items()
    return {name: clean_text(value, CAMPAIGN_LENGTH) for name, value in found if name in CAMPAIGN_KEYS}


def clean_url(url: str) -> str:
    """The URL as it is stored. Secrets are removed before truncation: a truncated secret might not be recognised."""
    return clean_text(_without_secrets(url), URL_LENGTH)


def _without_secrets(url: str) -> str:
    """As much of a URL as is read. A longer one reaches no host: its request would be refused."""
    return redact(clean_text(url, 4 * URL_LENGTH))


@dataclass(frozen=True)
class Address:
    """What is stored of the URL of a page."""

    url: str
    page: str
    campaign: dict[str, str]


def address_of(url: str) -> Address:
    """Most visits are to few addresses, which are cleaned once."""
    return _cached_address(url) if len(url) <= MAX_CACHED_LENGTH else _address_of(url)


def _address_of(url: str) -> Address:
    whole = _without_secrets(url)
    clean = clean_text(whole, URL_LENGTH)
    # A campaign may stand behind what is stored.
    return Address(clean, page_of(clean), campaign_of(whole))


_cached_address = lru_cache(8192)(_address_of)


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


def store_visits(session: Session, rows: Iterable[Any], at: datetime) -> bool:
    """Store visits of the form NewVisit; those with a known event id change nothing. Batches by column, which hosts
    send, are stored by `batches.store_rows`.

    Rows that cannot be stored become dead letters, each with its reason, and do not delay the others. Returns False
    when visits to retired courses could not be recorded as such. Raises OperationalError when the database is
    unavailable: the caller tries the whole batch again.
    """
    batch = list(rows)
    try:
        records = [_record(row) for row in batch]
        _anonymise_erased(session, records)
        with session.begin_nested():
            insert_ignoring(session, Visit, records)
    except OperationalError:
        raise
    except (StatementError, *FORM_ERRORS):
        results = [store_one(session, row, at) for row in batch]
        return all(results)
    return retirement.record_visits(session, records)


# Everybody with the queue's address can write to it: values may fit no column, rows may be of any type.
FORM_ERRORS = (ValueError, TypeError, LookupError, AttributeError, OverflowError, OSError)


@dataclass(frozen=True)
class Outcome:
    """`reason`: why a visit cannot be stored. `is_recorded`: as of `store_visits`."""

    reason: str | None = None
    is_recorded: bool = True


def store_one(session: Session, row: Any, at: datetime) -> bool:
    """Store one visit, or the dead letter that says why it cannot be. Returns False when a visit to a retired course
    could not be recorded as such. Raises OperationalError."""
    outcome = try_store(session, row)
    if outcome.reason is not None:
        add_letter(session, row, outcome.reason, at)
    return outcome.is_recorded


def add_letter(session: Session, row: Any, reason: str, at: datetime) -> None:
    body = json.loads(json.dumps(row, default=str, ensure_ascii=False).encode("utf-8", "replace"))
    if learners := erased.find_erased(session, erased.mentioned_in(body)):
        # The reason may quote the visit.
        body, reason = erased.without_learners(body, learners), reason.partition(":")[0]
    session.add(DeadLetter(failed_at=at, task=LETTER_TASK, body=body, error=reason))


def try_store(session: Session, row: Any) -> Outcome:
    """Store one visit, or say why it cannot be. Raises OperationalError."""
    try:
        record = _record(row)
        _anonymise_erased(session, [record])
        with session.begin_nested():
            insert_ignoring(session, Visit, [record])
            is_recorded = retirement.record_visits(session, [record])
    except OperationalError:
        raise
    except (StatementError, *FORM_ERRORS) as error:
        return Outcome(reason_of(error))
    return Outcome(is_recorded=is_recorded)


def reason_of(error: Exception) -> str:
    """As the dead letter has it."""
    return f"{type(error).__name__}: {error}".encode("utf-8", "replace").decode()[:2000]


def _record(row: Any) -> dict[str, Any]:
    """A row's values by column, without fields that only newer builds know. Raises FORM_ERRORS for a malformed row."""
    known = dict(vars(NewVisit(**known_fields(NewVisit, row))))
    if not known["event_id"]:
        raise ValueError("a visit without an event id cannot be told from another")
    for number in (known["learner_id"], known["claimed_id"]):
        if number is not None and (type(number) is not int or not 0 <= number < 2**63):
            raise ValueError("an id that is no number of 63 bits")
    if type(known["evidence"]) is not int or not 0 <= known["evidence"] <= MAX_BITS:
        raise ValueError("evidence that is no number of 15 bits")
    visited_at = datetime.fromisoformat(known.pop("at"))
    if not isinstance(known["campaign"], dict):
        raise TypeError("the campaign of a visit is no object")
    require_attributes(known["attributes"])
    return {**known, "visited_at": visited_at}


def require_attributes(text: Any) -> None:
    """Raises FORM_ERRORS for what is neither None nor a short JSON object."""
    if text is None:
        return
    if not isinstance(text, str) or len(text) > ATTRIBUTES_LENGTH or not isinstance(json.loads(text), dict):
        raise ValueError("the attributes of a visit are no object, or too long")


def _anonymise_erased(session: Session, records: list[dict[str, Any]]) -> None:
    """An account may have been deleted while its visits waited."""
    ids = [{record[name] for name in erased.LEARNER_FIELDS} for record in records]
    learners = erased.find_erased(session, set().union(*ids))
    for record, of_record in zip(records, ids, strict=True):
        if any(record["visited_at"] <= learners[learner] for learner in of_record & learners.keys()):
            record.update(erased.ANONYMOUS)


def count_of_session(session: Session, session_id: str) -> int:
    return session.scalar(select(func.count()).select_from(Visit).where(Visit.session_id == session_id)) or 0


def of_session(session: Session, session_id: str) -> list[Visit]:
    """For development: reads all visits."""
    query = select(Visit).where(Visit.session_id == session_id).order_by(Visit.visited_at, Visit.id)
    return list(session.scalars(query))


def latest(session: Session, since: datetime, limit: int) -> list[Visit]:
    """The newest visits first."""
    return list(
        session.scalars(select(Visit).where(Visit.visited_at >= since).order_by(Visit.visited_at.desc()).limit(limit))
    )
