"""Child processes that store the batches of visits which wait, or kill themselves at a moment of it
(tests/support/children.py)."""

import os
import signal
from collections.abc import Callable
from typing import Any

from domain.visits import storing
from workers import visit_batches, visits


def store_until_none_waits() -> None:
    while visits.visit_batches.is_overdue(0):
        visits.store_batches()


def store_and_die(moment: str) -> None:
    """`moment`: the last thing that the process does. `removed` takes the safeguard out: what is claimed is removed at
    once, not when it is stored."""
    MOMENTS[moment]()
    visits.store_batches()


def _die_after(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        function(*arguments)
        os.kill(os.getpid(), signal.SIGKILL)

    return call


def _after_claiming() -> None:
    visit_batches.claim = _die_after(visit_batches.claim)  # type: ignore[assignment] # a stand-in


def _after_inserting() -> None:
    storing.store_several = _die_after(storing.store_several)  # type: ignore[assignment] # a stand-in


def _after_committing() -> None:
    visit_batches.remove = _die_after(lambda _batches: None)  # type: ignore[assignment] # a stand-in


def _after_removing_early() -> None:
    claim = visit_batches.claim
    visit_batches.claim = _die_after(lambda most: visit_batches.remove([*claim(most)]))  # type: ignore[assignment] # a stand-in


MOMENTS = {
    "claimed": _after_claiming,
    "inserted": _after_inserting,
    "committed": _after_committing,
    "removed": _after_removing_early,
}
