"""Form-encoded parameters of the API: `line_items[0][price_data][currency]=usd` as nested values, checked by a schema.

A schema is a dict from a name to a check, which returns the value in its type or raises RequestRefused.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from standins.payments.errors import RequestRefused

Check = Callable[[str, Any], Any]
_STEP = re.compile(r"\[([^\[\]]*)\]")


@dataclass(frozen=True)
class Required:
    """A parameter that must be given."""

    check: Check


Schema = Mapping[str, Check | Required]


def nested(pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """{"a[b][0]": "c"} as {"a": {"b": ["c"]}}."""
    tree: dict[str, Any] = {}
    for name, value in pairs:
        first, bracket, _ = name.partition("[")
        node, path = tree, [first, *(_STEP.findall(name) if bracket else [])]
        for step in path[:-1]:
            below = node.setdefault(step or str(len(node)), {})
            if not isinstance(below, dict):
                raise RequestRefused(
                    400, f"Invalid request: {name} is given both as a value and as a hash", param=first
                )
            node = below
        node[path[-1] or str(len(node))] = value
    return {name: _with_lists(value) for name, value in tree.items()}


def _with_lists(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    items = {name: _with_lists(item) for name, item in value.items()}
    if items and all(name.isdigit() for name in items):
        return [items[name] for name in sorted(items, key=int)]
    return items


def checked(values: Mapping[str, Any], schema: Schema, prefix: str = "") -> dict[str, Any]:
    """The parameters in their types. Raises RequestRefused for an unknown, missing or malformed one."""
    names = {name: f"{prefix}[{name}]" if prefix else name for name in {**values, **schema}}
    unknown = [names[name] for name in values if name not in schema]
    if unknown:
        word = "parameter" if len(unknown) == 1 else "parameters"
        text = f"Received unknown {word}: {', '.join(unknown)}"
        raise RequestRefused(400, text, code="parameter_unknown", param=unknown[0])
    for name, check in schema.items():
        if isinstance(check, Required) and name not in values:
            text = f"Missing required param: {names[name]}."
            raise RequestRefused(400, text, code="parameter_missing", param=names[name])
    plain = {name: check.check if isinstance(check, Required) else check for name, check in schema.items()}
    return {name: plain[name](names[name], value) for name, value in values.items()}


def text(longest: int = 5_000) -> Check:
    def check(name: str, value: Any) -> str:
        if not isinstance(value, str):
            raise RequestRefused(400, f"Invalid string: {name}", param=name)
        _require_filled(name, value)
        if len(value) > longest:
            raise RequestRefused(
                400, f"Invalid string: {value[:10]}…; must be at most {longest} characters", param=name
            )
        return value

    return check


def _require_filled(name: str, value: str) -> None:
    if not value:
        empty = f"You passed an empty string for '{name}'. Remove it from your request or supply a non-empty value."
        raise RequestRefused(400, empty, code="parameter_invalid_empty", param=name)


def integer(least: int = -(2**53), most: int = 2**53) -> Check:
    def check(name: str, value: Any) -> int:
        if not isinstance(value, str) or not re.fullmatch(r"-?\d{1,16}", value):
            raise RequestRefused(400, f"Invalid integer: {value}", code="parameter_invalid_integer", param=name)
        if not least <= int(value) <= most:
            text = f"Invalid integer: {name} must be between {least} and {most}"
            raise RequestRefused(400, text, code="parameter_invalid_integer", param=name)
        return int(value)

    return check


def boolean(name: str, value: Any) -> bool:
    if value not in ("true", "false"):
        raise RequestRefused(400, f"Invalid boolean: {value}", param=name)
    return bool(value == "true")


def one_of(*words: str) -> Check:
    def check(name: str, value: Any) -> str:
        if value not in words:
            raise RequestRefused(400, f"Invalid {name}: must be one of {', '.join(words)}", param=name)
        return str(value)

    return check


def pattern(expression: str, message: str, code: str) -> Check:
    def check(name: str, value: Any) -> str:
        if isinstance(value, str):
            _require_filled(name, value)
        if not isinstance(value, str) or not re.fullmatch(expression, value):
            raise RequestRefused(400, f"{message}: {value}", code=code, param=name)
        return value

    return check


def hash_of(schema: Schema) -> Check:
    def check(name: str, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise RequestRefused(400, f"Invalid hash: {name}", param=name)
        return checked(value, schema, name)

    return check


def list_of(check_item: Check, most: int = 100) -> Check:
    def check(name: str, value: Any) -> list[Any]:
        if not isinstance(value, list) or not value:
            raise RequestRefused(400, f"Invalid array: {name}", param=name)
        if len(value) > most:
            raise RequestRefused(400, f"Too many items in {name}: at most {most} are allowed", param=name)
        return [check_item(f"{name}[{at}]", item) for at, item in enumerate(value)]

    return check


def metadata(name: str, value: Any) -> dict[str, str]:
    """At most 50 keys of 40 characters, with values of 500. An empty value removes the key, "" all of them."""
    if value == "":
        return {}
    # Keys 0, 1, … look like a list.
    items = dict(enumerate(value)) if isinstance(value, list) else value
    if not isinstance(items, dict) or not all(isinstance(item, str) for item in items.values()):
        raise RequestRefused(400, "Invalid metadata: values must be strings", param=name)
    if len(items) > 50:
        raise RequestRefused(400, "Metadata can have up to 50 keys", param=name)
    for key, item in items.items():
        if len(str(key)) > 40:
            text = f"Metadata keys can have up to 40 characters, but you passed in a key that is {len(str(key))}"
            raise RequestRefused(400, text, param=name)
        if len(item) > 500:
            text = f"Metadata values can have up to 500 characters, but you passed in a value that is {len(item)}"
            raise RequestRefused(400, text, param=name)
    return {str(key): item for key, item in items.items()}


_BOUNDS: Schema = {name: integer(0) for name in ("gt", "gte", "lt", "lte")}


def created(name: str, value: Any) -> dict[str, int]:
    """Bounds of a time: {gte: …} or one second."""
    if isinstance(value, dict):
        return checked(value, _BOUNDS, name)
    exactly = integer(0)(name, value)
    return {"gte": exactly, "lte": exactly}


EXPAND: Schema = {"expand": list_of(text(), 20)}
PAGE: Schema = {
    **EXPAND,
    "limit": integer(1, 100),
    "starting_after": text(),
    "ending_before": text(),
    "created": created,
}
