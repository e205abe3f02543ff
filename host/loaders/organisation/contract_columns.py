"""Contracts in words: on their own page, and on the overview."""

from collections.abc import Sequence
from datetime import datetime

from domain.display_text import money_text
from domain.money import Currency, to_minor
from domain.organisations.contracts import ContractProductView, ContractView
from host.loaders.ui import table_cells as cells
from host.loaders.ui.table_cells import BadgeTone, Column
from host.rendering.page_request import PageRequest

_JOINING = {"invitation": "By invitation", "code": "By invitation or code", "domain": "By invitation or email domain"}


def contract_columns(request: PageRequest) -> Sequence[Column[ContractView]]:
    """Columns of contracts as they are at the time of a request, with amounts in its shop's currency."""
    at, currency, locale = request.at, request.settings.shop.currency, request.settings.locale
    return (
        cells.badge("state", "State", lambda row: _state(row, at)),
        cells.time("starts", "From", lambda row: row.starts_at),
        cells.time("ends", "Until", lambda row: row.ends_at),
        cells.count("left", "Days left", lambda row: row.days_left(at)),
        cells.text("covers", "Covers", _covers),
        cells.text("terms", "Terms", lambda row: terms_text(row, currency, locale)),
        cells.text("seats", "Seats", _seats),
        cells.text("joining", "How people join", lambda row: _JOINING[row.join_policy]),
        cells.text("sees", "Its members see", lambda row: "Only what it covers" if row.is_restricted else "Everything"),
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
        return f"{row.value.normalize():f} % off" if row.value else "Regular prices"
    amount = money_text(to_minor(row.value, currency), currency, locale)
    return f"{amount} off each" if row.kind == "amount" else f"{amount} each"


def _state(row: ContractView, at: datetime) -> tuple[str, BadgeTone]:
    if row.is_running(at):
        return "Running", "good"
    return ("Starts later", "info") if at < row.starts_at else ("Ended", "neutral")


def _covers(row: ContractView) -> str:
    number = len(row.products)
    named = f"{number} named {'product' if number == 1 else 'products'}"
    if row.has_all_courses:
        return f"All courses and {named}" if number else "All courses"
    return named


def _seats(row: ContractView) -> str:
    kind = "for a person each" if row.seat_kind == "person" else "for a person and course each"
    return f"As many as needed, {kind}" if row.seats is None else f"{row.seats:,}, {kind}"
