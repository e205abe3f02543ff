"""Targets of redirects: only paths on this site."""

import re

from yarl import URL

_NOT_NORMALISED = re.compile(r"//|/\.{1,2}(?:/|$)")
MAX_PATH_LENGTH = 2048


def safe_local_path(text: str) -> str | None:
    """A path on this site with its query, encoded for a Location header; None for anything else.

    Browsers drop tabs and line breaks, read \\ as / and //host as another site: paths with any of these are refused.
    """
    if not text.startswith("/") or len(text) > MAX_PATH_LENGTH or not text.isprintable() or "\\" in text:
        return None
    # Browsers normalise `..`, and `//` may become the start of a host name.
    if _NOT_NORMALISED.search(re.split(r"[?#]", text, maxsplit=1)[0]):
        return None
    try:
        url = URL(text)
    except ValueError:
        return None
    if url.is_absolute() or url.raw_authority or not url.raw_path.startswith("/"):
        return None
    return url.raw_path_qs + (f"#{url.raw_fragment}" if url.raw_fragment else "")
