"""The password: NOT_ENROLLED offers enrolling alone, ACTIVE reading, changing and deleting."""

from standins.identity import users
from standins.identity.answers import Answer, ApiError, Call, Json, iso, missing, object_of, reply, text_of
from standins.identity.myaccount.access import invalid, link
from standins.identity.tables import User


def _body(call: Call, user: User) -> Json:
    if user.password_hash is None:
        return {"status": "NOT_ENROLLED", "_links": {"enroll": link(call, "/password", "POST")}}
    return {
        "id": f"lae{user.id[3:]}",
        "status": "ACTIVE",
        "created": iso(user.created_at),
        "lastUpdated": iso(user.password_at),
        "_links": {"self": link(call, "/password", "GET", "PUT", "DELETE")},
    }


def read(call: Call, user: User) -> Answer:
    return reply(_body(call, user))


def enroll(call: Call, user: User) -> Answer:
    if user.password_hash is not None:
        raise ApiError("E0000157", 409, "A password is already enrolled.")
    _set(call, user)
    return reply(_body(call, user), 201)


def change(call: Call, user: User) -> Answer:
    """The current password is compared when it is given; a wrong one counts like a wrong sign-in."""
    if user.password_hash is None:
        raise missing()
    current = object_of(call.json, "profile").get("currentPassword")
    if current is not None and not _is_right(call, user, current):
        raise ApiError("E0000014", 403, "Update of credentials failed", "currentPassword: is not correct")
    _set(call, user)
    return reply(_body(call, user), 201)


def _is_right(call: Call, user: User, current: object) -> bool:
    try:
        return isinstance(current, str) and users.checked_password(call, user, current)
    except users.Locked:
        raise ApiError("E0000069", 403, "User Locked") from None


def _set(call: Call, user: User) -> None:
    try:
        users.set_password(call, user, text_of(object_of(call.json, "profile"), "password"))
    except users.PolicyBroken as broken:
        raise invalid("password", *broken.causes) from None


def remove(call: Call, user: User) -> Answer:
    if user.password_hash is None:
        raise missing()
    user.password_hash, user.updated_at = None, call.now
    return Answer(204)
