"""Calls of /dev that send something to the webhook and report its answer."""

import copy
import json
import time
from dataclasses import dataclass
from typing import Any

from standins.payments.deliveries import queue
from standins.payments.deliveries.signatures import sign
from standins.payments.dev.ordering import event_of, read_body
from standins.payments.errors import PaymentApiError
from standins.payments.objects import store
from standins.payments.tables import StoredObject
from standins.payments.work import Call, Json

WRONG_SECRET = "whsec_of_somebody_else"


@dataclass(frozen=True)
class Posting:
    body: bytes
    signature: str | None


def real_event(call: Call) -> Posting:
    """{event}: an event as it is, signed now."""
    body = read_body(call, "event")
    event = event_of(call, str(body["event"]))
    content = queue.event_body(call, event.id)
    return Posting(content, sign(content, call.config.secrets, int(time.time())))


def forged_event(call: Call) -> Posting:
    """{event, type, object, sign: wrong|right|none, age, body}: something that the gateway would not send.

    A copy of an event (default the newest) with another `type` or other fields of its `object`, or `body` as it is;
    signed with a secret of somebody else, the right one or not at all; `age` in seconds, negative for the future.
    """
    asked = read_body(call, event=None, type=None, object=None, sign="wrong", age=0, body=None)
    content = asked["body"].encode() if isinstance(asked["body"], str) else _copy(call, asked)
    secrets = {"wrong": (WRONG_SECRET,), "right": call.config.secrets, "none": None}
    if asked["sign"] not in secrets:
        raise PaymentApiError(400, f"sign must be one of {', '.join(secrets)}", param="sign")
    chosen = secrets[asked["sign"]]
    at = int(time.time() - float(asked["age"]))
    return Posting(content, None if chosen is None else sign(content, chosen, at))


def _copy(call: Call, asked: Json) -> bytes:
    event: Any = copy.deepcopy(_original(call, asked["event"]).data)
    event["type"] = asked["type"] or event["type"]
    event["data"]["object"] |= asked["object"] or {}
    return json.dumps(event, indent=2).encode()


def _original(call: Call, event_id: str | None) -> StoredObject:
    if event_id is not None:
        return event_of(call, event_id)
    newest = store.list_page(call, store.EVENT, "", {"limit": 1})["data"]
    if not newest:
        raise PaymentApiError(404, "There is no event to copy; give `body` instead.", param="event")
    return event_of(call, newest[0]["id"])
