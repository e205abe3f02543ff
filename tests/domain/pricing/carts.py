"""Random carts in the form of contracts/cases/pricing.json: the same ones in every run."""

from collections.abc import Iterator
from itertools import count, product
from random import Random
from typing import Any

Json = dict[str, Any]
CURRENCIES = {"USD": 1, "JPY": 1, "KWD": 10}
CLASSES = ("service", "ebook", "book", "voucher", "goods")
# Thousandths of a percent.
PERCENTS = (0, 2_600, 5_000, 7_250, 9_975, 19_000, 25_000)
LARGEST = (9, 2_000, 90_000, 9_999_999)


def random_carts(number: int) -> Iterator[Json]:
    """`number` carts: every currency with and without inclusive prices, delivery and a coupon in turn."""
    modes = ("exclusive", "inclusive")
    kinds = [*product(CURRENCIES, modes, (False, True), (False, True))]
    random = Random(11)
    for place in range(number):
        currency, mode, has_delivery, has_coupon = kinds[place % len(kinds)]
        yield _cart(random, currency, mode, has_delivery=has_delivery, has_coupon=has_coupon)


def _cart(random: Random, currency: str, mode: str, *, has_delivery: bool, has_coupon: bool) -> Json:
    quantum, ids = CURRENCIES[currency], count(1)
    lines = [_line(random, next(ids), quantum) for _ in range(random.randrange(6))]
    cart: Json = {"currency": currency, "priceMode": mode, "lines": lines, "tax": _tax(random)}
    if has_delivery:
        cart["delivery"] = {
            "service": "Standard",
            "price": random.randrange(3_000) * quantum,
            "listPrice": 3_000 * quantum,
        }
    if has_coupon:
        cart["coupon"] = _offer(random, random.choice(("COUPON", "COUPON", "CODE")), quantum)
    return cart


def _price(random: Random, quantum: int) -> int:
    return random.randrange(random.choice(LARGEST)) * quantum


def _line(random: Random, key: int, quantum: int) -> Json:
    line: Json = {
        "id": key,
        "kind": random.choice(("course", "item")),
        "category": random.choice(("tax", "data")),
        "listPrice": _price(random, quantum),
        "quantity": random.choice((1, 1, 2, 3, 99)),
        "taxClass": random.choice(CLASSES),
    }
    if random.random() < 0.3:
        line["salePrice"] = _price(random, quantum)
    for name in ("organisation", "code"):
        if random.random() < 0.3:
            line[name] = _offer(random, name.upper(), quantum)
    return line


def _offer(random: Random, name: str, quantum: int) -> Json:
    """Half of the codes over an amount count once per order."""
    kind = random.choice(("percent", "amount", "price") if name == "ORGANISATION" else ("percent", "amount"))
    value = random.randrange(10_001) if kind == "percent" else _price(random, quantum)
    minimum = random.choice((0, 0, 5_000, 50_000)) * quantum
    covers = random.choice(("all", "all", "course", "item", "tax"))
    offer = {"name": name, "kind": kind, "value": value, "minimum": minimum, "covers": covers}
    is_once = name == "CODE" and kind == "amount" and random.random() < 0.5
    return offer | ({"oncePerOrder": True} if is_once else {})


def _tax(random: Random) -> Json:
    reverse = [*CLASSES, "delivery"] if random.random() < 0.2 else []
    return {"place": "DE", "rates": _rates(random), "homeRates": _rates(random), "reverseCharge": reverse}


def _rates(random: Random) -> Json:
    """Some classes with one or two components."""
    return {
        tax_class: [
            {"label": f"T{number}", "percent": random.choice(PERCENTS)} for number in range(random.choice((1, 1, 2)))
        ]
        for tax_class in (*CLASSES, "delivery")
        if random.random() < 0.8
    }
