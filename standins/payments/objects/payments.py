"""Payment intents, payment methods, charges and movements of money, in the form of the API."""

from collections.abc import Mapping
from typing import Any

from standins.payments.identifiers import new_id
from standins.payments.work import Json, Work

# What the gateway earns of a charge: 2.9 % and 30 of the smallest unit; of a dispute: 15.00.
FEE_TENTHS_OF_PERCENT, FEE_FIXED, DISPUTE_FEE = 29, 30, 1_500


def new_intent(work: Work, session: Json, given: Mapping[str, Any]) -> Json:
    """The intent of a session; `given`: its payment_intent_data."""
    intent_id = new_id("pi_")
    return {
        "id": intent_id,
        "object": "payment_intent",
        "allowed_payment_method_types": None,
        "amount": session["amount_total"],
        "amount_capturable": 0,
        "amount_details": {"tip": {}},
        "amount_received": 0,
        "application": None,
        "application_fee_amount": None,
        "automatic_payment_methods": None,
        "canceled_at": None,
        "cancellation_reason": None,
        "capture_method": "automatic_async",
        "client_secret": new_id(f"{intent_id}_secret_"),
        "confirmation_method": "automatic",
        "created": int(work.now),
        "currency": session["currency"],
        "customer": None,
        "customer_account": None,
        "description": given.get("description"),
        "excluded_payment_method_types": None,
        "last_payment_error": None,
        "latest_charge": None,
        "livemode": False,
        "metadata": {key: value for key, value in given.get("metadata", {}).items() if value},
        "next_action": None,
        "on_behalf_of": None,
        "payment_method": None,
        "payment_method_configuration_details": None,
        "payment_method_options": {},
        "payment_method_types": session["payment_method_types"],
        "processing": None,
        "receipt_email": given.get("receipt_email"),
        "review": None,
        "setup_future_usage": None,
        "shipping": None,
        "source": None,
        "statement_descriptor": None,
        "statement_descriptor_suffix": given.get("statement_descriptor_suffix"),
        "status": "requires_payment_method",
        "transfer_data": None,
        "transfer_group": None,
    }


def new_method(work: Work, method_type: str, details: Json, billing: Json) -> Json:
    """A payment method: `method_type` is card or sepa_debit, `details` what the API shows of it."""
    return {
        "id": new_id("pm_"),
        "object": "payment_method",
        "allow_redisplay": "limited",
        "billing_details": billing,
        method_type: details,
        "created": int(work.now),
        "customer": None,
        "livemode": False,
        "metadata": {},
        "type": method_type,
    }


def new_charge(work: Work, intent: Json, method: Json, status: str) -> Json:
    """A charge with its status: succeeded, pending or failed. Charges that are no card's have the prefix py_."""
    is_card = method["type"] == "card"
    charge_id = new_id("ch_" if is_card else "py_")
    is_paid = status == "succeeded"
    return {
        "id": charge_id,
        "object": "charge",
        "amount": intent["amount"],
        "amount_captured": intent["amount"] if is_paid else 0,
        "amount_refunded": 0,
        "application": None,
        "application_fee": None,
        "application_fee_amount": None,
        "balance_transaction": None,
        "billing_details": method["billing_details"],
        "calculated_statement_descriptor": "STAND-IN",
        "captured": is_paid,
        "created": int(work.now),
        "currency": intent["currency"],
        "customer": None,
        "description": intent["description"],
        "disputed": False,
        "failure_balance_transaction": None,
        "failure_code": None,
        "failure_message": None,
        "fraud_details": {},
        "livemode": False,
        "metadata": intent["metadata"],
        "on_behalf_of": None,
        "outcome": outcome(status),
        "paid": status != "failed",
        "payment_intent": intent["id"],
        "payment_method": method["id"],
        "payment_method_details": {"type": method["type"], method["type"]: method[method["type"]]},
        "presentment_details": None,
        "radar_options": {},
        "receipt_email": intent["receipt_email"],
        "receipt_number": None,
        "receipt_url": None,
        "refunded": False,
        "review": None,
        "shipping": None,
        "source": None,
        "source_transfer": None,
        "statement_descriptor": None,
        "statement_descriptor_suffix": intent["statement_descriptor_suffix"],
        "status": status,
        "transfer_data": None,
        "transfer_group": None,
    }


def outcome(status: str, reason: str | None = None) -> Json:
    """What the buyer's bank said; `reason`: its code of a decline."""
    is_declined = status == "failed"
    return {
        "advice_code": None,
        "network_advice_code": None,
        "network_decline_code": None,
        "network_status": "declined_by_network" if is_declined else "approved_by_network",
        "reason": reason,
        "risk_level": "normal",
        "risk_score": 20,
        "seller_message": "The bank declined the payment." if is_declined else "Payment complete.",
        "type": "issuer_declined" if is_declined else "authorized",
    }


def charge_fee(amount: int) -> int:
    return (amount * FEE_TENTHS_OF_PERCENT + 500) // 1_000 + FEE_FIXED


def new_movement(work: Work, kind: tuple[str, str], amount: int, source: Json, fee: int = 0) -> Json:
    """A balance transaction of `kind` (type, reporting_category); `amount` is negative for money that leaves."""
    fees = [{"amount": fee, "application": None, "currency": source["currency"], "type": "stripe_fee"}] if fee else []
    return {
        "id": new_id("txn_"),
        "object": "balance_transaction",
        "amount": amount,
        "available_on": int(work.now) + 2 * 86_400,
        "balance_type": "payments",
        "created": int(work.now),
        "currency": source["currency"],
        "description": None,
        "exchange_rate": None,
        "fee": fee,
        "fee_details": [{**one, "description": "Processing fees of the gateway"} for one in fees],
        "net": amount - fee,
        "reporting_category": kind[1],
        "source": source["id"],
        "status": "pending",
        "type": kind[0],
    }
