"""The texts of a document that its fonts can print. What they cannot is replaced: no empty boxes."""

from functools import lru_cache
from typing import Any

from host.documents.fonts import markup, typeface_for
from host.images.fonts import Typeface

Body = dict[str, Any]
# Before are Latin, Greek and Cyrillic, which Inter has.
FIRST_OTHER = 0x0500
NAME_REPLACED = (
    "No font of ours can print your name or address as you wrote it. The documents show your customer number instead."
)


class Texts:
    """Escaped texts of one document for ReportLab."""

    def __init__(self, body: Body):
        self._typeface: Typeface = typeface_for(_texts_of(body))

    def can_print(self, text: str) -> bool:
        return not self._typeface.missing(text)

    def of(self, text: str, base: str, instead: str = "") -> str:
        """`instead`: printed for a text that the fonts cannot print."""
        return markup(text if self.can_print(text) else instead, self._typeface, base)

    def address(self, body: Body) -> list[str]:
        """The lines of the customer. With one that cannot be printed, the customer's number and the other lines."""
        lines: list[str] = body["buyer"]["address"]
        printable = [line for line in lines if self.can_print(line)]
        return lines if printable == lines else [f"Customer {body['buyer']['number']}", *printable]


def name_note(address: tuple[str, ...], documents: int) -> str:
    """What the page of an order says where its documents cannot name the customer; "" where they can. `address`: the
    lines of a letter to them. Only what may need another font is looked up."""
    is_plain = all(ord(letter) < FIRST_OTHER for line in address for letter in line)
    return "" if is_plain or not documents or _can_print(address) else NAME_REPLACED


@lru_cache(256)
def _can_print(address: tuple[str, ...]) -> bool:
    typeface = typeface_for(list(address))
    return not any(typeface.missing(line) for line in address)


def _texts_of(body: Body) -> list[str]:
    seller, buyer = body["seller"], body["buyer"]
    lines = [text for line in body["lines"] for text in (line["name"], *(step["name"] for step in line["steps"]))]
    rates = [row["label"] for row in body["taxes"]]
    return [seller["name"], *seller["address"], *buyer["address"], *(body["delivery"] or ()), *lines, *rates]
