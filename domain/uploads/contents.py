"""What a file is, by its first bytes: neither its name nor what its sender says of it counts."""

import re

# The first bytes that are looked at.
HEAD_BYTES = 4096
IMAGES = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
}
_WEBP = re.compile(rb"RIFF....WEBP", re.DOTALL)
# ISO media: MP4 and its relatives.
_MP4 = re.compile(rb"....ftyp", re.DOTALL)
_WEBM = b"\x1aE\xdf\xa3"
_NO_TEXT = {
    "import": "This is not a text file. Export it as CSV or JSON in UTF-8.",
    "members": "This is not a text file. Export it as CSV in UTF-8.",
}
# What a text file never begins with.
_NOT_TEXT = (b"PK\x03\x04", b"\x1f\x8b", b"%PDF", b"\xff\xfe", b"\xfe\xff", b"GIF8", b"MZ", b"\x7fELF", *IMAGES)


def media_type(head: bytes) -> str | None:
    """The type of an image, a video or a PDF; None for everything else. SVG is text, and no image here."""
    for mark, name in IMAGES.items():
        if head.startswith(mark):
            return name
    if _WEBP.match(head):
        return "image/webp"
    if _MP4.match(head):
        return "video/mp4"
    if head.startswith(_WEBM):
        return "video/webm"
    return "application/pdf" if head.startswith(b"%PDF-") else None


def content_problem(purpose: str, head: bytes) -> str | None:
    """Why a file with these first bytes is not what the purpose needs, in a sentence; None when it may be."""
    kind = media_type(head) or ""
    if purpose in ("import", "members"):
        is_text = not head.startswith(_NOT_TEXT) and b"\0" not in head
        return None if is_text else _NO_TEXT[purpose]
    if purpose in ("image", "logo"):
        return None if kind.startswith("image/") else "This is not a PNG, JPEG or WebP image."
    return None if kind else "This is neither an MP4 or WebM video, nor an image, nor a PDF."
