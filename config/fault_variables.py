"""KILL_AT: where an experiment kills a host process or a worker. Host and workers read it."""

from collections.abc import Mapping
from dataclasses import dataclass

from config.environment import SettingError, parse_variable, read_variable
from config.setting import setting
from domain.fault_points import parse

NAME = "KILL_AT"


def fault_point(text: str) -> str:
    """Raises ValueError for what `fault_points.arm` does not take."""
    parse(text)
    return text


@dataclass(frozen=True)
class FaultVariables:
    kill_at: str = setting(
        fault_point,
        "",
        "development only: a process kills itself at this fault point (`domain/fault_points.py`), such as "
        "`place.written`, or at the third time with `place.written:3`",
    )


def require_no_fault_point(kill_at: str, app_env: str) -> None:
    """Raises SettingError in production."""
    if kill_at and app_env == "production":
        raise SettingError(f"{NAME} is for development")


def read_kill_at(environment: Mapping[str, str]) -> str:
    """For workers, which do not read the settings of the host. Raises SettingError."""
    text = read_variable(environment, NAME)
    kill_at: str = parse_variable(NAME, text, fault_point) if text else ""
    require_no_fault_point(kill_at, read_variable(environment, "APP_ENV"))
    return kill_at
