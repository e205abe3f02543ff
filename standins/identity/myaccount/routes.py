"""Paths of MyAccount: (method, path, handler)."""

from collections.abc import Callable

from standins.identity.myaccount import emails, password, phones, profile
from standins.identity.myaccount.access import MYACCOUNT_PATH, Handler, require_token
from standins.identity.responses import Call, Response

_CALLS: dict[str, list[tuple[str, str, Handler]]] = {
    "profile": [
        ("GET", "/profile", profile.read),
        ("PUT", "/profile", profile.replace),
        ("GET", "/profile/schema", profile.read_schema),
    ],
    "email": [
        ("GET", "/emails", emails.list_all),
        ("POST", "/emails", emails.add),
        ("GET", "/emails/{id}", emails.read),
        ("DELETE", "/emails/{id}", emails.remove),
        ("POST", "/emails/{id}/challenge", emails.start_challenge),
        ("GET", "/emails/{id}/challenge/{challenge}", emails.read_challenge),
        ("POST", "/emails/{id}/challenge/{challenge}", emails.read_challenge),
        ("POST", "/emails/{id}/challenge/{challenge}/verify", emails.verify),
    ],
    "phone": [
        ("GET", "/phones", phones.list_all),
        ("POST", "/phones", phones.add),
        ("GET", "/phones/{id}", phones.read),
        ("DELETE", "/phones/{id}", phones.remove),
        ("POST", "/phones/{id}/challenge", phones.start_challenge),
        ("POST", "/phones/{id}/verify", phones.verify),
    ],
    "password": [
        ("GET", "/password", password.read),
        ("POST", "/password", password.enroll),
        ("PUT", "/password", password.change),
        ("DELETE", "/password", password.remove),
    ],
}

ROUTES: list[tuple[str, str, Callable[[Call], Response]]] = [
    (method, MYACCOUNT_PATH + path, require_token(area, handler))
    for area, calls in _CALLS.items()
    for method, path, handler in calls
]
