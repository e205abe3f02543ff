"""Files that paid lines give their buyer: of shop items with the fulfilment `download`."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from domain.tables import File, ItemFile, Order, OrderLine

DOWNLOAD = "download"


@dataclass(frozen=True)
class LineFile:
    """A file of an order's line. `number` counts within the line, from 1; `bytes` is its size."""

    line_number: int
    number: int
    name: str
    media_type: str
    bytes: int
    sha256: str


def files_of(session: Session, learner_id: int, code: str) -> tuple[LineFile, ...]:
    """All files that this learner may download with the order, by line and number. The condition names the owner, so
    that an unknown order and another's cannot be told apart."""
    return _files(session, Order.learner_id == learner_id, Order.code == code.upper())


def own_file(session: Session, learner_id: int, code: str, line_number: int, number: int) -> LineFile | None:
    """One of them."""
    is_own = (Order.learner_id == learner_id, Order.code == code.upper(), OrderLine.number == line_number)
    return next((file for file in _files(session, *is_own) if file.number == number), None)


def _files(session: Session, *conditions: ColumnElement[bool]) -> tuple[LineFile, ...]:
    query = (
        select(OrderLine.number, File)
        .join(Order, Order.id == OrderLine.order_id)
        .join(ItemFile, ItemFile.item_id == OrderLine.product_id)
        .join(File, File.id == ItemFile.file_id)
        .order_by(OrderLine.number, ItemFile.position, File.id)
    )
    # A gift belongs to its recipient; a line that was taken back gives nothing any more.
    is_given = (Order.state == "paid", OrderLine.fulfilment == DOWNLOAD, OrderLine.ended_at.is_(None))
    rows = session.execute(query.where(*conditions, *is_given, OrderLine.gift.is_(None))).all()
    return _numbered([(line_number, file) for line_number, file in rows])


def _numbered(rows: Sequence[tuple[int, File]]) -> tuple[LineFile, ...]:
    counts: dict[int, int] = {}
    files = []
    for line_number, file in rows:
        counts[line_number] = number = counts.get(line_number, 0) + 1
        files.append(LineFile(line_number, number, file.name, file.media_type, file.bytes, file.sha256))
    return tuple(files)
