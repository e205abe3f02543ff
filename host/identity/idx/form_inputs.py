"""Fields of the provider's forms as inputs of ours, and what was typed back into the provider's form.

Ours are flat: an input is named by its own field, whatever it is nested in. A list of authenticators becomes one
choice, with an option for each method; the option's value is only for us.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from host.identity.errors import NotOffered
from host.identity.idx.answers import Json, rows
from host.identity.idx.wire import Input, Option

HANDLE = "stateHandle"
Values = Mapping[str, str | bool]
# key of an authenticator -> how the browser calls its kind.
KINDS = {
    "okta_password": "password",
    "okta_email": "email",
    "phone_number": "phone",
    "google_otp": "app",
    "security_question": "question",
    "okta_verify": "verify",
    "webauthn": "webauthn",
}
_TYPES = {"totp": "code", "email": "email", "phoneNumber": "tel"}
_LABELS = {"methodType": "How", "channel": "How", "questionKey": "Question", "authenticator": "How"}
_COMPLETE = {
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
    return [one for one in rows(form.get("value")) if isinstance(one.get("name"), str) and one["name"] != HANDLE]


def _inside(one: Json) -> list[Json] | None:
    """The fields nested in a field, None for one that is filled itself."""
    for part in (one, one.get("value")):
        if isinstance(part, dict) and isinstance(part.get("form"), dict):
            return fields_of(part["form"])
    return None


def _is_list_of_forms(one: Json) -> bool:
    return any(isinstance(option.get("value"), dict) for option in rows(one.get("options")))


def _is_fixed(one: Json) -> bool:
    return one.get("mutable") is False


def inputs_of(form: Json, resolve: Resolve, username: str) -> list[Input]:
    return [made for one in fields_of(form) for made in _inputs(one, str(form.get("name")), resolve, username)]


def _inputs(one: Json, step: str, resolve: Resolve, username: str) -> list[Input]:
    inside = _inside(one)
    if inside is not None:
        return [made for part in inside for made in _inputs(part, step, resolve, username)]
    if _is_fixed(one):
        return []
    if _is_list_of_forms(one):
        options = [made for at, row in enumerate(rows(one["options"])) for made in _options(at, row, step, resolve)]
        name = one["name"]
        return [Input(name=name, label=_label(one), type="choice", required=True, options=options)]
    return [_input(one, step, username)]


def _options(at: int, row: Json, step: str, resolve: Resolve) -> list[Option]:
    """One for each method; the methods of one authenticator are told apart by their names."""
    inside = _inside(row) or []
    methods = _methods(inside)
    own = _key(at, row)
    kind = KINDS.get(str(resolve(row.get("relatesTo")).get("key")))
    label = str(row.get("label") or "")
    others = [one for one in inside if one["name"] != "methodType"]
    inputs = [made for one in others for made in _inputs(one, step, resolve, "")]
    if not methods:
        return [Option(value=own, label=label, kind=kind, inputs=inputs)]
    return [
        Option(value=f"{own}.{method}", label=f"{label}: {name}", kind=kind, inputs=inputs) for method, name in methods
    ]


def _key(at: int, row: Json) -> str:
    """An authenticator is named by what its option fixes: the list grows shorter while another tab still shows it."""
    if "relatesTo" not in row:
        return str(at)
    fixed = [[one["name"], one.get("value")] for one in _inside(row) or [] if _is_fixed(one)]
    return hashlib.sha256(json.dumps([row.get("label"), fixed]).encode()).hexdigest()[:12]


def _methods(inside: list[Json]) -> list[tuple[str, str]]:
    found = next((one for one in inside if one["name"] == "methodType" and not _is_fixed(one)), {})
    return [(str(one["value"]), str(one.get("label") or one["value"])) for one in rows(found.get("options"))]


def _label(one: Json) -> str:
    return str(one.get("label") or _LABELS.get(one["name"]) or one["name"])


def _input(one: Json, step: str, username: str) -> Input:
    name, kind = one["name"], _type(one)
    options = [Option(value=str(row["value"]), label=str(row.get("label") or row["value"])) for row in _choices(one)]
    value = username if name == "identifier" and username else one.get("value")
    return Input(
        name=name,
        label=_label(one),
        type=kind,
        required=bool(one.get("required", name in ("passcode", "totp"))),
        value=value if isinstance(value, str | bool) else None,
        minLength=_number(one.get("minLength")),
        maxLength=_number(one.get("maxLength")),
        autocomplete=_complete(name, kind, step),
        options=options or None,
    )


def _choices(one: Json) -> list[Json]:
    return [row for row in rows(one.get("options")) if isinstance(row.get("value"), str)]


def _type(one: Json) -> str:
    if one.get("visible") is False:
        return "hidden"
    if one.get("type") == "boolean":
        return "boolean"
    if _choices(one):
        return "choice"
    if one["name"] == "passcode":
        return "password" if one.get("secret") else "code"
    return _TYPES.get(one["name"], "text")


def _complete(name: str, kind: str, step: str) -> str | None:
    if kind == "password":
        return "new-password" if step in _NEW_PASSWORD else "current-password"
    return "one-time-code" if kind == "code" else _COMPLETE.get(name, "off" if kind == "text" else None)


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


@dataclass
class Filling:
    """Values on their way into a form; `errors` by input, `used` those that found their place."""

    values: Values
    errors: dict[str, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)

    def body(self, form: Json) -> Json:
        """What is posted: what was typed, and what the form fixes. With `errors` it must not be posted.

        Raises NotOffered for an option that the list does not have.
        """
        made = self._filled(fields_of(form))
        for name in self.values:
            if name not in self.used:
                self.errors[name] = "This is not asked for."
        handle = next((one["value"] for one in rows(form.get("value")) if one.get("name") == HANDLE), None)
        return made if handle is None else {**made, HANDLE: handle}

    def _filled(self, fields: list[Json]) -> Json:
        made: Json = {}
        for one in fields:
            inside = _inside(one)
            if inside is not None:
                made[one["name"]] = self._filled(inside)
            elif _is_fixed(one):
                made[one["name"]] = one.get("value")
            elif _is_list_of_forms(one):
                made[one["name"]] = self._chosen(one)
            else:
                self._typed(one, made)
        return made

    def _chosen(self, one: Json) -> Json:
        name = one["name"]
        self.used.add(name)
        own, _, method = str(self.values.get(name, "")).partition(".")
        options = {_key(at, row): row for at, row in enumerate(rows(one["options"]))}
        if not own:
            self.errors[name] = "Choose one of the list."
            return {}
        if own not in options:
            raise NotOffered
        inside = _inside(options[own]) or []
        methods = [word for word, _ in _methods(inside)]
        if methods and method not in methods:
            self.errors[name] = "Choose one of the list."
            return {}
        made = self._filled([part for part in inside if not methods or part["name"] != "methodType"])
        return {**made, **({"methodType": method} if methods else {})}

    def _typed(self, one: Json, made: Json) -> None:
        name, kind = one["name"], _type(one)
        self.used.add(name)
        value = self.values.get(name, one.get("value"))
        if isinstance(value, str) and kind in ("code", "email", "tel", "text"):
            value = value.strip()
        is_missing = value is None or value == ""
        if is_missing and bool(one.get("required", name in ("passcode", "totp"))):
            self.errors[name] = "Fill in this field."
        elif kind == "choice" and not is_missing and value not in [row["value"] for row in _choices(one)]:
            self.errors[name] = "Choose one of the list."
        elif not is_missing and isinstance(value, bool) != (kind == "boolean"):
            self.errors[name] = "This is not what the field takes."
        elif not is_missing:
            made[name] = value
