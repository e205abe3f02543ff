"""Which values of the header traceparent are read."""

import pytest

from host.http.trace_context import read_trace_id

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
SPAN = "00f067aa0ba902b7"


@pytest.mark.parametrize(
    ("header", "trace_id"),
    [
        (f"00-{TRACE}-{SPAN}-01", TRACE),
        (f"cc-{TRACE}-{SPAN}-01-what-the-future-holds", TRACE),
        (None, ""),
        ("", ""),
        (f"ff-{TRACE}-{SPAN}-01", ""),
        (f"00-{'0' * 32}-{SPAN}-01", ""),
        (f"00-{TRACE}-{'0' * 16}-01", ""),
        (f"00-{TRACE.upper()}-{SPAN}-01", ""),
        (f"00-{TRACE}-{SPAN}", ""),
        (f"00-{TRACE}-{SPAN}-01\nlevel=ERROR", ""),
        (f"cc-{TRACE}-{SPAN}-01-{'x' * 101}", ""),
    ],
)
def test_a_trace_id_is_read_from_a_well_formed_header_alone(header, trace_id):
    assert read_trace_id(header) == trace_id
