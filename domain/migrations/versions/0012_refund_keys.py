"""Refunds: the key of the learner's form, so that one form asks for one refund however often it is sent."""

from alembic import op

from domain.migrations.columns import ASCII, exact_text, optional

revision = "0012_refund_keys"
down_revision = "0011_money"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("refunds") as refunds:
        refunds.add_column(optional("form_key", exact_text(200, ASCII)))
        refunds.create_unique_constraint("uq_refunds_form_key", ["form_key"])


def downgrade() -> None:
    with op.batch_alter_table("refunds") as refunds:
        refunds.drop_constraint("uq_refunds_form_key", type_="unique")
        refunds.drop_column("form_key")
