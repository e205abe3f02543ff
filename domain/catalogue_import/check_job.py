"""The check of an uploaded file as a job: it reads the whole file and changes nothing but its own report."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from domain.catalogue_import.columns import ColumnRules, Kind
from domain.catalogue_import.read_lines import ImportRefused
from domain.catalogue_import.report import ImportReport
from domain.catalogue_import.validate import RowReader, file_stamp
from domain.jobs import Claim, Step
from domain.money import Currency

KIND = "import-check"
# Between two steps, which store how far the check is.
ROWS_IN_STEP = 2_000
# Of a longer list the rest is only counted.
MAX_LISTED = 500


@dataclass(frozen=True)
class CheckInput:
    """What is to be imported; as JSON the input of the job."""

    upload_id: int
    name: str
    kind: Kind
    mapping: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def rules(self) -> ColumnRules:
        return ColumnRules(self.mapping, self.constants)


def steps(claim: Claim, path: Path, currency: Currency) -> Iterator[Step]:
    """Always from the first row: what repeats an earlier row is known by reading all of them. Raises ImportRefused."""
    source = CheckInput(**claim.input)
    stamp = file_stamp(path)
    reader = RowReader(path, source.kind, currency, source.rules)
    good = 0
    for good, _ in enumerate(reader.good_rows(), start=1):
        if good % ROWS_IN_STEP == 0:
            yield Step(lambda _session: {}, reader.table.bytes_read, stamp[0])
    if reader.rows == 0:
        raise ImportRefused(f"{source.name} holds no rows.")
    report = {
        "rows": reader.rows,
        "good": good,
        "stamp": stamp,
        "unused_columns": sorted(reader.columns.unused),
        **{name: getattr(reader, name).total for name in ("bad", "repeats", "doubts")},
        "findings": [row for name in ("bad", "repeats", "doubts") for row in _findings(name, getattr(reader, name))],
    }
    yield Step(lambda _session: report, stamp[0], stamp[0])


def _findings(name: str, report: ImportReport) -> list[dict[str, Any]]:
    listed = report.findings[:MAX_LISTED]
    return [{"about": name, "line": finding.line, "text": finding.reason} for finding in listed]
