"""Typed keys of the data that middlewares and handlers attach to one request."""

from typing import Any

from aiohttp import web

from domain.identity.sessions import AuthSession
from domain.permissions import Actor

# Cookies to set: name -> (value, attributes of set_cookie).
Cookies = dict[str, tuple[str, dict[str, Any]]]

# The `Head` of the page that a crawler asks for, as JSON; b"" until there is one.
SERVED_HEAD = web.RequestKey("served_head", bytes)
# The id of the request in logs and responses.
REQUEST_ID = web.RequestKey("request_id", str)
# The session of a call that requires one.
AUTH_SESSION = web.RequestKey("auth_session", AuthSession)
# Who makes a call that requires a permission.
ACTOR = web.RequestKey("actor", Actor)
# What tells a repeated request of a call that changes money from a new one.
IDEMPOTENCY_KEY = web.RequestKey("idempotency_key", str)
# True: the response of an otherwise public call depends on the visitor and must not be cached.
IS_PRIVATE = web.RequestKey("is_private", bool)
# The number at the end of a call's path.
PATH_ID = web.RequestKey("path_id", int)
# Ids of the sign-in provider in a call's path, by name.
PATH_IDS: web.RequestKey[dict[str, str]] = web.RequestKey("path_ids")
# Cookies that the response of a call sets.
COOKIES: web.RequestKey[Cookies] = web.RequestKey("cookies")
# Headers that the response of a call sets: name -> value.
HEADERS: web.RequestKey[dict[str, str]] = web.RequestKey("headers")
