"""The result of a loader: what to render, or where the page has moved to."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic

from typing_extensions import TypeVar

from host.rendering.area_props import AreaProps
from host.rendering.shell import Head

Props = Mapping[str, Any]
# The TypedDict of a page; host/cli/openapi.py describes it for TypeScript.
P_co = TypeVar("P_co", bound=Props, default=Props, covariant=True)
DeferredPart = Callable[[], Awaitable[Any]]


# Not frozen, as PageRequest. Nobody changes one.
@dataclass(eq=False)
class PageResult(Generic[P_co]):
    """Status, head and props of a page; `deferred` parts are loaded by the code that renders it."""

    page: str
    head: Head
    props: P_co
    status: int = 200
    deferred: Mapping[str, DeferredPart] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    # Set for a page of an area.
    area: AreaProps | None = None
    # What the part without script of a private page gets beside the props.
    no_script: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Redirect:
    """The page has moved permanently."""

    location: str


@dataclass(frozen=True)
class SignInFirst(Redirect):
    """The page is for people who are signed in to its area: the sign-in leads back to it."""


# Also the page of an error, or one that waits for the browser.
LoaderResult = PageResult[P_co] | PageResult | Redirect
