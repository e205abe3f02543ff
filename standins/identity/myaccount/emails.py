"""E-mail addresses: added, verified by a code, made primary, removed."""

import re

from sqlalchemy import select

from standins.identity import authenticators, codes, tickets, users
from standins.identity.answers import Answer, ApiError, Call, Json, iso, missing, object_of, reply, text_of
from standins.identity.codes import Wrong
from standins.identity.myaccount.access import invalid, link
from standins.identity.tables import Enrollment, Ticket, User

_EMAIL = re.compile(r"[^@\s]{1,64}@[^@\s]+\.[^@\s]+")
ROLES = ("PRIMARY", "SECONDARY")


def _rows(call: Call, user: User) -> list[Enrollment]:
    """The primary one first."""
    wanted = select(Enrollment).where(Enrollment.user_id == user.id, Enrollment.key == "okta_email")
    rows = call.session.scalars(wanted.order_by(Enrollment.created_at, Enrollment.id))
    return sorted(rows, key=lambda one: "PRIMARY" not in one.data["roles"])


def _row(call: Call, user: User) -> Enrollment:
    """Somebody else's is as if it were not there."""
    found = call.session.get(Enrollment, call.params["id"])
    if found is None or found.user_id != user.id or found.key != "okta_email":
        raise missing()
    return found


def _body(call: Call, one: Enrollment) -> Json:
    at = f"/emails/{one.id}"
    return {
        "id": one.id,
        "status": "VERIFIED" if one.is_active else "UNVERIFIED",
        "roles": one.data["roles"],
        "profile": {"email": one.data["email"]},
        "_links": {
            "self": link(call, at, "GET", "DELETE"),
            "challenge": link(call, f"{at}/challenge", "POST"),
        },
    }


def listing(call: Call, user: User) -> Answer:
    return reply([_body(call, one) for one in _rows(call, user)])


def read(call: Call, user: User) -> Answer:
    return reply(_body(call, _row(call, user)))


def add(call: Call, user: User) -> Answer:
    """Unverified, whatever its role: a primary one takes over when it is verified, not before. One that is there as a
    secondary may be asked to become the primary."""
    address = text_of(object_of(call.json, "profile"), "email").strip()
    role = call.json.get("role", "SECONDARY")
    if not _EMAIL.fullmatch(address) or len(address) > 100:
        raise invalid("email", "profile.email: must be in the form of an email address")
    if role not in ROLES:
        raise invalid("email", "role: must be PRIMARY or SECONDARY")
    made = _taken(call, user, address, role)
    body = _body(call, made)
    if call.json.get("sendEmail", True) is not False:
        body["_links"] |= _begun(call, user, made)["_links"]
    return reply(body, 201)


def _taken(call: Call, user: User, address: str, role: str) -> Enrollment:
    """The row of an address, new or that of the user's own secondary one. Raises ApiError when it is not to be had."""
    own = next((one for one in _rows(call, user) if one.data["email"].casefold() == address.casefold()), None)
    data = {"email": address, "roles": ["SECONDARY"], "wanted": role}
    if own is not None and role == "PRIMARY" and "PRIMARY" not in own.data["roles"]:
        own.data = {**data, "email": own.data["email"]}
        return own
    if own is not None or users.find(call.session, address) is not None:
        raise ApiError("E0000157", 409, "This email is already enrolled.")
    return authenticators.enroll(call, user, "okta_email", data)


def remove(call: Call, user: User) -> Answer:
    one = _row(call, user)
    if "PRIMARY" in one.data["roles"] and one.is_active:
        raise ApiError("E0000001", 400, "Api validation failed: email", "The verified primary email cannot be deleted")
    call.session.delete(one)
    return Answer(204)


def challenge(call: Call, user: User) -> Answer:
    return reply(_begun(call, user, _row(call, user)), 201)


def _begun(call: Call, user: User, one: Enrollment) -> Json:
    """A code by mail. The challenge has an id of its own."""
    seconds = call.provider.policies["codes"]["seconds"]
    word = tickets.issue(call, "email-challenge", {"email": one.id}, seconds, user.id)
    state = text_of(call.json, "state")
    client = next(iter(call.provider.clients.values()))
    back = client.redirects[0]
    link_to = (lambda code: f"{back}?otp={code}&state={state}") if state else None
    authenticators.mailed(call, user, one, f"challenge:{one.id}", link_to)
    return _challenge_body(call, one, word, call.now + seconds)


def _challenge_body(call: Call, one: Enrollment, word: str, until: float) -> Json:
    at = f"/emails/{one.id}/challenge/{word}"
    return {
        "id": word,
        "status": "VERIFIED" if one.is_active else "UNVERIFIED",
        "expiresAt": iso(until),
        "profile": {"email": one.data["email"]},
        "_links": {"verify": link(call, f"{at}/verify", "POST"), "poll": link(call, at, "GET")},
    }


def _challenge(call: Call, user: User) -> tuple[Enrollment, Ticket]:
    one = _row(call, user)
    ticket = tickets.look(call, "email-challenge", call.params["challenge"])
    if ticket is None or ticket.data["email"] != one.id:
        raise missing()
    return one, ticket


def look(call: Call, user: User) -> Answer:
    """How the challenge stands; looking changes nothing."""
    one, ticket = _challenge(call, user)
    return reply(_challenge_body(call, one, call.params["challenge"], ticket.expires_at))


def verify(call: Call, user: User) -> Answer:
    one, _ = _challenge(call, user)
    try:
        codes.check(call, f"challenge:{one.id}", text_of(call.json, "verificationCode").strip())
    except Wrong:
        raise ApiError("E0000004", 401, "Authentication failed") from None
    owner = users.find(call.session, one.data["email"])
    if owner is not None and owner.id != user.id:
        raise ApiError("E0000157", 409, "This email is already enrolled.")
    one.is_active = True
    if one.data.get("wanted") == "PRIMARY":
        _make_primary(call, user, one)
    return Answer(200)


def _make_primary(call: Call, user: User, one: Enrollment) -> None:
    """The former primary address goes; tokens and mails use the new one from now on."""
    for other in _rows(call, user):
        if other.id != one.id and "PRIMARY" in other.data["roles"]:
            call.session.delete(other)
    one.data = {"email": one.data["email"], "roles": ["PRIMARY"]}
    user.profile = {**user.profile, "email": one.data["email"]}
    user.updated_at = call.now
