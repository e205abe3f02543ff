"""What the gateway is called with: a session to create, a refund to create."""

from typing import TYPE_CHECKING

from adapters.payments import objects
from adapters.payments.amounts import to_gateway
from domain.payments.gateway import RefundRequest, SessionRequest

if TYPE_CHECKING:
    from stripe.params import RefundCreateParams
    from stripe.params.checkout import SessionCreateParams, SessionCreateParamsLineItem

MAX_NAME_LENGTH = 250


def session_params(request: SessionRequest, methods: tuple[str, ...]) -> "SessionCreateParams":
    """Raises InvalidAmount. The gateway may change no amount: no conversion of currencies, no promotion codes."""
    metadata = objects.metadata_of(request.reference)
    params: SessionCreateParams = {
        "mode": "payment",
        "client_reference_id": request.reference.order,
        "metadata": metadata,
        "payment_intent_data": {"metadata": metadata},
        "success_url": request.return_url,
        "cancel_url": request.cancel_url,
        "expires_at": int(request.expires_at.timestamp()),
        "adaptive_pricing": {"enabled": False},
        "allow_promotion_codes": False,
        "line_items": [_line_item(line.name, line.amount_minor, request.currency) for line in request.lines],
    }
    if request.email:
        params["customer_email"] = request.email
    if methods:
        params["allowed_payment_method_types"] = list(methods)
    return params


def _line_item(name: str, amount_minor: int, currency: str) -> "SessionCreateParamsLineItem":
    return {
        "quantity": 1,
        "price_data": {
            "currency": currency.lower(),
            "unit_amount": to_gateway(amount_minor, currency),
            "product_data": {"name": name[:MAX_NAME_LENGTH]},
        },
    }


def refund_params(request: RefundRequest) -> "RefundCreateParams":
    """Raises InvalidAmount."""
    return {
        "payment_intent": request.intent_id,
        "amount": to_gateway(request.amount_minor, request.currency),
        "metadata": objects.metadata_of(request.reference),
    }
