"""The body of a document: all that is printed, as plain JSON. It is frozen when the document is issued, and whoever
prints it needs nothing else. Amounts are integers in minor units of `currency`; dates are ISO 8601, in UTC."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from domain.documents.issuer import Issuer
from domain.documents.postal_lines import other_lines, postal_lines
from domain.documents.tax_sums import NO_TAX, REVERSE_CHARGE, LineTax, sums_by_rate
from domain.money import currency
from domain.tables import Order

VERSION = 1
Body = dict[str, Any]


def title_of(kind: str, total_minor: int) -> str:
    """What a document is, in words. A credit note below 0 takes another one back: money that had gone to the buyer came
    to the shop again."""
    if kind in ("invoice", "quote"):
        return kind.capitalize()
    return "Reversal of a credit note" if total_minor < 0 else "Credit note"


@dataclass(frozen=True)
class BodyLine:
    """A printed line. `unit_minor` * quantity + the changes of its steps = the amount in the order's price mode, unless
    it is part of a credit note, which prints no steps. `steps`: [{name, change_minor}]."""

    name: str
    sku: str
    quantity: int
    unit_minor: int | None
    net_minor: int
    tax_minor: int
    total_minor: int
    taxes: tuple[LineTax, ...]
    steps: tuple[Mapping[str, Any], ...] = ()


class Billed(Protocol):
    """What a document says of who pays and in which money: an order, or a quote before there is one."""

    @property
    def currency(self) -> str: ...
    @property
    def price_mode(self) -> str: ...
    @property
    def tax_kind(self) -> str: ...
    @property
    def email(self) -> str: ...
    @property
    def billing(self) -> Mapping[str, Any]: ...
    @property
    def delivery(self) -> Mapping[str, Any] | None: ...
    @property
    def purchase_order(self) -> str: ...


def body_of(order: Order, student_number: str, issuer: Issuer, lines: Sequence[BodyLine]) -> Body:
    """What invoices and credit notes have in common."""
    return {
        "order": order.code,
        "ordered_on": order.placed_at.date().isoformat(),
        **({"quote": order.quote_number} if order.quote_number else {}),
        **shared_body(order, student_number, issuer, lines),
    }


def shared_body(order: Billed, student_number: str, issuer: Issuer, lines: Sequence[BodyLine]) -> Body:
    """What all documents have in common."""
    return {
        "v": VERSION,
        "locale": issuer.locale,
        **({"purchase_order": order.purchase_order} if order.purchase_order else {}),
        "currency": order.currency,
        "exponent": currency(order.currency).exponent,
        "price_mode": order.price_mode,
        "seller": {"name": issuer.name, "address": list(issuer.address), "vat_id": issuer.vat_id},
        "buyer": {
            "number": student_number,
            "address": postal_lines(order.billing),
            **_latin("latin", order.billing),
            "email": order.email,
            "vat_id": order.billing.get("vat_id", ""),
        },
        "delivery": None if order.delivery is None else postal_lines(order.delivery),
        **_latin("delivery_latin", order.delivery),
        **amounts_of(order, lines),
        "notes": _notes(order, issuer),
    }


def _latin(name: str, address: Mapping[str, Any] | None) -> Body:
    """The lines with Latin names of areas, where they are others: for fonts that lack the letters of the country."""
    lines = [] if address is None else other_lines(address)
    return {name: lines} if lines else {}


def amounts_of(order: Billed, lines: Sequence[BodyLine]) -> Body:
    """The parts of a body that follow from its lines: the lines themselves, their sums by rate, and all together."""
    untaxed = REVERSE_CHARGE if order.tax_kind == "reverse_charge" else NO_TAX
    sums = sums_by_rate([(line.net_minor, line.taxes) for line in lines], untaxed)
    return {
        "lines": [_json_line(line) for line in lines],
        "taxes": [asdict(row) for row in sums],
        "net_minor": sum(line.net_minor for line in lines),
        "tax_minor": sum(line.tax_minor for line in lines),
        "total_minor": sum(line.total_minor for line in lines),
    }


def digest_of(body: Body) -> str:
    """SHA-256 of the body, the same for any order of its keys."""
    text = json.dumps(body, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _json_line(line: BodyLine) -> Body:
    return {**asdict(line), "taxes": [asdict(tax) for tax in line.taxes], "steps": [dict(step) for step in line.steps]}


def _notes(order: Billed, issuer: Issuer) -> list[str]:
    if order.tax_kind != "reverse_charge":
        return []
    ids = f"VAT id of the seller: {issuer.vat_id}. VAT id of the customer: {order.billing.get('vat_id', '')}."
    return [f"Reverse charge: the customer owes the VAT (article 196 of directive 2006/112/EC). {ids}"]
