"""The texts of a document that its fonts can print. What they cannot is replaced: no empty boxes."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable

from domain.money import currency
from host.documents.amounts import NEUTRAL_LOCALE, amount_text, date_text, percent_text
from host.documents.fonts import typeface_for
from host.documents.shaped_text import paragraph_of
from host.images.fonts import Typeface

Body = dict[str, Any]
# Before are Latin, Greek and Cyrillic, which Inter has.
FIRST_OTHER = 0x0500
# In place of a line of an address: nothing is left out without a word.
NO_LETTERS = "[A line is in letters that this document cannot print]"
NAME_REPLACED = (
    "No font of ours can print your name or address as you wrote it. The documents show your customer number instead."
)


class DocumentTexts:
    """Escaped texts of one document for ReportLab."""

    def __init__(self, body: Body):
        figures = _figures_of(body)
        self._typeface: Typeface = typeface_for([*_texts_of(body), *figures])
        is_written = not self._typeface.missing("".join(figures))
        # The locale of amounts and days.
        self.locale: str = body.get("locale", NEUTRAL_LOCALE) if is_written else NEUTRAL_LOCALE

    def can_print(self, text: str) -> bool:
        return not self._typeface.missing(text)

    def writable(self, text: str) -> str:
        """The text without signs that no font has; "" where nothing is left that says something."""
        return text if not self._typeface.missing(text) else self._typeface.writable(text)

    def paragraph(self, text: str, style: ParagraphStyle, instead: str = "") -> Flowable:
        """`instead`: printed for a text that the fonts cannot print."""
        return paragraph_of(self.writable(text) or instead, style, self._typeface)

    def address(self, body: Body) -> list[str]:
        """The lines of the customer, without signs such as emoji. With one whose letters cannot be printed, the
        customer's number before them, or in place of the first."""
        buyer = body["buyer"]
        lines = self.lines(buyer["address"], buyer.get("latin"))
        if NO_LETTERS not in lines:
            return lines
        return [f"Customer {buyer['number']}", *(lines[1:] if lines[0] == NO_LETTERS else lines)]

    def delivery(self, body: Body) -> list[str]:
        """The lines of the delivery address, [] for none."""
        return self.lines(body["delivery"] or [], body.get("delivery_latin"))

    def lines(self, address: Sequence[str], latin: Sequence[str] | None = None) -> list[str]:
        """The lines of an address, or `latin`, its lines with Latin names of areas, if that leaves fewer unprinted.
        NO_LETTERS stands in place of a line whose letters no font has."""
        choices = [self._printable(lines) for lines in (address, latin) if lines]
        return min(choices, key=lambda lines: lines.count(NO_LETTERS), default=[])

    def _printable(self, lines: Sequence[str]) -> list[str]:
        return [self.writable(line) if self._typeface.can_name(line) else NO_LETTERS for line in lines]


def name_note(address: tuple[str, ...], documents: int) -> str:
    """What the page of an order says where its documents cannot name the customer; "" where they can. `address`: the
    lines of a letter to them. Only what may need another font is looked up."""
    is_plain = all(ord(letter) < FIRST_OTHER for line in address for letter in line)
    return "" if is_plain or not documents or _can_print(address) else NAME_REPLACED


@lru_cache(256)
def _can_print(address: tuple[str, ...]) -> bool:
    typeface = typeface_for(list(address))
    return all(typeface.can_name(line) for line in address)


def _figures_of(body: Body) -> list[str]:
    """Samples of what a document prints in the figures and names of months of its locale."""
    locale = body.get("locale", NEUTRAL_LOCALE)
    days = [body[name] for name in ("issued_on", "ordered_on", "supplied_on", "valid_until") if name in body]
    if body.get("invoice"):
        days.append(body["invoice"]["issued_on"])
    days += [note["issued_on"] for note in body.get("reverses", ())]
    if body.get("payment"):
        days.append(body["payment"]["paid_on"])
    amounts = [amount_text(-1_234_567_890, currency(body["currency"]), locale), percent_text("5", locale)]
    return [*amounts, *(date_text(day, locale) for day in days)]


def _texts_of(body: Body) -> list[str]:
    seller, buyer = body["seller"], body["buyer"]
    lines = [text for line in body["lines"] for text in (line["name"], *(step["name"] for step in line["steps"]))]
    rates = [row["label"] for row in body["taxes"]]
    latin = (*buyer.get("latin", ()), *body.get("delivery_latin", ()))
    addresses = (*seller["address"], *buyer["address"], *(body["delivery"] or ()), *latin)
    return [seller["name"], *addresses, *lines, *rates]
