"""learners, their sessions and enrolments, organisations and their contracts"""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import DIGEST, FOLDED, KEY, MARIADB
from domain.tables.base import Money, UTCTime

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _learners()
    _organisations()
    _contracts()
    _memberships()
    _sessions()
    _contract_products()
    _enrolments()


def _learners() -> None:
    op.create_table(
        "learners",
        sa.Column("id", KEY, nullable=False),
        sa.Column("student_number", FOLDED, nullable=False),
        sa.Column("issuer", FOLDED, nullable=False),
        sa.Column("subject", FOLDED, nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("roles", sa.JSON(), nullable=False),
        sa.Column("created_at", UTCTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_learners")),
        sa.UniqueConstraint("issuer", "subject", name=op.f("uq_learners_issuer_subject")),
        sa.UniqueConstraint("student_number", name=op.f("uq_learners_student_number")),
        **MARIADB,
    )


def _organisations() -> None:
    op.create_table(
        "organisations",
        sa.Column("id", KEY, nullable=False),
        sa.Column("slug", FOLDED, nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("logo", sa.String(length=500), nullable=False),
        sa.Column("domains", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.CheckConstraint(
            "state IN ('submitted', 'information', 'approved', 'declined')", name=op.f("ck_organisations_state")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_organisations")),
        sa.UniqueConstraint("slug", name=op.f("uq_organisations_slug")),
        **MARIADB,
    )


def _contracts() -> None:
    op.create_table(
        "contracts",
        sa.Column("id", KEY, nullable=False),
        sa.Column("organisation_id", KEY, nullable=False),
        sa.Column("starts_at", UTCTime(), nullable=False),
        sa.Column("ends_at", UTCTime(), nullable=True),
        sa.Column("seats", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("value", Money(), nullable=False),
        sa.Column("has_all_courses", sa.Boolean(), nullable=False),
        sa.Column("is_restricted", sa.Boolean(), nullable=False),
        sa.Column("joining", sa.String(length=10), nullable=False),
        sa.CheckConstraint("joining IN ('invitation', 'code', 'domain')", name=op.f("ck_contracts_joining")),
        sa.CheckConstraint("kind IN ('percent', 'amount', 'price')", name=op.f("ck_contracts_kind")),
        sa.CheckConstraint("value >= 0", name=op.f("ck_contracts_value")),
        sa.ForeignKeyConstraint(
            ["organisation_id"],
            ["organisations.id"],
            name=op.f("fk_contracts_organisation_id_organisations"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_contracts")),
        **MARIADB,
    )
    op.create_index(op.f("ix_contracts_organisation_id"), "contracts", ["organisation_id"], unique=False)


def _memberships() -> None:
    op.create_table(
        "memberships",
        sa.Column("id", KEY, nullable=False),
        sa.Column("learner_id", KEY, nullable=False),
        sa.Column("organisation_id", KEY, nullable=False),
        sa.Column("role", sa.String(length=10), nullable=False),
        sa.Column("is_restricted", sa.Boolean(), nullable=False),
        sa.Column("joined_at", UTCTime(), nullable=False),
        sa.CheckConstraint("role IN ('owner', 'manager', 'member')", name=op.f("ck_memberships_role")),
        sa.ForeignKeyConstraint(
            ["learner_id"], ["learners.id"], name=op.f("fk_memberships_learner_id_learners"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["organisation_id"],
            ["organisations.id"],
            name=op.f("fk_memberships_organisation_id_organisations"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_memberships")),
        sa.UniqueConstraint("learner_id", "organisation_id", name=op.f("uq_memberships_learner_id_organisation_id")),
        **MARIADB,
    )
    op.create_index(op.f("ix_memberships_organisation_id"), "memberships", ["organisation_id"], unique=False)


def _sessions() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", KEY, nullable=False),
        sa.Column("learner_id", KEY, nullable=False),
        sa.Column("handle", DIGEST, nullable=False),
        sa.Column("half", DIGEST, nullable=False),
        sa.Column("area", sa.String(length=20), nullable=False),
        sa.Column("created_at", UTCTime(), nullable=False),
        sa.Column("expires_at", UTCTime(), nullable=False),
        sa.Column("revoked_at", UTCTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["learner_id"], ["learners.id"], name=op.f("fk_sessions_learner_id_learners"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
        sa.UniqueConstraint("half", name=op.f("uq_sessions_half")),
        sa.UniqueConstraint("handle", name=op.f("uq_sessions_handle")),
        **MARIADB,
    )
    op.create_index("ix_sessions_expires_at", "sessions", ["expires_at"], unique=False)
    op.create_index(op.f("ix_sessions_learner_id"), "sessions", ["learner_id"], unique=False)


def _contract_products() -> None:
    op.create_table(
        "contract_products",
        sa.Column("contract_id", KEY, nullable=False),
        sa.Column("product_id", KEY, nullable=False),
        sa.Column("price", Money(), nullable=True),
        sa.ForeignKeyConstraint(
            ["contract_id"],
            ["contracts.id"],
            name=op.f("fk_contract_products_contract_id_contracts"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["product_id"], ["products.id"], name=op.f("fk_contract_products_product_id_products"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("contract_id", "product_id", name=op.f("pk_contract_products")),
        **MARIADB,
    )
    op.create_index(op.f("ix_contract_products_product_id"), "contract_products", ["product_id"], unique=False)


def _enrolments() -> None:
    op.create_table(
        "enrolments",
        sa.Column("id", KEY, nullable=False),
        sa.Column("learner_id", KEY, nullable=False),
        sa.Column("product_id", KEY, nullable=False),
        sa.Column("source", sa.String(length=10), nullable=False),
        sa.Column("enrolled_at", UTCTime(), nullable=False),
        sa.Column("progress", sa.JSON(), nullable=False),
        sa.Column("completed_at", UTCTime(), nullable=True),
        sa.Column("certificate", sa.String(length=40), nullable=True),
        sa.CheckConstraint("source IN ('order', 'seat', 'gift')", name=op.f("ck_enrolments_source")),
        sa.ForeignKeyConstraint(
            ["learner_id"], ["learners.id"], name=op.f("fk_enrolments_learner_id_learners"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["product_id"], ["products.id"], name=op.f("fk_enrolments_product_id_products")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_enrolments")),
        sa.UniqueConstraint("certificate", name=op.f("uq_enrolments_certificate")),
        sa.UniqueConstraint("learner_id", "product_id", name=op.f("uq_enrolments_learner_id_product_id")),
        **MARIADB,
    )
    op.create_index(op.f("ix_enrolments_product_id"), "enrolments", ["product_id"], unique=False)


def downgrade() -> None:
    # Whole tables: MariaDB would not let go of an index that a foreign key still needs.
    for table in (
        "enrolments",
        "contract_products",
        "sessions",
        "memberships",
        "contracts",
        "organisations",
        "learners",
    ):
        op.drop_table(table)
