"""What was asked for of a request and not given back, and the words of staff about it, which were in its note."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import KEY, create_table, required

revision = "0104_parts_of_lines"
down_revision = "0103_parcels"
branch_labels = None
depends_on = None
DECLINED = "Declined: "
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
    for row in _declined(refunds.c.note.contains(DECLINED)):
        note, _, answer = row.note.rpartition(DECLINED)
        _write(row.id, note=note.rstrip("\n"), answer=answer[:500])


def downgrade() -> None:
    for row in _declined(refunds.c.answer != ""):
        _write(row.id, note="\n".join(filter(None, (row.note, f"{DECLINED}{row.answer}"))))
    op.drop_table("declined_parts")
    op.drop_column("refunds", "answer")


def _declined(condition: sa.ColumnElement[bool]) -> list[sa.Row[Any]]:
    is_declined = refunds.c.state == "declined"
    return list(op.get_bind().execute(sa.select(refunds).where(is_declined, condition)))


def _write(number: int, **values: str) -> None:
    op.get_bind().execute(refunds.update().where(refunds.c.id == number).values(values))
