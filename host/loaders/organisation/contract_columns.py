"""Contracts in words: on their own page, and on the overview."""

from collections.abc import Sequence
from datetime import datetime

from domain.display_text import count_text, money_text, percent_text
from domain.money import Currency, to_minor
from domain.organisations.contracts import ContractProductView, ContractView
from host.loaders.ui import table_cells as cells
from host.loaders.ui.table_cells import BadgeTone, Column
from host.rendering.page_request import PageRequest


def contract_columns(request: PageRequest) -> Sequence[Column[ContractView]]:
    """Columns of contracts as they are at the time of a request, with amounts in its shop's currency."""
    return (
        *overview_columns(request),
        cells.text("rules", "Seats go back", _rules),
        cells.text("joining", "How people join", _joining),
        cells.text("sees", "Its members see", lambda row: "Only what it covers" if row.is_restricted else "Everything"),
    )


def overview_columns(request: PageRequest) -> Sequence[Column[ContractView]]:
    """Columns of contracts without rules in whole sentences, which make the rows of a narrow table high."""
    at, currency, locale = request.at, request.settings.shop.currency, request.settings.locale
    return (
        cells.badge("state", "State", lambda row: _state(row, at)),
        cells.time("starts", "From", lambda row: row.starts_at),
        cells.time("ends", "Until", lambda row: None if row.is_unpaid else row.ends_at),
        cells.count("left", "Days left", lambda row: row.days_left(at)),
        cells.text("covers", "Covers", covers_text),
        cells.text("terms", "Terms", lambda row: terms_text(row, currency, locale)),
        cells.text("seats", "Seats", _seats),
        cells.text("seat_price", "One more seat", lambda row: _seat_price(row, currency, locale)),
    )


def product_columns(request: PageRequest) -> Sequence[Column[ContractProductView]]:
    currency, locale = request.settings.shop.currency, request.settings.locale
    return (
        cells.text("name", "Product", lambda row: row.name),
        cells.text(
            "price",
            "Price",
            lambda row: (
                "Terms of the contract"
                if row.price is None
                else money_text(to_minor(row.price, currency), currency, locale)
            ),
        ),
    )


def terms_text(row: ContractView, currency: Currency, locale: str) -> str:
    """What the contract changes of a price, such as "15 % off"."""
    if row.kind == "percent":
        return f"{percent_text(row.value, locale)} off" if row.value else "Regular prices"
    amount = money_text(to_minor(row.value, currency), currency, locale)
    return f"{amount} off each" if row.kind == "amount" else f"{amount} each"


def _joining(row: ContractView) -> str:
    others = ["code"] if row.join_code is not None else []
    others += ["approved email domain"] if row.join_policy == "domain" else []
    ways = (
        " or ".join(["By invitation", *others]) if len(others) < 2 else "By invitation, code or approved email domain"
    )
    return f"{ways}, which gives a seat" if row.joining_gives_seat and others else ways


def _state(row: ContractView, at: datetime) -> tuple[str, BadgeTone]:
    if row.is_unpaid:
        return "Begins with the payment", "warning"
    if row.is_running(at):
        return "Running", "good"
    return ("Starts later", "info") if at < row.starts_at else ("Ended", "neutral")


def covers_text(row: ContractView) -> str:
    """Which products the contract is about, such as "5 named products"."""
    number = len(row.products)
    named = f"{number} named {'product' if number == 1 else 'products'}"
    if row.has_all_courses:
        return f"All courses and {named}" if number else "All courses"
    return named


def _seat_price(row: ContractView, currency: Currency, locale: str) -> str | None:
    if row.seat_price is None:
        return None
    price = money_text(to_minor(row.seat_price, currency), currency, locale)
    return price if row.is_self_service else f"{price}, from us"


def _rules(row: ContractView) -> str:
    return (
        f"If somebody waits: not started within {row.start_days} days, or idle for {row.idle_days} days and 14 days "
        "after a notice"
    )


def _seats(row: ContractView) -> str:
    kind = "for a person each" if row.seat_kind == "person" else "for a person and course each"
    return f"As many as needed, {kind}" if row.seats is None else f"{count_text(row.seats)}, {kind}"
