"""What a learner has typed at the checkout, stored for a day: neither the end of a sign-in nor a reload loses it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, delete, select
from sqlalchemy.dialects.mysql import insert as mysql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.orm import Session

from domain.database.prepared_select import PreparedSelect
from domain.identity import learners
from domain.tables import CheckoutDraft

TTL = timedelta(hours=24)


@dataclass(frozen=True)
class Draft:
    """`values`: what was typed, by name of the field. `rendered`: what the last form showed."""

    values: Mapping[str, str]
    rendered: Mapping[str, Any]
    changed_at: datetime


_drafts = CheckoutDraft.__table__.c
_CURRENT = PreparedSelect(
    select(_drafts["values"], _drafts.rendered, _drafts.changed_at).where(
        _drafts.learner_id == bindparam("learner"), _drafts.expires_at > bindparam("at")
    ),
    lambda cells: Draft(*cells),
)


def read(session: Session, learner_id: int, at: datetime) -> Draft | None:
    """The learner's draft; None for none, or one of more than a day ago."""
    return next(iter(_CURRENT.all(session, learner=learner_id, at=at)), None)


def store(
    session: Session,
    learner_id: int,
    values: Mapping[str, str],
    at: datetime,
    rendered: Mapping[str, Any] | None = None,
) -> None:
    """Replace the draft's values; `rendered` None leaves what the last form showed. It is kept for a day from now."""
    learners.lock_account(session, learner_id)
    table: Any = CheckoutDraft.__table__
    change: dict[str, Any] = {"values": dict(values), "changed_at": at, "expires_at": at + TTL}
    if rendered is not None:
        change["rendered"] = dict(rendered)
    row = {"learner_id": learner_id, "rendered": {}, **change}
    # One statement, as two tabs may store the first draft at once.
    if session.get_bind().dialect.name == "sqlite":
        session.execute(sqlite_insert(table).values(row).on_conflict_do_update(["learner_id"], set_=change))
    else:
        session.execute(mysql_insert(table).values(row).on_duplicate_key_update(change))


def remove(session: Session, learner_id: int) -> None:
    """Delete the draft, if there is one: its order is placed, or the account is deleted."""
    session.execute(delete(CheckoutDraft).where(CheckoutDraft.learner_id == learner_id))


def delete_expired(session: Session, at: datetime) -> int:
    """The number of drafts deleted."""
    result: Any = session.execute(delete(CheckoutDraft).where(CheckoutDraft.expires_at <= at))
    return int(result.rowcount)
