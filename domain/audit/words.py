"""The fields that changed by an event in words: the one place that writes a change, for lists, pages and files.

Records keep fields and values as the code has them, for ever; what they are called can change here.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from domain.audit.changes import CHANGED
from domain.display_text import count_text, day_text, moment_text, money_text, percent_text, short_text
from domain.locales import shop_locale
from domain.money import rounded, shop_currency, to_minor
from domain.text_direction import isolated

Fields = Mapping[str, Any]
# Writes a value; gets the other fields of its event too, which may say what it is.
Write = Callable[[Any, Fields], str]
NOTHING = "none"
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class FieldChange(NamedTuple):
    """A field that changed. `before`: None where the event says nothing of it, as of a new thing."""

    label: str
    before: str | None
    after: str

    @property
    def text(self) -> str:
        """Such as "Refunded so far: $0.00 → $66.62"."""
        is_change = self.before is not None and self.before != self.after
        before = f"{isolated(self.before)} → " if is_change and self.before else ""
        return f"{self.label}: {before}{isolated(self.after)}"


def changes(before: Fields | None, after: Fields | None) -> list[FieldChange]:
    """The fields of an event, in the order in which it has them."""
    old, new = before or {}, after or {}
    known = {**old, **new}
    return [
        FieldChange(
            label_of(name),
            value_text(name, old[name], known) if name in old else None,
            value_text(name, new.get(name), known),
        )
        for name in dict.fromkeys([*old, *new])
    ]


def change_text(before: Fields | None, after: Fields | None) -> str | None:
    """All of them in one text; None where no field changed."""
    return "; ".join(change.text for change in changes(before, after)) or None


@lru_cache(1024)
def label_of(name: str) -> str:
    """What a field is called: "Sale until"."""
    return _LABELS.get(name) or name.removesuffix("_minor").replace("_", " ").capitalize()


def value_text(name: str, value: Any, known: Fields) -> str:
    """A value of the field `name`; `known`: all fields of its event."""
    if value in (None, "", [], {}):
        return NOTHING
    if value == CHANGED:
        return CHANGED
    write = _WRITERS.get(name) or (_minor if name.endswith("_minor") else _plain)
    try:
        return write(value, known)
    # A record of an earlier build may have the field in another form.
    except (ArithmeticError, TypeError, ValueError, AttributeError):
        return _plain(value, known)


def _plain(value: Any, known: Fields) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case int():
            return count_text(value)
        case list():
            return ", ".join(_plain(item, known) for item in value)
        case dict():
            return ", ".join(f"{label_of(str(name))} {_plain(member, known)}" for name, member in value.items())
    return _text(str(value))


def _text(value: str) -> str:
    """Days and times of a record are in ISO 8601."""
    if _MOMENT.fullmatch(value):
        return moment_text(datetime.fromisoformat(value))
    return day_text(date.fromisoformat(value)) if _DAY.fullmatch(value) else value


def _minor(value: Any, _known: Fields) -> str:
    return money_text(int(value), shop_currency(), shop_locale())


def _major(value: Any, _known: Fields) -> str:
    currency = shop_currency()
    return money_text(to_minor(rounded(Decimal(value), currency), currency), currency, shop_locale())


def _percent(value: Any, _known: Fields) -> str:
    return percent_text(Decimal(value))


def _off(value: Any, known: Fields) -> str:
    """What a coupon or a contract takes off: its kind says in what."""
    kind = known.get("kind")
    if kind == "percent":
        return _percent(value, known)
    return _major(value, known) if kind is not None else short_text(Decimal(value))


def _grams(value: Any, _known: Fields) -> str:
    return f"{count_text(int(value))} g"


def _number(value: Any, _known: Fields) -> str:
    """That of a row, which is no amount."""
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _units(value: Any, _known: Fields) -> str:
    return ", ".join(f"{count_text(int(units))} of line {number}" for number, units in value.items())


def _words(value: Any, known: Fields) -> str:
    """Words of the code, such as course.publish or once_per_order."""
    items = value if isinstance(value, list) else [value]
    return ", ".join(str(_plain(item, known)).replace("_", " ").replace(".", ": ").capitalize() for item in items)


def _of(texts: Mapping[str, str]) -> Write:
    def write(value: Any, known: Fields) -> str:
        items = value if isinstance(value, list) else [value]
        return ", ".join(texts.get(item) or _words(item, known) for item in items)

    return write


# The values of amr that RFC 8176 registers.
METHODS = {
    "email": "a code by email",
    "face": "a face",
    "fpt": "a fingerprint",
    "geo": "a place",
    "hwk": "a security key",
    "iris": "an iris",
    "kba": "a question",
    "mca": "a second channel",
    "mfa": "several factors",
    "otp": "a one-time code",
    "pin": "a PIN",
    "pop": "a key of its own",
    "pwd": "password",
    "rba": "a look at the risk",
    "retina": "a retina",
    "sc": "a smart card",
    "sms": "a code by text message",
    "swk": "a passkey",
    "tel": "a call",
    "user": "a press on the device",
    "vbm": "a voice",
    "wia": "Windows",
}
STATUSES = {"draft": "Draft", "scheduled": "Planned", "published": "Published", "retired": "Retired"}
_PAGES = {"auto": "As the rule says", "landing": "Landing page", "redirect": "Leads elsewhere", "gone": "Gone"}
_SCOPES = {"all": "Everything", "course": "Courses", "item": "Shop items", "category": "A category"}
_KINDS = {"percent": "Percentage", "amount": "Amount"}
_LABELS = {
    "amount_minor": "Amount",
    "applies_to": "Applies to",
    "checked": "Right up to event",
    "codes": "Codes made",
    "days_max": "Days at most",
    "days_min": "Days at least",
    "declined_minor": "Not given back",
    "ends_at": "Until",
    "ends_on": "Last day",
    "frees_completed": "A completed seat is free again",
    "free_from_minor": "Free from",
    "from_g": "From",
    "goes_on": "The next check goes on at event",
    "has_all_courses": "All courses",
    "has_code": "Can be joined by a code",
    "is_manual": "Paid by hand",
    "is_restricted": "Sees the courses of the contract alone",
    "is_self_service": "Buys seats itself",
    "item_kind": "Kind",
    "keeps_access": "Access stays",
    "keeps_certificates": "Certificates stay valid",
    "learner_id": "Learner",
    "learner_limit": "Uses per learner",
    "methods": "Signed in with",
    "once_per_order": "Once per order",
    "overrules": "Against the rules of refunds",
    "permission": "What they lacked",
    "postal_from": "Postal codes from",
    "postal_to": "Postal codes to",
    "product_id": "Product",
    "refunded_minor": "Refunded so far",
    "replaces": "In place of other rates",
    "restocks": "For sale again",
    "shares_progress": "Managers see the progress",
    "shows_names": "Managers see names",
    "sku": "Stock number",
    "slug": "Address",
    "starts_at": "From",
    "starts_on": "First day",
    "to_g": "To",
    "total_limit": "Uses at most",
    "tracking": "Number of the parcel",
    "value": "Takes off",
    "weight_g": "Weight",
    "wrong": "First wrong event",
}
_WRITERS: Mapping[str, Write] = {
    **dict.fromkeys(("list_price", "sale_price", "seat_price", "minimum"), _major),
    **dict.fromkeys(("from_g", "to_g", "weight_g"), _grams),
    **dict.fromkeys(
        ("certificate", "checked", "contract_id", "course", "courses", "goes_on", "grant", "learner_id", "lines"),
        _number,
    ),
    **dict.fromkeys(("number", "product_id", "refund", "refunds", "source", "version", "wrong"), _number),
    **dict.fromkeys(
        ("change", "fulfilment", "item_kind", "join_policy", "permission", "role", "roles", "seat_kind"), _words
    ),
    **dict.fromkeys(("state", "tax_class", "way", "why"), _words),
    "applies_to": _of(_SCOPES),
    "kind": _of(_KINDS),
    "methods": _of(METHODS),
    "page": _of(_PAGES),
    "percent": _percent,
    "status": _of(STATUSES),
    "units": _units,
    "value": _off,
}
