"""`python -m host crawlers`: fetch the address ranges that operators of crawlers publish, and list what is stored."""

import argparse
import asyncio
import json
import ssl
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import aiohttp
from rich.console import Console
from rich.table import Table
from sqlalchemy.exc import SQLAlchemyError

from config.settings import Settings
from domain.crawlers import ranges, stored_ranges
from domain.crawlers.operators import hosting_lists, published_lists
from domain.crawlers.stored_ranges import ListState
from domain.database.database import Database, database_url
from domain.errors import DomainError, Refused
from host.cli.import_catalogue import progress_bar

DEADLINE_S = 20.0
MAX_REDIRECTS = 3
HEADERS = {"Accept": "application/json", "User-Agent": "Coursefront"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    refresh = actions.add_parser("refresh", help="fetch the published lists of ranges")
    refresh.description = (
        "Fetch the address ranges that operators of crawlers publish, and store them: hosts read them within a minute."
        " A list that cannot be fetched or read stays as it was. Run it every week."
    )
    refresh.add_argument(
        "lists",
        nargs="*",
        metavar="NAME[=FILE]",
        type=_chosen,
        help="only these lists, from a file where one is named; default: all that are published",
    )
    refresh.add_argument("--force", action="store_true", help="take also a list that lost half of its ranges or more")
    listed = actions.add_parser("list", help="show the lists, their age and what is over 30 days old")
    listed.add_argument("--json", action="store_true", help="write JSON instead of a table")


def _chosen(text: str) -> tuple[str, Path | None]:
    name, _, path = text.partition("=")
    if name not in published_lists():
        raise argparse.ArgumentTypeError(f"{name!r} is none of the lists: {', '.join(sorted(published_lists()))}")
    return name, Path(path) if path else None


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0; 1 when a list could not be refreshed, or is too old; 2 when the database cannot be used."""
    database = Database(database_url(settings.database, settings.var_dir), deadline_s=60, busy_ms=60_000)
    try:
        if args.action == "list":
            return _list(database, datetime.now(UTC), as_json=args.json)
        chosen = dict(args.lists) or dict.fromkeys(sorted(published_lists()))
        return asyncio.run(_refresh(database, chosen, is_forced=args.force))
    except SQLAlchemyError as error:
        print(f"The database cannot be used: {error}", file=sys.stderr)
        return 2
    finally:
        database.engine.dispose()


async def _refresh(database: Database, chosen: Mapping[str, Path | None], *, is_forced: bool) -> int:
    """Each list by itself: one that fails leaves the others."""
    results: dict[str, str] = {}
    failures: dict[str, str] = {}
    with progress_bar("Fetching") as report_progress:
        for number, (name, path) in enumerate(chosen.items()):
            report_progress(number, len(chosen))
            try:
                most = ranges.MAX_HOSTING_BYTES if name in hosting_lists() else ranges.MAX_BYTES
                body = await fetch(published_lists()[name], most) if path is None else _read(path, most)
                found = ranges.read_list(body, most)
                store = partial(stored_ranges.store_list, is_forced=is_forced)
                change = database.write_sync(store, name, found, datetime.now(UTC))
            except DomainError as error:
                failures[name] = str(error)
            else:
                results[name] = f"{change.after:,} ranges, {change.added:,} new, {change.removed:,} gone"
        report_progress(len(chosen), len(chosen))
    for name, text in results.items():
        print(f"{name}: {text}")
    for name, text in failures.items():
        print(f"{name} stays as it was. {text}", file=sys.stderr)
    return 1 if failures else 0


def _read(path: Path, most: int) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(most + 1)
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror or error}.") from None


async def fetch(address: str, most: int, context: ssl.SSLContext | None = None) -> bytes:
    """The content at an address, by https alone, also after a redirect; `most`: how many bytes it may have. Raises
    Refused, also after DEADLINE_S. `context`: whom to trust; None: those whom the system trusts."""
    timeout = aiohttp.ClientTimeout(total=DEADLINE_S)
    try:
        async with asyncio.timeout(DEADLINE_S), aiohttp.ClientSession(timeout=timeout, headers=HEADERS) as session:
            for _ in range(1 + MAX_REDIRECTS):
                if urlsplit(address).scheme != "https":
                    raise Refused(f"{address} is not an address by https.")
                ssl_context = True if context is None else context
                async with session.get(address, allow_redirects=False, ssl=ssl_context) as response:
                    if response.status not in (301, 302, 303, 307, 308):
                        return await _body(response, most)
                    address = urljoin(address, response.headers.get("Location", ""))
            raise Refused(f"It redirects more than {MAX_REDIRECTS} times.")
    except (aiohttp.ClientError, TimeoutError, ValueError, OSError) as error:
        raise Refused(f"{address} does not answer: {str(error) or f'too late, after {DEADLINE_S:g} s'}.") from None


async def _body(response: aiohttp.ClientResponse, most: int) -> bytes:
    if response.status != 200:
        raise Refused(f"{response.url} answered {response.status}.")
    body = bytearray()
    async for part in response.content.iter_any():
        body += part
        if len(body) > most:
            raise Refused(f"{response.url} is larger than {most:,} bytes.")
    return bytes(body)


def _list(database: Database, at: datetime, *, as_json: bool) -> int:
    with database.read_session() as session:
        states = stored_ranges.all_states(session)
    if as_json:
        print(json.dumps([_record(state, at) for state in states], indent=2))
    else:
        _print_table(states, at)
    return 1 if any(state.is_old(at) for state in states) else 0


def _record(state: ListState, at: datetime) -> dict[str, object]:
    fetched = None if state.fetched_at is None else state.fetched_at.isoformat()
    created = None if state.created_at is None else state.created_at.isoformat()
    about = {"name": state.name, "address": state.address, "crawlers": state.crawlers, "ranges": state.ranges}
    return {**about, "fetchedAt": fetched, "createdAt": created, "isOld": state.is_old(at)}


def _print_table(states: Sequence[ListState], at: datetime) -> None:
    table = Table("List", "Ranges", "Fetched", "Written by its operator", "Crawlers")
    for state in states:
        created = "" if state.created_at is None else f"{state.created_at:%Y-%m-%d}"
        table.add_row(state.name, f"{state.ranges:,}", _age(state, at), created, ", ".join(state.crawlers))
    Console().print(table)


def _age(state: ListState, at: datetime) -> str:
    if state.fetched_at is None:
        return "never"
    days = (at - state.fetched_at).days
    return f"{days} days ago{': too old' if state.is_old(at) else ''}"
