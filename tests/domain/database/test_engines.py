"""JSON of a column, as both databases return it."""

import pytest

from domain.database.engines import json_value

CASES = {
    "an object": ('{"a": [1, null, 2.5]}', {"a": [1, None, 2.5]}),
    "nothing": ("null", None),
    "by hand": (' {"a": 1}', {"a": 1}),
    "half of a pair of surrogates": (r'"\ud83d"', "\ud83d"),
}


@pytest.mark.parametrize(("text", "value"), CASES.values(), ids=CASES.keys())
def test_json_of_a_column_is_read_as_it_was_written(text, value):
    assert json_value(text) == value
