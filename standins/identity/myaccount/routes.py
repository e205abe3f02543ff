"""Paths of MyAccount: (method, path, right of the scope that it requires, handler)."""

from collections.abc import Callable

from standins.identity.myaccount import emails, password, phones, profile
from standins.identity.myaccount.access import MYACCOUNT_PATH, Handler, require_token
from standins.identity.responses import IdentityCall, IdentityResponse

_CALLS: dict[str, list[tuple[str, str, str, Handler]]] = {
    "profile": [
        ("GET", "/profile", "read", profile.read),
        ("PUT", "/profile", "manage", profile.replace),
        ("GET", "/profile/schema", "read", profile.read_schema),
    ],
    "email": [
        ("GET", "/emails", "read", emails.list_all),
        ("POST", "/emails", "manage", emails.add),
        ("GET", "/emails/{id}", "read", emails.read),
        ("DELETE", "/emails/{id}", "manage", emails.remove),
        ("POST", "/emails/{id}/challenge", "manage", emails.start_challenge),
        ("GET", "/emails/{id}/challenge/{challenge}", "read", emails.read_challenge),
        # The vendor's library polls with POST; the scope is the same.
        ("POST", "/emails/{id}/challenge/{challenge}", "read", emails.read_challenge),
        ("POST", "/emails/{id}/challenge/{challenge}/verify", "manage", emails.verify),
    ],
    "phone": [
        ("GET", "/phones", "read", phones.list_all),
        ("POST", "/phones", "manage", phones.add),
        ("GET", "/phones/{id}", "read", phones.read),
        ("DELETE", "/phones/{id}", "manage", phones.remove),
        ("POST", "/phones/{id}/challenge", "manage", phones.start_challenge),
        ("POST", "/phones/{id}/verify", "manage", phones.verify),
    ],
    "password": [
        ("GET", "/password", "read", password.read),
        ("POST", "/password", "manage", password.enroll),
        ("PUT", "/password", "manage", password.change),
        ("DELETE", "/password", "manage", password.remove),
    ],
}

ROUTES: list[tuple[str, str, Callable[[IdentityCall], IdentityResponse]]] = [
    (method, MYACCOUNT_PATH + path, require_token(area, right, handler))
    for area, calls in _CALLS.items()
    for method, path, right, handler in calls
]
