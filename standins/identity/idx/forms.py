"""Builders of a response's JSON: fields, forms, actions, authenticators."""

from typing import Any

from standins.identity.authenticators.challenges import KINDS, Kind
from standins.identity.authn.factors import mask_email, mask_phone
from standins.identity.idx.transaction import Tx
from standins.identity.responses import Json
from standins.identity.tables import Enrollment

ION = "application/ion+json; okta-version=1.0.0"
# Part of the format, although clients do not read it.
ACCEPTS = "application/json; okta-version=1.0.0"
CODE_LABEL = "Enter code"


def field(name: str, label: str | None = None, **more: Any) -> Json:
    return {"name": name, **({"label": label} if label else {}), **more}


def fixed_field(name: str, value: str) -> Json:
    """A hidden field that clients send back unchanged."""
    return {"name": name, "required": True, "value": value, "visible": False, "mutable": False}


def nested_form(name: str, *fields: Json, **more: Any) -> Json:
    return {"name": name, **more, "form": {"value": list(fields)}}


def credentials(*fields: Json) -> Json:
    return nested_form("credentials", *fields, type="object", required=True)


def form(tx: Tx, name: str, path: str, *fields: Json, **more: Any) -> Json:
    """A form or action, with the state handle as a hidden field."""
    return {
        "rel": ["create-form"],
        "name": name,
        "href": f"{tx.call.provider.origin}/idp/idx/{path}",
        "method": "POST",
        "produces": ION,
        **more,
        "value": [*fields, fixed_field("stateHandle", tx.state_handle)],
        "accepts": ACCEPTS,
    }


def authenticator_option(kind: Kind, target: str, *fields: Json, label: str | None = None) -> Json:
    """An option in a list of authenticators; `target` is the JSON path of the authenticator."""
    id_field = {"name": "id", "required": True, "value": kind.id, "mutable": False}
    return {"label": label or kind.name, "value": {"form": {"value": [id_field, *fields]}}, "relatesTo": target}


METHOD_LABELS = {"sms": "SMS", "voice": "Voice call", "push": "Get a push notification", "totp": "Enter a code"}


def method_field(kind: Kind, *, required: bool) -> Json:
    """The field methodType, with options when the kind has several methods."""
    if len(kind.methods) == 1:
        return {"name": "methodType", "required": False, "value": kind.methods[0], "mutable": False}
    options = [{"label": METHOD_LABELS[method], "value": method} for method in kind.methods]
    return {"name": "methodType", "type": "string", "required": required, "options": options}


def kind_json(kind: Kind, **more: Any) -> Json:
    """A kind of authenticator, without an enrollment."""
    return {
        "type": kind.type,
        "key": kind.key,
        "id": kind.id,
        "displayName": kind.name,
        "methods": [{"type": method} for method in kind.methods],
        **more,
    }


def enrollment_json(enrollment: Enrollment, *, shows_profile: bool) -> Json:
    """An enrollment. Its masked profile is shown only after a first factor was verified."""
    profile = {}
    if shows_profile and enrollment.key == "okta_email":
        profile = {"profile": {"email": mask_email(enrollment.data["email"])}}
    elif shows_profile and enrollment.key == "phone_number":
        profile = {"profile": {"phoneNumber": mask_phone(enrollment.data["phoneNumber"])}}
    key = {"credentialId": enrollment.data["credentialId"]} if enrollment.key == "webauthn" else {}
    return {**kind_json(KINDS[enrollment.key]), "id": enrollment.id, **profile, **key}


def array(rows: list[Json]) -> Json:
    return {"type": "array", "value": rows}


def message(key: str, text: str, kind: str = "ERROR") -> Json:
    return {"message": text, "i18n": {"key": key, "params": []}, "class": kind}
