"""Sums of a document by tax rate, and the tax of a part of a line."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Any

from domain.money import Currency, part_minor

REVERSE_CHARGE, NO_TAX = "Reverse charge", "No tax"


@dataclass(frozen=True)
class LineTax:
    """The tax of one line by one rate. `percent`: decimal text without trailing zeros."""

    label: str
    percent: str
    minor: int


@dataclass(frozen=True)
class TaxSum:
    """All lines of one rate, in minor units."""

    label: str
    percent: str
    net_minor: int
    tax_minor: int


def line_taxes(taxes: Iterable[Mapping[str, Any]]) -> tuple[LineTax, ...]:
    """From the column `taxes` of an order line: [{label, percent, minor}]."""
    return tuple(LineTax(str(row["label"]), percent_text(row["percent"]), int(row["minor"])) for row in taxes)


def percent_text(value: object) -> str:
    """19.000 -> 19, 9.975 -> 9.975."""
    text = f"{Decimal(str(value)):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def sums_by_rate(lines: Iterable[tuple[int, tuple[LineTax, ...]]], untaxed_label: str) -> tuple[TaxSum, ...]:
    """Sums of lines (net amount, taxes) by rate, in the order in which their rates come first. A line with several
    rates counts with its net amount for each of them."""
    sums: dict[tuple[str, str], tuple[int, int]] = {}
    for net_minor, taxes in lines:
        for tax in taxes or (LineTax(untaxed_label, "0", 0),):
            net, sum_ = sums.get((tax.label, tax.percent), (0, 0))
            sums[tax.label, tax.percent] = (net + net_minor, sum_ + tax.minor)
    return tuple(TaxSum(label, percent, net, tax) for (label, percent), (net, tax) in sums.items())


def part_of(taxes: tuple[LineTax, ...], before_minor: int, back_minor: int, currency: Currency) -> tuple[LineTax, ...]:
    """The rates of a line's refunded tax: `back_minor` of it, after `before_minor` was refunded already. The parts of
    all refunds sum to the line's tax, for each rate."""
    before, after = _split(taxes, before_minor, currency), _split(taxes, before_minor + back_minor, currency)
    return tuple(
        LineTax(tax.label, tax.percent, until - since) for tax, since, until in zip(taxes, before, after, strict=True)
    )


def _split(taxes: tuple[LineTax, ...], minor: int, currency: Currency) -> list[int]:
    """An amount in the proportions of the taxes: running sums are rounded, half up, so that their differences sum."""
    whole = sum(tax.minor for tax in taxes)
    bounds, running = [0], 0
    for tax in taxes:
        running += tax.minor
        bounds.append(part_minor(minor, running, whole, currency) if whole else 0)
    return [end - start for start, end in pairwise(bounds)]
