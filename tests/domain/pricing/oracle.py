"""What a cart must cost, in integers of minor units: written from the rules alone, it shares no code with the engines.

It takes a case of contracts/cases/pricing.json and returns the amounts that the quote must have.
"""

from typing import Any

Json = dict[str, Any]
# Minor units in which prices are rounded.
QUANTUM = {"USD": 1, "JPY": 1, "KWD": 10}


def half_up(numerator: int, denominator: int, quantum: int) -> int:
    """numerator / denominator, not below 0, rounded to a multiple of the quantum."""
    return (2 * numerator + denominator * quantum) // (2 * denominator * quantum) * quantum


def amounts(case: Json) -> Json:
    quantum = QUANTUM[case.get("currency", "USD")]
    prices = _prices(case, quantum)
    classes = {line["id"]: line.get("taxClass", "service") for line in case["lines"]}
    if "delivery" in case:
        prices[0], classes[0] = case["delivery"]["price"], "delivery"
    taxed = {key: _taxed(price, classes[key], case, quantum) for key, price in prices.items()}
    return {
        "lines": {key: total for key, (total, _, _) in taxed.items()},
        "tax": sum(tax for _, tax, _ in taxed.values()),
        "removedTax": sum(removed for _, _, removed in taxed.values()),
        "delivery": prices.get(0, 0),
        "total": sum(total for total, _, _ in taxed.values()),
    }


def _prices(case: Json, quantum: int) -> dict[int, int]:
    """Line id -> its price after the lowest offer."""
    lines = {line["id"]: line for line in case["lines"]}
    bases = {key: _unit(line) * line.get("quantity", 1) for key, line in lines.items()}
    prices = dict(bases)
    for key, line in lines.items():
        for offer in (line.get("organisation"), line.get("code")):
            if offer and _holds(offer, case, [key]) and not _is_used(offer, case, key):
                units = _unit_with(offer, _unit(line), quantum) * line.get("quantity", 1)
                once = max(0, bases[key] - offer["value"])
                prices[key] = min(prices[key], once if offer.get("oncePerOrder") else units)
    coupon = case.get("coupon")
    if coupon and _holds(coupon, case, list(lines)) and not _is_used(coupon, case, None):
        covered = [key for key in lines if _covers(coupon, lines[key])]
        shares = _shares(coupon["value"], {key: bases[key] for key in covered}, quantum)
        for key in covered:
            units = _unit_with(coupon, _unit(lines[key]), quantum) * lines[key].get("quantity", 1)
            reduced = bases[key] - shares[key] if coupon["kind"] == "amount" else units
            prices[key] = min(prices[key], reduced)
    return prices


def _is_used(offer: Json, case: Json, key: int | None) -> bool:
    """Whether a line before this one, or for the cart any line, has the code, which counts once per order."""
    others = [line for line in case["lines"] if line.get("code") and (key is None or line["id"] < key)]
    once = [line["code"] for line in others if _covers(offer, line)]
    return any(code.get("oncePerOrder") and code["name"] == offer["name"] for code in once)


def _unit(line: Json) -> int:
    sale = line.get("salePrice")
    return int(line["listPrice"] if sale is None else min(sale, line["listPrice"]))


def _unit_with(offer: Json, unit: int, quantum: int) -> int:
    if offer["kind"] == "percent":
        return half_up(unit * (10_000 - offer["value"]), 10_000, quantum)
    return int(max(0, unit - offer["value"]) if offer["kind"] == "amount" else offer["value"])


def _covers(offer: Json, line: Json) -> bool:
    names = {"all", line.get("kind", "course"), line.get("category", "tax")}
    is_named = not offer.get("products") or line["id"] in offer["products"]
    return is_named and offer.get("covers", "all") in names


def _holds(offer: Json, case: Json, keys: list[int]) -> bool:
    covered = [line for line in case["lines"] if _covers(offer, line)]
    reached = sum(_unit(line) * line.get("quantity", 1) for line in covered) >= offer.get("minimum", 0)
    return reached and any(line["id"] in keys for line in covered)


def _shares(amount: int, bases: dict[int, int], quantum: int) -> dict[int, int]:
    """By largest remainder, among equals to the smaller id; counted in quanta."""
    total = sum(bases.values())
    off = min(amount, total) // quantum
    exact = {key: divmod(off * base, total) if total else (0, 0) for key, base in bases.items()}
    shares = {key: whole for key, (whole, _) in exact.items()}
    for key in sorted(bases, key=lambda key: (-exact[key][1], key))[: off - sum(shares.values()) if total else 0]:
        shares[key] += 1
    return {key: share * quantum for key, share in shares.items()}


def _taxed(price: int, tax_class: str, case: Json, quantum: int) -> tuple[int, int, int]:
    """(total, tax that is due, home tax that was taken out) of one line."""
    tax = case.get("tax")
    if tax is None:
        return price, 0, 0
    due = [] if tax_class in tax.get("reverseCharge", []) else _percents(tax.get("rates", {}), tax_class)
    if case.get("priceMode", "exclusive") == "exclusive":
        added = sum(half_up(price * percent, 100_000, quantum) for percent in due)
        return price + added, added, 0
    inside = sum(_inside(price, due, quantum))
    if due:
        return price, inside, 0
    removed = sum(_inside(price, _percents(tax.get("homeRates", {}), tax_class), quantum))
    return price - removed, 0, removed


def _inside(price: int, percents: list[int], quantum: int) -> list[int]:
    return [half_up(price * percent, 100_000 + sum(percents), quantum) for percent in percents]


def _percents(rates: Json, tax_class: str) -> list[int]:
    return [row["percent"] for row in rates.get(tax_class, [])]
