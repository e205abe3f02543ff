"""What pages of quotes say of one, for owners and for staff."""

from domain.display_text import count_text
from domain.quotes.quote_states import QuoteState
from domain.quotes.quote_views import QuoteRow, QuoteView
from host.loaders.ui import table_cells as cells
from host.loaders.ui.detail_props import Fact, facts
from host.loaders.ui.table_cells import BadgeTone, Column

STATES: dict[QuoteState, tuple[str, BadgeTone]] = {
    "open": ("Open", "info"),
    "accepted": ("Accepted", "good"),
    "expired": ("Expired", "neutral"),
    "withdrawn": ("Withdrawn", "neutral"),
}


def pdf_href(number: str) -> str:
    return f"/quote-documents/{number}.pdf"


def pdf_link(row: QuoteRow | QuoteView) -> tuple[str, str]:
    return "PDF", pdf_href(row.number)


# Columns of lists of quotes.
CONTENT_COLUMNS: tuple[Column[QuoteRow], ...] = (
    cells.badge("state", "State", lambda row: STATES[row.state]),
    cells.text("seats", "Contents", lambda row: row.name),
    cells.count("quantity", "Quantity", lambda row: row.quantity),
    cells.minor("total", "Total", lambda row: row.total),
    cells.day("until", "Valid until", lambda row: row.last_day),
)
FILE_COLUMNS: tuple[Column[QuoteRow], ...] = (
    cells.text("order", "Order", lambda row: row.order if row.state == "accepted" else None, hidden=True),
    cells.link("pdf", "File", pdf_link),
    cells.time("issued", "Made", lambda row: row.issued_at, hidden=True),
)


def quote_facts(found: QuoteView, order_href: str) -> list[Fact]:
    """`order_href`: of the page of its order, "" where whoever looks may not open it."""
    order: Column[QuoteView] = cells.text("order", "Order", lambda row: row.order)
    if order_href:
        order = cells.link("order", "Order", lambda row: (row.order, order_href) if row.order else None)
    return facts((*_FACTS, order, *_MORE), found)


def _term_text(row: QuoteView) -> str:
    if row.term_days is None:
        return "Until the contract ends"
    return f"{count_text(row.term_days)} days from the payment on"


_FACTS: tuple[Column[QuoteView], ...] = (
    cells.badge("state", "State", lambda row: STATES[row.state]),
    cells.link("pdf", "File", pdf_link),
    cells.text("seats", "Contents", lambda row: row.name),
    cells.count("quantity", "Quantity", lambda row: row.quantity),
    cells.text("term", "They can be used", _term_text),
    cells.minor("unit", "Price of a seat", lambda row: row.unit),
    cells.minor("tax", "Tax", lambda row: row.tax or None),
    cells.minor("total", "Total", lambda row: row.total),
    cells.day("until", "Valid until", lambda row: row.last_day),
)
_MORE: tuple[Column[QuoteView], ...] = (
    cells.text("billing", "Billing address", lambda row: ", ".join(row.billing) or None),
    cells.text("purchaseOrder", "Purchase order number", lambda row: row.purchase_order or None),
    cells.text("person", "For", lambda row: row.person or None),
    cells.time("issued", "Made", lambda row: row.issued_at),
)
