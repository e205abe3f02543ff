"""The timeline of an order has words for everything that is written into it."""

import ast
from collections.abc import Iterator
from pathlib import Path

from domain import money
from domain.display_text import money_text
from domain.orders import states
from domain.orders.views.event_texts import TEXTS, event_text
from domain.tables import OrderEvent

DOMAIN = Path(__file__).parents[4] / "domain"


def recorded_kinds() -> Iterator[str]:
    """The kinds that are named where an event is appended."""
    for path in DOMAIN.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            is_append = isinstance(node, ast.Call) and ast.unparse(node.func) == "events.append"
            if is_append and isinstance(kind := node.args[2], ast.Constant):
                yield kind.value


def test_every_event_has_words():
    kinds = {*recorded_kinds(), *states.EVENTS}
    assert {"part_returned", "transfer_reversed", "place"} <= kinds
    assert kinds - set(TEXTS) == set()


def test_money_that_went_back_is_said_with_its_amount():
    def text(kind: str) -> str:
        event = OrderEvent(kind=kind, facts={"amount_minor": 1_250})
        return event_text(event, lambda minor: money_text(minor, money.currency("EUR"), "en"))

    assert text("part_returned") == "We sent €12.50 of your bank transfer back"
    assert text("transfer_reversed") == "Your bank took a transfer of €12.50 back"
