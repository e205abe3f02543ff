"""In which group the months of organisations count a learner, and what the seats of a month cost."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import ASCII, KEY, create_table, exact_text, optional, required

revision = "0042_counted_learners"
down_revision = "0041_own_contracts"
branch_labels = None
depends_on = None


def upgrade() -> None:
    owner = sa.ForeignKey("organisations.id", ondelete="CASCADE")
    learner = sa.ForeignKey("learners.id", ondelete="CASCADE")
    create_table(
        "counted_learners",
        required("organisation_id", KEY, owner, primary_key=True, autoincrement=False),
        required("product_id", KEY, sa.ForeignKey("products.id"), primary_key=True, autoincrement=False, index=True),
        required("learner_id", KEY, learner, primary_key=True, autoincrement=False, index=True),
        required("since", exact_text(7, ASCII)),
        required("team", sa.String(100)),
        required("is_named", sa.Boolean()),
    )
    with op.batch_alter_table("organisation_months") as months:
        months.add_column(required("is_named", sa.Boolean(), server_default=sa.false()))
        months.add_column(optional("seats", sa.Integer()))
        months.add_column(optional("unused", sa.Integer()))
        months.add_column(optional("cost_thousandths", sa.BigInteger()))


def downgrade() -> None:
    # The build before would add them to the steps of the others.
    op.execute(sa.text("DELETE FROM organisation_months WHERE is_named"))
    with op.batch_alter_table("organisation_months") as months:
        for name in ("cost_thousandths", "unused", "seats", "is_named"):
            months.drop_column(name)
    op.drop_table("counted_learners")
