"""Renders the body of a document as a PDF file, A4. Equal bodies give equal bytes on machines with equal fonts."""

from io import BytesIO
from threading import Lock
from typing import Any

from reportlab import rl_config
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate

from domain.documents.body import title_of
from host.documents import fonts
from host.documents.fonts import BOLD, REGULAR
from host.documents.parts import HEIGHT, INK, RULE, SOFT, WIDTH, Parts
from host.documents.texts import Body, DocumentTexts

LEFT, BOTTOM = 20 * mm, 24 * mm
FOOTER_SIZE = 7.5
NAME = ParagraphStyle("name", fontName=BOLD, fontSize=12, leading=15, textColor=INK)
FOOTER = ParagraphStyle("footer", fontName=REGULAR, fontSize=FOOTER_SIZE, leading=10, textColor=SOFT)
LOGO_HEIGHT, LOGO_MAX_WIDTH = 9 * mm, 40 * mm
# Pixels that a drawn logo becomes: 450 to the inch.
LOGO_PIXELS = 160

# ReportLab keeps fonts in global tables.
_lock = Lock()


def render(body: Body, logo: bytes | None = None) -> bytes:
    """The PDF file. `logo`: PNG or JPEG. Takes about 30 ms: call it in a thread."""
    with _lock:
        # Without times and random ids in the file.
        rl_config.invariant = 1
        fonts.register()
        return _render(body, logo)


def _render(body: Body, logo: bytes | None) -> bytes:
    texts, target = DocumentTexts(body), BytesIO()
    title = f"{title_of(body['kind'], body['total_minor'])} {body['number']}"
    document = BaseDocTemplate(
        target,
        pagesize=A4,
        title=title,
        author=body["seller"]["name"],
        creator="",
        producer="",
        lang="en",
        invariant=1,
        # Else each page begins with Helvetica, which is not embedded.
        initialFontName=REGULAR,
    )
    frame = Frame(LEFT, BOTTOM, WIDTH, HEIGHT, 0, 0, 0, 0)

    def head(canvas: Canvas, _document: Any) -> None:
        _draw_head(canvas, body, texts, logo)

    document.addPageTemplates([PageTemplate(frames=[frame], onPage=head)])
    document.build(Parts(body).flowables(), canvasmaker=_canvas_of(body, texts))
    return target.getvalue()


def _draw_head(canvas: Canvas, body: Body, texts: DocumentTexts, logo: bytes | None) -> None:
    seller, top = body["seller"], A4[1] - 17 * mm
    name_left = LEFT if logo is None else _draw_logo(canvas, logo, top) + 3 * mm
    _draw_text(canvas, texts.paragraph(seller["name"], NAME), name_left, top)
    canvas.setFont(REGULAR, FOOTER_SIZE)
    canvas.setFillColor(SOFT)
    if canvas.getPageNumber() > 1:
        canvas.drawRightString(LEFT + WIDTH, top, f"{title_of(body['kind'], body['total_minor'])} {body['number']}")
    canvas.setStrokeColor(RULE)
    canvas.line(LEFT, top - 5 * mm, LEFT + WIDTH, top - 5 * mm)


def _draw_logo(canvas: Canvas, logo: bytes, top: float) -> float:
    """Beside the seller's name, whose base line is at `top`; where it ends."""
    picture = ImageReader(BytesIO(logo))
    width, height = picture.getSize()
    scale: float = min(LOGO_HEIGHT / height, LOGO_MAX_WIDTH / width)
    # In the middle of the name's height.
    canvas.drawImage(picture, LEFT, top + 1.5 * mm - scale * height / 2, scale * width, scale * height, mask="auto")
    return float(LEFT + scale * width)


def _canvas_of(body: Body, texts: DocumentTexts) -> type[Canvas]:
    seller = body["seller"]
    imprint = texts.lines([seller["name"], *seller["address"]])
    if seller["vat_id"]:
        imprint.append(f"VAT id {seller['vat_id']}")

    class NumberedCanvas(Canvas):  # type: ignore[misc] # ReportLab has no types
        """Draws footers at the end, when the number of pages is known."""

        def __init__(self, *args: Any, **options: Any):
            super().__init__(*args, **options)
            self._pages: list[dict[str, Any]] = []

        def showPage(self) -> None:
            self._pages.append(dict(self.__dict__))
            self._startPage()

        def save(self) -> None:
            for page in self._pages:
                self.__dict__.update(page)
                _draw_footer(self, texts, " · ".join(imprint), f"Page {self.getPageNumber()} of {len(self._pages)}")
                super().showPage()
            super().save()

    return NumberedCanvas


def _draw_text(canvas: Canvas, line: Flowable, left: float, base: float) -> None:
    """A paragraph of one line, with its base line at `base`."""
    _, height = line.wrap(A4[0], A4[1])
    line.drawOn(canvas, left, base - height + line.style.fontSize)


def _draw_footer(canvas: Canvas, texts: DocumentTexts, imprint: str, page: str) -> None:
    canvas.setStrokeColor(RULE)
    canvas.line(LEFT, 18 * mm, LEFT + WIDTH, 18 * mm)
    canvas.setFillColor(SOFT)
    canvas.setFont(REGULAR, FOOTER_SIZE)
    _draw_text(canvas, texts.paragraph(imprint, FOOTER), LEFT, 13.5 * mm)
    canvas.drawRightString(LEFT + WIDTH, 13.5 * mm, page)
