"""What a line of a log has, whatever its form."""

import re
from collections.abc import Callable
from dataclasses import dataclass

# In this order, as the log has them, "" or "-" for what is empty. `visitor`: value of a cookie that tells visitors
# apart. method and target are None when there is no readable request; agent is None when the form of the line has none.
NAMES = ("address", "visitor", "time", "method", "target", "status", "referrer", "agent", "host")
LineFields = tuple[str, str, str, str | None, str | None, str, str, str | None, str]
# The fields of a line, or None when it is not of the form.
ReadLine = Callable[[str], LineFields | None]
EMPTY = ("", "-")


class LogRefused(Exception):
    """The import cannot begin or go on. The text says what to do."""


class BrokenLine(Exception):
    """A line that is of the form, and yet not usable. The text is the reason."""


def _has_no_headers(line: str) -> bool:
    return False


@dataclass(frozen=True)
class LogFormat:
    """`open` gives a reader for each file: that of some forms depends on lines before. `needs_own_host`: its lines have
    referrers, and do not say of which site they are; `may_lack_host`: only the lines themselves show that. `is_header`:
    whether a line is about the log itself."""

    name: str
    open: Callable[[], ReadLine]
    needs_own_host: bool = False
    may_lack_host: bool = False
    is_header: Callable[[str], bool] = _has_no_headers


def without_port(host: str) -> str:
    """Also of an address of IPv6, which has colons itself: in brackets, or alone without a port."""
    name, colon, port = host.rpartition(":")
    is_port = colon and port.isdigit() and (":" not in name or name.endswith("]"))
    return (name if is_port else host).strip("[]")


_ESCAPED = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|(.))", re.DOTALL)
_NAMED = {"n": "\n", "r": "\r", "t": "\t", "v": "\v", "b": "\b", "f": "\f"}


def unescaped(text: str) -> str:
    """A quoted field as it was sent: servers write quotes, backslashes and other bytes as \\" and \\xhh."""
    if "\\" not in text:
        return text
    # Each escaped byte becomes the character of its number; together they may be a character of UTF-8.
    plain = _ESCAPED.sub(lambda found: chr(int(found[1], 16)) if found[1] else _NAMED.get(found[2], found[2]), text)
    try:
        return plain.encode("latin-1").decode("utf-8")
    except ValueError:
        return plain
