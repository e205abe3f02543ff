"""What was asked for of a request and not given back, and the words of staff about it, which were in its note. Parcels
with parts of lines: lines had the carrier and the number of the one parcel with their goods."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import KEY, create_table, optional, required
from domain.tables.base import UTCTime

revision = "0104_parts_of_lines"
down_revision = "0103_parcels"
branch_labels = None
depends_on = None
DECLINED = "Declined: "
lines = sa.table(
    "order_lines",
    *(sa.column(name) for name in ("id", "order_id", "quantity", "carrier", "tracking", "shipped_quantity")),
    *(sa.column(name, UTCTime()) for name in ("shipped_at", "delivered_at")),
)
parcels = sa.table(
    "parcels",
    *(sa.column(name) for name in ("id", "order_id", "number", "carrier", "tracking")),
    *(sa.column(name, UTCTime()) for name in ("shipped_at", "delivered_at")),
)
parcel_lines = sa.table("parcel_lines", *(sa.column(name) for name in ("parcel_id", "line_id", "quantity")))
refunds = sa.table("refunds", *(sa.column(name) for name in ("id", "state", "note", "answer")))


def upgrade() -> None:
    op.add_column("refunds", required("answer", sa.String(500), server_default=""))
    create_table(
        "declined_parts",
        required("refund_id", KEY, sa.ForeignKey("refunds.id"), primary_key=True, autoincrement=False),
        required("line_id", KEY, sa.ForeignKey("order_lines.id"), primary_key=True, autoincrement=False, index=True),
        required("quantity", sa.Integer),
        required("amount_minor", sa.BigInteger),
        sa.CheckConstraint("quantity >= 0 AND amount_minor >= 0", name="amounts"),
    )
    op.add_column("order_lines", required("shipped_quantity", sa.Integer, server_default="0"))
    create_table(
        "parcels",
        required("id", KEY, primary_key=True),
        required("order_id", KEY, sa.ForeignKey("orders.id")),
        required("number", sa.Integer),
        required("carrier", sa.String(60)),
        required("tracking", sa.String(100)),
        required("shipped_at", UTCTime()),
        optional("delivered_at", UTCTime()),
        sa.UniqueConstraint("order_id", "number"),
    )
    create_table(
        "parcel_lines",
        required("parcel_id", KEY, sa.ForeignKey("parcels.id"), primary_key=True, autoincrement=False),
        required("line_id", KEY, sa.ForeignKey("order_lines.id"), primary_key=True, autoincrement=False, index=True),
        required("quantity", sa.Integer),
        sa.CheckConstraint("quantity > 0", name="quantity"),
    )
    _fill_parcels()
    for name in ("carrier", "tracking"):
        op.drop_column("order_lines", name)
    for row in _declined(refunds.c.note.contains(DECLINED)):
        note, _, answer = row.note.rpartition(DECLINED)
        _write(row.id, note=note.rstrip("\n"), answer=answer[:500])


def downgrade() -> None:
    for row in _declined(refunds.c.answer != ""):
        _write(row.id, note="\n".join(filter(None, (row.note, f"{DECLINED}{row.answer}"))))
    op.add_column("order_lines", required("carrier", sa.String(60), server_default=""))
    op.add_column("order_lines", required("tracking", sa.String(100), server_default=""))
    _empty_parcels()
    for name in ("parcel_lines", "parcels"):
        op.drop_table(name)
    op.drop_column("order_lines", "shipped_quantity")
    op.drop_table("declined_parts")
    op.drop_column("refunds", "answer")


def _fill_parcels() -> None:
    """Lines of an order that were sent at the same time, with the same number, are a parcel. What was refunded of them
    before is not known: all their units were sent."""
    connection, numbers, ids = op.get_bind(), dict[int, int](), dict[tuple[Any, ...], int]()
    sent = sa.select(lines).where(lines.c.shipped_at.is_not(None)).order_by(lines.c.order_id, lines.c.shipped_at)
    for row in connection.execute(sent).all():
        key = (row.order_id, row.shipped_at, row.delivered_at, row.carrier, row.tracking)
        if key not in ids:
            ids[key] = len(ids) + 1
            numbers[row.order_id] = numbers.get(row.order_id, 0) + 1
            about = {"carrier": row.carrier, "tracking": row.tracking, "shipped_at": row.shipped_at}
            about |= {"id": ids[key], "order_id": row.order_id, "number": numbers[row.order_id]}
            connection.execute(parcels.insert().values(**about, delivered_at=row.delivered_at))
        connection.execute(parcel_lines.insert().values(parcel_id=ids[key], line_id=row.id, quantity=row.quantity))
    is_sent = lines.c.shipped_at.is_not(None)
    connection.execute(lines.update().where(is_sent).values(shipped_quantity=lines.c.quantity))


def _empty_parcels() -> None:
    """A line has the last of its parcels."""
    connection = op.get_bind()
    columns = sa.select(parcel_lines.c.line_id, parcels.c.carrier, parcels.c.tracking)
    rows = columns.join_from(parcel_lines, parcels, parcels.c.id == parcel_lines.c.parcel_id).order_by(parcels.c.id)
    for row in connection.execute(rows).all():
        values = {"carrier": row.carrier, "tracking": row.tracking}
        connection.execute(lines.update().where(lines.c.id == row.line_id).values(values))


def _declined(condition: sa.ColumnElement[bool]) -> list[sa.Row[Any]]:
    is_declined = refunds.c.state == "declined"
    return list(op.get_bind().execute(sa.select(refunds).where(is_declined, condition)))


def _write(number: int, **values: str) -> None:
    op.get_bind().execute(refunds.update().where(refunds.c.id == number).values(values))
