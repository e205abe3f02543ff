"""The QR code of a certificate's public page, for its PDF and for the page itself."""

import segno

# The standard asks for this many light modules around the code.
QUIET = 4


def qr_rows(text: str) -> list[bytes]:
    """The modules of the code, row by row: 1 is dark."""
    return [bytes(row) for row in segno.make_qr(text, error="m").matrix]


def qr_path(text: str) -> tuple[int, str]:
    """The side of a square that holds the code with its light edge, and the dark modules in it as a path of SVG."""
    rows = qr_rows(text)
    parts = [
        f"M{x + QUIET} {y + QUIET}h1v1h-1z" for y, row in enumerate(rows) for x, is_dark in enumerate(row) if is_dark
    ]
    return len(rows) + 2 * QUIET, "".join(parts)
