"""MyAccount calls for the password: NOT_ENROLLED links to enrolment, ACTIVE to reading, changing and deleting."""

from standins.identity import users
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
from standins.identity.tables import User


def _password_json(call: IdentityCall, user: User) -> Json:
    if user.password_hash is None:
        return {"status": "NOT_ENROLLED", "_links": {"enroll": link(call, "/password", "POST")}}
    return {
        "id": f"lae{user.id[3:]}",
        "status": "ACTIVE",
        "created": iso_utc(user.created_at),
        "lastUpdated": iso_utc(user.password_at),
        "_links": {"self": link(call, "/password", "GET", "PUT", "DELETE")},
    }


def read(call: IdentityCall, user: User) -> IdentityResponse:
    return json_response(_password_json(call, user))


def enroll(call: IdentityCall, user: User) -> IdentityResponse:
    if user.password_hash is not None:
        raise IdentityApiError("E0000157", 409, "A password is already enrolled.")
    _set_password(call, user)
    return json_response(_password_json(call, user), 201)


def change(call: IdentityCall, user: User) -> IdentityResponse:
    """Changes the password. A current password is optional; a wrong one counts like a failed sign-in."""
    if user.password_hash is None:
        raise not_found()
    current = object_of(call.json, "profile").get("currentPassword")
    if current is not None and not _is_right(call, user, current):
        raise IdentityApiError("E0000014", 403, "Update of credentials failed", "currentPassword: is not correct")
    _set_password(call, user)
    return json_response(_password_json(call, user), 201)


def _is_right(call: IdentityCall, user: User, current: object) -> bool:
    try:
        return isinstance(current, str) and users.is_current_password(call, user, current)
    except users.Locked:
        raise IdentityApiError("E0000069", 403, "User Locked") from None


def _set_password(call: IdentityCall, user: User) -> None:
    try:
        users.set_password(call, user, text_of(object_of(call.json, "profile"), "password"))
    except users.PasswordRefused as broken:
        raise validation_error("password", *broken.causes) from None


def remove(call: IdentityCall, user: User) -> IdentityResponse:
    if user.password_hash is None:
        raise not_found()
    user.password_hash, user.updated_at = None, call.now
    return IdentityResponse(204)
