"""Objects by id, their changes, and lists of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, select

from standins.payments.errors import PaymentApiError, no_such
from standins.payments.tables import StoredObject
from standins.payments.work import Json, Work

SESSION = "checkout.session"
INTENT = "payment_intent"
METHOD = "payment_method"
CHARGE = "charge"
REFUND = "refund"
DISPUTE = "dispute"
MOVEMENT = "balance_transaction"
EVENT = "event"
# The name of the parameter that an error about a missing object names.
_PARAMETER = {SESSION: "session", INTENT: "intent"}
DEFAULT_LIMIT = 10


def add(work: Work, data: Json, private: Json | None = None) -> StoredObject:
    """Stores a new object; `data` has its id, kind (`object`) and time of creation."""
    stored = StoredObject(
        id=data["id"],
        kind=data["object"],
        created=data["created"],
        intent_id=data.get("payment_intent"),
        charge_id=data.get("charge"),
        data=data,
        private=private or {},
    )
    work.session.add(stored)
    work.session.flush()
    return stored


def find(work: Work, kind: str, object_id: str) -> StoredObject | None:
    return work.session.scalar(select(StoredObject).where(StoredObject.id == object_id, StoredObject.kind == kind))


def require(work: Work, kind: str, object_id: str, param: str = "") -> StoredObject:
    """Raises ApiError 404 when there is none."""
    stored = find(work, kind, object_id)
    if stored is None:
        raise no_such(kind, object_id, param or _PARAMETER.get(kind, "id"))
    return stored


def get(work: Work, object_id: str) -> StoredObject:
    """An object that another one names: it exists."""
    return work.session.scalars(select(StoredObject).where(StoredObject.id == object_id)).one()


def change(stored: StoredObject, **fields: Any) -> None:
    """Changes fields of its data. The column is compared as a whole, so it gets a new dict."""
    stored.data = {**stored.data, **fields}
    if "payment_intent" in fields:
        stored.intent_id = fields["payment_intent"]


def change_private(stored: StoredObject, **fields: Any) -> None:
    stored.private = {**stored.private, **fields}


def field_is(name: str, value: str) -> ColumnElement[bool]:
    text: ColumnElement[str] = StoredObject.data[name].as_string()
    return text == value


def list_page(
    work: Work, kind: str, url: str, page: Mapping[str, Any], conditions: Sequence[ColumnElement[bool]] = ()
) -> Json:
    """A list object with the parameters of PAGE: limit, starting_after, ending_before, created."""
    query = select(StoredObject).where(StoredObject.kind == kind, *conditions, *_created(page.get("created", {})))
    limit = page.get("limit", DEFAULT_LIMIT)
    before = page.get("ending_before")
    after = page.get("starting_after")
    if before is not None and after is not None:
        text = "You may only specify one of these parameters: ending_before, starting_after."
        raise PaymentApiError(400, text, param="starting_after")
    if before is not None:
        first = require(work, kind, before, "ending_before").number
        query = query.where(StoredObject.number > first).order_by(StoredObject.number)
    else:
        if after is not None:
            query = query.where(StoredObject.number < require(work, kind, after, "starting_after").number)
        query = query.order_by(StoredObject.number.desc())
    rows = work.session.scalars(query.limit(limit + 1)).all()
    shown = rows[:limit]
    return list_object([row.data for row in (reversed(shown) if before is not None else shown)], url, len(rows) > limit)


def _created(bounds: Mapping[str, int]) -> list[ColumnElement[bool]]:
    column = StoredObject.created
    compare = {"gt": column.__gt__, "gte": column.__ge__, "lt": column.__lt__, "lte": column.__le__}
    return [compare[name](value) for name, value in bounds.items()]


def list_object(data: list[Json], url: str, has_more: bool = False) -> Json:
    return {"object": "list", "data": data, "has_more": has_more, "url": url}
