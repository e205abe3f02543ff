"""The profile and its schema."""

from standins.identity.answers import Answer, ApiError, Call, Json, iso, object_of, reply
from standins.identity.myaccount.access import invalid, link
from standins.identity.tables import User

# name -> (title, longest, may be changed by its owner, must be there)
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


def _shown(call: Call, user: User) -> Answer:
    links = {
        "self": link(call, "/profile", "GET", "PUT"),
        "describedBy": link(call, "/profile/schema", "GET"),
    }
    about = {name: user.profile.get(name) for name in ATTRIBUTES}
    body = {"createdAt": iso(user.created_at), "modifiedAt": iso(user.updated_at), "profile": about, "_links": links}
    return reply(body)


def read(call: Call, user: User) -> Answer:
    return _shown(call, user)


def replace(call: Call, user: User) -> Answer:
    """The whole set at once: what is null or left out is unset."""
    given = object_of(call.json, "profile")
    unknown = [name for name in given if name not in ATTRIBUTES]
    if not given or unknown:
        raise invalid("profile", *(f"{name}: The attribute is not known" for name in unknown))
    fixed = [name for name, (_, _, is_open, _) in ATTRIBUTES.items() if not is_open and name in given]
    if any(given[name] != user.profile.get(name) for name in fixed):
        raise ApiError("E0000006", 403, "You do not have permission to perform the requested action")
    open_ones = [name for name, (_, _, is_open, _) in ATTRIBUTES.items() if is_open]
    wrong = [cause for name in open_ones for cause in _causes(name, given.get(name))]
    if wrong:
        raise invalid("profile", *wrong)
    kept: Json = {"login": user.profile["login"], "email": user.profile["email"]}
    kept |= {name: value for name, value in given.items() if value is not None and name not in kept}
    user.profile, user.updated_at = kept, call.now
    return _shown(call, user)


def _causes(name: str, value: object) -> list[str]:
    _, longest, _, is_needed = ATTRIBUTES[name]
    if value is None or value == "":
        return [f"{name}: The field cannot be left blank"] if is_needed else []
    if not isinstance(value, str) or len(value) > longest:
        return [f"{name}: must be a text of at most {longest} characters"]
    return []


def schema(call: Call, _user: User) -> Answer:
    properties = {
        name: {
            "title": title,
            "type": "string",
            "required": is_needed,
            "minLength": 1 if is_needed else 0,
            "maxLength": longest,
            "permissions": {"SELF": "READ_WRITE" if is_open else "READ_ONLY"},
        }
        for name, (title, longest, is_open, is_needed) in ATTRIBUTES.items()
    }
    links = {"self": link(call, "/profile/schema", "GET"), "user": link(call, "/profile", "GET", "PUT")}
    return reply({"properties": properties, "_links": links})
