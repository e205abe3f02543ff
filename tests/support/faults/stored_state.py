"""The state of a shop at one moment, as counts and digests of its rows and files, and how another differs from it."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, inspect, text

from domain.backups.file_copies import list_files
from domain.learning.files import path_of

_MODULUS = 1 << 128
_AT_ONCE = 2_000


@dataclass(frozen=True)
class TableState:
    """`digest`: of its rows in any order."""

    rows: int
    digest: int


def read_tables(connection: Connection) -> dict[str, TableState]:
    """Every table, with those that no model names, such as the revision and parts of the search index."""
    return {name: _read_table(connection, name) for name in sorted(inspect(connection).get_table_names())}


def _read_table(connection: Connection, name: str) -> TableState:
    quoted = connection.dialect.identifier_preparer.quote(name)
    result = connection.execution_options(stream_results=True).execute(text(f"SELECT * FROM {quoted}"))
    rows = digest = 0
    for part in result.partitions(_AT_ONCE):
        for row in part:
            rows += 1
            hashed = hashlib.blake2b(repr(tuple(row)).encode(), digest_size=16).digest()
            digest = (digest + int.from_bytes(hashed)) % _MODULUS
    return TableState(rows, digest)


def table_differences(expected: Mapping[str, TableState], found: Mapping[str, TableState]) -> list[str]:
    """In words; [] where both are the same."""
    wrong = [f"table {name} is missing" for name in expected.keys() - found.keys()]
    wrong += [f"table {name} is new" for name in found.keys() - expected.keys()]
    for name in sorted(expected.keys() & found.keys()):
        if expected[name].rows != found[name].rows:
            wrong.append(f"{name} has {found[name].rows:,} rows instead of {expected[name].rows:,}")
        elif expected[name] != found[name]:
            wrong.append(f"{name} has other rows")
    return wrong


def named_files(connection: Connection) -> dict[str, int]:
    """SHA-256 of each file that the database names, and its size."""
    return {row.sha256: row.bytes for row in connection.execute(text("SELECT sha256, bytes FROM files"))}


def file_differences(expected: Mapping[str, int], folder: Path) -> list[str]:
    """Files that are missing in the folder, or have other contents than their names say. Those that the database does
    not name are no difference."""
    present = list_files(folder) if folder.is_dir() else set()
    wrong = [f"file {sha256[:12]} is missing" for sha256 in sorted(expected.keys() - present)]
    for sha256 in sorted(expected.keys() & present):
        content = path_of(folder, sha256).read_bytes()
        if (len(content), hashlib.sha256(content).hexdigest()) != (expected[sha256], sha256):
            wrong.append(f"file {sha256[:12]} has other contents")
    return wrong
