"""A certificate as a PDF file, one page of A4, with a QR code of its public page."""

from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from threading import Lock

from reportlab import rl_config
from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_CENTER
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from domain.display_text import day_text, minutes_text, short_text
from domain.learning.certificates.certificate_views import CertificateView
from host.documents import fonts
from host.documents.amounts import NEUTRAL_LOCALE
from host.documents.certificates.qr import qr_rows
from host.documents.fonts import BOLD, REGULAR
from host.documents.parts import INK, RULE, SOFT
from host.documents.shaped_text import paragraph_of
from host.images.fonts import Typeface

WIDTH, HEIGHT = landscape(A4)
_MARGIN, _TEXT_WIDTH = 14 * mm, WIDTH - 70 * mm
_QR_SIZE = 26 * mm
_BRAND, _ACCENT = HexColor("#0b5563"), HexColor("#f6b24a")
_BAND, _SEAL_RADIUS = 6 * mm, 13 * mm
_LOGO_HEIGHT, _LOGO_MAX_WIDTH = 14 * mm, 60 * mm
# Pixels that a drawn logo becomes: 360 to the inch.
LOGO_PIXELS = 200
_TITLE = "Certificate of completion"
# ReportLab keeps fonts in global tables.
_lock = Lock()

_PLAIN = ParagraphStyle("plain", fontName=REGULAR, fontSize=11, leading=15, textColor=INK, alignment=TA_CENTER)
_SMALL = ParagraphStyle("small", _PLAIN, fontSize=8.5, leading=12, textColor=SOFT)
_NAME = ParagraphStyle("name", _PLAIN, fontName=BOLD, fontSize=30, leading=38)
_LONG_NAME = ParagraphStyle("long-name", _NAME, fontSize=20, leading=26)
_COURSE = ParagraphStyle("course", _PLAIN, fontName=BOLD, fontSize=17, leading=22)
# Longer names take two lines of smaller letters.
_LONG = 34


@dataclass(frozen=True)
class Sheet:
    """What a certificate prints. `address`: of its public page. `student_number`: stands for a name that no font of
    this machine can write. `locale`: of the dates. `logo`: the shop's, PNG or JPEG; None without one."""

    certificate: CertificateView
    issuer: str
    address: str
    student_number: str
    locale: str
    logo: bytes | None = None


def render(sheet: Sheet) -> bytes:
    """The PDF file. Takes some 10 ms: call it in a thread."""
    with _lock:
        # Without times and random ids in the file.
        rl_config.invariant = 1
        fonts.register()
        return _render(sheet)


def can_print(name: str) -> bool:
    """Whether the fonts of this machine can write a name."""
    return fonts.typeface_for([name]).can_name(name)


def _render(sheet: Sheet) -> bytes:
    target, view = BytesIO(), sheet.certificate
    canvas = Canvas(target, pagesize=(WIDTH, HEIGHT), invariant=1, lang="en")
    canvas.setTitle(f"Certificate {view.code}")
    canvas.setAuthor(sheet.issuer)
    typeface = fonts.typeface_for([view.holder_name, view.course_name, view.rule_text, sheet.issuer])
    _draw_frame(canvas)
    top = HEIGHT - 42 * mm
    if sheet.logo is not None:
        _draw_logo(canvas, sheet.logo, HEIGHT - 28 * mm)
        top -= 4 * mm
    for text, style, space in _lines(sheet, typeface):
        top = _draw_line(canvas, text, style, typeface, top) - space * mm
        if text == _TITLE:
            _draw_accent(canvas, top + space / 2 * mm)
    _draw_footer(canvas, sheet)
    _draw_seal(canvas, WIDTH - 26 * mm - _SEAL_RADIUS, 22 * mm + _SEAL_RADIUS)
    canvas.showPage()
    canvas.save()
    return target.getvalue()


def _lines(sheet: Sheet, typeface: Typeface) -> list[tuple[str, ParagraphStyle, float]]:
    """Text, style, and millimetres below it."""
    view = sheet.certificate
    is_named = typeface.can_name(view.holder_name)
    name = typeface.writable(view.holder_name) if is_named else f"Student {sheet.student_number}"
    course = typeface.writable(view.course_name) or f"Course {view.course_id}"
    lines = [
        (typeface.writable(sheet.issuer), _COURSE, 2.0),
        (_TITLE, _PLAIN, 15.0),
        (name, _NAME if len(name) <= _LONG else _LONG_NAME, 4.0),
        ("completed the course", _PLAIN, 4.0),
        (course, _COURSE, 4.0),
        (_facts(view, sheet.locale), _PLAIN, 4.0),
        (typeface.writable(view.rule_text), _SMALL, 0.0),
    ]
    return [line for line in lines if line[0]]


def _facts(view: CertificateView, locale: str) -> str:
    """As the shop's locale has them, if Inter can write that."""
    text = _fact_texts(view, locale)
    return _fact_texts(view, NEUTRAL_LOCALE) if fonts.typeface_for([]).missing(text) else text


def _day(at: datetime, locale: str) -> str:
    text = day_text(at, locale)
    return day_text(at, NEUTRAL_LOCALE) if fonts.typeface_for([]).missing(text) else text


def _fact_texts(view: CertificateView, locale: str) -> str:
    facts = [f"on {day_text(view.completed_at, locale)}"]
    if view.credits is not None:
        facts.append(f"{short_text(view.credits, locale)} credits")
    if view.minutes:
        facts.append(f"{minutes_text(view.minutes, locale)} of lessons")
    if view.expires_at is not None:
        facts.append(f"valid until {day_text(view.expires_at, locale)}")
    return "  ·  ".join(facts)


def _draw_line(canvas: Canvas, text: str, style: ParagraphStyle, typeface: Typeface, top: float) -> float:
    """Returns the lower edge."""
    paragraph = paragraph_of(text, style, typeface)
    _, height = paragraph.wrap(_TEXT_WIDTH, HEIGHT)
    paragraph.drawOn(canvas, (WIDTH - _TEXT_WIDTH) / 2, top - height)
    return float(top - height)


def _draw_frame(canvas: Canvas) -> None:
    """A frame, and in its upper edge a band."""
    width, height = WIDTH - 2 * _MARGIN, HEIGHT - 2 * _MARGIN
    canvas.saveState()
    inside = canvas.beginPath()
    inside.roundRect(_MARGIN, _MARGIN, width, height, 4 * mm)
    canvas.clipPath(inside, stroke=0)
    canvas.setFillColor(_BRAND)
    canvas.rect(_MARGIN, _MARGIN + height - _BAND, width, _BAND, stroke=0, fill=1)
    canvas.restoreState()
    canvas.setStrokeColor(_BRAND)
    canvas.setLineWidth(1.4)
    canvas.roundRect(_MARGIN, _MARGIN, width, height, 4 * mm)
    canvas.setStrokeColor(RULE)
    canvas.setLineWidth(0.6)
    inner = _MARGIN + 2 * mm
    canvas.roundRect(inner, inner, WIDTH - 2 * inner, HEIGHT - 2 * inner - _BAND, 3 * mm)


def _draw_logo(canvas: Canvas, logo: bytes, top: float) -> None:
    """In the middle above the issuer's name."""
    picture = ImageReader(BytesIO(logo))
    width, height = picture.getSize()
    scale: float = min(_LOGO_HEIGHT / height, _LOGO_MAX_WIDTH / width)
    width, height = scale * width, scale * height
    canvas.drawImage(picture, (WIDTH - width) / 2, top - height, width, height, mask="auto")


def _draw_accent(canvas: Canvas, y: float) -> None:
    """A short line between the title and the name."""
    canvas.setStrokeColor(_ACCENT)
    canvas.setLineWidth(2.2)
    canvas.line(WIDTH / 2 - 12 * mm, y, WIDTH / 2 + 12 * mm, y)


def _draw_seal(canvas: Canvas, x: float, y: float) -> None:
    """A disc with a check mark. It proves nothing: the code does."""
    canvas.setFillColor(_BRAND)
    canvas.circle(x, y, _SEAL_RADIUS, stroke=0, fill=1)
    canvas.setStrokeColor(_ACCENT)
    canvas.setLineWidth(1.2)
    canvas.circle(x, y, _SEAL_RADIUS - 1.8 * mm)
    canvas.setLineCap(1)
    canvas.setLineJoin(1)
    canvas.setStrokeColor(HexColor("#ffffff"))
    canvas.setLineWidth(4)
    mark = canvas.beginPath()
    mark.moveTo(x - 5 * mm, y)
    mark.lineTo(x - 1.4 * mm, y - 3.8 * mm)
    mark.lineTo(x + 5.2 * mm, y + 4.2 * mm)
    canvas.drawPath(mark, stroke=1, fill=0)


def _draw_footer(canvas: Canvas, sheet: Sheet) -> None:
    view, left, bottom = sheet.certificate, 24 * mm, 22 * mm
    _draw_qr(canvas, sheet.address, left, bottom)
    text = left + _QR_SIZE + 5 * mm
    rows = (
        (BOLD, 9, f"Code {view.code}"),
        (REGULAR, 8, "Everybody can check this certificate here:"),
        (REGULAR, 8, sheet.address),
        (REGULAR, 8, f"Issued on {_day(view.issued_at, sheet.locale)}"),
    )
    for number, (font, size, line) in enumerate(rows):
        canvas.setFillColor(INK if not number else SOFT)
        canvas.setFont(font, size)
        canvas.drawString(text, bottom + 19 * mm - number * 5 * mm, line)
    canvas.linkURL(sheet.address, (left, bottom, WIDTH / 2, bottom + _QR_SIZE))


def _draw_qr(canvas: Canvas, text: str, left: float, bottom: float) -> None:
    """One path for all dark modules: viewers show no seams between them."""
    rows = qr_rows(text)
    size = _QR_SIZE / len(rows)
    path = canvas.beginPath()
    for y, row in enumerate(rows):
        for x, is_dark in enumerate(row):
            if is_dark:
                path.rect(left + x * size, bottom + _QR_SIZE - (y + 1) * size, size, size)
    canvas.setFillColor(INK)
    canvas.drawPath(path, stroke=0, fill=1)
