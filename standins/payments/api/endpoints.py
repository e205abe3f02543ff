"""How a request to /v1 is answered: key, parameters, idempotency key, then the endpoint."""

import hmac
from base64 import b64decode
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from standins.payments import faults
from standins.payments.api import idempotency
from standins.payments.errors import RequestRefused
from standins.payments.objects.events import API_VERSION
from standins.payments.objects.expand import expanded
from standins.payments.parameters import Schema, checked, nested
from standins.payments.work import Call, Json, Response, json_response

NO_KEY = (
    "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth "
    "(e.g. 'Authorization: Bearer YOUR_SECRET_KEY')."
)


@dataclass(frozen=True)
class Endpoint:
    """`run` takes the call and its checked parameters and returns the object of the answer."""

    method: str
    path: str
    schema: Schema
    run: Callable[[Call, Json], Json]

    def answer(self, call: Call) -> Response:
        """Raises RequestRefused, which undoes what was written."""
        _authenticate(call)
        response = self._answer(call)
        response.headers |= headers(call)
        return response

    def _answer(self, call: Call) -> Response:
        values = nested(call.pairs)
        run: Callable[[Call], Response] = lambda call: self._run(call, checked(values, self.schema))  # noqa: E731 its type
        key = call.headers.get("Idempotency-Key")
        if call.method == "GET" or not key:
            return faults.execute(call, run)
        return idempotency.answer_once(call, key, values, run)

    def _run(self, call: Call, given: dict[str, Any]) -> Response:
        paths = given.pop("expand", [])
        return json_response(expanded(call, self.run(call, given), paths))


def headers(call: Call) -> dict[str, str]:
    """The headers of every answer of the API. Stripe-Version is the one of the request, else the account's."""
    return {"Request-Id": call.request["id"], "Stripe-Version": call.headers.get("Stripe-Version", API_VERSION)}


def _authenticate(call: Call) -> None:
    scheme, _, credentials = call.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "basic":
        try:
            credentials = b64decode(credentials, validate=True).decode().partition(":")[0]
        except ValueError:
            credentials = ""
    if not credentials:
        raise RequestRefused(401, NO_KEY)
    if not hmac.compare_digest(credentials.encode(), call.config.key.encode()):
        hidden = f"{credentials[:8]}{'*' * 12}{credentials[-4:]}" if len(credentials) > 12 else "*" * len(credentials)
        raise RequestRefused(401, f"Invalid API Key provided: {hidden}")


def unknown_url(call: Call) -> Response:
    text = f"Unrecognized request URL ({call.method}: {call.path})."
    raise RequestRefused(404, text)
