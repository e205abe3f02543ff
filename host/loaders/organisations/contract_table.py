"""Contracts as rows for staff: in the list of all, and on the page of their organisation."""

from collections.abc import Sequence
from datetime import datetime

from domain.display_text import count_text
from domain.organisations.contract_list import ContractRow
from host.api.admin.organisations.contracts import SEAT_KINDS
from host.loaders.ui import table_cells as cells
from host.loaders.ui.detail_props import ShortTable, short_table
from host.loaders.ui.table_cells import Column

PATH = "/admin/contracts"


def _maker(row: ContractRow) -> str:
    if row.term_days is None:
        return "Staff"
    return "The organisation; begins with the payment" if row.is_unpaid else "The organisation"


def _end(row: ContractRow) -> datetime | None:
    return None if row.is_unpaid else row.ends_at


_TERMS: tuple[Column[ContractRow], ...] = (
    cells.count_or_text("seats", "Seats", lambda row: "As needed" if row.seats is None else row.seats),
    cells.count("used", "Of these used", lambda row: row.used),
    cells.text("kind", "A seat is for", lambda row: SEAT_KINDS[row.seat_kind]),
    cells.text("made", "Made by", _maker),
)
CONTRACT_COLUMNS: tuple[Column[ContractRow], ...] = (
    cells.time("starts", "From", lambda row: row.starts_at),
    cells.time("ends", "Until", _end),
    *_TERMS,
)

_DAYS: tuple[Column[ContractRow], ...] = (
    cells.day_of("starts", "From", lambda row: row.starts_at),
    cells.day_of("ends", "Until", _end),
)
_NUMBER: Column[ContractRow] = cells.link(
    "contract", "Contract", lambda row: (f"Contract {count_text(row.id)}", f"{PATH}/{row.id}")
)


def contracts_table(rows: Sequence[ContractRow]) -> ShortTable:
    """The contracts of one organisation, each linked to its page."""
    return short_table("contracts", "Contracts", "No contract yet.", (_NUMBER, *_DAYS, *_TERMS), rows)
