"""MyAccount calls for phones."""

import re

from sqlalchemy import select

from standins.identity.authenticators import challenges, codes
from standins.identity.authenticators.codes import ChallengeFailed
from standins.identity.authenticators.enrolment import PHONE
from standins.identity.myaccount.access import link, validation_error
from standins.identity.responses import (
    IdentityApiError,
    IdentityCall,
    IdentityResponse,
    Json,
    json_response,
    not_found,
    object_of,
    text_of,
)
from standins.identity.tables import Enrollment, User

METHODS = ("SMS", "CALL")


def _find_phone(call: IdentityCall, user: User) -> Enrollment:
    row = call.session.get(Enrollment, call.params["id"])
    if row is None or row.user_id != user.id or row.key != "phone_number":
        raise not_found()
    return row


def _phone_json(call: IdentityCall, phone: Enrollment) -> Json:
    at = f"/phones/{phone.id}"
    links = {"self": link(call, at, "GET", "DELETE"), "challenge": link(call, f"{at}/challenge", "POST")}
    if not phone.is_active:
        links["verify"] = link(call, f"{at}/verify", "POST")
    return {
        "id": phone.id,
        "status": "VERIFIED" if phone.is_active else "UNVERIFIED",
        "profile": {"phoneNumber": phone.data["phoneNumber"]},
        "_links": links,
    }


def list_all(call: IdentityCall, user: User) -> IdentityResponse:
    query = select(Enrollment).where(Enrollment.user_id == user.id, Enrollment.key == "phone_number")
    rows = call.session.scalars(query.order_by(Enrollment.created_at, Enrollment.id))
    return json_response([_phone_json(call, phone) for phone in rows])


def read(call: IdentityCall, user: User) -> IdentityResponse:
    return json_response(_phone_json(call, _find_phone(call, user)))


def add(call: IdentityCall, user: User) -> IdentityResponse:
    """Adds an unverified phone and sends its code, unless the body says otherwise."""
    number = re.sub(r"[\s().-]", "", text_of(object_of(call.json, "profile"), "phoneNumber"))
    if not PHONE.fullmatch(number):
        raise validation_error("phone", "profile.phoneNumber: must be a number in the form +15550100001")
    method = call.json.get("method", "SMS")
    if method not in METHODS:
        raise validation_error("phone", "method: must be SMS or CALL")
    phone = challenges.enroll(call, user, "phone_number", {"phoneNumber": number})
    if call.json.get("sendCode", True) is not False:
        _send(call, user, phone, method)
    return json_response(_phone_json(call, phone), 201)


def _send(call: IdentityCall, user: User, phone: Enrollment, method: str) -> None:
    try:
        challenges.send_phone_code(call, user, phone, f"phone:{phone.id}", method)
    except ChallengeFailed:
        headers = {"X-Rate-Limit-Limit": "1", "X-Rate-Limit-Remaining": "0"}
        summary = "API call exceeded rate limit due to too many requests."
        raise IdentityApiError("E0000047", 429, summary, headers=headers) from None


def remove(call: IdentityCall, user: User) -> IdentityResponse:
    call.session.delete(_find_phone(call, user))
    return IdentityResponse(204)


def start_challenge(call: IdentityCall, user: User) -> IdentityResponse:
    phone, method = _find_phone(call, user), call.json.get("method", "SMS")
    if method not in METHODS:
        raise validation_error("phone", "method: must be SMS or CALL")
    _send(call, user, phone, method)
    return IdentityResponse(200)


def verify(call: IdentityCall, user: User) -> IdentityResponse:
    phone = _find_phone(call, user)
    if phone.is_active:
        raise IdentityApiError("E0000157", 409, "This phone is already verified.")
    digits = text_of(call.json, "verificationCode").strip()
    if not digits:
        raise validation_error("phone", "verificationCode: The field cannot be left blank")
    try:
        codes.check_code(call, f"phone:{phone.id}", digits)
    except ChallengeFailed:
        raise IdentityApiError("E0000004", 401, "Authentication failed") from None
    phone.is_active = True
    user.updated_at = call.now
    return IdentityResponse(204)
