"""C6: an invoice as PDF: CPU and size."""

import time
from statistics import median
from typing import Any

from bench.comparison import ResultLine
from host.documents import pdf

ROUNDS = 30
LINES = 5
MAX_MS, MAX_KB = 40.0, 60.0


def c6() -> list[ResultLine]:
    body = _invoice()
    size_kb = len(pdf.render(body)) / 1000
    cpu = median(_render_ms(body) for _round in range(ROUNDS))
    return [
        ResultLine("C6", "an invoice as PDF, CPU", f"<= {MAX_MS:g} ms", f"{cpu:.1f} ms", "", None, cpu <= MAX_MS),
        ResultLine("C6", "its size", f"<= {MAX_KB:g} KB", f"{size_kb:.1f} KB", "", None, size_kb <= MAX_KB),
    ]


def _render_ms(body: dict[str, Any]) -> float:
    began = time.process_time()
    pdf.render(body)
    return (time.process_time() - began) * 1000


def _invoice() -> dict[str, Any]:
    line = {
        **{"name": "VAT Fundamentals for Finance Teams", "sku": "", "quantity": 1, "unit_minor": 10_000},
        **{"net_minor": 8_403, "tax_minor": 1_597, "total_minor": 10_000, "steps": []},
        "taxes": [{"label": "VAT", "percent": "19", "minor": 1_597}],
    }
    seller = {"name": "Meridian Learning Ltd", "address": ["1 High Street", "Dublin", "Ireland"], "vat_id": ""}
    address = ["J\u00f6rg M\u00fcller", "Lindenstra\u00dfe 12", "10969 BERLIN", "GERMANY"]
    return {
        **{"v": 1, "kind": "invoice", "number": "ML-2026-000042", "issued_on": "2026-03-01"},
        **{"supplied_on": "2026-03-01", "order": "BADECUFIGOHAKELIMONU", "ordered_on": "2026-02-28"},
        **{"currency": "EUR", "exponent": 2, "price_mode": "inclusive", "seller": seller},
        "buyer": {"number": "S-1042", "address": address, "email": "joerg@example.test", "vat_id": ""},
        **{"delivery": None, "lines": [line] * LINES, "notes": []},
        "taxes": [{"label": "VAT", "percent": "19", "net_minor": 8_403 * LINES, "tax_minor": 1_597 * LINES}],
        **{"net_minor": 8_403 * LINES, "tax_minor": 1_597 * LINES, "total_minor": 10_000 * LINES},
        "payment": {"method": "Visa 4242", "paid_on": "2026-03-01"},
    }
