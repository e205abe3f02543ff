"""Batches of visits by column: one statement stores some thousand rows, after one check of each column.

`COLUMNS` is the order in which hosts write the values of a visit; workers go by the names in the batch.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from itertools import compress
from typing import Any, cast

from sqlalchemy import Table
from sqlalchemy.exc import OperationalError, StatementError
from sqlalchemy.orm import Session

from domain.catalogue import retirement
from domain.tables import Visit
from domain.visits import erased
from domain.visits.evidence_bits import MAX_BITS
from domain.visits.visit_inserts import insert_visits
from domain.visits.visits import FORM_ERRORS, NewVisit, require_attributes, store_one

# The columns of the table but its key. `visited_at`: microseconds since 1970; `campaign`: JSON text.
COLUMNS: tuple[str, ...] = tuple("visited_at" if item.name == "at" else item.name for item in fields(NewVisit))
NO_CAMPAIGN = "{}"
Values = Sequence[Any]
_TABLE = cast("Table", Visit.__table__)
# More rows would be more memory at once, and a longer wait for other writers of SQLite. The cost of a row is the same.
MAX_ROWS = 5000
# Rows that are tried in one statement, when a batch cannot be stored as a whole, before each by itself.
PART_ROWS = 200
_MAX_LENGTHS: dict[str, int] = {name: getattr(_TABLE.c[name].type, "length", None) or 0 for name in COLUMNS}
_MAX_ID = 2**63 - 1
# The last microsecond of the year 9999.
_MAX_TIME = 253_402_300_799_999_999
_BEYOND_TIMES = 10**18
_DEFAULTS: dict[str, Any] = {"learner_id": None, "claimed_id": None, "referral_id": None, "campaign": NO_CAMPAIGN}
_DEFAULTS |= {"visitor_class": "human", "source": "browser", "evidence": 0, "attributes": None}
# The values of a visit of which nothing is known, in the order of COLUMNS.
BLANK: dict[str, Any] = {name: _DEFAULTS.get(name, "") for name in COLUMNS}


def micros(at: datetime) -> int:
    """A time as a batch has it."""
    return int(at.timestamp()) * 1_000_000 + at.microsecond


def campaign_text(campaign: dict[str, str]) -> str:
    return json.dumps(campaign) if campaign else NO_CAMPAIGN


def row_of(visit: NewVisit) -> list[Any]:
    """The values of a visit in the order of COLUMNS."""
    values = vars(visit) | {
        "visited_at": micros(datetime.fromisoformat(visit.at)),
        "campaign": campaign_text(visit.campaign),
    }
    return [values[name] for name in COLUMNS]


def insert_rows(session: Session, columns: Sequence[str], rows: Sequence[Any]) -> bool:
    """Store the visits of a batch; those with a known event id change nothing. Returns False when visits to retired
    courses could not be recorded as such. Raises StatementError or FORM_ERRORS when one row cannot be stored."""
    is_recorded = True
    for start in range(0, len(rows), MAX_ROWS):
        values = _without_erased(session, _checked(columns, rows[start : start + MAX_ROWS]))
        blank = {name: value for name, value in BLANK.items() if name not in values}
        insert_visits(session, values | {"visited_at": _texts_of(values["visited_at"])}, blank)
        is_recorded &= _record_pages(session, values)
    return is_recorded


def store_rows(session: Session, columns: Sequence[str], rows: Sequence[Any], at: datetime) -> bool:
    """Store the visits of a batch as `insert_rows` does; when one row cannot be stored, the rows of its part of the
    batch are stored one by one, and that row becomes a dead letter. Raises OperationalError when the database is
    unavailable."""
    try:
        with session.begin_nested():
            return insert_rows(session, columns, rows)
    except OperationalError:
        raise
    except (StatementError, *FORM_ERRORS):
        if len(rows) > PART_ROWS:
            starts = range(0, len(rows), PART_ROWS)
            results = [store_rows(session, columns, rows[start : start + PART_ROWS], at) for start in starts]
        else:
            results = [store_one(session, as_dict(columns, row), at) for row in rows]
        return all(results)


def _checked(columns: Sequence[str], rows: Sequence[Any]) -> dict[str, Values]:
    """The values of the rows by column, without columns in which all are blank: nearly always most of them. Raises
    FORM_ERRORS when a value may not fit into its column."""
    by_name = dict(zip(columns, zip(*rows, strict=True), strict=True))
    values: dict[str, Values] = {}
    for name, blank in BLANK.items():
        column = by_name[name] if name in by_name else [blank] * len(rows)
        if name in _REQUIRED or not _is_blank(column, blank):
            _CHECKS[name](name, column)
            values[name] = column
    return values


def _is_blank(column: Values, blank: Any) -> bool:
    """The number 0 equals False, which is no number of a visit."""
    is_same = bool(column[0] == blank) and column.count(blank) == len(column)
    return is_same and (blank != 0 or set(map(type, column)) == {int})


def _check_text(name: str, column: Values) -> None:
    if set(map(type, column)) != {str} or max(map(len, column)) > _MAX_LENGTHS[name]:
        raise ValueError(f"a value of {name} is no text, or too long")


def _check_text_or_none(name: str, column: Values) -> None:
    if texts := [value for value in column if value is not None]:
        _check_text(name, texts)


def _check_id(name: str, column: Values) -> None:
    ids = [value for value in column if value is not None]
    if ids and (set(map(type, ids)) != {int} or min(ids) < 0 or max(ids) > _MAX_ID):
        raise ValueError(f"a value of {name} is no id")


def _check_bits(name: str, column: Values) -> None:
    if set(map(type, column)) != {int} or min(column) < 0 or max(column) > MAX_BITS:
        raise ValueError(f"a value of {name} is no number of 15 bits")


def _check_time(name: str, column: Values) -> None:
    if set(map(type, column)) != {int} or min(column) < 0 or max(column) > _MAX_TIME:
        raise ValueError(f"a value of {name} is no time")


def _check_event_id(name: str, column: Values) -> None:
    _check_text(name, column)
    if not all(column):
        raise ValueError("a visit without an event id cannot be told from another")


def _check_campaign(name: str, column: Values) -> None:
    """Only texts that are not empty are parsed: readers of the table parse them too."""
    if set(map(type, column)) != {str}:
        raise ValueError(f"a value of {name} is no text")
    for text in set(column) - {NO_CAMPAIGN}:
        if not isinstance(json.loads(text), dict):
            raise ValueError(f"a value of {name} is no object")


def _check_attributes(_name: str, column: Values) -> None:
    """Only those of crawlers are there and parsed."""
    for text in set(column) - {None}:
        require_attributes(text)


# What no visit is without.
_REQUIRED = frozenset({"event_id", "visited_at"})
_CHECKS: dict[str, Callable[[str, Values], None]] = dict.fromkeys(COLUMNS, _check_text)
_CHECKS |= {"event_id": _check_event_id, "visited_at": _check_time, "campaign": _check_campaign}
_CHECKS["evidence"] = _check_bits
_CHECKS |= {"attributes": _check_attributes}
_CHECKS |= {"learner_id": _check_id, "claimed_id": _check_id, "referral_id": _check_text_or_none}


def _without_erased(session: Session, values: dict[str, Values]) -> dict[str, Values]:
    """An account may have been deleted while its visits waited."""
    columns = [values[name] for name in erased.LEARNER_FIELDS if name in values]
    learners = erased.find_erased(session, set().union(*columns))
    if not learners:
        return values
    until = {learner: micros(at) for learner, at in learners.items()}
    are_erased = [
        any(at <= until[learner] for learner in until.keys() & set(ids))
        for at, *ids in zip(values["visited_at"], *columns, strict=True)
    ]
    return values | {
        name: [blank if is_erased else value for value, is_erased in zip(values[name], are_erased, strict=True)]
        for name, blank in erased.ANONYMOUS.items()
        if name in values
    }


def _texts_of(times: Values) -> list[str]:
    """Microseconds as both databases take a time. Rows of a batch share a few seconds."""
    seconds: dict[str, str] = {}
    texts = []
    for time in times:
        # With a digit in front that is no part of the time, the last six are always the microseconds.
        digits = str(time + _BEYOND_TIMES)
        second = digits[:-6]
        text = seconds.get(second)
        if text is None:
            text = seconds[second] = f"{datetime.fromtimestamp(time // 1_000_000, UTC):%Y-%m-%d %H:%M:%S}."
        texts.append(text + digits[-6:])
    return texts


def _record_pages(session: Session, values: dict[str, Values]) -> bool:
    if not values.keys() >= {"page", "url"}:
        return True
    are_courses = [page == "course-details" for page in values["page"]]
    if classes := values.get("visitor_class"):
        are_courses = [is_course and name == "human" for is_course, name in zip(are_courses, classes, strict=True)]
    # The last visit of each address stays.
    pairs = sorted(compress(zip(values["visited_at"], values["url"], strict=True), are_courses))
    latest = {url: visited_at for visited_at, url in pairs}
    return retirement.record_urls(session, {url: _time_of(time) for url, time in latest.items()})


def _time_of(time: int) -> datetime:
    second, micro = divmod(time, 1_000_000)
    return datetime.fromtimestamp(second, UTC).replace(microsecond=micro)


def as_dict(columns: Iterable[str], row: Any) -> Any:
    """A row in the form of NewVisit, in which dead letters are replayed; one that has not a value a column as it is."""
    try:
        named = dict(zip(columns, row, strict=True))
    except (TypeError, ValueError):
        return row
    return {_NAMES.get(name, name): _plain(name, value) for name, value in named.items()}


_NAMES = {"visited_at": "at"}
_PLAIN: dict[str, Callable[[Any], Any]] = {
    "visited_at": lambda time: _time_of(time).isoformat(),
    "campaign": json.loads,
}


def _plain(name: str, value: Any) -> Any:
    try:
        return _PLAIN[name](value) if name in _PLAIN else value
    except FORM_ERRORS:
        return value
