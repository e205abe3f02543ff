"""Converts fields of the provider's forms to inputs for the browser, and typed values back to the provider's form.

Inputs are flat: each has the name of its own field, however deep the field is nested. A list of authenticators becomes
one choice with an option for each method; the values of the options are our own.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

from host.identity.errors import NotOffered
from host.identity.idx.response import Json, rows
from host.identity.idx.schemas import AuthenticatorKind, Input, InputType, Option

HANDLE = "stateHandle"
Values = Mapping[str, str | bool]
# The provider's key of an authenticator -> its kind in our JSON.
KINDS: dict[str, AuthenticatorKind] = {
    "okta_password": "password",
    "okta_email": "email",
    "phone_number": "phone",
    "google_otp": "app",
    "security_question": "question",
    "okta_verify": "verify",
    "webauthn": "webauthn",
}
_TYPES: dict[str, InputType] = {"totp": "code", "email": "email", "phoneNumber": "tel"}
_LABELS = {"methodType": "How", "channel": "How", "questionKey": "Question", "authenticator": "How"}
_AUTOCOMPLETE = {
    "identifier": "username",
    "email": "email",
    "phoneNumber": "tel",
    "firstName": "given-name",
    "lastName": "family-name",
}
_NEW_PASSWORD = {"enroll-authenticator", "reset-authenticator", "reenroll-authenticator", "enroll-profile"}
_NEW_PASSWORD |= {"reenroll-authenticator-warning"}
Resolve = Callable[[Any], Json]


def fields_of(form: Json) -> list[Json]:
    fields = [field for field in rows(form.get("value")) if isinstance(field.get("name"), str)]
    return [field for field in fields if field["name"] != HANDLE]


def _nested_fields(field: Json) -> list[Json] | None:
    """The fields nested in a field, None for a field with a value of its own."""
    for part in (field, field.get("value")):
        if isinstance(part, dict) and isinstance(part.get("form"), dict):
            return fields_of(part["form"])
    return None


def _is_list_of_forms(field: Json) -> bool:
    return any(isinstance(option.get("value"), dict) for option in rows(field.get("options")))


def _is_fixed(field: Json) -> bool:
    return field.get("mutable") is False


def inputs_of(form: Json, resolve: Resolve, username: str) -> list[Input]:
    step = str(form.get("name"))
    return [item for field in fields_of(form) for item in _inputs(field, step, resolve, username)]


def _inputs(field: Json, step: str, resolve: Resolve, username: str) -> list[Input]:
    nested = _nested_fields(field)
    if nested is not None:
        return [item for part in nested for item in _inputs(part, step, resolve, username)]
    if _is_fixed(field):
        return []
    if _is_list_of_forms(field):
        options = [item for at, row in enumerate(rows(field["options"])) for item in _options(at, row, step, resolve)]
        name = field["name"]
        return [Input(name=name, label=_label(field), type="choice", required=True, options=options)]
    return [_input(field, step, username)]


def _options(at: int, row: Json, step: str, resolve: Resolve) -> list[Option]:
    """One option for each method of an authenticator; a single option when it has no choice of methods."""
    nested = _nested_fields(row) or []
    methods = _methods(nested)
    key = _key(at, row)
    kind = KINDS.get(str(resolve(row.get("relatesTo")).get("key")))
    label = str(row.get("label") or "")
    others = [field for field in nested if field["name"] != "methodType"]
    inputs = [item for field in others for item in _inputs(field, step, resolve, "")]
    if not methods:
        return [Option(value=key, label=label, kind=kind, inputs=inputs)]
    return [
        Option(value=f"{key}.{method}", label=f"{label}: {name}", kind=kind, inputs=inputs) for method, name in methods
    ]


def _key(at: int, row: Json) -> str:
    """A stable key of an option: a hash of its fixed values. Positions would change when the list gets shorter while
    another tab still shows it in full."""
    if "relatesTo" not in row:
        return str(at)
    fixed = [[field["name"], field.get("value")] for field in _nested_fields(row) or [] if _is_fixed(field)]
    return hashlib.sha256(json.dumps([row.get("label"), fixed]).encode()).hexdigest()[:12]


def _methods(nested: list[Json]) -> list[tuple[str, str]]:
    choice = next((field for field in nested if field["name"] == "methodType" and not _is_fixed(field)), {})
    return [(str(row["value"]), str(row.get("label") or row["value"])) for row in rows(choice.get("options"))]


def _label(field: Json) -> str:
    return str(field.get("label") or _LABELS.get(field["name"]) or field["name"])


def _input(field: Json, step: str, username: str) -> Input:
    name, kind = field["name"], _type(field)
    options = [Option(value=str(row["value"]), label=str(row.get("label") or row["value"])) for row in _choices(field)]
    value = username if name == "identifier" and username else field.get("value")
    return Input(
        name=name,
        label=_label(field),
        type=kind,
        required=bool(field.get("required", name in ("passcode", "totp"))),
        value=value if isinstance(value, str | bool) else None,
        minLength=_number(field.get("minLength")),
        maxLength=_number(field.get("maxLength")),
        autocomplete=_autocomplete(name, kind, step),
        options=options or None,
    )


def _choices(field: Json) -> list[Json]:
    return [row for row in rows(field.get("options")) if isinstance(row.get("value"), str)]


def _type(field: Json) -> InputType:
    if field.get("visible") is False:
        return "hidden"
    if field.get("type") == "boolean":
        return "boolean"
    if _choices(field):
        return "choice"
    if field["name"] == "passcode":
        return "password" if field.get("secret") else "code"
    return _TYPES.get(field["name"], "text")


def _autocomplete(name: str, kind: str, step: str) -> str | None:
    if kind == "password":
        return "new-password" if step in _NEW_PASSWORD else "current-password"
    return "one-time-code" if kind == "code" else _AUTOCOMPLETE.get(name, "off" if kind == "text" else None)


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


@dataclass
class FormFiller:
    """Fills typed values into a form. `errors` by input; `used`: the names of values that the form has a field for."""

    values: Values
    errors: dict[str, str] = dataclass_field(default_factory=dict)
    used: set[str] = dataclass_field(default_factory=set)

    def body(self, form: Json) -> Json:
        """The body to post: typed and fixed values. It must not be posted when there are `errors`.

        Raises NotOffered for an option that the list does not have.
        """
        body = self._fill(fields_of(form))
        for name in self.values:
            if name not in self.used:
                self.errors[name] = "This field is not part of the form."
        handle = next((field["value"] for field in rows(form.get("value")) if field.get("name") == HANDLE), None)
        return body if handle is None else {**body, HANDLE: handle}

    def _fill(self, fields: list[Json]) -> Json:
        body: Json = {}
        for field in fields:
            nested = _nested_fields(field)
            if nested is not None:
                body[field["name"]] = self._fill(nested)
            elif _is_fixed(field):
                body[field["name"]] = field.get("value")
            elif _is_list_of_forms(field):
                body[field["name"]] = self._fill_choice(field)
            else:
                self._fill_value(field, body)
        return body

    def _fill_choice(self, field: Json) -> Json:
        name = field["name"]
        self.used.add(name)
        key, _, method = str(self.values.get(name, "")).partition(".")
        options = {_key(at, row): row for at, row in enumerate(rows(field["options"]))}
        if not key:
            self.errors[name] = "Choose an option from the list."
            return {}
        if key not in options:
            raise NotOffered
        nested = _nested_fields(options[key]) or []
        methods = [value for value, _ in _methods(nested)]
        if methods and method not in methods:
            self.errors[name] = "Choose an option from the list."
            return {}
        body = self._fill([part for part in nested if not methods or part["name"] != "methodType"])
        return {**body, **({"methodType": method} if methods else {})}

    def _fill_value(self, field: Json, body: Json) -> None:
        name, kind = field["name"], _type(field)
        self.used.add(name)
        value = self.values.get(name, field.get("value"))
        if isinstance(value, str) and kind in ("code", "email", "tel", "text"):
            value = value.strip()
        is_missing = value is None or value == ""
        if is_missing and bool(field.get("required", name in ("passcode", "totp"))):
            self.errors[name] = "Fill in this field."
        elif kind == "choice" and not is_missing and value not in [row["value"] for row in _choices(field)]:
            self.errors[name] = "Choose an option from the list."
        elif not is_missing and isinstance(value, bool) != (kind == "boolean"):
            self.errors[name] = "This value does not match the field."
        elif not is_missing:
            body[name] = value
