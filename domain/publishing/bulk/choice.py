"""Chooses courses or items for one change. The rows are stored, so that what is changed is what was seen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.database.list_page import ListSource
from domain.display_text import count_text
from domain.errors import InvalidInput, NotFound, Refused
from domain.permissions import Actor
from domain.publishing.bulk.operations import PURPOSES, new_change, require
from domain.publishing.editing.course_list import COURSE_LIST
from domain.publishing.editing.item_list import ITEM_LIST
from domain.tables import BulkChange, BulkChangeRow, Product

# Products chosen on one page; a longer list is chosen by its filters.
MAX_IDS = 500
MAX_ROWS = 10_000
# Somebody who chose and went away does not come back to it later than this.
FORGOTTEN_AFTER = timedelta(days=1)
SOURCES: Mapping[str, ListSource[Any]] = {"course": COURSE_LIST, "item": ITEM_LIST}


@dataclass(frozen=True)
class ChosenProducts:
    """`kind`: course or item. `ids` None: all that the `filters` of the list leave. `purpose`: what may be done with
    them (`operations.py`)."""

    kind: str
    ids: Sequence[int] | None
    filters: Mapping[str, str]
    purpose: str = "catalogue"


def choose(session: Session, actor: Actor, choice: ChosenProducts) -> int:
    """The id of the new change, which changes nothing yet. For `Database.write_as`. Raises InvalidInput for an unknown
    filter, NotFound for an id of no such product, MissingPermission, Refused for none and for more than MAX_ROWS."""
    require(actor, PURPOSES[choice.purpose])
    ids = _matching(session, choice) if choice.ids is None else _known(session, choice.kind, choice.ids)
    if not ids:
        raise Refused("Nothing matches any more. Look at the list again.")
    change = new_change(actor, choice.kind, choice.purpose)
    session.add(change)
    session.flush()
    rows = [{"bulk_change_id": change.id, "product_id": key, "state": "chosen", "note": ""} for key in ids]
    session.execute(insert(BulkChangeRow), rows)
    _forget_former(session, actor)
    recording.no_change(session)
    return change.id


def _forget_former(session: Session, actor: Actor) -> None:
    """After the new one was stored: SQLite gives the highest id again once its row is deleted, and a page that is still
    open would show the rows of another choice."""
    former = (BulkChange.chosen_by == actor.learner_id, BulkChange.chosen_at < actor.at - FORGOTTEN_AFTER)
    session.execute(delete(BulkChange).where(*former, BulkChange.action.is_(None)))


def _matching(session: Session, choice: ChosenProducts) -> list[int]:
    source = SOURCES[choice.kind]
    if unknown := choice.filters.keys() - source.filters.keys():
        raise InvalidInput({"filters": f"This list has no filter {', '.join(sorted(unknown))}."})
    conditions = (source.filters[name](value) for name, value in choice.filters.items())
    keys = source.rows.where(*conditions).with_only_columns(source.key, maintain_column_froms=True)
    ids = [*session.scalars(keys.order_by(source.key).limit(MAX_ROWS + 1))]
    if len(ids) > MAX_ROWS:
        raise Refused(f"More than {count_text(MAX_ROWS)} match. Filter the list first.")
    return ids


def _known(session: Session, kind: str, ids: Sequence[int]) -> list[int]:
    wanted = {*ids}
    known = [*session.scalars(select(Product.id).where(Product.kind == kind, Product.id.in_(wanted)))]
    if len(known) < len(wanted):
        raise NotFound(f"There is no such {kind}.")
    return sorted(known)
