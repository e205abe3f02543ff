"""Events of the gateway: their signature, their age, and which object they name."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from adapters.payments.objects import id_of, time_of
from domain.payments.gateway import Event, EventRefused, SessionRef

if TYPE_CHECKING:
    from stripe import WebhookSignature

MAX_AGE_S = 300
# Seconds since 1970 have ten digits until 2286.
MAX_TIME_LENGTH = 12
TIME = re.compile(rf"[0-9]{{1,{MAX_TIME_LENGTH}}}")
# Only signatures of this scheme count.
SCHEME = "v1"
MAX_EVENT_ID_LENGTH = 160
MAX_OBJECT_ID_LENGTH = 191
MAX_TYPE_LENGTH = 80
# Their object is the session itself.
SESSION_EVENTS = (
    "checkout.session.completed",
    "checkout.session.async_payment_succeeded",
    "checkout.session.async_payment_failed",
    "checkout.session.expired",
)
# Their object names the intent and the charge.
PAYMENT_EVENTS = (
    "refund.created",
    "refund.updated",
    "refund.failed",
    "charge.dispute.created",
    "charge.dispute.updated",
    "charge.dispute.closed",
    "charge.dispute.funds_withdrawn",
    "charge.dispute.funds_reinstated",
)


def verify(
    signature: "type[WebhookSignature]", body: bytes, header: str | None, secrets: Iterable[str], at: datetime
) -> Event:
    """The event that is signed with one of the secrets, at most MAX_AGE_S before or after `at`. Raises EventRefused."""
    parsed = _parsed(header or "")
    _require_signature(signature, body, parsed, secrets)
    age_s = at.timestamp() - parsed.signed_at
    if abs(age_s) > MAX_AGE_S:
        raise EventRefused("the event is too old" if age_s > 0 else "the event is ahead of this clock")
    try:
        return event_of(json.loads(body))
    except (KeyError, TypeError, ValueError, OverflowError, OSError, RecursionError) as error:
        raise EventRefused(f"not in the form of an event: {type(error).__name__}") from None


@dataclass(frozen=True)
class _Header:
    """The signature header: its one time, in seconds since 1970, and the signatures that count."""

    signed_at: int
    signatures: tuple[str, ...]

    def __str__(self) -> str:
        return ",".join((f"t={self.signed_at}", *(f"{SCHEME}={one}" for one in self.signatures)))


def _parsed(header: str) -> _Header:
    """Raises EventRefused unless it has exactly one time, of 1 to MAX_TIME_LENGTH plain digits. What is verified, and
    whose age is looked at, is what was read here: nobody else reads the header."""
    parts = [part.strip().partition("=") for part in header.split(",")]
    times = [value for name, _, value in parts if name == "t"]
    if len(times) != 1 or not TIME.fullmatch(times[0]):
        raise EventRefused("the signature has not exactly one time")
    return _Header(int(times[0]), tuple(value for name, _, value in parts if name == SCHEME))


def _require_signature(
    signature: "type[WebhookSignature]", body: bytes, header: _Header, secrets: Iterable[str]
) -> None:
    from stripe import SignatureVerificationError

    for secret in secrets:
        try:
            # Without a tolerance: the SDK accepts times ahead of the clock, and reads the clock itself.
            signature.verify_header(body, str(header), secret)
        except (SignatureVerificationError, ValueError, TypeError):
            continue
        return
    raise EventRefused("not signed with a secret of ours")


def event_of(data: Mapping[str, Any]) -> Event:
    """Raises KeyError, TypeError or ValueError when `data` is no event."""
    if data["object"] != "event":
        raise ValueError("another object")
    kind, content = str(data["type"]), data["data"]["object"]
    session, object_id = _named_by(kind, content)
    return Event(
        id=_limited(data["id"], MAX_EVENT_ID_LENGTH),
        type=_limited(kind, MAX_TYPE_LENGTH),
        object_id=_limited(object_id, MAX_OBJECT_ID_LENGTH),
        created_at=time_of(data["created"]),
        session=session,
    )


def _named_by(kind: str, content: Mapping[str, Any]) -> tuple[SessionRef | None, str]:
    """The session of an event of ours, and the id by which it is retrieved."""
    if kind in SESSION_EVENTS:
        return SessionRef(session_id=content["id"]), content["id"]
    if kind not in PAYMENT_EVENTS:
        return None, str(content.get("id") or "-")
    if intent_id := id_of(content.get("payment_intent")):
        return SessionRef(intent_id=intent_id), intent_id
    charge_id = id_of(content["charge"])
    return SessionRef(charge_id=charge_id), str(charge_id)


def _limited(text: object, length: int) -> str:
    if not isinstance(text, str) or not text.isascii() or not 0 < len(text) <= length:
        raise ValueError("not a short text")
    return text
