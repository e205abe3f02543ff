"""One pass over a file, for checking and for importing: yields the good rows and records findings about the others."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from domain.catalogue_import.columns import NO_RULES, ColumnRules, Columns, normalised_word
from domain.catalogue_import.courses import course
from domain.catalogue_import.items import item
from domain.catalogue_import.parse import BadRecord, Heading, Row, Table
from domain.catalogue_import.presets import Kind
from domain.catalogue_import.read_lines import ImportRefused
from domain.catalogue_import.report import BadRow, ImportReport
from domain.catalogue_import.shared_fields import ImportedRow
from domain.catalogue_import.values import RowValues
from domain.catalogue_import.variants import LowestPrices, VariantRows
from domain.catalogue_import.words import BLANKS
from domain.money import Currency
from domain.text_direction import isolated

# Called with the amount done and the total.
Progress = Callable[[int, int], None]
# Called with the heading of the file, a row as it is in the file, and why it is left out.
Refused = Callable[[Heading, Any, str], None]
_RECORD_BUILDERS: dict[Kind, Callable[[RowValues], ImportedRow]] = {"courses": course, "items": item}
_ROWS_BETWEEN_REPORTS = 500


def no_progress(_done: int, _total: int) -> None:
    """Ignores the progress."""


@dataclass(frozen=True)
class ImportPlan:
    """The result of a check. `rows` = good + bad + repeats + variants; `doubts` are about good rows."""

    path: Path
    kind: Kind
    currency: Currency
    rules: ColumnRules
    rows: int
    good: int
    bad: ImportReport
    repeats: ImportReport
    variants: ImportReport
    doubts: ImportReport
    unused_columns: tuple[str, ...]
    # Size and modification time, to notice that the file changed between the check and the import.
    stamp: tuple[int, int]


class RowReader:
    """`good_rows()` may be used once; the counts are complete at its end. `variants`: rows that are no products of
    their own. `refused` is told each row that is left out with an error, as it is in the file."""

    def __init__(self, path: Path, kind: Kind, currency: Currency, rules: ColumnRules):
        self._currency, self._rules, self._kind, self._path = currency, rules, kind, path
        self.rows = 0
        self.bad = ImportReport()
        self.repeats = ImportReport()
        self.variants = ImportReport()
        self.doubts = ImportReport()
        self.columns = Columns(kind, rules)
        self.table = Table(path, self.columns, rules.encoding)
        self.refused: Refused | None = None
        self._make = _RECORD_BUILDERS[kind]
        self._variant_rows = VariantRows()
        self._lowest: LowestPrices | None = None
        # Identity -> line, and digests of name and values, in one number: small enough for a million rows.
        self._seen: dict[str, int] = {}

    def good_rows(self) -> Iterator[tuple[int, ImportedRow]]:
        """Line and row. Raises ImportRefused when the file as a whole cannot be read."""
        for row in self.table.rows():
            self.rows += 1
            if isinstance(row, BadRecord):
                self._refuse(row.line, row.reason, row.raw)
                continue
            if reason := self._variant_rows.reason(row):
                self.variants.add(row.line, row.about(reason))
                continue
            try:
                filled = self._filled(row)
                imported = self._make(RowValues(filled, self._currency, self._rules))
                is_new = self._is_new(row, imported)
            except BadRow as bad:
                self._refuse(row.line, row.about(str(bad)), row.raw)
                continue
            if is_new:
                if doubt := "; ".join(filter(None, (filled.doubt, imported.doubt))):
                    self.doubts.add(row.line, row.about(doubt))
                yield row.line, imported
        self.columns.refuse_unknown()

    def _refuse(self, line: int, reason: str, raw: Any) -> None:
        self.bad.add(line, reason)
        if self.refused is not None:
            self.refused(self.table.heading, raw, reason)

    def _filled(self, row: Row) -> Row:
        """The row with what its words mean, and with the constants of fields for which it has no value."""
        constants, words = self.columns.constants, self.columns.words
        if words:
            row = replace(row, values=row.values | meanings(row.values, words))
        missing = {field: value for field, value in constants.items() if _is_blank(row.values.get(field))}
        if missing:
            row = replace(row, values=row.values | missing, constants=frozenset(missing))
        if self._kind == "items" and "parent" in row.values and _is_blank(row.values.get("list_price")):
            return self._with_lowest_price(row)
        return row

    def _with_lowest_price(self, row: Row) -> Row:
        """A product without a price of its own costs what the cheapest of its variations does."""
        if self._lowest is None:
            table = Table(self._path, Columns(self._kind, self._rules), self._rules.encoding)
            self._lowest = LowestPrices(
                table.rows(), lambda row: RowValues(row, self._currency, self._rules).price("list_price")
            )
        lowest = self._lowest.of(row)
        if lowest is None:
            return row
        doubt = "; ".join(filter(None, (row.doubt, f"its price {lowest} is the lowest of its variations")))
        return replace(row, values=row.values | {"list_price": lowest}, doubt=doubt)

    def _is_new(self, row: Row, imported: ImportedRow) -> bool:
        """Whether no row before it is of the same product. Raises BadRow for one whose identity another product has."""
        record = imported.record
        identity = record.source_id or record.slug
        name_digest, digest = hash(record.name) & 0xFFFF_FFFF, hash(repr(row.values)) & 0xFFFF_FFFF
        seen = self._seen.get(identity)
        if seen is None:
            self._seen[identity] = row.line << 64 | name_digest << 32 | digest
            return True
        line = seen >> 64
        if seen & 0xFFFF_FFFF == digest:
            self.repeats.add(row.line, row.about(f"{identity} again, first on line {line}"))
            return False
        if (seen >> 32) & 0xFFFF_FFFF != name_digest:
            raise BadRow(f"{identity} is also the identity of line {line}, whose name is another")
        if imported.is_titled:
            raise BadRow(
                f"has the name of line {line} and other values, and nothing tells the two apart: "
                "map a column that does to source_id"
            )
        self.repeats.add(row.line, row.about(f"{identity} again with other values, first on line {line}"))
        return False


def meanings(values: Mapping[str, Any], words: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Field -> what the word in it means, of those that have one."""
    return {
        field: meanings[word]
        for field, meanings in words.items()
        if isinstance(values.get(field), str) and (word := normalised_word(values[field])) in meanings
    }


def _is_blank(value: object) -> bool:
    return value is None or (isinstance(value, str) and (not value.strip() or value.strip().casefold() in BLANKS))


def check(  # noqa: PLR0913 what to read, how, and who is told
    path: Path,
    kind: Kind,
    currency: Currency,
    rules: ColumnRules = NO_RULES,
    progress: Progress = no_progress,
    *,
    refused: Refused | None = None,
) -> ImportPlan:
    """Read the whole file and change nothing. `progress` counts bytes; `refused` is told the rows that are left out.
    Raises ImportRefused for an unreadable file."""
    reader = RowReader(path, kind, currency, rules)
    reader.refused = refused
    stamp, good = file_stamp(path), 0
    for good, _ in enumerate(reader.good_rows(), start=1):
        if good % _ROWS_BETWEEN_REPORTS == 0:
            progress(reader.table.bytes_read, stamp[0])
    if reader.rows == 0:
        raise ImportRefused(f"{isolated(path.name)} holds no rows.")
    progress(stamp[0], stamp[0])
    return ImportPlan(
        path=path,
        kind=kind,
        currency=currency,
        rules=rules,
        rows=reader.rows,
        good=good,
        bad=reader.bad,
        repeats=reader.repeats,
        variants=reader.variants,
        doubts=reader.doubts,
        unused_columns=tuple(sorted(reader.columns.unused)),
        stamp=stamp,
    )


def file_stamp(path: Path) -> tuple[int, int]:
    """Size and modification time. Raises ImportRefused when the file cannot be read."""
    try:
        state = path.stat()
    except OSError as error:
        raise ImportRefused(f"{path} cannot be read: {error.strerror or error}.") from error
    return state.st_size, state.st_mtime_ns
