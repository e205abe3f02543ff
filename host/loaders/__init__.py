"""Loaders: each gathers one page's props and head, critical parts first, deferred parts as something to await later."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from multidict import MultiMapping

from domain.catalogue import Narrowed
from domain.db import Database
from host.settings import Settings
from host.shell import Head
from host.site import SiteState

Props = dict[str, Any]
Part = Callable[[], Awaitable[Any]]


@dataclass(frozen=True)
class Asked:
    """A page as it was asked for: path and query decoded, `values` of the placeholders."""

    settings: Settings
    db: Database
    site: SiteState
    path: str
    query: MultiMapping[str]
    values: Mapping[str, str]
    at: datetime
    # What a restricted visitor sees of the catalogue; None, for nearly everyone: all of it.
    only: Narrowed | None = None


@dataclass(frozen=True)
class Loaded:
    """Status, head and props are settled; `deferred` parts are started by whoever needs them."""

    page: str
    head: Head
    props: Props
    status: int = 200
    deferred: Mapping[str, Part] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Moved:
    """The page has another address, for good."""

    location: str


Answer = Loaded | Moved
Loader = Callable[[Asked], Awaitable[Answer]]
