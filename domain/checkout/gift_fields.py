"""The fields by which a course or bundle of the cart becomes a gift. Their names contain the product's id."""

import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from domain import email_addresses
from domain.cart.products import CartProduct
from domain.checkout.form_fields import CHECKED, FieldKind, FormField, FormGroup

MAX_MESSAGE = 500
MAX_DAYS_AHEAD = 365
MAX_EMAIL = 254
_NAME = re.compile(r"gift\.(\d{1,15})\.(?:chosen|recipient_email|message|send_at)", re.ASCII)


def is_name(name: str) -> bool:
    return _NAME.fullmatch(name) is not None


def product_of(name: str) -> int | None:
    """The product whose field this is; None for a field that is of no gift."""
    found = _NAME.fullmatch(name)
    return None if found is None else int(found[1])


def can_be_gift(product: CartProduct) -> bool:
    """What opens courses can be given to somebody else; goods are sent to another delivery address."""
    return product.is_bought_once


def chosen_name(product_id: int) -> str:
    """The name of the checkbox that makes a line a gift."""
    return f"gift.{product_id}.chosen"


def is_chosen(product_id: int, values: Mapping[str, str]) -> bool:
    return values.get(chosen_name(product_id)) == CHECKED


def group(product: CartProduct, values: Mapping[str, str]) -> FormGroup:
    """The fields of one product: more once it is chosen to be a gift."""
    prefix = f"gift.{product.id}"
    is_gift = is_chosen(product.id, values)
    chosen = FormField(chosen_name(product.id), "This is a gift", "checkbox", CHECKED if is_gift else "")
    fields: tuple[FormField, ...] = (chosen,)
    if is_gift:
        fields = (
            chosen,
            _field(f"{prefix}.recipient_email", "Email address of the recipient", "email", values, required=True),
            _field(f"{prefix}.message", "Message to the recipient", "lines", values),
            _field(f"{prefix}.send_at", "Day of the gift", "date", values),
        )
    return FormGroup("gift", product.name, fields, product.id)


def _field(name: str, label: str, kind: FieldKind, values: Mapping[str, str], *, required: bool = False) -> FormField:
    lines = 3 if kind == "lines" else 1
    return FormField(name, label, kind, values.get(name, ""), required, lines=lines)


def errors(products: Sequence[CartProduct], values: Mapping[str, str], on: date) -> dict[str, str]:
    """What is wrong with the gifts among these products, by name of the field. `on`: today in UTC."""
    found: dict[str, str] = {}
    for product in products:
        if can_be_gift(product) and is_chosen(product.id, values):
            prefix = f"gift.{product.id}"
            checked = {
                "recipient_email": _email_error(values.get(f"{prefix}.recipient_email", "")),
                "message": _message_error(values.get(f"{prefix}.message", "")),
                "send_at": _date_error(values.get(f"{prefix}.send_at", ""), on),
            }
            found |= {f"{prefix}.{name}": text for name, text in checked.items() if text is not None}
    return found


def gift_of(product: CartProduct, values: Mapping[str, str]) -> dict[str, str] | None:
    """{recipient_email, message, send_at} of a line without errors; None when it is for the buyer. `send_at`: noon UTC
    of the day, or missing for as soon as it is paid."""
    if not (can_be_gift(product) and is_chosen(product.id, values)):
        return None
    prefix = f"gift.{product.id}"
    gift = {name: values.get(f"{prefix}.{name}", "").strip() for name in ("recipient_email", "message")}
    day = _day(values.get(f"{prefix}.send_at", ""))
    return gift if day is None else {**gift, "send_at": f"{day.isoformat()}T12:00:00+00:00"}


def _email_error(value: str) -> str | None:
    value = value.strip()
    if not value:
        return "Enter the email address of the recipient."
    if len(value) > MAX_EMAIL or not email_addresses.is_valid(value):
        return "Check this email address: a part of it is missing or wrong."
    return None


def _message_error(value: str) -> str | None:
    return None if len(value.strip()) <= MAX_MESSAGE else f"Shorten this to {MAX_MESSAGE} characters."


def _date_error(value: str, on: date) -> str | None:
    day = _day(value)
    if not value.strip():
        return None
    if day is None:
        return "Enter a date such as 2026-12-24, or leave this empty."
    if not on <= day <= on + timedelta(days=MAX_DAYS_AHEAD):
        return "Choose a day from today to a year ahead."
    return None


def _day(value: str) -> date | None:
    try:
        return date.fromisoformat(value.strip())
    except ValueError:
        return None
