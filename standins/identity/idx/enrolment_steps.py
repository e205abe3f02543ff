"""The forms and other parts of each enrolment step."""

from typing import Any

from standins.identity.authenticators.challenges import KINDS
from standins.identity.idx import forms, sign_in_steps
from standins.identity.idx.forms import (
    CODE_LABEL,
    array,
    authenticator_option,
    credentials,
    field,
    fixed_field,
    form,
    nested_form,
)
from standins.identity.idx.sign_in_steps import PUSH_REFRESH_MS, StepParts
from standins.identity.idx.transaction import Tx, current_kind
from standins.identity.responses import Json

NEW = ["$.currentAuthenticator"]
CHANNELS = (("QR code", "qrcode"), ("Email", "email"), ("SMS", "sms"))


def enroll_profile(tx: Tx) -> StepParts:
    name = {"required": True, "minLength": 1, "maxLength": 50}
    profile = nested_form(
        "userProfile",
        field("firstName", "First name", **name),
        field("lastName", "Last name", **name),
        field("email", "Email", required=True, maxLength=254),
    )
    password = [credentials(field("passcode", "Password", secret=True))]
    with_password = tx.call.provider.policies["registration"]["withPassword"]
    fields = [profile, *(password if with_password else [])]
    return [form(tx, "enroll-profile", "enroll/new", *fields), form(tx, "select-identify", "identify/select")], {}


def select(tx: Tx) -> StepParts:
    """The authenticators to enroll; the step can be skipped when none is required."""
    due = tx.due_authenticators()
    options = [
        authenticator_option(KINDS[key], f"$.authenticators.value[{at}]", *_select_fields(key))
        for at, key in enumerate(due)
    ]
    authenticator_field = {"name": "authenticator", "type": "object", "options": options}
    rows = [form(tx, "select-authenticator-enroll", "credential/enroll", authenticator_field)]
    if "required" not in due.values():
        rows.append(form(tx, "skip", "skip"))
    return rows, {"authenticators": array([forms.kind_json(KINDS[key]) for key in due])}


def _select_fields(key: str) -> list[Json]:
    if key == "phone_number":
        return [forms.method_field(KINDS[key], required=False), field("phoneNumber", "Phone number", required=False)]
    if key == "okta_verify":
        return [_channels(required=False)]
    return [forms.method_field(KINDS[key], required=False)]


def _channels(*, required: bool) -> Json:
    options = [{"label": label, "value": value} for label, value in CHANNELS]
    return {"name": "channel", "type": "string", "required": required, "options": options}


def _current(tx: Tx, **more: Any) -> Json:
    kind = current_kind(tx)
    about = sign_in_steps.password_kind_json(tx) if kind.key == "okta_password" else forms.kind_json(kind)
    return {"currentAuthenticator": {"type": "object", "value": {**about, **more}}}


def _with_other_options(tx: Tx, forms_first: list[Json], **more: Any) -> StepParts:
    """The step's forms with the list of other authenticators."""
    others, extras = select(tx)
    return [*forms_first, *others], {**extras, **_current(tx, **more)}


def enrollment_data(tx: Tx) -> StepParts:
    kind = current_kind(tx)
    number = field("phoneNumber", "Phone number", type="string", required=True)
    authenticator_form = nested_form(
        "authenticator",
        fixed_field("id", kind.id),
        forms.method_field(kind, required=True),
        number,
        type="object",
        required=True,
        label=kind.name,
    )
    return _with_other_options(
        tx, [form(tx, "authenticator-enrollment-data", "credential/enroll", authenticator_form, relatesTo=NEW)]
    )


def enroll(tx: Tx) -> StepParts:
    """The form that activates the new authenticator."""
    key, details = tx.data["key"], tx.data.get("shown", {})
    answer_form = form(tx, "enroll-authenticator", "challenge/answer", _credentials(tx), relatesTo=NEW)
    extra: Json = {}
    if key in ("okta_email", "phone_number"):
        extra["resend"] = form(tx, "resend", "challenge/resend")
    if key == "okta_email":
        extra["poll"] = form(tx, "poll", "challenge/poll", refresh=sign_in_steps.EMAIL_REFRESH_MS)
    if key == "google_otp":
        image = {"method": "embedded", "href": details["qrcode"], "type": "image/png"}
        extra["contextualData"] = {"sharedSecret": details["sharedSecret"], "qrcode": image}
    elif key == "security_question":
        extra["contextualData"] = {"questions": details["questions"], "questionKeys": details["questionKeys"]}
    elif key == "webauthn":
        extra["contextualData"] = {"activationData": details["activation"]}
    return _with_other_options(tx, [answer_form], **extra)


def _credentials(tx: Tx) -> Json:
    key = tx.data["key"]
    if key == "okta_password":
        return credentials(field("passcode", "Password", secret=True))
    if key == "webauthn":
        names = ("clientData", "attestation")
        return credentials(*({"name": name, "required": True, "visible": False} for name in names))
    if key == "security_question":
        return {"name": "credentials", "type": "object", "required": True, "options": _questions(tx)}
    return credentials(field("passcode", CODE_LABEL))


def _questions(tx: Tx) -> list[Json]:
    texts = tx.call.provider.policies["questions"]
    answer = field("answer", "Answer", required=True, secret=True)
    question_field = {
        **field("questionKey", "Question", type="string", required=True),
        "options": [{"label": text, "value": key} for key, text in texts.items()],
    }
    own = [{"name": "questionKey", "required": True, "value": "custom", "mutable": False}]
    own += [field("question", "Your question", required=True), answer]
    return [
        {"label": "Choose a security question", "value": {"form": {"value": [question_field, answer]}}},
        {"label": "Create my own security question", "value": {"form": {"value": own}}},
    ]


def enroll_poll(tx: Tx) -> StepParts:
    """Waits while the verify app is set up: clients poll."""
    waiting = form(tx, "enroll-poll", "challenge/poll", relatesTo=NEW, refresh=PUSH_REFRESH_MS)
    # Clients find the authenticator and its id by position.
    authenticator_form = nested_form("authenticator", fixed_field("id", current_kind(tx).id), _channels(required=True))
    authenticator_field = {
        "name": "authenticator",
        "type": "object",
        "label": current_kind(tx).name,
        "value": {"form": authenticator_form["form"]},
    }
    channel = form(tx, "select-enrollment-channel", "credential/enroll", authenticator_field)
    channel_name = tx.data.get("channel", "qrcode")
    data: Json = {"selectedChannel": channel_name}
    if channel_name == "qrcode":
        data["qrcode"] = {"method": "embedded", "href": tx.data["shown"]["qrcode"], "type": "image/png"}
    rows, extras = _with_other_options(tx, [waiting, channel], contextualData=data)
    return rows, extras


def channel_data(tx: Tx) -> StepParts:
    """Asks where to send the verify app's link."""
    is_mail = tx.data["channel"] == "email"
    target_field = (
        field("email", "Email", required=True) if is_mail else field("phoneNumber", "Phone number", required=True)
    )
    target_form = form(tx, "enrollment-channel-data", "challenge/send", target_field, relatesTo=NEW)
    return _with_other_options(tx, [target_form], contextualData={"selectedChannel": tx.data["channel"]})
