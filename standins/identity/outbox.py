"""What would have been sent to people, and the hooks by which a test or a person reads it."""

from sqlalchemy import or_, select

from standins.identity import pages, signing
from standins.identity.answers import Answer, ApiError, Call, iso, missing, reply, text_of
from standins.identity.tables import Enrollment, Message, Push
from standins.identity.users import find

SHOWN = 200


def put(call: Call, to: str, channel: str, purpose: str, *, login: str | None = None, **what: str | None) -> None:
    """`channel`: email, sms, call or push; `what`: code, link, token, subject, text."""
    absent = dict.fromkeys(("code", "link", "token", "subject", "text"))
    call.session.add(
        Message(to=to, login=login, channel=channel, purpose=purpose, created_at=call.now, **{**absent, **what})
    )


def found(call: Call, to: str) -> list[Message]:
    """The newest first; of an address, a phone number or a login, or everybody's for ""."""
    wanted = select(Message).order_by(Message.id.desc()).limit(SHOWN)
    if to:
        wanted = wanted.where(or_(Message.to == to, Message.login == to))
    return list(call.session.scalars(wanted))


def listing(call: Call) -> Answer:
    return reply({"messages": [_body(one) for one in found(call, call.query.get("to", ""))]})


def _body(one: Message) -> dict[str, object]:
    optional = {name: getattr(one, name) for name in ("code", "link", "token", "subject", "text")}
    return {
        "id": one.id,
        "to": one.to,
        "channel": one.channel,
        "purpose": one.purpose,
        **{name: value for name, value in optional.items() if value is not None},
        "createdAt": iso(one.created_at),
    }


def for_people(call: Call) -> Answer:
    wanted = call.query.get("to", "")
    blank = dict.fromkeys(("code", "link", "subject", "text"))
    return pages.page("outbox", messages=[{**blank, **_body(one)} for one in found(call, wanted)], wanted=wanted)


def decide(call: Call) -> Answer:
    """Answers the latest question to somebody's verify app: {"to": login, "action": approve|reject|enroll}.

    After `enroll` the answer carries the app's shared secret, for programs that go on as the app.
    """
    user = find(call.session, text_of(call.json, "to"))
    action = text_of(call.json, "action")
    if user is None or action not in _DECISIONS:
        raise ApiError("E0000001", 400, "Api validation failed: push", "to: a login; action: approve, reject or enroll")
    kind, status = _DECISIONS[action]
    push = call.session.scalar(
        select(Push)
        .where(Push.user_id == user.id, Push.kind == kind, Push.status == "WAITING")
        .order_by(Push.created_at.desc())
    )
    if push is None:
        raise missing()
    push.status = status
    app = call.session.get(Enrollment, push.enrollment_id)
    secret = {"sharedSecret": app.data["secret"]} if action == "enroll" and app is not None else {}
    return reply({"status": status, **secret})


_DECISIONS = {
    "approve": ("verify", "APPROVED"),
    "reject": ("verify", "REJECTED"),
    "enroll": ("enroll", "APPROVED"),
}


def rotate(call: Call) -> Answer:
    """A new signing key now, as tests of a rotation need it."""
    return reply({"kid": signing.rotate(call)})
