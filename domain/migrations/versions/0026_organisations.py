"""Applications of organisations, invitations into them, and what contracts and memberships say besides."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import ASCII, DIGEST, KEY, create_table, exact_text, optional, required
from domain.tables.base import Money, UTCTime

revision = "0026_organisations"
down_revision = "0030_replays"
branch_labels = None
depends_on = None

_INVITATION_STATES = "state IN ('sent', 'accepted', 'declined', 'expired', 'cancelled', 'refused')"
_PEOPLE = ("applied_by", "decided_by")


def upgrade() -> None:
    with op.batch_alter_table("learners") as learners:
        learners.add_column(required("email_verified", sa.Boolean(), server_default=sa.false()))
    _extend_organisations()
    _extend_contracts()
    with op.batch_alter_table("memberships") as memberships:
        memberships.add_column(required("team", sa.String(100), server_default=""))
        memberships.add_column(required("shares_progress", sa.Boolean(), server_default=sa.false()))
        memberships.add_column(optional("ended_at", UTCTime()))
    _create_messages()
    _create_invitations()


def _extend_organisations() -> None:
    organisations_table = sa.table("organisations", sa.column("requested_domains", sa.JSON()))
    with op.batch_alter_table("organisations") as organisations:
        organisations.add_column(optional("requested_domains", sa.JSON()))
        organisations.add_column(required("website", sa.String(255), server_default=""))
        organisations.add_column(optional("size", sa.Integer()))
        organisations.add_column(optional("request_text", sa.Text()))
        for name in _PEOPLE:
            organisations.add_column(optional(name, KEY))
            organisations.create_index(f"ix_organisations_{name}", [name])
            key = f"fk_organisations_{name}_learners"
            organisations.create_foreign_key(key, "learners", [name], ["id"], ondelete="SET NULL")
        organisations.add_column(optional("applied_at", UTCTime()))
        organisations.add_column(optional("decided_at", UTCTime()))
        organisations.add_column(required("version", sa.Integer(), server_default="1"))
    op.execute(sa.update(organisations_table).values(requested_domains=[]))
    with op.batch_alter_table("organisations") as organisations:
        organisations.alter_column("requested_domains", existing_type=sa.JSON(), nullable=False)


def _extend_contracts() -> None:
    with op.batch_alter_table("contracts") as contracts:
        contracts.add_column(required("seat_kind", sa.String(10), server_default="person"))
        contracts.add_column(optional("seat_price", Money()))
        contracts.add_column(required("is_self_service", sa.Boolean(), server_default=sa.false()))
        contracts.add_column(optional("join_code", exact_text(20, ASCII)))
        contracts.add_column(required("join_code_uses", sa.Integer(), server_default="0"))
        contracts.add_column(required("start_days", sa.Integer(), server_default="30"))
        contracts.add_column(required("idle_days", sa.Integer(), server_default="90"))
        contracts.add_column(required("shows_names", sa.Boolean(), server_default=sa.false()))
        contracts.add_column(required("version", sa.Integer(), server_default="1"))
        contracts.create_unique_constraint("uq_contracts_join_code", ["join_code"])
        contracts.create_check_constraint(op.f("ck_contracts_seat_kind"), "seat_kind IN ('person', 'course')")


def _create_messages() -> None:
    create_table(
        "application_messages",
        required("id", KEY, primary_key=True),
        required("organisation_id", KEY, sa.ForeignKey("organisations.id", ondelete="CASCADE"), index=True),
        required("sent_at", UTCTime()),
        optional("author_id", KEY, sa.ForeignKey("learners.id", ondelete="SET NULL"), index=True),
        required("is_staff", sa.Boolean()),
        required("text", sa.Text()),
    )


def _create_invitations() -> None:
    create_table(
        "invitations",
        required("id", KEY, primary_key=True),
        required("organisation_id", KEY, sa.ForeignKey("organisations.id", ondelete="CASCADE")),
        required("contract_id", KEY, sa.ForeignKey("contracts.id", ondelete="CASCADE"), index=True),
        required("email_key", exact_text(254), index=True),
        required("name", sa.String(255)),
        required("team", sa.String(100)),
        required("role", sa.String(10)),
        required("product_ids", sa.JSON()),
        optional("token", DIGEST, unique=True),
        optional("open_key", exact_text(280), unique=True),
        required("state", sa.String(10)),
        required("sent_at", UTCTime()),
        optional("reminded_at", UTCTime()),
        required("sends", sa.Integer()),
        required("expires_at", UTCTime()),
        optional("invited_by", KEY, sa.ForeignKey("learners.id", ondelete="SET NULL"), index=True),
        optional("learner_id", KEY, sa.ForeignKey("learners.id", ondelete="SET NULL"), index=True),
        sa.CheckConstraint(_INVITATION_STATES, name="state"),
        sa.CheckConstraint("role IN ('owner', 'manager', 'member')", name="role"),
    )
    op.create_index("ix_invitations_organisation_id_state_id", "invitations", ["organisation_id", "state", "id"])
    op.create_index("ix_invitations_organisation_id_sent_at", "invitations", ["organisation_id", "sent_at"])
    op.create_index("ix_invitations_state_expires_at", "invitations", ["state", "expires_at"])


def downgrade() -> None:
    op.drop_table("invitations")
    op.drop_table("application_messages")
    with op.batch_alter_table("memberships") as memberships:
        for name in ("ended_at", "shares_progress", "team"):
            memberships.drop_column(name)
    _reduce_contracts()
    with op.batch_alter_table("organisations") as organisations:
        for name in _PEOPLE:
            organisations.drop_constraint(f"fk_organisations_{name}_learners", type_="foreignkey")
            organisations.drop_index(f"ix_organisations_{name}")
        columns = ("version", "decided_at", "decided_by", "applied_at", "applied_by", "request_text", "size", "website")
        for name in (*columns, "requested_domains"):
            organisations.drop_column(name)
    with op.batch_alter_table("learners") as learners:
        learners.drop_column("email_verified")


def _reduce_contracts() -> None:
    with op.batch_alter_table("contracts") as contracts:
        contracts.drop_constraint("uq_contracts_join_code", type_="unique")
        contracts.drop_constraint(op.f("ck_contracts_seat_kind"), type_="check")
        columns = ("version", "shows_names", "idle_days", "start_days", "join_code_uses", "join_code")
        for name in (*columns, "is_self_service", "seat_price", "seat_kind"):
            contracts.drop_column(name)
