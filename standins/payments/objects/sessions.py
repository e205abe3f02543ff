"""Checkout sessions and their line items, in the form of the API."""

from collections.abc import Mapping
from typing import Any

from standins.payments.identifiers import new_id
from standins.payments.work import Json, Work

# Fields of features that the stand-in does not have.
_UNUSED: Json = {
    "after_expiration": None,
    "allowed_payment_method_types": None,
    "branding_settings": None,
    "client_secret": None,
    "collected_information": None,
    "consent": None,
    "consent_collection": None,
    "currency_conversion": None,
    "custom_fields": [],
    "custom_text": {
        "after_submit": None,
        "shipping_address": None,
        "submit": None,
        "terms_of_service_acceptance": None,
    },
    "customer": None,
    "customer_account": None,
    "customer_creation": "if_required",
    "discounts": [],
    "excluded_payment_method_types": None,
    "integration_identifier": None,
    "invoice": None,
    "invoice_creation": {"enabled": False, "invoice_data": {}},
    "managed_payments": {"enabled": False},
    "name_collection": None,
    "optional_items": None,
    "origin_context": None,
    "payment_link": None,
    "payment_method_collection": "if_required",
    "payment_method_configuration_details": None,
    "payment_method_options": {},
    "permissions": None,
    "phone_number_collection": {"enabled": False},
    "presentment_details": None,
    "recovered_from": None,
    "saved_payment_method_options": None,
    "setup_intent": None,
    "shipping_address_collection": None,
    "shipping_cost": None,
    "shipping_options": [],
    "subscription": None,
    "tax_id_collection": {"enabled": False},
    "wallet_options": None,
}


def new_session(work: Work, given: Mapping[str, Any], items: list[Json], methods: list[str]) -> Json:
    """An open session; `given`: checked parameters of its creation."""
    session_id = new_id("cs_test_")
    total = sum(item["amount_total"] for item in items)
    email = given.get("customer_email")
    return {
        "id": session_id,
        "object": "checkout.session",
        **_UNUSED,
        "adaptive_pricing": {"enabled": given.get("adaptive_pricing", {}).get("enabled", False)},
        "allow_promotion_codes": given.get("allow_promotion_codes"),
        "amount_subtotal": total,
        "amount_total": total,
        "automatic_tax": {"enabled": False, "liability": None, "provider": None, "status": None},
        "billing_address_collection": given.get("billing_address_collection"),
        "cancel_url": given.get("cancel_url"),
        "client_reference_id": given.get("client_reference_id"),
        "created": int(work.now),
        "currency": items[0]["currency"],
        "customer_details": customer_details(email) if email else None,
        "customer_email": email,
        "expires_at": given.get("expires_at", int(work.now) + 24 * 3_600),
        "livemode": False,
        "locale": given.get("locale"),
        "metadata": _filled(given.get("metadata", {})),
        "mode": "payment",
        "payment_intent": None,
        "payment_method_types": methods,
        "payment_status": "unpaid",
        "redirect_on_completion": "always",
        "return_url": None,
        "status": "open",
        "submit_type": given.get("submit_type"),
        "success_url": given["success_url"],
        "total_details": {"amount_discount": 0, "amount_shipping": 0, "amount_tax": 0},
        "ui_mode": "hosted_page",
        "url": f"{work.config.origin}/c/pay/{session_id}",
    }


def _filled(metadata: Mapping[str, str]) -> Json:
    return {key: value for key, value in metadata.items() if value}


def customer_details(email: str | None, name: str | None = None, country: str | None = None) -> Json:
    address = {"city": None, "country": country, "line1": None, "line2": None, "postal_code": None, "state": None}
    return {
        "address": address if country else None,
        "business_name": None,
        "email": email,
        "individual_name": None,
        "name": name,
        "phone": None,
        "tax_exempt": "none",
        "tax_ids": [],
    }


def line_item(given: Mapping[str, Any]) -> Json:
    """A line of the hosted page from checked parameters: price_data and quantity."""
    price, quantity = given["price_data"], given["quantity"]
    total = price["unit_amount"] * quantity
    product = price["product_data"]
    return {
        "id": new_id("li_"),
        "object": "item",
        "adjustable_quantity": None,
        "amount_discount": 0,
        "amount_subtotal": total,
        "amount_tax": 0,
        "amount_total": total,
        "currency": price["currency"],
        "description": product["name"],
        "discounts": [],
        "metadata": {},
        "price": {
            "id": new_id("price_"),
            "object": "price",
            "active": False,
            "billing_scheme": "per_unit",
            "created": 0,
            "currency": price["currency"],
            "custom_unit_amount": None,
            "livemode": False,
            "lookup_key": None,
            "metadata": {},
            "nickname": None,
            "product": new_id("prod_"),
            "recurring": None,
            "tax_behavior": price.get("tax_behavior", "unspecified"),
            "tiers_mode": None,
            "transform_quantity": None,
            "type": "one_time",
            "unit_amount": price["unit_amount"],
            "unit_amount_decimal": str(price["unit_amount"]),
        },
        "quantity": quantity,
        "taxes": [],
    }
