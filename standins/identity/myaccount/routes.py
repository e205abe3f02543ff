"""Paths of MyAccount: (method, path, handler)."""

from collections.abc import Callable

from standins.identity.answers import Answer, Call
from standins.identity.myaccount import emails, password, phones, profile
from standins.identity.myaccount.access import AT, Handler, guarded

_CALLS: dict[str, list[tuple[str, str, Handler]]] = {
    "profile": [
        ("GET", "/profile", profile.read),
        ("PUT", "/profile", profile.replace),
        ("GET", "/profile/schema", profile.schema),
    ],
    "email": [
        ("GET", "/emails", emails.listing),
        ("POST", "/emails", emails.add),
        ("GET", "/emails/{id}", emails.read),
        ("DELETE", "/emails/{id}", emails.remove),
        ("POST", "/emails/{id}/challenge", emails.challenge),
        ("GET", "/emails/{id}/challenge/{challenge}", emails.look),
        ("POST", "/emails/{id}/challenge/{challenge}", emails.look),
        ("POST", "/emails/{id}/challenge/{challenge}/verify", emails.verify),
    ],
    "phone": [
        ("GET", "/phones", phones.listing),
        ("POST", "/phones", phones.add),
        ("GET", "/phones/{id}", phones.read),
        ("DELETE", "/phones/{id}", phones.remove),
        ("POST", "/phones/{id}/challenge", phones.challenge),
        ("POST", "/phones/{id}/verify", phones.verify),
    ],
    "password": [
        ("GET", "/password", password.read),
        ("POST", "/password", password.enroll),
        ("PUT", "/password", password.change),
        ("DELETE", "/password", password.remove),
    ],
}

ROUTES: list[tuple[str, str, Callable[[Call], Answer]]] = [
    (method, AT + path, guarded(area, handler)) for area, calls in _CALLS.items() for method, path, handler in calls
]
