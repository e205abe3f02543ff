"""ledger.jsonl: a line of JSON for each movement of money, appended and synced before the answer that reports it.

The table of entries is committed first. What a kill between the commit and the append leaves out is appended at the
next start, so file and database never differ for longer.
"""

import json
import os
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from standins.payments.tables import MoneyEntry

FILE_NAME = "ledger.jsonl"


class MoneyRecord:
    """The file in a folder; used by one thread."""

    def __init__(self, folder: Path):
        self._path = folder / FILE_NAME
        self._last = self._read_last()

    def _read_last(self) -> int:
        """The number of the last whole line. A line that was cut off is removed."""
        if not self._path.exists():
            return 0
        content = self._path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if whole != content:
            os.truncate(self._path, len(whole))
        lines = whole.splitlines()
        return int(json.loads(lines[-1])["number"]) if lines else 0

    def append_missing(self, session: Session) -> None:
        """Appends what the table has and the file has not, and syncs it to the disk."""
        rows = session.scalars(
            select(MoneyEntry).where(MoneyEntry.number > self._last).order_by(MoneyEntry.number)
        ).all()
        if not rows:
            return
        lines = "".join(json.dumps({"number": row.number, **row.data}) + "\n" for row in rows)
        with self._path.open("ab") as file:
            file.write(lines.encode())
            file.flush()
            os.fsync(file.fileno())
        self._last = rows[-1].number
