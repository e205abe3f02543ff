"""The texts of a document that its fonts can print. What they cannot is replaced: no empty boxes."""

from typing import Any

from host.documents.fonts import markup, typeface_for
from host.images.fonts import Typeface

Body = dict[str, Any]


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


def is_name_replaced(body: Body) -> bool:
    """Whether the customer's number stands for what no font of this machine can print."""
    return not all(Texts(body).can_print(line) for line in body["buyer"]["address"])


def _texts_of(body: Body) -> list[str]:
    seller, buyer = body["seller"], body["buyer"]
    lines = [text for line in body["lines"] for text in (line["name"], *(step["name"] for step in line["steps"]))]
    rates = [row["label"] for row in body["taxes"]]
    return [seller["name"], *seller["address"], *buyer["address"], *(body["delivery"] or ()), *lines, *rates]
