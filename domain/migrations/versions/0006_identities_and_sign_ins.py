"""identities, the provider's tokens of a sign-in, sign-ins under way"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.mysql import MEDIUMTEXT

from domain.migrations.columns import DIGEST, FOLDED, KEY, MARIADB
from domain.tables.base import UTCTime

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _identities()
    op.add_column("sessions", sa.Column("issuer", sa.String(length=191), server_default="", nullable=False))
    op.add_column("sessions", sa.Column("subject", sa.String(length=191), server_default="", nullable=False))
    op.add_column("sessions", sa.Column("id_token", sa.Text(), nullable=True))
    op.add_column("sessions", sa.Column("access_token", sa.Text(), nullable=True))
    op.add_column("sessions", sa.Column("browser", sa.String(length=100), server_default="", nullable=False))
    op.create_table(
        "sign_in_transactions",
        sa.Column("id", KEY, nullable=False),
        sa.Column("handle", DIGEST, nullable=False),
        sa.Column("state", DIGEST, nullable=False),
        sa.Column("meta", sa.Text().with_variant(MEDIUMTEXT(), "mysql", "mariadb"), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", UTCTime(), nullable=False),
        sa.Column("expires_at", UTCTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in_transactions")),
        sa.UniqueConstraint("handle", name=op.f("uq_sign_in_transactions_handle")),
        sa.UniqueConstraint("state", name=op.f("uq_sign_in_transactions_state")),
        **MARIADB,
    )
    op.create_index("ix_sign_in_transactions_expires_at", "sign_in_transactions", ["expires_at"], unique=False)


def _identities() -> None:
    """Every learner there is goes on with the identity they came with."""
    op.create_table(
        "identities",
        sa.Column("id", KEY, nullable=False),
        sa.Column("issuer", FOLDED, nullable=False),
        sa.Column("subject", FOLDED, nullable=False),
        sa.Column("learner_id", KEY, nullable=False),
        sa.Column("created_at", UTCTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["learner_id"], ["learners.id"], name=op.f("fk_identities_learner_id_learners"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_identities")),
        sa.UniqueConstraint("issuer", "subject", name=op.f("uq_identities_issuer_subject")),
        **MARIADB,
    )
    op.create_index(op.f("ix_identities_learner_id"), "identities", ["learner_id"], unique=False)
    op.execute(
        "INSERT INTO identities (issuer, subject, learner_id, created_at) "
        "SELECT issuer, subject, id, created_at FROM learners"
    )


def downgrade() -> None:
    op.drop_table("sign_in_transactions")
    for name in ("browser", "access_token", "id_token", "subject", "issuer"):
        op.drop_column("sessions", name)
    op.drop_table("identities")
