"""Refunds: create, update. Disputes: update with evidence, close."""

from typing import Any

from standins.payments.errors import PaymentApiError
from standins.payments.objects import store
from standins.payments.objects.events import emit
from standins.payments.parameters import EXPAND, Schema, boolean, hash_of, integer, metadata, one_of, text
from standins.payments.paying import disputes, refunding
from standins.payments.tables import StoredObject
from standins.payments.work import Call, Json

REASONS = ("duplicate", "fraudulent", "requested_by_customer")
CREATE_REFUND: Schema = {
    **EXPAND,
    "charge": text(),
    "payment_intent": text(),
    "amount": integer(1),
    "reason": one_of(*REASONS),
    "metadata": metadata,
}
UPDATE_REFUND: Schema = {**EXPAND, "metadata": metadata}
UPDATE_DISPUTE: Schema = {
    **EXPAND,
    "evidence": hash_of({"uncategorized_text": text()}),
    "submit": boolean,
    "metadata": metadata,
}
# What the gateway's test mode takes for evidence that decides.
WINNING, LOSING = "winning_evidence", "losing_evidence"


def create_refund(call: Call, given: Json) -> Json:
    return refunding.refund(call, _charge(call, given), given).data


def _charge(call: Call, given: Json) -> StoredObject:
    if "charge" in given:
        return store.require(call, store.CHARGE, given["charge"], "charge")
    if "payment_intent" not in given:
        raise PaymentApiError(
            400, "One of the following params should be provided for this request: payment_intent or charge."
        )
    intent = store.require(call, store.INTENT, given["payment_intent"], "payment_intent")
    if intent.data["latest_charge"] is None:
        reason = f"This PaymentIntent ({intent.id}) does not have a successful charge to refund."
        raise PaymentApiError(400, reason, param="payment_intent")
    return store.get(call, intent.data["latest_charge"])


def update_refund(call: Call, given: Json) -> Json:
    """Merges metadata: an empty value removes its key."""
    stored = store.require(call, store.REFUND, call.path_values["id"])
    if "metadata" in given:
        store.change(stored, metadata=_merged(stored.data["metadata"], given["metadata"]))
        emit(call, "refund.updated", stored, {"metadata": {}})
    return stored.data


def _merged(old: Json, new: dict[str, Any]) -> Json:
    return {key: value for key, value in {**old, **new}.items() if value} if new else {}


def update_dispute(call: Call, given: Json) -> Json:
    """Evidence in test mode: winning_evidence or losing_evidence, when it is submitted, decides at once."""
    stored = store.require(call, store.DISPUTE, call.path_values["id"])
    disputes.require_open(stored)
    evidence = given.get("evidence", {})
    store.change(stored, evidence={**stored.data["evidence"], **evidence})
    word = evidence.get("uncategorized_text")
    if given.get("submit", True) and word in (WINNING, LOSING):
        disputes.send_evidence(call, stored, word == WINNING)
    return stored.data


def close_dispute(call: Call, _given: Json) -> Json:
    """Accepts the dispute: it is lost."""
    stored = store.require(call, store.DISPUTE, call.path_values["id"])
    disputes.require_open(stored)
    disputes.close(call, stored, "lost")
    return stored.data
