"""Phones: added, verified by a code, removed."""

import re

from sqlalchemy import select

from standins.identity import authenticators, codes
from standins.identity.answers import Answer, ApiError, Call, Json, missing, object_of, reply, text_of
from standins.identity.codes import Wrong
from standins.identity.enrolling import PHONE
from standins.identity.myaccount.access import invalid, link
from standins.identity.tables import Enrollment, User

METHODS = ("SMS", "CALL")


def _row(call: Call, user: User) -> Enrollment:
    found = call.session.get(Enrollment, call.params["id"])
    if found is None or found.user_id != user.id or found.key != "phone_number":
        raise missing()
    return found


def _body(call: Call, one: Enrollment) -> Json:
    at = f"/phones/{one.id}"
    links = {"self": link(call, at, "GET", "DELETE"), "challenge": link(call, f"{at}/challenge", "POST")}
    if not one.is_active:
        links["verify"] = link(call, f"{at}/verify", "POST")
    return {
        "id": one.id,
        "status": "VERIFIED" if one.is_active else "UNVERIFIED",
        "profile": {"phoneNumber": one.data["phoneNumber"]},
        "_links": links,
    }


def listing(call: Call, user: User) -> Answer:
    wanted = select(Enrollment).where(Enrollment.user_id == user.id, Enrollment.key == "phone_number")
    rows = call.session.scalars(wanted.order_by(Enrollment.created_at, Enrollment.id))
    return reply([_body(call, one) for one in rows])


def read(call: Call, user: User) -> Answer:
    return reply(_body(call, _row(call, user)))


def add(call: Call, user: User) -> Answer:
    """Unverified; the code goes out at once unless the body says otherwise."""
    number = re.sub(r"[\s().-]", "", text_of(object_of(call.json, "profile"), "phoneNumber"))
    if not PHONE.fullmatch(number):
        raise invalid("phone", "profile.phoneNumber: must be a number in the form +15550100001")
    method = call.json.get("method", "SMS")
    if method not in METHODS:
        raise invalid("phone", "method: must be SMS or CALL")
    made = authenticators.enroll(call, user, "phone_number", {"phoneNumber": number})
    if call.json.get("sendCode", True) is not False:
        _send(call, user, made, method)
    return reply(_body(call, made), 201)


def _send(call: Call, user: User, one: Enrollment, method: str) -> None:
    try:
        authenticators.phoned(call, user, one, f"phone:{one.id}", method)
    except Wrong:
        headers = {"X-Rate-Limit-Limit": "1", "X-Rate-Limit-Remaining": "0"}
        summary = "API call exceeded rate limit due to too many requests."
        raise ApiError("E0000047", 429, summary, headers=headers) from None


def remove(call: Call, user: User) -> Answer:
    call.session.delete(_row(call, user))
    return Answer(204)


def challenge(call: Call, user: User) -> Answer:
    one, method = _row(call, user), call.json.get("method", "SMS")
    if method not in METHODS:
        raise invalid("phone", "method: must be SMS or CALL")
    _send(call, user, one, method)
    return Answer(200)


def verify(call: Call, user: User) -> Answer:
    one = _row(call, user)
    if one.is_active:
        raise ApiError("E0000157", 409, "This phone is already verified.")
    digits = text_of(call.json, "verificationCode").strip()
    if not digits:
        raise invalid("phone", "verificationCode: The field cannot be left blank")
    try:
        codes.check(call, f"phone:{one.id}", digits)
    except Wrong:
        raise ApiError("E0000004", 401, "Authentication failed") from None
    one.is_active = True
    user.updated_at = call.now
    return Answer(204)
