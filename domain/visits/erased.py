"""What visits of a deleted account lose: those that are stored already, and those that were on their way meanwhile, in
Redis, in the spool of a host or as dead letters. A visit is a learner's by its session or by the claim of a browser."""

import re
from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.database.parts import parts_of
from domain.tables import Learner

# What a visit of a learner who has deleted the account has in place of what identifies the learner.
ANONYMOUS: dict[str, Any] = {
    "learner_id": None,
    "claimed_id": None,
    "session_id": "",
    "referral_id": None,
    "address": "",
}
LEARNER_FIELDS = ("learner_id", "claimed_id")
ERASED = "(erased)"
EVER = datetime.max.replace(tzinfo=UTC)
# Ids in one statement.
_CHUNK = 1000
_MAX_ID = 2**63 - 1


def find_erased(session: Session, ids: Iterable[int | None]) -> dict[int, datetime]:
    """The learners among these who have deleted their account, or whose visits were erased -> until when visits are
    stored as erased ones.

    Nothing is locked: visits wait for no transaction that changes a learner. A deletion that is committed after this,
    and before the visits are, does not see them; the periodic task does (domain/visits/late_visits.py).
    """
    known = sorted({number for number in ids if number is not None and 0 <= number <= _MAX_ID})
    erased: dict[int, datetime] = {}
    for part in parts_of(known, _CHUNK):
        columns = (Learner.id, Learner.issuer, Learner.visits_erased_at)
        for learner, issuer, until in session.execute(select(*columns).where(Learner.id.in_(part))):
            # No provider has an empty issuer (domain/account/anonymise.py).
            if issuer == "":
                erased[learner] = EVER
            elif until is not None:
                erased[learner] = until
    return erased


def mentioned_in(value: Any) -> set[int]:
    """All numbers in JSON of any form that may be those of a learner."""
    if isinstance(value, str):
        return {int(digits) for digits in _NUMBER.findall(value)}
    if isinstance(value, list):
        return _ids_in(value).union(*map(mentioned_in, _parts(value)))
    if isinstance(value, dict):
        return _ids_in(value.get(name) for name in LEARNER_FIELDS).union(*map(mentioned_in, _parts(value.values())))
    return set()


def without_learners(value: Any, ids: Collection[int]) -> Any:
    """JSON without what identifies these learners: a visit by its fields. Of a list of values whose columns
    are not known, or of a text that is no JSON, nothing is left: no build can store it."""
    if isinstance(value, str):
        return ERASED if mentioned_in(value).intersection(ids) else value
    if isinstance(value, list):
        return [ERASED] if _ids_in(value).intersection(ids) else [_without(item, ids) for item in value]
    if not isinstance(value, dict):
        return value
    if _ids_in(value.get(name) for name in LEARNER_FIELDS).intersection(ids):
        value = {name: ANONYMOUS.get(name, item) for name, item in value.items()}
    return {name: _without(item, ids) for name, item in value.items()}


def pattern_of(student_number: str) -> re.Pattern[str]:
    """Finds a student number in a text that may have other numbers, in whichever case people have typed it."""
    return re.compile(rf"(?<!\w){re.escape(student_number)}(?!\w)", re.IGNORECASE)


def without_text(value: Any, text: re.Pattern[str]) -> Any:
    """JSON with ERASED in place of this text."""
    if isinstance(value, str):
        return text.sub(ERASED, value)
    if isinstance(value, list):
        return [without_text(item, text) for item in value]
    return {name: without_text(item, text) for name, item in value.items()} if isinstance(value, dict) else value


_NUMBER = re.compile(r"(?<![\w.])[1-9][0-9]{0,18}(?![\w.])")


def _ids_in(values: Iterable[Any]) -> set[int]:
    return {value for value in values if type(value) is int}


def _parts(values: Iterable[Any]) -> list[Any]:
    """Texts inside a visit, such as its address, are no texts of an unknown form."""
    return [value for value in values if isinstance(value, list | dict)]


def _without(value: Any, ids: Collection[int]) -> Any:
    return without_learners(value, ids) if isinstance(value, list | dict) else value
