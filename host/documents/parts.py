"""The parts of a document as flowables of ReportLab, from its body (domain/documents/body.py)."""

from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, KeepTogether, Paragraph, Spacer, Table, TableStyle

from domain.bank_transfers.account import means_of
from domain.documents.body import title_of
from domain.money import currency
from domain.text_direction import isolated
from host.documents.amounts import amount_text, date_text, percent_text
from host.documents.fonts import BOLD, BOLD_FIGURES, REGULAR, REGULAR_FIGURES
from host.documents.texts import Body, DocumentTexts

INK, SOFT, RULE, BAND = HexColor("#0b2530"), HexColor("#415a63"), HexColor("#c9d6d8"), HexColor("#eef3f3")
# The room that a page has for the parts.
WIDTH, HEIGHT = 170 * mm, A4[1] - 58 * mm

PLAIN = ParagraphStyle("plain", fontName=REGULAR, fontSize=9, leading=12.5, textColor=INK)
STRONG = ParagraphStyle("strong", PLAIN, fontName=BOLD)
SMALL = ParagraphStyle("small", PLAIN, fontSize=7.5, leading=10.5, textColor=SOFT)
LABEL = ParagraphStyle("label", SMALL, leading=PLAIN.leading)
TITLE = ParagraphStyle("title", PLAIN, fontName=BOLD, fontSize=20, leading=24)
# Amounts stand below one another.
RIGHT = ParagraphStyle("right", PLAIN, fontName=REGULAR_FIGURES, alignment=TA_RIGHT)
RIGHT_SMALL = ParagraphStyle("right-small", SMALL, fontName=REGULAR_FIGURES, alignment=TA_RIGHT)
TOTAL = ParagraphStyle("total", STRONG, fontSize=11, leading=15)
RIGHT_TOTAL = ParagraphStyle("right-total", TOTAL, fontName=BOLD_FIGURES, alignment=TA_RIGHT)

_FLUSH = [
    # Also of cells without text, for which Helvetica would be in the file, not embedded.
    ("FONTNAME", (0, 0), (-1, -1), REGULAR),
    ("LEFTPADDING", (0, 0), (0, -1), 0),
    ("RIGHTPADDING", (-1, 0), (-1, -1), 0),
    ("VALIGN", (0, 0), (-1, -1), "TOP"),
]


class LinesTable(Table):  # type: ignore[misc] # ReportLab has no types
    """Lines whose last one goes to the next page if what follows, the totals, does not fit below it: totals alone on a
    page would tell nothing. `end_height`: of what follows."""

    end_height = 0.0

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        own_width, own_height = super().wrap(width, height)
        whole = own_height + self.end_height
        is_held_back = own_height <= height < whole and (self._has_lines_to_stay() or whole <= HEIGHT)
        # A height that does not fit makes the caller split the table, or go on to the next page.
        return own_width, height + 1 if is_held_back else own_height

    def split(self, width: float, height: float) -> list["LinesTable"]:
        if self._height <= height:
            if not self._has_lines_to_stay():
                return []
            height = self._height - self._rowHeights[-1]
        parts: list[LinesTable] = super().split(width, height)
        if parts:
            parts[-1].end_height = self.end_height
        return parts

    def _has_lines_to_stay(self) -> bool:
        return len(self._rowHeights) > 2


class Parts:
    """Builds the parts of one document."""

    def __init__(self, body: Body):
        self._body, self._texts = body, DocumentTexts(body)
        self._currency, self._locale = currency(body["currency"]), self._texts.locale

    def flowables(self) -> list[Flowable]:
        body = self._body
        end = [Spacer(1, 4 * mm), self._totals(), Spacer(1, 6 * mm), *self._remarks()]
        lines = self._lines()
        lines.end_height = sum(part.wrap(WIDTH, A4[1])[1] for part in end)
        return [
            Paragraph(title_of(body["kind"], body["total_minor"]), TITLE),
            Spacer(1, 5 * mm),
            self._addresses(),
            Spacer(1, 9 * mm),
            lines,
            KeepTogether(end),
        ]

    def _paragraph(self, text: str, style: ParagraphStyle, instead: str = "") -> Flowable:
        return self._texts.paragraph(text, style, instead)

    def _amount(self, minor: int) -> str:
        return amount_text(minor, self._currency, self._locale)

    def _percent(self, tax: dict[str, Any]) -> str:
        return percent_text(tax["percent"], self._locale)

    def _date(self, iso: str) -> str:
        return date_text(iso, self._locale)

    def _addresses(self) -> Table:
        """The customer left, at the place of a window envelope; the document's facts right."""
        buyer = self._texts.address(self._body)
        address = [Paragraph("Billed to", SMALL)]
        address += [self._paragraph(line, STRONG if not index else PLAIN) for index, line in enumerate(buyer)]
        if vat_id := self._body["buyer"]["vat_id"]:
            address.append(self._paragraph(f"VAT id {vat_id}", PLAIN))
        rows = [[Paragraph(name, LABEL), self._paragraph(value, PLAIN)] for name, value in self._facts()]
        style = [*_FLUSH, ("TOPPADDING", (0, 0), (-1, -1), 1), ("BOTTOMPADDING", (0, 0), (-1, -1), 1)]
        facts = Table(rows, [28 * mm, 53 * mm], style=TableStyle(style))
        return Table([[address, facts]], [86 * mm, 84 * mm], style=TableStyle(_FLUSH))

    def _facts(self) -> list[tuple[str, str]]:
        body = self._body
        facts = [("Number", body["number"]), ("Date", self._date(body["issued_on"]))]
        if "invoice" in body:
            corrected = body["invoice"]
            facts.append(("Corrects invoice", self._named(corrected)))
        if notes := body.get("reverses"):
            facts.append((f"Reverses credit note{'s' if len(notes) > 1 else ''}", ", ".join(map(self._named, notes))))
        if "supplied_on" in body:
            facts.append(("Date of supply", self._date(body["supplied_on"])))
        if "valid_until" in body:
            facts.append(("Valid until", self._date(body["valid_until"])))
        if "order" in body:
            facts += [("Order", body["order"]), ("Ordered on", self._date(body["ordered_on"]))]
        if number := body.get("quote"):
            facts.append(("Quote", number))
        if number := body.get("purchase_order"):
            facts.append(("Your order number", number))
        return [*facts, ("Customer number", body["buyer"]["number"]), ("Currency", body["currency"])]

    def _named(self, document: dict[str, str]) -> str:
        """Number and date of another document."""
        return f"{document['number']} of {self._date(document['issued_on'])}"

    def _lines(self) -> LinesTable:
        has_units = self._body["kind"] != "credit_note"
        kind = "net" if self._body["price_mode"] == "exclusive" else "incl. tax"
        names = ("Description", "Quantity", "Unit price" if has_units else "", "Tax", f"Amount, {kind}")
        head = [Paragraph(name, SMALL if index == 0 else RIGHT_SMALL) for index, name in enumerate(names)]
        rows = [head, *(self._line(number, line) for number, line in enumerate(self._body["lines"], start=1))]
        style = [
            *_FLUSH,
            ("BACKGROUND", (0, 0), (-1, 0), BAND),
            ("LEFTPADDING", (0, 0), (0, -1), 2 * mm),
            ("RIGHTPADDING", (-1, 0), (-1, -1), 2 * mm),
            ("LINEBELOW", (0, 0), (-1, -1), 0.5, RULE),
            ("TOPPADDING", (0, 0), (-1, -1), 4),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 4),
        ]
        widths = [78 * mm, 18 * mm, 24 * mm, 22 * mm, 28 * mm]
        return LinesTable(rows, widths, repeatRows=1, style=TableStyle(style))

    def _line(self, number: int, line: dict[str, Any]) -> list[Any]:
        about: list[Flowable] = [self._paragraph(line["name"], PLAIN, f"Item {number}")]
        if line["sku"]:
            about.append(self._paragraph(line["sku"].upper(), SMALL))
        for step in line["steps"]:
            # A sale has no name.
            name = (self._texts.writable(step["name"]) or "Reduction") if step["name"] else "Sale"
            about.append(self._paragraph(f"{isolated(name)} {self._amount(step['change_minor'])}", SMALL))
        unit = "" if line["unit_minor"] is None else self._amount(line["unit_minor"])
        amount = line["net_minor"] if self._body["price_mode"] == "exclusive" else line["total_minor"]
        tax = " + ".join(self._percent(row) for row in line["taxes"]) or "-"
        # As amounts, units that came back have a sign of their own.
        quantity = str(line["quantity"] or "").replace("-", "\N{MINUS SIGN}")
        values = (quantity, unit, tax, self._amount(amount))
        return [about, *(self._paragraph(value, RIGHT) for value in values)]

    def _totals(self) -> Table:
        body = self._body
        # There is nothing to say of a free delivery.
        rates = [row for row in body["taxes"] if row["net_minor"]]
        sums = [(self._rate_text(row), self._amount(row["tax_minor"]), PLAIN, RIGHT) for row in rates]
        total = (
            "Total credited" if body["kind"] == "credit_note" and body["total_minor"] >= 0 else "Total",
            f"{body['currency']} {self._amount(body['total_minor'])}",
            TOTAL,
            RIGHT_TOTAL,
        )
        net = ("Net amount", self._amount(body["net_minor"]), PLAIN, RIGHT)
        if body["price_mode"] == "exclusive":
            rows, at = [net, *sums, total], len(sums) + 1
        else:
            rows, at = [total, ("Included in the total", "", SMALL, RIGHT_SMALL), net, *sums], 0
        cells = [["", self._paragraph(name, left), self._paragraph(value, right)] for name, value, left, right in rows]
        style = [
            *_FLUSH,
            ("TOPPADDING", (0, 0), (-1, -1), 2),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
            ("TOPPADDING" if at else "BOTTOMPADDING", (0, at), (-1, at), 5),
            ("RIGHTPADDING", (-1, 0), (-1, -1), 2 * mm),
            ("LINEABOVE" if at else "LINEBELOW", (1, at), (-1, at), 1, INK),
        ]
        return Table(cells, [66 * mm, 68 * mm, 36 * mm], style=TableStyle(style))

    def _rate_text(self, row: dict[str, Any]) -> str:
        label = self._texts.writable(row["label"]) or "Tax"
        rate = label if row["percent"] == "0" else f"{label} {self._percent(row)}"
        return f"{rate} on {self._amount(row['net_minor'])}"

    def _remarks(self) -> list[Flowable]:
        body = self._body
        remarks = [self._paragraph(note, PLAIN) for note in body["notes"]]
        if body["kind"] == "invoice":
            remarks.append(self._paragraph(self._payment_text(), PLAIN))
        if body["delivery"]:
            lines = map(isolated, self._texts.delivery(body))
            remarks.append(self._paragraph(f"Delivery to: {', '.join(lines)}", SMALL))
        return [part for remark in remarks for part in (remark, Spacer(1, 2 * mm))]

    def _payment_text(self) -> str:
        payment = self._body["payment"]
        if payment is None:
            return "Nothing is to be paid."
        way = f" with {means_of(payment['method'])}" if payment["method"] else ""
        return f"Paid on {self._date(payment['paid_on'])}{way}. Nothing remains to be paid."
