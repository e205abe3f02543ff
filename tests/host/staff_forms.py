"""What the browser sends of a form that is described by the server (host/api/admin/actions.py)."""

from typing import Any


def body_of(form: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """The body of a form as it is shown, with these changes."""
    version = {"version": form["version"]} if "version" in form else {}
    return {**version, **{field["name"]: _value(field) for field in form["fields"]}, **changes}


def _value(field: dict[str, Any]) -> Any:
    kind, text = field["kind"], field["value"]
    if kind == "picks":
        return [one["value"] for one in field["picked"]]
    if kind == "pick":
        return field["picked"][0]["value"] if field["picked"] else ""
    if kind in ("number", "money"):
        return int(text) if text else None if field.get("isNullable") else 0
    if kind == "yes":
        return text == "yes"
    return text or None if kind == "time" else text
