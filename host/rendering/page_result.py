"""The result of a loader: what to render, or where the page has moved to."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from host.rendering.shell import Head

# The TypedDict of a page; host/cli/openapi.py describes it for TypeScript.
Props = Mapping[str, Any]
DeferredPart = Callable[[], Awaitable[Any]]


@dataclass(frozen=True)
class PageResult:
    """Status, head and props of a page; `deferred` parts are loaded by the code that renders it."""

    page: str
    head: Head
    props: Props
    status: int = 200
    deferred: Mapping[str, DeferredPart] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Redirect:
    """The page has moved permanently."""

    location: str


LoaderResult = PageResult | Redirect
