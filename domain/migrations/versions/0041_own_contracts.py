"""Contracts that organisations make with their first purchase, and seats for people who join by code or domain."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import optional, required

revision = "0041_own_contracts"
down_revision = "0040_course_closures"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("contracts") as contracts:
        contracts.add_column(optional("term_days", sa.Integer()))
        contracts.add_column(required("joining_gives_seat", sa.Boolean(), server_default=sa.false()))


def downgrade() -> None:
    with op.batch_alter_table("contracts") as contracts:
        contracts.drop_column("joining_gives_seat")
        contracts.drop_column("term_days")
