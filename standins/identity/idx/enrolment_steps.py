"""What the steps of enrolling show."""

from typing import Any

from standins.identity.answers import Json
from standins.identity.authenticators import KINDS
from standins.identity.idx import forms, showing
from standins.identity.idx.forms import CODE_LABEL, choice, credentials, field, fixed, form, listed, nested
from standins.identity.idx.showing import PUSH_REFRESH_MS, Shown
from standins.identity.idx.transaction import Tx, kind_of

NEW = ["$.currentAuthenticator"]
CHANNELS = (("QR code", "qrcode"), ("Email", "email"), ("SMS", "sms"))


def enroll_profile(tx: Tx) -> Shown:
    name = {"required": True, "minLength": 1, "maxLength": 50}
    profile = nested(
        "userProfile",
        field("firstName", "First name", **name),
        field("lastName", "Last name", **name),
        field("email", "Email", required=True, maxLength=254),
    )
    password = [credentials(field("passcode", "Password", secret=True))]
    with_password = tx.call.provider.policies["registration"]["withPassword"]
    fields = [profile, *(password if with_password else [])]
    return [form(tx, "enroll-profile", "enroll/new", *fields), form(tx, "select-identify", "identify/select")], {}


def select(tx: Tx) -> Shown:
    """What is to be enrolled, or may be; with nothing required it may be left."""
    due = tx.due()
    options = [choice(KINDS[key], f"$.authenticators.value[{at}]", *_select_fields(key)) for at, key in enumerate(due)]
    chosen = {"name": "authenticator", "type": "object", "options": options}
    rows = [form(tx, "select-authenticator-enroll", "credential/enroll", chosen)]
    if "required" not in due.values():
        rows.append(form(tx, "skip", "skip"))
    return rows, {"authenticators": listed([forms.of_kind(KINDS[key]) for key in due])}


def _select_fields(key: str) -> list[Json]:
    if key == "phone_number":
        return [forms.methods(KINDS[key], required=False), field("phoneNumber", "Phone number", required=False)]
    if key == "okta_verify":
        return [_channels(required=False)]
    return [forms.methods(KINDS[key], required=False)]


def _channels(*, required: bool) -> Json:
    options = [{"label": label, "value": value} for label, value in CHANNELS]
    return {"name": "channel", "type": "string", "required": required, "options": options}


def _current(tx: Tx, **more: Any) -> Json:
    kind = kind_of(tx)
    about = showing.password_kind(tx) if kind.key == "okta_password" else forms.of_kind(kind)
    return {"currentAuthenticator": {"type": "object", "value": {**about, **more}}}


def _beside(tx: Tx, asked: list[Json], **more: Any) -> Shown:
    """With the list to choose another one from."""
    others, extras = select(tx)
    return [*asked, *others], {**extras, **_current(tx, **more)}


def enrollment_data(tx: Tx) -> Shown:
    kind = kind_of(tx)
    number = field("phoneNumber", "Phone number", type="string", required=True)
    which = nested(
        "authenticator",
        fixed("id", kind.id),
        forms.methods(kind, required=True),
        number,
        type="object",
        required=True,
        label=kind.name,
    )
    return _beside(tx, [form(tx, "authenticator-enrollment-data", "credential/enroll", which, relatesTo=NEW)])


def enroll(tx: Tx) -> Shown:
    """What proves the new authenticator."""
    key, shown = tx.data["key"], tx.data.get("shown", {})
    asked = form(tx, "enroll-authenticator", "challenge/answer", _credentials(tx), relatesTo=NEW)
    more: Json = {}
    if key in ("okta_email", "phone_number"):
        more["resend"] = form(tx, "resend", "challenge/resend")
    if key == "okta_email":
        more["poll"] = form(tx, "poll", "challenge/poll", refresh=showing.EMAIL_REFRESH_MS)
    if key == "google_otp":
        image = {"method": "embedded", "href": shown["qrcode"], "type": "image/png"}
        more["contextualData"] = {"sharedSecret": shown["sharedSecret"], "qrcode": image}
    elif key == "security_question":
        more["contextualData"] = {"questions": shown["questions"], "questionKeys": shown["questionKeys"]}
    elif key == "webauthn":
        more["contextualData"] = {"activationData": shown["activation"]}
    return _beside(tx, [asked], **more)


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
    known = tx.call.provider.policies["questions"]
    answer = field("answer", "Answer", required=True, secret=True)
    chosen = {
        **field("questionKey", "Question", type="string", required=True),
        "options": [{"label": text, "value": key} for key, text in known.items()],
    }
    own = [{"name": "questionKey", "required": True, "value": "custom", "mutable": False}]
    own += [field("question", "Your question", required=True), answer]
    return [
        {"label": "Choose a security question", "value": {"form": {"value": [chosen, answer]}}},
        {"label": "Create my own security question", "value": {"form": {"value": own}}},
    ]


def enroll_poll(tx: Tx) -> Shown:
    """The verify app is being set up; it answers by itself."""
    waiting = form(tx, "enroll-poll", "challenge/poll", relatesTo=NEW, refresh=PUSH_REFRESH_MS)
    # Clients read the authenticator and the id in it by position.
    which = nested("authenticator", fixed("id", kind_of(tx).id), _channels(required=True))
    wrapped = {
        "name": "authenticator",
        "type": "object",
        "label": kind_of(tx).name,
        "value": {"form": which["form"]},
    }
    channel = form(tx, "select-enrollment-channel", "credential/enroll", wrapped)
    channel_name = tx.data.get("channel", "qrcode")
    data: Json = {"selectedChannel": channel_name}
    if channel_name == "qrcode":
        data["qrcode"] = {"method": "embedded", "href": tx.data["shown"]["qrcode"], "type": "image/png"}
    rows, extras = _beside(tx, [waiting, channel], contextualData=data)
    return rows, extras


def channel_data(tx: Tx) -> Shown:
    """Where the link for the verify app is to be sent."""
    is_mail = tx.data["channel"] == "email"
    where = field("email", "Email", required=True) if is_mail else field("phoneNumber", "Phone number", required=True)
    asked = form(tx, "enrollment-channel-data", "challenge/send", where, relatesTo=NEW)
    return _beside(tx, [asked], contextualData={"selectedChannel": tx.data["channel"]})
