"""What keeps a shop safe, and when it was last done: the copy of the database, a tested restore, new secrets.

`scripts/backup` writes its row itself, `python -m host backup` calls `note_backup`, hosts note since when each of their
secrets is as it is, and staff record that a copy was restored. Of a secret only a slow salted digest is kept, which
shows that it has changed.
"""

import hashlib
import hmac
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.permissions import Actor
from domain.tables import Upkeep

BACKUP, RESTORE, KEY_PREFIX = "backup", "restore", "key."
# docker-compose.yml makes a copy every hour.
BACKUP_LATE = timedelta(hours=2)
RESTORE_LATE, KEY_OLD = timedelta(days=90), timedelta(days=365)


@dataclass(frozen=True)
class UpkeepState:
    """`at` None: never. `size`: bytes of a copy."""

    name: str
    at: datetime | None
    is_late: bool
    size: int | None = None


def read(session: Session, at: datetime) -> list[UpkeepState]:
    """The copy, the restore, then the secrets by name."""
    rows = {row.name: row for row in session.scalars(select(Upkeep))}
    names = [BACKUP, RESTORE, *sorted(name for name in rows if name.startswith(KEY_PREFIX))]
    return [_done(name, rows.get(name), at) for name in names]


def note_backup(session: Session, size: int, at: datetime) -> None:
    """A copy of the shop was written, of so many bytes."""
    _put(session, BACKUP, at, {"bytes": size})


def record_restore(session: Session, actor: Actor, reason: str) -> None:
    """A copy was restored and looked at."""
    row = _put(session, RESTORE, actor.at, {})
    recording.record(session, "restore.test", Subject("restore", row.id), after={"at": actor.at}, reason=reason)


def new_keys(session: Session, values: Mapping[str, str]) -> list[str]:
    """The names of those secrets, by their setting, that are not as they were noted, and of noted ones that are not set
    any more. Takes a while for each: it is no work for a transaction that writes."""
    known = _known_keys(session)
    given = {name: value for name, value in values.items() if value}
    changed = [name for name, value in given.items() if name not in known or not _is_same(known[name], value)]
    return sorted({*changed, *(known.keys() - given.keys())})


def note_keys(session: Session, values: Mapping[str, str], names: Collection[str], at: datetime) -> None:
    """Note the secrets with these names as new; one that is not set is forgotten."""
    known = _known_keys(session)
    for name in names:
        if values.get(name):
            salt = secrets.token_hex(16)
            _put(session, KEY_PREFIX + name, at, {"salt": salt, "digest": _digest(values[name], salt)})
        elif name in known:
            session.delete(known[name])


def _known_keys(session: Session) -> dict[str, Upkeep]:
    rows = session.scalars(select(Upkeep).where(Upkeep.name.startswith(KEY_PREFIX)))
    return {row.name.removeprefix(KEY_PREFIX): row for row in rows}


def _done(name: str, row: Upkeep | None, now: datetime) -> UpkeepState:
    late = {BACKUP: BACKUP_LATE, RESTORE: RESTORE_LATE}.get(name, KEY_OLD)
    if row is None:
        return UpkeepState(name, None, is_late=True)
    return UpkeepState(name, row.at, is_late=row.at < now - late, size=row.facts.get("bytes"))


def _put(session: Session, name: str, at: datetime, facts: Mapping[str, Any]) -> Upkeep:
    row = session.scalar(select(Upkeep).where(Upkeep.name == name))
    if row is None:
        row = Upkeep(name=name, at=at, facts=dict(facts))
        session.add(row)
    else:
        row.at, row.facts = at, dict(facts)
    session.flush()
    return row


def _is_same(row: Upkeep, value: str) -> bool:
    return hmac.compare_digest(row.facts["digest"], _digest(value, row.facts["salt"]))


def _digest(value: str, salt: str) -> str:
    """Slow, as a secret may be short."""
    return hashlib.scrypt(value.encode(), salt=bytes.fromhex(salt), n=2**14, r=8, p=1, dklen=32).hex()
