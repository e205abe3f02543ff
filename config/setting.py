"""The declaration of one setting: a field of `Settings` with its parser, default and description."""

from collections.abc import Callable
from dataclasses import field
from typing import Any


def setting(parse: Callable[[str], Any], default: Any, about: str) -> Any:
    """`about` is the row's description in docs/settings.md, with the unit."""
    return field(default=default, metadata={"parse": parse, "about": about})
