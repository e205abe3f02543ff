"""The header `traceparent` (W3C Trace Context): the id under which a caller, such as a proxy, traces a request."""

import re

# Version 00: trace id, parent span, flags. Later versions may append fields; zeros are no id.
_TRACEPARENT = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.{0,100})?")


def read_trace_id(header: str | None) -> str:
    """The trace id, or "" when the header is absent or malformed."""
    match = _TRACEPARENT.fullmatch(header) if header else None
    return match[1] if match else ""
