"""The parts an answer is made of: fields, forms, actions, authenticators."""

from typing import Any

from standins.identity.answers import Json
from standins.identity.authenticators import KINDS, Kind
from standins.identity.authn.factors import masked_email, masked_phone
from standins.identity.idx.transaction import Tx
from standins.identity.tables import Enrollment

ION = "application/ion+json; okta-version=1.0.0"
# Clients send what they may accept anyway; the forms say it in so many words.
ACCEPTS = "application/json; okta-version=1.0.0"
CODE_LABEL = "Enter code"


def field(name: str, label: str | None = None, **more: Any) -> Json:
    return {"name": name, **({"label": label} if label else {}), **more}


def fixed(name: str, value: str) -> Json:
    """Sent back as it is, whatever the caller gives."""
    return {"name": name, "required": True, "value": value, "visible": False, "mutable": False}


def nested(name: str, *fields: Json, **more: Any) -> Json:
    return {"name": name, **more, "form": {"value": list(fields)}}


def credentials(*fields: Json) -> Json:
    return nested("credentials", *fields, type="object", required=True)


def form(tx: Tx, name: str, path: str, *fields: Json, **more: Any) -> Json:
    """Something that can be submitted; the state handle goes along by itself."""
    return {
        "rel": ["create-form"],
        "name": name,
        "href": f"{tx.call.provider.origin}/idp/idx/{path}",
        "method": "POST",
        "produces": ION,
        **more,
        "value": [*fields, fixed("stateHandle", tx.word)],
        "accepts": ACCEPTS,
    }


def choice(kind: Kind, target: str, *fields: Json, label: str | None = None) -> Json:
    """One option of a list of authenticators; `target` is the path of what it relates to."""
    own = {"name": "id", "required": True, "value": kind.id, "mutable": False}
    return {"label": label or kind.name, "value": {"form": {"value": [own, *fields]}}, "relatesTo": target}


METHOD_LABELS = {"sms": "SMS", "voice": "Voice call", "push": "Get a push notification", "totp": "Enter a code"}


def methods(kind: Kind, *, required: bool) -> Json:
    """The field methodType: a choice where there is one."""
    if len(kind.methods) == 1:
        return {"name": "methodType", "required": False, "value": kind.methods[0], "mutable": False}
    options = [{"label": METHOD_LABELS[one], "value": one} for one in kind.methods]
    return {"name": "methodType", "type": "string", "required": required, "options": options}


def of_kind(kind: Kind, **more: Any) -> Json:
    """An authenticator as such, nobody's in particular."""
    return {
        "type": kind.type,
        "key": kind.key,
        "id": kind.id,
        "displayName": kind.name,
        "methods": [{"type": one} for one in kind.methods],
        **more,
    }


def of_enrollment(one: Enrollment, *, shows_profile: bool) -> Json:
    """Somebody's authenticator. The profile is masked, and shown only to who has proved something already."""
    profile = {}
    if shows_profile and one.key == "okta_email":
        profile = {"profile": {"email": masked_email(one.data["email"])}}
    elif shows_profile and one.key == "phone_number":
        profile = {"profile": {"phoneNumber": masked_phone(one.data["phoneNumber"])}}
    key = {"credentialId": one.data["credentialId"]} if one.key == "webauthn" else {}
    return {**of_kind(KINDS[one.key]), "id": one.id, **profile, **key}


def listed(rows: list[Json]) -> Json:
    return {"type": "array", "value": rows}


def message(key: str, text: str, kind: str = "ERROR") -> Json:
    return {"message": text, "i18n": {"key": key, "params": []}, "class": kind}
