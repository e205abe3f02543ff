"""What a line of a log is about: a page, or which other thing."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

# Loaded by a page that a browser shows.
_EMBEDDED = frozenset(
    (
        *("css", "js", "mjs", "png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "ico"),
        *("woff", "woff2", "ttf", "otf", "eot"),
    )
)
_FILES = _EMBEDDED | {
    *(
        "map",
        "json",
        "jsonl",
        "xml",
        "txt",
        "bmp",
        "tif",
        "tiff",
        "mp4",
        "webm",
        "mov",
        "mp3",
        "ogg",
        "wav",
        "m4a",
        "pdf",
    ),
    *("zip", "gz", "tgz", "bz2", "xz", "7z", "rar", "tar", "csv", "tsv", "doc", "docx", "xls", "xlsx", "ppt", "pptx"),
    *("odt", "ods", "epub", "wasm", "webmanifest", "appcache", "exe", "dmg", "iso", "rss", "atom"),
}
# These folders and what is in them; a file robots.txt or favicon.ico has an ending of its own.
_NO_PAGES = ("/api", "/feed", "/rss", "/atom", "/robots.txt", "/sitemap", "/favicon")
ROBOTS = "/robots.txt"


class LineKind:
    """What the lines of a log add up to. Plain texts: the hash of an Enum is a call, and each line needs several."""

    PAGE = "pages"
    FILE = "files and calls"
    METHOD = "other methods"
    REDIRECT = "redirects"
    ERROR = "errors"
    HOST = "other hosts"
    BROKEN = "broken"


# Names in counts that programs read, in the order in which they are shown.
KINDS = {
    **{
        "page": LineKind.PAGE,
        "file": LineKind.FILE,
        "method": LineKind.METHOD,
        "redirect": LineKind.REDIRECT,
        "error": LineKind.ERROR,
    },
    **{"host": LineKind.HOST, "broken": LineKind.BROKEN},
}


def kind_of_status(status: int) -> str:
    """PAGE for an answer that may be one."""
    if 200 <= status < 300 or status == 304:
        return LineKind.PAGE
    return LineKind.REDIRECT if 300 <= status < 400 else LineKind.ERROR


class PageRules:
    """`patterns`: paths such as /download/*.pdf that count as pages although their ending says otherwise."""

    def __init__(self, patterns: Sequence[str] = ()):
        self._patterns = tuple(patterns)

    def kind_of_path(self, path: str) -> str:
        """What a GET that was answered asked for: a page, or a file, call, feed or robots.txt."""
        lowered = path.lower()
        if any(fnmatchcase(path, pattern) for pattern in self._patterns):
            return LineKind.PAGE
        is_none = lowered.startswith(_NO_PAGES) and any(_is_within(lowered, folder) for folder in _NO_PAGES)
        return LineKind.FILE if is_none or _ending(lowered) in _FILES else LineKind.PAGE


def _is_within(path: str, folder: str) -> bool:
    return path.startswith(folder) and path[len(folder) : len(folder) + 1] in ("", "/", ".", "-", "_")


def _ending(path: str) -> str:
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2] if "." in name else ""


def is_embedded(path: str) -> bool:
    """Whether a page that a browser shows loads such a file: not the icon that it asks for by itself."""
    lowered = path.lower()
    return _ending(lowered) in _EMBEDDED and not lowered.startswith("/favicon")
