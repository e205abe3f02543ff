"""Idempotency keys: the first answer to a key is stored for 24 hours and given again, an error 500 too."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

from standins.payments import faults
from standins.payments.errors import RequestRefused
from standins.payments.tables import StoredAnswer
from standins.payments.work import Call, Response

MAX_AGE_S = 24 * 3_600.0
MAX_KEY_LENGTH = 255


def answer_once(call: Call, key: str, values: dict[str, Any], run: Callable[[Call], Response]) -> Response:
    """Runs the request, or repeats the stored answer. Raises RequestRefused, whose answer is not stored."""
    if len(key) > MAX_KEY_LENGTH:
        raise RequestRefused(400, f"Idempotency keys may have at most {MAX_KEY_LENGTH} characters")
    digest = hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()
    stored = call.session.get(StoredAnswer, key)
    if stored is not None and stored.expires_at > call.now:
        _require_same(call, stored, digest)
        replayed = {"Idempotency-Key": key, "Idempotent-Replayed": "true", "Original-Request": stored.request_id}
        return Response(stored.status, stored.body.encode(), headers=replayed | _advice(stored.status))
    call.request["idempotency_key"] = key
    response = faults.execute(call, run)
    call.session.merge(
        StoredAnswer(
            key=key,
            path=call.path,
            digest=digest,
            status=response.status,
            body=response.body.decode(),
            request_id=call.request["id"],
            expires_at=call.now + MAX_AGE_S,
        )
    )
    response.headers |= {"Idempotency-Key": key} | _advice(response.status)
    return response


def _advice(status: int) -> dict[str, str]:
    """Clients need not repeat what would only be the stored error again."""
    return {"Stripe-Should-Retry": "false"} if status >= 500 else {}


def _require_same(call: Call, stored: StoredAnswer, digest: str) -> None:
    other = f"Try using a key other than '{stored.key}' if you meant to execute a different request."
    if stored.path != call.path:
        paths = f"({call.path!r} vs {stored.path!r})"
        text = f"Keys for idempotent requests can only be used for the same endpoint they were first used for {paths}. "
        raise RequestRefused(400, text + other, kind="idempotency_error")
    if stored.digest != digest:
        text = "Keys for idempotent requests can only be used with the same parameters they were first used with. "
        raise RequestRefused(400, text + other, kind="idempotency_error")


def in_use(key: str) -> RequestRefused:
    """Another request with the key has no answer yet."""
    text = (
        "There is currently another in-progress request using this Idempotent Key (that probably means you submitted "
        f"twice, and the other request is still going through): {key}. Please try again later."
    )
    return RequestRefused(409, text, kind="idempotency_error", code="idempotency_key_in_use")
