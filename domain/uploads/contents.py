"""What a file is, by its first bytes: neither its name nor what its sender says of it counts."""

import re

# The first bytes that are looked at.
HEAD_BYTES = 4096
IMAGES = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
}
# The first that fits. ISO media are MP4 and its relatives, of which some have sound alone; an MP3 begins with tags, or
# with a frame of the third layer.
_TYPES = {
    **{re.compile(re.escape(mark)): name for mark, name in IMAGES.items()},
    re.compile(rb"RIFF....WEBP", re.DOTALL): "image/webp",
    re.compile(rb"....ftypM4[AB] ", re.DOTALL): "audio/mp4",
    re.compile(rb"....ftyp", re.DOTALL): "video/mp4",
    re.compile(rb"\x1aE\xdf\xa3"): "video/webm",
    re.compile(rb"ID3[\x02-\x04]|\xff[\xfa\xfb\xf2\xf3]"): "audio/mpeg",
    re.compile(rb"(?:\xef\xbb\xbf)?WEBVTT(?:[ \t\r\n]|$)"): "text/vtt",
    re.compile(rb"%PDF-"): "application/pdf",
}
_NO_TEXT = {
    "import": "This is not a text file. Export it as CSV or JSON in UTF-8.",
    "statement": "This is not a text file. Unpack its ZIP first, and send one statement.",
    "members": "This is not a text file. Export it as CSV in UTF-8.",
}
# Lessons come as files one by one, or as a package.
_NEITHER = (
    "This is neither a file of a lesson (MP4, WebM, MP3, M4A, WebVTT, an image or a PDF) nor a course package (ZIP or "
    "tar.gz)."
)
NO_LESSON_FILE = (
    "This is neither a video (MP4, WebM), sound (MP3, M4A), captions (WebVTT), an image, a PDF nor an EPUB."
)
NO_EPUB = (
    "This is a ZIP and no EPUB: the first file inside an EPUB is called mimetype, is not compressed, and has the text "
    "application/epub+zip. Programs that make books write it so; a folder that was zipped by hand lacks it."
)
EPUB = "application/epub+zip"
# EPUB 3.3, 4.2: the first entry is stored (method 0), not encrypted, without extra field and named mimetype.
_EPUB = re.compile(
    rb"PK\x03\x04..[\x00\x02\x04\x06\x08].\x00\x00.{16}\x08\x00\x00\x00mimetype" + re.escape(EPUB.encode()) + rb"PK",
    re.DOTALL,
)
# A ZIP and a gzip, in which courses come (domain/course_packages/).
_PACKAGES = (b"PK\x03\x04", b"\x1f\x8b")
# What a text file never begins with.
_NOT_TEXT = (*_PACKAGES, b"%PDF", b"\xff\xfe", b"\xfe\xff", b"GIF8", b"MZ", b"\x7fELF", *IMAGES)


def media_type(head: bytes) -> str | None:
    """The type of an image, a video, sound, captions or a PDF; None for everything else. SVG is text, and no image
    here."""
    return next((name for mark, name in _TYPES.items() if mark.match(head)), None)


def file_type(head: bytes) -> str | None:
    """The type of a file that lessons show or the buyers of an item download: `media_type`, or an EPUB."""
    return EPUB if _EPUB.match(head) else media_type(head)


def file_problem(head: bytes) -> str:
    """Why a file without a `file_type` is none, in a sentence."""
    return NO_EPUB if head.startswith(_PACKAGES[0]) else NO_LESSON_FILE


def content_problem(purpose: str, head: bytes) -> str | None:
    """Why a file with these first bytes is not what the purpose needs, in a sentence; None when it may be."""
    kind = media_type(head) or ""
    if purpose in _NO_TEXT:
        is_text = not head.startswith(_NOT_TEXT) and b"\0" not in head
        return None if is_text else _NO_TEXT[purpose]
    if purpose in ("image", "logo"):
        return None if kind.startswith("image/") else "This is not a PNG, JPEG or WebP image."
    return None if kind or head.startswith(_PACKAGES) else _NEITHER
