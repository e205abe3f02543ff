"""The structured form of a document, by EN 16931: what is frozen for it in the body, and the terms of the standard that
follow from the body alone.

The standard's own rules let a wrong cent pass, so the sums are checked here (`check_sums`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from domain import money
from domain.bank_transfers.account import means_of
from domain.documents.body import Body
from domain.documents.issuer import Issuer
from domain.documents.tax_sums import line_taxes
from domain.tables import Order, OrderLine

# The part of a body without which a document has no structured form.
STRUCTURED = "structured"
INVOICE, CREDIT_NOTE = "380", "381"
PROFILE = "urn:cen.eu:en16931:2017"
UNIT = "C62"
# An amount of the standard has two decimals; of a currency with three the last is always 0 here.
DECIMALS = 2
REVERSE_CHARGE_CODE = "VATEX-EU-AE"
REASONS = {
    "AE": "Reverse charge",
    "E": "No tax is charged on this",
    "O": "Not subject to tax of the seller",
}


class NotExpressible(Exception):
    """The body has no structured form: its sums do not agree, or an amount has more decimals than the standard."""


@dataclass(frozen=True)
class _Category:
    """A category of VAT, by UNTDID 5305. `percent` None: it has no rate."""

    code: str
    percent: str | None


def frozen(order: Order, issuer: Issuer, lines: Sequence[OrderLine]) -> Body:
    """What a structured invoice needs besides what is printed, as a part of the body; {} where the invoice gets no
    structured form: for private people, from sellers without a VAT id, and where two taxes are charged on one line, for
    which the standard has no place."""
    has_prefix = issuer.vat_id[:2].isalpha() and bool(issuer.country)
    has_two_taxes = any(len(line.taxes) > 1 for line in lines)
    if not (has_prefix and order.billing.get("company_name")) or has_two_taxes:
        return {}
    delivery = None if order.delivery is None else _party(order.delivery)
    about = {"tax_kind": order.tax_kind, "seller_country": issuer.country, "buyer": _party(order.billing)}
    return {STRUCTURED: {**about, "delivery": delivery, "reductions": [_reductions(order, line) for line in lines]}}


def frozen_of_credit(invoice: Body) -> Body:
    """The part of a credit note's body, from that of the invoice that it corrects. It prints no reductions, and is
    about what was supplied with the invoice."""
    if STRUCTURED not in invoice:
        return {}
    return {STRUCTURED: {**invoice[STRUCTURED], "reductions": [], "supplied_on": invoice["supplied_on"]}}


def _party(address: Mapping[str, Any]) -> Body:
    names = {"company": "company_name", "name": "name", "street": "street_address", "city": "city"}
    names |= {"area": "country_area", "postal_code": "postal_code", "country": "country"}
    return {name: str(address.get(source) or "") for name, source in names.items()}


def _reductions(order: Order, line: OrderLine) -> list[Body]:
    """What lowered the line, net of tax: [{name, minor}]. [] where the steps do not lead from the list price to the
    amount."""
    changes = [step for step in line.steps if step["step"] not in ("list", "tax") and step["change_minor"]]
    is_net = order.price_mode == "exclusive"
    removed = 0 if is_net else sum(min(0, step["change_minor"]) for step in line.steps if step["step"] == "tax")
    before_removal = (line.net_minor if is_net else line.total_minor) - removed
    if line.list_minor * line.quantity + sum(step["change_minor"] for step in changes) != before_removal:
        return []
    share = Decimal(1) if is_net else _net_share(line, before_removal)
    quantum = money.quantum_minor(money.currency(order.currency))
    return [{"name": step["name"], "minor": _rounded(-step["change_minor"] * share, quantum)} for step in changes]


def _net_share(line: OrderLine, gross_minor: int) -> Decimal:
    """What of a price that contains tax is net."""
    if gross_minor:
        return Decimal(line.net_minor) / gross_minor
    rates = sum((Decimal(tax.percent) for tax in line_taxes(line.taxes)), Decimal(0))
    return 100 / (100 + rates)


def _rounded(minor: Decimal, quantum: int) -> int:
    return int((minor / quantum).quantize(Decimal(1), ROUND_HALF_UP)) * quantum


def check_sums(body: Body) -> None:
    """Raises NotExpressible unless lines, rates and totals agree to the minor unit, and each tax is that of its rate
    but for what rounding by line can change."""
    lines, taxes = body["lines"], body["taxes"]
    sums = [
        ("net", sum(line["net_minor"] for line in lines), body["net_minor"]),
        ("tax", sum(line["tax_minor"] for line in lines), body["tax_minor"]),
        ("total", body["net_minor"] + body["tax_minor"], body["total_minor"]),
        ("net by rate", sum(row["net_minor"] for row in taxes), body["net_minor"]),
        ("tax by rate", sum(row["tax_minor"] for row in taxes), body["tax_minor"]),
    ]
    sums += [("line", line["net_minor"] + line["tax_minor"], line["total_minor"]) for line in lines]
    sums += [("tax of a line", sum(tax["minor"] for tax in line["taxes"]), line["tax_minor"]) for line in lines]
    if wrong := [f"{sum_} {found} is not {wanted}" for sum_, found, wanted in sums if found != wanted]:
        raise NotExpressible("; ".join(wrong))
    unit = 10 if body["exponent"] > DECIMALS else 1
    for row in taxes:
        number = sum((tax["label"], tax["percent"]) == (row["label"], row["percent"]) for tax in _taxes(lines))
        # Half a unit a line when it is priced, and as much again when a part of it is credited.
        tolerance = unit * max(1, number)
        exact = Decimal(row["percent"]) * row["net_minor"] / 100
        if abs(exact - row["tax_minor"]) > tolerance:
            raise NotExpressible(f"{row['percent']}% of {row['net_minor']} is not {row['tax_minor']}")


def _taxes(lines: Iterable[Body]) -> Iterable[Body]:
    for line in lines:
        yield from line["taxes"] or [{"label": "", "percent": "0"}]


def terms(body: Body) -> Body:
    """The business terms of EN 16931, by their numbers as the library `factur-x` reads them. Raises NotExpressible."""
    check_sums(body)
    return _Terms(body).terms()


class _Terms:
    def __init__(self, body: Body):
        self._body, self._facts = body, body[STRUCTURED]
        self._is_untaxed = self._facts["tax_kind"] == "none" and not any(line["taxes"] for line in body["lines"])

    def terms(self) -> Body:
        body = self._body
        is_invoice = body["kind"] == "invoice"
        paid = body["total_minor"] if is_invoice else 0
        found: Body = {
            "BT-1": body["number"],
            "BT-2": body["issued_on"],
            "BT-3": INVOICE if is_invoice else CREDIT_NOTE,
            "BT-5": body["currency"],
            "BT-13": _text(body.get("purchase_order", "")),
            "BT-14": body["order"],
            "BT-20": self._payment_text(),
            "BT-24": PROFILE,
            "BT-72": body.get("supplied_on") or self._facts["supplied_on"],
            "BT-106": self._amount(body["net_minor"]),
            "BT-109": self._amount(body["net_minor"]),
            "BT-110": self._amount(body["tax_minor"]),
            "BT-112": self._amount(body["total_minor"]),
            "BT-113": self._amount(paid) if paid else None,
            "BT-115": self._amount(body["total_minor"] - paid),
            "BG-1": [{"BT-22": _text(note)} for note in self._notes()],
            "BG-3": [{"BT-25": row["number"], "BT-26": row["issued_on"]} for row in self._corrected()],
            "BG-4": self._seller(),
            "BG-7": self._buyer(),
            "BG-13": self._delivery(),
            "BG-23": self._rates(),
            "BG-25": [self._line(number, line) for number, line in enumerate(body["lines"], 1)],
        }
        return {name: value for name, value in found.items() if value}

    def _notes(self) -> list[str]:
        """With the quote by which was ordered, for which the standard has no term."""
        number = self._body.get("quote")
        return [*self._body["notes"], *([f"Quote {number}"] if number else [])]

    def _payment_text(self) -> str:
        payment = self._body.get("payment")
        if self._body["kind"] == "credit_note":
            return "The amount goes back the way it was paid."
        if not payment:
            return "Nothing is to be paid."
        return (
            f"Paid on {payment['paid_on']}{' with ' + means_of(_text(payment['method'])) if payment['method'] else ''}."
        )

    def _corrected(self) -> list[Body]:
        """The documents that this one is about."""
        invoice = self._body.get("invoice")
        return ([invoice] if invoice else []) + list(self._body.get("reverses", ()))

    def _seller(self) -> Body:
        seller = self._body["seller"]
        lines = [_text(line) for line in seller["address"]]
        # Where nothing is subject to tax the standard forbids the VAT id in its own field.
        number = {"identifiers": {None: seller["vat_id"]}} if self._is_untaxed else {"vat_identifier": seller["vat_id"]}
        about = {"name": _text(seller["name"]), "country_code": self._facts["seller_country"]}
        return {**about, **number, **_address_lines(lines)}

    def _buyer(self) -> Body:
        buyer, party = self._body["buyer"], self._facts["buyer"]
        found = _postal(party)
        if buyer["vat_id"] and not self._is_untaxed:
            found["vat_identifier"] = buyer["vat_id"]
        if buyer["number"]:
            found["identifiers"] = {None: buyer["number"]}
        if party["name"]:
            found["contacts"] = [{"name": _text(party["name"])}]
        if buyer["email"]:
            found |= {"einvoicing_addr": buyer["email"], "einvoicing_addr_schemeid": "EM"}
        return found

    def _delivery(self) -> Body | None:
        party = self._facts["delivery"]
        return _postal(party) if party and party["country"] else None

    def _rates(self) -> list[Body]:
        """One row for each category and rate, whatever its label."""
        sums: dict[_Category, tuple[int, int]] = {}
        for line in self._body["lines"]:
            category = self._category(line)
            net, tax = sums.get(category, (0, 0))
            sums[category] = (net + line["net_minor"], tax + line["tax_minor"])
        return [self._rate(category, *amounts) for category, amounts in sums.items()]

    def _rate(self, category: _Category, net_minor: int, tax_minor: int) -> Body:
        row = {"BT-116": self._amount(net_minor), "BT-117": self._amount(tax_minor), "BT-118": category.code}
        if category.percent is not None:
            row["BT-119"] = category.percent
        if category.code in REASONS:
            row["BT-120"] = REASONS[category.code]
        if category.code == "AE":
            row["BT-121"] = REVERSE_CHARGE_CODE
        return row

    def _category(self, line: Body) -> _Category:
        if line["taxes"]:
            [tax] = line["taxes"]
            return _Category("Z" if tax["percent"] == "0" else "S", tax["percent"])
        if self._facts["tax_kind"] == "reverse_charge":
            return _Category("AE", "0")
        return _Category("O", None) if self._is_untaxed else _Category("E", "0")

    def _line(self, number: int, line: Body) -> Body:
        reductions = self._facts["reductions"][number - 1] if self._facts["reductions"] else []
        list_minor = line["net_minor"] + sum(row["minor"] for row in reductions)
        # An amount without units, of a credit note, is one unit; what was credited and is owed again is negative.
        quantity = line["quantity"] or 1
        if list_minor < 0 < quantity:
            quantity = -quantity
        category = self._category(line)
        found: Body = {
            "BT-126": str(number),
            "BT-129": str(quantity),
            "BT-130": UNIT,
            "BT-131": self._amount(line["net_minor"]),
            **self._price(abs(list_minor), abs(quantity)),
            "BT-151": category.code,
            "BT-153": _text(line["name"]) or f"Item {number}",
            "BG-27": [self._change(row) for row in reductions if row["minor"] > 0],
            "BG-28": [self._change(row) for row in reductions if row["minor"] < 0],
        }
        if category.percent is not None:
            found["BT-152"] = category.percent
        if line["sku"]:
            found["BT-155"] = _text(line["sku"].upper())
        return found

    def _price(self, minor: int, quantity: int) -> Body:
        """The price of a unit, or of all of them where that would be no whole amount."""
        unit = 10 if self._body["exponent"] > DECIMALS else 1
        if minor % (quantity * unit) == 0:
            return {"BT-146": self._amount(minor // quantity)}
        return {"BT-146": self._amount(minor), "BT-149": str(quantity)}

    def _change(self, row: Body) -> Body:
        return {"amount": self._amount(abs(row["minor"])), "reason": _text(row["name"]) or "Sale"}

    def _amount(self, minor: int) -> str:
        exponent = self._body["exponent"]
        while exponent > DECIMALS:
            if minor % 10:
                raise NotExpressible(f"{minor} of {self._body['currency']} has more than two decimals")
            minor, exponent = minor // 10, exponent - 1
        return f"{Decimal(minor).scaleb(-exponent):f}"


def _postal(party: Body) -> Body:
    lines = [_text(line) for line in party["street"].splitlines()]
    about = {
        "name": _text(party["company"]) or _text(party["name"]),
        "country_code": party["country"],
        "city": _text(party["city"]),
        "postcode": _text(party["postal_code"]),
        "country_subdivision": _text(party["area"]),
    }
    return {name: text for name, text in {**about, **_address_lines(lines)}.items() if text}


def _address_lines(lines: Sequence[str]) -> Body:
    """The standard has three; what is more stands in the third."""
    lines = [line for line in lines if line]
    lines = [*lines[:2], ", ".join(lines[2:])]
    return {f"addr_l{number}": line for number, line in enumerate(lines, 1) if line}


def _text(text: str) -> str:
    """In one line, without marks of direction and what XML cannot hold."""
    return " ".join("".join(char if char.isprintable() else " " * char.isspace() for char in text).split())
