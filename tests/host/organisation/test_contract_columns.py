"""How people join by a contract, in words."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from host.loaders.organisation import contract_columns


@pytest.mark.parametrize(
    ("policy", "code", "gives_seat", "text"),
    [
        ("invitation", None, True, "By invitation"),
        # Staff allowed a code, but nobody has made one.
        ("code", None, False, "By invitation"),
        ("code", "QDB3QHKE75QD", False, "By invitation or code"),
        ("domain", None, True, "By invitation or approved email domain, which gives a seat"),
        ("domain", "QDB3QHKE75QD", False, "By invitation, code or approved email domain"),
    ],
)
def test_a_contract_says_how_people_join(policy, code, gives_seat, text):
    row: Any = SimpleNamespace(join_policy=policy, join_code=code, joining_gives_seat=gives_seat)
    [joining] = [
        column for column in contract_columns.contract_columns(cast("Any", REQUEST)) if column.key == "joining"
    ]
    assert joining.cells([row]) == [{"kind": "text", "text": text}]


REQUEST = SimpleNamespace(at=None, settings=SimpleNamespace(shop=SimpleNamespace(currency=None), locale="en-US"))
