"""Refunds and disputes, in the form of the API."""

import re
from collections.abc import Mapping
from typing import Any

from standins.payments.identifiers import new_id
from standins.payments.work import Json, Work

EVIDENCE_DAYS = 7
_EVIDENCE = re.findall(
    r"\w+",
    """
    access_activity_log appeal billing_address cancellation_policy cancellation_policy_disclosure
    cancellation_rebuttal customer_communication customer_email_address customer_name
    customer_purchase_ip customer_signature duplicate_charge_documentation
    duplicate_charge_explanation duplicate_charge_id product_description receipt refund_policy
    refund_policy_disclosure refund_refusal_explanation service_date service_documentation
    shipping_address shipping_carrier shipping_date shipping_documentation shipping_tracking_number
    uncategorized_file uncategorized_text
    """,
)


def new_refund(work: Work, charge: Json, amount: int, status: str, given: Mapping[str, Any]) -> Json:
    """A refund; `status` is succeeded or pending; `given`: reason and metadata. Those of debits begin with pyr_."""
    card = charge["payment_method_details"]["type"] == "card"
    destination = {
        "reference": None,
        "reference_status": "pending",
        "reference_type": "acquirer_reference_number",
        "type": "refund",
    }
    return {
        "id": new_id("re_" if card else "pyr_"),
        "object": "refund",
        "amount": amount,
        "balance_transaction": None,
        "charge": charge["id"],
        "created": int(work.now),
        "currency": charge["currency"],
        "customer": None,
        "customer_account": None,
        "destination_details": {"card": destination, "type": "card"} if card else {"type": "sepa_debit"},
        "metadata": {key: value for key, value in given.get("metadata", {}).items() if value},
        "payment_intent": charge["payment_intent"],
        "payment_method": charge["payment_method"],
        "pending_reason": "processing" if status == "pending" else None,
        "presentment_details": None,
        "reason": given.get("reason"),
        "receipt_number": None,
        "source_transfer_reversal": None,
        "status": status,
        "transfer_reversal": None,
    }


def new_dispute(work: Work, charge: Json, amount: int) -> Json:
    """The buyer's bank takes an amount of the charge back and asks for evidence."""
    return {
        "id": new_id("du_"),
        "object": "dispute",
        "amount": amount,
        "balance_transactions": [],
        "charge": charge["id"],
        "created": int(work.now),
        "currency": charge["currency"],
        "enhanced_eligibility_types": [],
        "evidence": {**dict.fromkeys(_EVIDENCE), "enhanced_evidence": {}},
        "evidence_details": {
            "due_by": int(work.now) + EVIDENCE_DAYS * 86_400,
            "enhanced_eligibility": {},
            "has_evidence": False,
            "past_due": False,
            "submission_count": 0,
            "submission_method": None,
        },
        "intended_submission_method": None,
        "is_charge_refundable": False,
        "livemode": False,
        "metadata": {},
        "network_reason_code": "10.4",
        "payment_intent": charge["payment_intent"],
        "payment_method_details": {
            "card": {"brand": "visa", "case_type": "chargeback", "network_reason_code": "10.4"},
            "type": "card",
        },
        "reason": "fraudulent",
        "status": "needs_response",
    }
