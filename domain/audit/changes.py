"""What an event says of a change: the fields that changed, as JSON, without anybody's personal values."""

from collections.abc import Mapping, Set
from datetime import date
from decimal import Decimal
from typing import Any

Fields = Mapping[str, object]
JsonFields = dict[str, Any]

# Instead of a personal value: that it changed can be known for ever, what it was cannot.
CHANGED = "changed"
# Fields that are personal, whatever the subject.
_PERSONAL = frozenset(
    {
        *("address", "billing", "delivery", "email", "first_name", "giver_email", "holder_name", "last_name"),
        *("message", "phone", "recipient", "recipient_email", "student_number", "text", "tracking"),
    }
)
# Subjects whose name is that of a person.
_PEOPLE = frozenset({"invitation", "learner", "member", "message", "order", "review", "seat", "staff"})


def changed_fields(
    kind: str, before: Fields | None, after: Fields | None
) -> tuple[JsonFields | None, JsonFields | None]:
    """The fields of a subject of this kind that differ, before and after; None where there are none. A field that is
    missing or None on one side is left out there."""
    old, new = before or {}, after or {}
    names = [name for name in dict.fromkeys([*old, *new]) if old.get(name) != new.get(name)]
    return _fields(kind, old, names), _fields(kind, new, names)


def _fields(kind: str, fields: Fields, names: list[str]) -> JsonFields | None:
    values = {name: fields[name] for name in names if fields.get(name) is not None}
    return {name: CHANGED if _is_personal(kind, name) else _json(value) for name, value in values.items()} or None


def _is_personal(kind: str, name: str) -> bool:
    return name in _PERSONAL or (name == "name" and kind in _PEOPLE)


def _json(value: object) -> Any:
    """The value as JSON has it: times in ISO 8601, money as decimal text. Raises TypeError for what JSON lacks."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str | Decimal):
        return str(value)
    if isinstance(value, date):
        return value.isoformat().replace("+00:00", "Z")
    return _json_collection(value)


def _json_collection(value: object) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _json(member) for name, member in value.items()}
    if isinstance(value, Set):
        return sorted(_json(item) for item in value)
    if isinstance(value, list | tuple):
        return [_json(item) for item in value]
    raise TypeError(f"an audit event cannot have a {type(value).__name__}")
