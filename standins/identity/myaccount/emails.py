"""MyAccount calls for email addresses."""

import re

from sqlalchemy import select

from standins.identity import tickets, users
from standins.identity.authenticators import challenges, codes
from standins.identity.authenticators.codes import ChallengeFailed
from standins.identity.myaccount.access import link, validation_error
from standins.identity.responses import (
    IdentityApiError,
    IdentityCall,
    IdentityResponse,
    Json,
    iso_utc,
    json_response,
    not_found,
    object_of,
    text_of,
)
from standins.identity.tables import Enrollment, Ticket, User

_EMAIL = re.compile(r"[^@\s]{1,64}@[^@\s]+\.[^@\s]+")
ROLES = ("PRIMARY", "SECONDARY")


def _emails_of(call: IdentityCall, user: User) -> list[Enrollment]:
    """The user's addresses, the primary one first."""
    query = select(Enrollment).where(Enrollment.user_id == user.id, Enrollment.key == "okta_email")
    rows = call.session.scalars(query.order_by(Enrollment.created_at, Enrollment.id))
    return sorted(rows, key=lambda enrollment: "PRIMARY" not in enrollment.data["roles"])


def _find_email(call: IdentityCall, user: User) -> Enrollment:
    """The user's address with the id of the path. Raises ApiError 404, also for another user's."""
    row = call.session.get(Enrollment, call.params["id"])
    if row is None or row.user_id != user.id or row.key != "okta_email":
        raise not_found()
    return row


def _email_json(call: IdentityCall, email: Enrollment) -> Json:
    at = f"/emails/{email.id}"
    return {
        "id": email.id,
        "status": "VERIFIED" if email.is_active else "UNVERIFIED",
        "roles": email.data["roles"],
        "profile": {"email": email.data["email"]},
        "_links": {
            "self": link(call, at, "GET", "DELETE"),
            "challenge": link(call, f"{at}/challenge", "POST"),
        },
    }


def list_all(call: IdentityCall, user: User) -> IdentityResponse:
    return json_response([_email_json(call, email) for email in _emails_of(call, user)])


def read(call: IdentityCall, user: User) -> IdentityResponse:
    return json_response(_email_json(call, _find_email(call, user)))


def add(call: IdentityCall, user: User) -> IdentityResponse:
    """Adds an unverified address. It becomes primary only when it is verified. A secondary address may be added
    again as primary."""
    address = text_of(object_of(call.json, "profile"), "email").strip()
    role = call.json.get("role", "SECONDARY")
    if not _EMAIL.fullmatch(address) or len(address) > 100:
        raise validation_error("email", "profile.email: must be in the form of an email address")
    if role not in ROLES:
        raise validation_error("email", "role: must be PRIMARY or SECONDARY")
    email = _enroll_address(call, user, address, role)
    body = _email_json(call, email)
    if call.json.get("sendEmail", True) is not False:
        body["_links"] |= _send_challenge(call, user, email)["_links"]
    return json_response(body, 201)


def _enroll_address(call: IdentityCall, user: User, address: str, role: str) -> Enrollment:
    """The row of an address: new, or the user's secondary one. Raises ApiError when the address is taken."""
    own_email = next(
        (email for email in _emails_of(call, user) if email.data["email"].casefold() == address.casefold()), None
    )
    data = {"email": address, "roles": ["SECONDARY"], "wanted": role}
    if own_email is not None and role == "PRIMARY" and "PRIMARY" not in own_email.data["roles"]:
        own_email.data = {**data, "email": own_email.data["email"]}
        return own_email
    if own_email is not None or users.find_user(call.session, address) is not None:
        raise IdentityApiError("E0000157", 409, "This email is already enrolled.")
    return challenges.enroll(call, user, "okta_email", data)


def remove(call: IdentityCall, user: User) -> IdentityResponse:
    email = _find_email(call, user)
    if "PRIMARY" in email.data["roles"] and email.is_active:
        raise IdentityApiError(
            "E0000001", 400, "Api validation failed: email", "The verified primary email cannot be deleted"
        )
    call.session.delete(email)
    return IdentityResponse(204)


def start_challenge(call: IdentityCall, user: User) -> IdentityResponse:
    return json_response(_send_challenge(call, user, _find_email(call, user)), 201)


def _send_challenge(call: IdentityCall, user: User, email: Enrollment) -> Json:
    """Sends a code by mail. Returns the new challenge, which has an id of its own."""
    seconds = call.provider.policies["codes"]["seconds"]
    challenge_id = tickets.issue(call, "email-challenge", {"email": email.id}, seconds, user.id)
    state = text_of(call.json, "state")
    client = next(iter(call.provider.clients.values()))
    back = client.redirects[0]
    link_to = (lambda code: f"{back}?otp={code}&state={state}") if state else None
    challenges.send_email_code(call, user, email, f"challenge:{email.id}", link_to)
    return _challenge_json(call, email, challenge_id, call.now + seconds)


def _challenge_json(call: IdentityCall, email: Enrollment, challenge_id: str, until: float) -> Json:
    at = f"/emails/{email.id}/challenge/{challenge_id}"
    return {
        "id": challenge_id,
        "status": "VERIFIED" if email.is_active else "UNVERIFIED",
        "expiresAt": iso_utc(until),
        "profile": {"email": email.data["email"]},
        "_links": {"verify": link(call, f"{at}/verify", "POST"), "poll": link(call, at, "GET")},
    }


def _find_challenge(call: IdentityCall, user: User) -> tuple[Enrollment, Ticket]:
    email = _find_email(call, user)
    ticket = tickets.find(call, "email-challenge", call.params["challenge"])
    if ticket is None or ticket.data["email"] != email.id:
        raise not_found()
    return email, ticket


def read_challenge(call: IdentityCall, user: User) -> IdentityResponse:
    """Returns the challenge without changing it."""
    email, ticket = _find_challenge(call, user)
    return json_response(_challenge_json(call, email, call.params["challenge"], ticket.expires_at))


def verify(call: IdentityCall, user: User) -> IdentityResponse:
    email, _ = _find_challenge(call, user)
    try:
        codes.check_code(call, f"challenge:{email.id}", text_of(call.json, "verificationCode").strip())
    except ChallengeFailed:
        raise IdentityApiError("E0000004", 401, "Authentication failed") from None
    owner = users.find_user(call.session, email.data["email"])
    if owner is not None and owner.id != user.id:
        raise IdentityApiError("E0000157", 409, "This email is already enrolled.")
    email.is_active = True
    if email.data.get("wanted") == "PRIMARY":
        _make_primary(call, user, email)
    return IdentityResponse(200)


def _make_primary(call: IdentityCall, user: User, email: Enrollment) -> None:
    """Makes an address primary and deletes the former one. Tokens and mails use the new one from now on."""
    for other in _emails_of(call, user):
        if other.id != email.id and "PRIMARY" in other.data["roles"]:
            call.session.delete(other)
    email.data = {"email": email.data["email"], "roles": ["PRIMARY"]}
    user.profile = {**user.profile, "email": email.data["email"]}
    user.updated_at = call.now
