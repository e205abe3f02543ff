"""Bodies of documents as domain/documents writes them."""

from typing import Any

SELLER = {
    "name": "Meridian Learning Ltd",
    "address": ["Merrion House, 1 High Street", "Dublin D02 X285", "Ireland"],
    "vat_id": "IE6388047V",
}
GERMAN = {
    "number": "S-1042",
    "address": ["Jörg Müller", "Weiß & Söhne <Verlag> GmbH", "Lindenstraße 12", "10969 BERLIN", "GERMANY"],
    "email": "joerg@example.test",
    "vat_id": "",
}


def line(name: str = "VAT Fundamentals for Finance Teams", **about: Any) -> dict[str, Any]:
    return {
        "name": name,
        "sku": "",
        "quantity": 1,
        "unit_minor": 10_000,
        "net_minor": 8_403,
        "tax_minor": 1_597,
        "total_minor": 10_000,
        "taxes": [{"label": "VAT", "percent": "19", "minor": 1_597}],
        "steps": [],
        **about,
    }


def invoice(*lines: dict[str, Any], **about: Any) -> dict[str, Any]:
    rows = list(lines) or [line()]
    sums = {name: sum(row[name] for row in rows) for name in ("net_minor", "tax_minor", "total_minor")}
    rates: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows:
        for tax in row["taxes"] or [{"label": "No tax", "percent": "0", "minor": 0}]:
            rate = {"label": tax["label"], "percent": tax["percent"], "net_minor": 0, "tax_minor": 0}
            rate = rates.setdefault((tax["label"], tax["percent"]), rate)
            rate["net_minor"] += row["net_minor"]
            rate["tax_minor"] += tax["minor"]
    return {
        "v": 1,
        "kind": "invoice",
        "number": "ML-2026-000042",
        "issued_on": "2026-03-01",
        "supplied_on": "2026-03-01",
        "order": "BADECUFIGOHAKELIMONU",
        "ordered_on": "2026-02-28",
        "currency": "EUR",
        "exponent": 2,
        "price_mode": "inclusive",
        "seller": SELLER,
        "buyer": GERMAN,
        "delivery": None,
        "lines": rows,
        "taxes": list(rates.values()),
        **sums,
        "notes": [],
        "payment": {"method": "Visa 4242", "paid_on": "2026-03-01"},
        **about,
    }
