"""Checks small files for the tests of the import, and returns what came of their rows."""

import json
from typing import Any

from domain.catalogue_import.columns import ColumnRules
from domain.catalogue_import.validate import RowReader
from domain.publishing.records import ProductRecord
from tests.support.shops import USD


class Read:
    """`records` of the good rows, and the reasons of the others by line."""

    def __init__(self, reader: RowReader):
        self.records: list[ProductRecord] = [row.record for _, row in reader.good_rows()]
        self.bad, self.repeats, self.variants, self.doubts = (
            {finding.line: finding.reason for finding in report.findings}
            for report in (reader.bad, reader.repeats, reader.variants, reader.doubts)
        )


def read(tmp_path, content: bytes | str | list[dict[str, Any]], kind="courses", currency=USD, **rules: Any) -> Read:
    path = tmp_path / "file"
    if isinstance(content, list):
        content = json.dumps(content)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return Read(RowReader(path, kind, currency, ColumnRules(**rules)))


def read_row(tmp_path, kind="courses", currency=USD, rules: dict[str, Any] | None = None, **values: Any) -> Read:
    """One row with the values, and what every row needs."""
    row = {"name": "Audit", "category": "Audit", "list_price": "10"} | values
    return read(tmp_path, [row], kind, currency, **(rules or {}))
