"""What a learner has bought besides courses: files to download, and codes to show or to redeem."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import NamedTuple

from sqlalchemy import Integer, and_, bindparam, func, or_, select
from sqlalchemy.orm import Session

from domain.database.prepared_select import PreparedSelect, first_number
from domain.orders.item_files import DOWNLOAD
from domain.orders.views.state_texts import voucher_text
from domain.tables import File, ItemFile, Order, OrderLine, VoucherCode

CODE = "code"


@dataclass(frozen=True)
class MaterialFile:
    """`number` counts within the line of the order, from 1; `bytes` is its size."""

    number: int
    name: str
    bytes: int


@dataclass(frozen=True)
class MaterialCode:
    code: str
    state_text: str
    is_used: bool


@dataclass(frozen=True)
class Material:
    """A line of a paid order that still gives something."""

    order_code: str
    line_number: int
    name: str
    bought_at: datetime
    files: tuple[MaterialFile, ...]
    codes: tuple[MaterialCode, ...]


class _Cells(NamedTuple):
    """A line beside one of its files or one of its codes: no line has both."""

    order_code: str
    line_number: int
    name: str
    bought_at: datetime
    file_name: str | None
    file_bytes: int | None
    code: str | None
    used_at: datetime | None
    void_at: datetime | None


_orders, _lines = Order.__table__.c, OrderLine.__table__.c
_item_files, _files, _codes = ItemFile.__table__.c, File.__table__.c, VoucherCode.__table__.c
# A gift belongs to its recipient; a line that was taken back gives nothing any more.
_IS_GIVEN = and_(
    _orders.learner_id == bindparam("learner"),
    _orders.state == "paid",
    or_(_lines.fulfilment == DOWNLOAD, _lines.fulfilment == CODE),
    _lines.ended_at.is_(None),
    _lines.gift.is_(None),
)
_PAGE = (
    select(
        _lines.id,
        _lines.number,
        _lines.name,
        _lines.product_id,
        _lines.fulfilment,
        _orders.code,
        _orders.placed_at,
        _orders.id.label("order_id"),
    )
    .select_from(Order.__table__.join(OrderLine.__table__, _lines.order_id == _orders.id))
    .where(_IS_GIVEN)
    .order_by(_orders.placed_at.desc(), _orders.id.desc(), _lines.number)
    .limit(bindparam("most", type_=Integer))
    .offset(bindparam("first", type_=Integer))
    .subquery("page")
)
_ROWS = PreparedSelect(
    select(
        _PAGE.c.code,
        _PAGE.c.number,
        _PAGE.c.name,
        _PAGE.c.placed_at,
        _files.name,
        _files.bytes,
        _codes.code,
        _codes.used_at,
        _codes.void_at,
    )
    .select_from(_PAGE)
    .outerjoin(ItemFile.__table__, and_(_item_files.item_id == _PAGE.c.product_id, _PAGE.c.fulfilment == DOWNLOAD))
    .outerjoin(File.__table__, _files.id == _item_files.file_id)
    .outerjoin(VoucherCode.__table__, and_(_codes.line_id == _PAGE.c.id, _PAGE.c.fulfilment == CODE))
    .order_by(
        _PAGE.c.placed_at.desc(),
        _PAGE.c.order_id.desc(),
        _PAGE.c.number,
        _item_files.position,
        _files.id,
        _codes.number,
    ),
    _Cells._make,
)
_NUMBER = PreparedSelect(
    select(func.count(_lines.id))
    .select_from(OrderLine.__table__.join(Order.__table__, _orders.id == _lines.order_id))
    .where(_IS_GIVEN),
    first_number,
)


def newest(session: Session, learner_id: int, limit: int, offset: int = 0) -> tuple[Material, ...]:
    """The newest lines first. One statement."""
    rows = _ROWS.all(session, learner=learner_id, most=limit, first=offset)
    lines = groupby(rows, key=lambda row: (row.order_code, row.line_number))
    return tuple(_material(list(cells)) for _, cells in lines)


def page(session: Session, learner_id: int, number: int, size: int) -> tuple[tuple[Material, ...], int]:
    """A page of so many lines, and how many pages there are: at least 1. `number` counts from 1."""
    [count] = _NUMBER.all(session, learner=learner_id)
    pages = max(1, -(-count // size))
    return newest(session, learner_id, size, (number - 1) * size) if number <= pages else (), pages


def _material(rows: Sequence[_Cells]) -> Material:
    line = rows[0]
    files = ((row.file_name, row.file_bytes or 0) for row in rows if row.file_name is not None)
    return Material(
        order_code=line.order_code,
        line_number=line.line_number,
        name=line.name,
        bought_at=line.bought_at,
        files=tuple(MaterialFile(number, name, size) for number, (name, size) in enumerate(files, start=1)),
        codes=tuple(_usable_codes(rows)),
    )


def _usable_codes(rows: Iterable[_Cells]) -> Iterable[MaterialCode]:
    """The materials that no refund has taken back."""
    for row in rows:
        if row.code is not None and row.void_at is None:
            is_used = row.used_at is not None
            yield MaterialCode(row.code, voucher_text(is_used=is_used, is_void=False), is_used)
