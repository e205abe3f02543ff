"""What a learner has typed at the checkout, stored for a day: neither the end of a sign-in nor a reload loses it.

A draft has at most MAX_BYTES, and of gifts only what belongs to products of the cart: every page of the checkout reads
it whole.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, delete, select
from sqlalchemy.dialects.mysql import insert as mysql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.orm import Session

from domain.checkout import gift_fields
from domain.database.prepared_select import PreparedSelect
from domain.errors import InvalidInput
from domain.identity import learners
from domain.tables import CartLine, CheckoutDraft

TTL = timedelta(hours=24)
# As JSON in UTF-8: more than a full cart of gifts with messages has in one form, whose body has 64 KiB at most.
MAX_BYTES = 65_536


@dataclass(frozen=True)
class DraftContents:
    """`values`: what was typed, by name of the field. `rendered`: what the last form showed."""

    values: Mapping[str, str]
    rendered: Mapping[str, Any]
    changed_at: datetime


_drafts = CheckoutDraft.__table__.c
_CURRENT = PreparedSelect(
    select(_drafts["values"], _drafts.rendered, _drafts.changed_at).where(
        _drafts.learner_id == bindparam("learner"), _drafts.expires_at > bindparam("at")
    ),
    lambda cells: DraftContents(*cells),
)


def read(session: Session, learner_id: int, at: datetime) -> DraftContents | None:
    """The learner's draft; None for none, or one of more than a day ago."""
    return next(iter(_CURRENT.all(session, learner=learner_id, at=at)), None)


def read_values(session: Session, learner_id: int, at: datetime) -> dict[str, str]:
    """What the learner has typed and still counts (`current_values`); {} without a draft."""
    draft = read(session, learner_id, at)
    return {} if draft is None else current_values(session, learner_id, draft)


def store(
    session: Session,
    learner_id: int,
    values: Mapping[str, str],
    at: datetime,
    rendered: Mapping[str, Any] | None = None,
) -> None:
    """Replace the draft's values; `rendered` None leaves what the last form showed. It is kept for a day from now.
    Values of gifts that are not in the cart are left out. Raises InvalidInput for more than MAX_BYTES."""
    learners.lock_account(session, learner_id)
    table: Any = CheckoutDraft.__table__
    kept = _of_cart(session, learner_id, values)
    _require_size(kept)
    change: dict[str, Any] = {"values": kept, "changed_at": at, "expires_at": at + TTL}
    if rendered is not None:
        change["rendered"] = dict(rendered)
    row = {"learner_id": learner_id, "rendered": {}, **change}
    # One statement, as two tabs may store the first draft at once.
    if session.get_bind().dialect.name == "sqlite":
        session.execute(sqlite_insert(table).values(row).on_conflict_do_update(["learner_id"], set_=change))
    else:
        session.execute(mysql_insert(table).values(row).on_duplicate_key_update(change))


def current_values(session: Session, learner_id: int, draft: DraftContents) -> dict[str, str]:
    """The values of a draft without what was typed for a gift that has left the cart since, although the product may
    be in it again: what one order was does not decide the next."""
    return _of_cart(session, learner_id, draft.values, draft.changed_at)


def _of_cart(
    session: Session, learner_id: int, values: Mapping[str, str], until: datetime | None = None
) -> dict[str, str]:
    """The values without gifts that are not in the cart, or are only since `until`."""
    gifts = {name: product_id for name in values if (product_id := gift_fields.product_of(name)) is not None}
    if not gifts:
        return dict(values)
    query = select(CartLine.product_id).where(CartLine.learner_id == learner_id)
    ids = set(session.scalars(query if until is None else query.where(CartLine.added_at <= until)))
    return {name: value for name, value in values.items() if name not in gifts or gifts[name] in ids}


def _require_size(values: Mapping[str, str]) -> None:
    if len(json.dumps(values, ensure_ascii=False).encode()) > MAX_BYTES:
        longest = max(values, key=lambda name: len(values[name]))
        text = f"Shorten this: all fields together may have {MAX_BYTES // 1024} KiB at most."
        raise InvalidInput({longest: text})


def delete_expired(session: Session, at: datetime) -> int:
    """The number of drafts deleted."""
    result: Any = session.execute(delete(CheckoutDraft).where(CheckoutDraft.expires_at <= at))
    return int(result.rowcount)
