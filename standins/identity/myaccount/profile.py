"""MyAccount calls for the profile and its schema."""

from standins.identity.myaccount.access import link, validation_error
from standins.identity.responses import (
    IdentityApiError,
    IdentityCall,
    IdentityResponse,
    Json,
    iso_utc,
    json_response,
    object_of,
)
from standins.identity.tables import User

# Name -> (title, maximum length, may its owner change it, is it required).
ATTRIBUTES = {
    "login": ("Username", 100, False, True),
    "email": ("Primary email", 100, False, True),
    "firstName": ("First name", 50, True, True),
    "lastName": ("Last name", 50, True, True),
    "displayName": ("Display name", 100, True, False),
    "mobilePhone": ("Mobile phone", 100, True, False),
    "organization": ("Organization", 100, True, False),
    "title": ("Title", 100, True, False),
    "locale": ("Locale", 20, True, False),
    "timezone": ("Time zone", 50, True, False),
}


def _profile_response(call: IdentityCall, user: User) -> IdentityResponse:
    links = {
        "self": link(call, "/profile", "GET", "PUT"),
        "describedBy": link(call, "/profile/schema", "GET"),
    }
    about = {name: user.profile.get(name) for name in ATTRIBUTES}
    body = {
        "createdAt": iso_utc(user.created_at),
        "modifiedAt": iso_utc(user.updated_at),
        "profile": about,
        "_links": links,
    }
    return json_response(body)


def read(call: IdentityCall, user: User) -> IdentityResponse:
    return _profile_response(call, user)


def replace(call: IdentityCall, user: User) -> IdentityResponse:
    """Replaces the whole profile: attributes that are null or missing are removed."""
    new_profile = object_of(call.json, "profile")
    unknown = [name for name in new_profile if name not in ATTRIBUTES]
    if not new_profile or unknown:
        raise validation_error("profile", *(f"{name}: The attribute is not known" for name in unknown))
    fixed = [name for name, (_, _, is_writable, _) in ATTRIBUTES.items() if not is_writable and name in new_profile]
    if any(new_profile[name] != user.profile.get(name) for name in fixed):
        raise IdentityApiError("E0000006", 403, "You do not have permission to perform the requested action")
    writable = [name for name, (_, _, is_writable, _) in ATTRIBUTES.items() if is_writable]
    violations = [cause for name in writable for cause in _violations(name, new_profile.get(name))]
    if violations:
        raise validation_error("profile", *violations)
    stored_profile: Json = {"login": user.profile["login"], "email": user.profile["email"]}
    stored_profile |= {
        name: value for name, value in new_profile.items() if value is not None and name not in stored_profile
    }
    user.profile, user.updated_at = stored_profile, call.now
    return _profile_response(call, user)


def _violations(name: str, value: object) -> list[str]:
    _, max_length, _, is_required = ATTRIBUTES[name]
    if value is None or value == "":
        return [f"{name}: The field cannot be left blank"] if is_required else []
    if not isinstance(value, str) or len(value) > max_length:
        return [f"{name}: must be a text of at most {max_length} characters"]
    return []


def read_schema(call: IdentityCall, _user: User) -> IdentityResponse:
    properties = {
        name: {
            "title": title,
            "type": "string",
            "required": is_required,
            "minLength": 1 if is_required else 0,
            "maxLength": max_length,
            "permissions": {"SELF": "READ_WRITE" if is_writable else "READ_ONLY"},
        }
        for name, (title, max_length, is_writable, is_required) in ATTRIBUTES.items()
    }
    links = {"self": link(call, "/profile/schema", "GET"), "user": link(call, "/profile", "GET", "PUT")}
    return json_response({"properties": properties, "_links": links})
