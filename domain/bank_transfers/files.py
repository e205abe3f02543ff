"""Reads a file of the bank, whatever its form."""

from pathlib import Path

from domain.bank_transfers import camt
from domain.bank_transfers.statements import MAX_BYTES, Statement, StatementRefused

UNREADABLE = "This is no statement that we can read. Ask your bank for camt.053."
EXPIRED = "This file has expired. Send it again."
LARGE = f"A statement has at most {MAX_BYTES // 2**20} MiB."


def read_statement(path: Path) -> Statement:
    """Raises StatementRefused."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise StatementRefused(LARGE)
        content = path.read_bytes()
    except FileNotFoundError:
        raise StatementRefused(EXPIRED) from None
    return read_content(content)


def read_content(content: bytes) -> Statement:
    """Raises StatementRefused."""
    if camt.looks_like_camt(content):
        return camt.read(content)
    raise StatementRefused(UNREADABLE)
