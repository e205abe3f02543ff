"""The declaration of one setting: a field of `Settings` with its parser, default and description."""

from collections.abc import Callable, Mapping
from dataclasses import field, fields
from typing import TYPE_CHECKING, Any, TypeVar

from config.environment import parse_variable, read_variable

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Variables = TypeVar("Variables", bound="DataclassInstance")


def setting(
    parse: Callable[[str], Any], default: Any, about: str, *, absent: str = "none", is_demo: bool = False
) -> Any:
    """`about` is the row's description in docs/settings.md, with the unit; `absent` says what an empty default means.
    `is_demo`: the default is the demo shop's,
    and production needs the shop's own (`Settings.from_environment`)."""
    return field(default=default, metadata={"parse": parse, "about": about, "absent": absent, "is_demo": is_demo})


def read_variables(kind: type[Variables], environment: Mapping[str, str]) -> Variables:
    """For workers, which do not read the settings of the host: an object of a dataclass of settings. Raises
    SettingError."""
    values = {}
    for row in fields(kind):
        if text := read_variable(environment, row.name.upper()):
            values[row.name] = parse_variable(row.name.upper(), text, row.metadata["parse"])
    return kind(**values)
