"""How staff find people, which batch a coupon was made in, alarms about codes that became public, and samples of the
site's state."""

import unicodedata
from typing import Any

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import KEY, create_table, exact_text, optional, required
from domain.tables.base import UTCTime

revision = "0032_lookup_keys"
down_revision = "0031_seats"
branch_labels = None
depends_on = None

_LEARNERS = sa.table("learners", *map(sa.column, ("id", "email", "name", "email_key", "name_key")))
_KEYS = ("email_key", "name_key")
_SLICE = 10_000


def upgrade() -> None:
    op.add_column("learners", required("email_key", exact_text(254), server_default=""))
    op.add_column("learners", required("name_key", exact_text(255), server_default=""))
    for name in _KEYS:
        op.create_index(f"ix_learners_{name}", "learners", [name])
    _fill()
    op.add_column("coupons", optional("batch_id", sa.BigInteger()))
    op.create_index("ix_coupons_batch_id", "coupons", ["batch_id"])
    create_table(
        "coupon_alarms",
        required("id", KEY, primary_key=True),
        required("coupon_id", KEY, sa.ForeignKey("coupons.id", ondelete="CASCADE")),
        required("hour", UTCTime()),
        required("networks", sa.Integer()),
        required("expected", sa.Double()),
        required("hosts", sa.JSON()),
        required("state", sa.String(10)),
        required("raised_at", UTCTime()),
        optional("decided_by", KEY, sa.ForeignKey("learners.id", ondelete="SET NULL"), index=True),
        optional("decided_at", UTCTime()),
        required("reason", sa.String(500)),
        sa.UniqueConstraint("coupon_id", "hour"),
        sa.CheckConstraint("state IN ('open', 'paused', 'replaced', 'dismissed')", name="state"),
        sa.Index("ix_coupon_alarms_state_id", "state", "id"),
    )
    create_table(
        "health_samples",
        required("id", KEY, primary_key=True),
        required("sampled_at", UTCTime()),
        required("process", sa.String(80)),
        required("values", sa.JSON()),
        sa.UniqueConstraint("sampled_at", "process"),
    )


def _fill() -> None:
    connection, last = op.get_bind(), 0
    query = sa.select(_LEARNERS.c.id, _LEARNERS.c.email, _LEARNERS.c.name).order_by(_LEARNERS.c.id).limit(_SLICE)
    while rows := connection.execute(query.where(_LEARNERS.c.id > last)).all():
        keys = [{"row_id": row.id, "email_key": row.email.casefold(), "name_key": _name_key(row.name)} for row in rows]
        changed = sa.update(_LEARNERS).where(_LEARNERS.c.id == sa.bindparam("row_id"))
        values: dict[str, Any] = {name: sa.bindparam(name) for name in _KEYS}
        connection.execute(changed.values(values), keys)
        last = rows[-1].id


def _name_key(name: str) -> str:
    """As domain/tables/areas/person_keys.py made it at the time of this migration."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return " ".join(
        "".join(char if char.isalnum() else " " for char in letters if not unicodedata.combining(char)).split()
    )[:255]


def downgrade() -> None:
    op.drop_table("health_samples")
    op.drop_table("coupon_alarms")
    op.drop_index("ix_coupons_batch_id", "coupons")
    op.drop_column("coupons", "batch_id")
    for name in _KEYS:
        op.drop_index(f"ix_learners_{name}", "learners")
        op.drop_column("learners", name)
