"""Messages that would have been sent to people, and the development calls that show them."""

import re

from sqlalchemy import or_, select

from standins.identity import pages
from standins.identity.oauth import signing
from standins.identity.responses import (
    IdentityApiError,
    IdentityCall,
    IdentityResponse,
    iso_utc,
    json_response,
    not_found,
    text_of,
)
from standins.identity.tables import Enrollment, MailBody, Message, Push
from standins.identity.users import find_user

MAX_MESSAGES = 200
# Rights of a mail's frame: only links leave it, as pages of their own.
FRAME_RIGHTS = "allow-popups allow-popups-to-escape-sandbox"


def add_message(
    call: IdentityCall, to: str, channel: str, purpose: str, *, login: str | None = None, **content: str | None
) -> None:
    """Stores a message. `channel`: email, sms, call or push. `content`: code, link, token, subject, text."""
    absent = dict.fromkeys(("code", "link", "token", "subject", "text"))
    call.session.add(
        Message(to=to, login=login, channel=channel, purpose=purpose, created_at=call.now, **{**absent, **content})
    )


def messages_to(call: IdentityCall, to: str) -> list[Message]:
    """The newest messages to an address, phone number or login, newest first; for "" those to everybody."""
    query = select(Message).order_by(Message.id.desc()).limit(MAX_MESSAGES)
    if to:
        query = query.where(or_(Message.to == to, Message.login == to))
    return list(call.session.scalars(query))


def show_json(call: IdentityCall) -> IdentityResponse:
    return json_response(
        {"messages": [_message_json(message) for message in messages_to(call, call.query.get("to", ""))]}
    )


def _message_json(message: Message) -> dict[str, object]:
    optional = {name: getattr(message, name) for name in ("code", "link", "token", "subject", "text")}
    return {
        "id": message.id,
        "to": message.to,
        "channel": message.channel,
        "purpose": message.purpose,
        **{name: value for name, value in optional.items() if value is not None},
        "createdAt": iso_utc(message.created_at),
    }


def show_page(call: IdentityCall) -> IdentityResponse:
    to = call.query.get("to", "")
    defaults = dict.fromkeys(("code", "link", "subject", "text"))
    return pages.render_page(
        "outbox", messages=[{**defaults, **_message_json(message)} for message in messages_to(call, to)], wanted=to
    )


def show_mail(call: IdentityCall) -> IdentityResponse:
    """One mail: its text, and its HTML in a frame that runs no script and is of no origin."""
    message = _message(call)
    defaults = dict.fromkeys(("code", "link", "subject", "text"))
    has_html = call.session.get(MailBody, message.id) is not None
    return pages.render_page(
        "mail",
        message={**defaults, **_message_json(message)},
        has_html=has_html,
        rights=FRAME_RIGHTS,
    )


def show_html(call: IdentityCall) -> IdentityResponse:
    """The HTML of a mail for that frame. The policy sandboxes it also where it is opened alone."""
    body = call.session.get(MailBody, _message(call).id)
    if body is None:
        raise not_found()
    # Links open beside the frame: the shop lets nobody frame it.
    html = body.html.replace("<head>", '<head><base target="_blank">', 1)
    policy = f"sandbox {FRAME_RIGHTS}; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"
    headers = {
        "Content-Security-Policy": f"{policy}; frame-ancestors 'self'",
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }
    return IdentityResponse(200, html.encode(), "text/html", headers)


def _message(call: IdentityCall) -> Message:
    number = call.params["id"]
    message = call.session.get(Message, int(number)) if re.fullmatch("[0-9]{1,9}", number) else None
    if message is None:
        raise not_found()
    return message


def decide_push(call: IdentityCall) -> IdentityResponse:
    """Decides the latest push of a user's verify app: {"to": login, "action": approve|reject|enroll}.

    After `enroll` the response holds the app's shared secret, so that a program can act as the app.
    """
    user = find_user(call.session, text_of(call.json, "to"))
    action = text_of(call.json, "action")
    if user is None or action not in _DECISIONS:
        raise IdentityApiError(
            "E0000001", 400, "Api validation failed: push", "to: a login; action: approve, reject or enroll"
        )
    kind, status = _DECISIONS[action]
    push = call.session.scalar(
        select(Push)
        .where(Push.user_id == user.id, Push.kind == kind, Push.status == "WAITING")
        .order_by(Push.created_at.desc())
    )
    if push is None:
        raise not_found()
    push.status = status
    app = call.session.get(Enrollment, push.enrollment_id)
    secret = {"sharedSecret": app.data["secret"]} if action == "enroll" and app is not None else {}
    return json_response({"status": status, **secret})


_DECISIONS = {
    "approve": ("verify", "APPROVED"),
    "reject": ("verify", "REJECTED"),
    "enroll": ("enroll", "APPROVED"),
}


def rotate_key(call: IdentityCall) -> IdentityResponse:
    """Creates a new signing key at once, for tests of a rotation."""
    return json_response({"kid": signing.rotate_key(call)})
