"""Pages by their ids in routes.json: each loader declares the pages that it loads."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from aiohttp import web

from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

# A Loader, or the PrivateLoader of a private page or a page of an area.
AnyLoader = Callable[..., Awaitable[Any]]
L = TypeVar("L", bound=AnyLoader)
CsvFile = Callable[[PageRequest], AsyncIterator[bytes]]
ParquetFile = Callable[[PageRequest], Awaitable[bytes]]


@dataclass(frozen=True, kw_only=True)
class PageOptions:
    """How the page handler calls a loader."""

    # The props of the parts that are loaded later.
    deferred: type | None = None
    # A private page whose loader is called without a session too: it answers guests with the same page for every code,
    # because the addresses must not tell what exists.
    loads_for_guests: bool = False
    # A private page that tells guests itself why they need an account; the others lead them to the sign-in at once.
    explains_sign_in: bool = False
    # The rate limits that `PageRequest.limit` counts a request against (config/limit_variables.py): by address, for
    # everybody; and by learner, for somebody who is signed in.
    limits: tuple[str, ...] = ()
    learner_limits: tuple[str, ...] = ()
    # What the loader needs of the database in any case, to be read together with the session; None: nothing.
    first_read: Callable[[PageRequest], Any] | None = None
    # Makes `PageRequest.order_status`: (request, page, session).
    order_status: Callable[[web.Request, PageRequest, Any], Any] | None = None


@dataclass(frozen=True)
class RegisteredPage:
    """A loader with the types of its props, as its return type names them, and of its deferred parts."""

    load: AnyLoader
    props: tuple[type, ...]
    options: PageOptions


PAGES: dict[str, RegisteredPage] = {}
# Pages of areas that are no list and have a file at /csv{path}.
CSV_FILES: dict[str, CsvFile] = {}
PARQUET_FILES: dict[str, ParquetFile] = {}


def page(*ids: str, **options: Any) -> Callable[[L], L]:
    """Declare a loader of these pages; `options` are those of PageOptions. The loader's return type is
    PageResult[Props], or a union with it."""
    chosen = PageOptions(**options)

    def register(load: L) -> L:
        deferred = (chosen.deferred,) if chosen.deferred is not None else ()
        found = RegisteredPage(load, (props_type(load), *deferred), chosen)
        for page_id in ids:
            _add(PAGES, page_id, found)
        return load

    return register


def csv_file(page_id: str) -> Callable[[CsvFile], CsvFile]:
    """Declare the file of a page that is no list."""

    def register(rows: CsvFile) -> CsvFile:
        _add(CSV_FILES, page_id, rows)
        return rows

    return register


def parquet_file(page_id: str) -> Callable[[ParquetFile], ParquetFile]:
    """Declare the same rows as those of the CSV file of a page, as Parquet."""

    def register(file: ParquetFile) -> ParquetFile:
        _add(PARQUET_FILES, page_id, file)
        return file

    return register


def _add(registry: dict[str, Any], page_id: str, entry: Any) -> None:
    if page_id in registry:
        raise ValueError(f"the page {page_id} is declared twice")
    registry[page_id] = entry


def props_type(load: AnyLoader) -> type:
    """The TypedDict that a loader's return type names. Raises TypeError when it names none."""
    returned = get_type_hints(load)["return"]
    for part in get_args(returned) if get_origin(returned) in (Union, UnionType) else (returned,):
        if get_origin(part) is PageResult:
            (props,) = get_args(part)
            if hasattr(props, "__required_keys__"):
                found: type = props
                return found
    raise TypeError(f"{load.__module__}.{load.__qualname__} does not return PageResult[Props]")


def options_of(page_id: str) -> PageOptions:
    """The options of a page; the defaults for one without a loader of its own."""
    found = PAGES.get(page_id)
    return PageOptions() if found is None else found.options
