"""Learners with their sign-ins and enrolments; organisations with their contracts and members."""

import sqlalchemy as sa

from domain.migrations.columns import CENTS, DIGEST, FOLDED, KEY, LONG_TEXT, create_table, optional, required
from domain.tables.base import UTCTime

TABLES = (
    "learners",
    "identities",
    "sessions",
    "sign_in_flows",
    "enrolments",
    "organisations",
    "contracts",
    "contract_products",
    "memberships",
)


def create() -> None:
    _learners()
    _identities()
    _sessions()
    _sign_in_flows()
    _enrolments()
    _organisations()
    _contracts()
    _contract_products()
    _memberships()


def _learners() -> None:
    create_table(
        "learners",
        required("id", KEY, primary_key=True),
        required("student_number", FOLDED, unique=True),
        required("issuer", FOLDED),
        required("subject", FOLDED),
        required("email", sa.String(254)),
        required("name", sa.String(255)),
        required("roles", sa.JSON()),
        required("created_at", UTCTime()),
        sa.UniqueConstraint("issuer", "subject"),
    )


def _identities() -> None:
    create_table(
        "identities",
        required("id", KEY, primary_key=True),
        required("issuer", FOLDED),
        required("subject", FOLDED),
        required("learner_id", KEY, sa.ForeignKey("learners.id", ondelete="CASCADE"), index=True),
        required("created_at", UTCTime()),
        sa.UniqueConstraint("issuer", "subject"),
    )


def _sessions() -> None:
    create_table(
        "sessions",
        required("id", KEY, primary_key=True),
        required("learner_id", KEY, sa.ForeignKey("learners.id", ondelete="CASCADE"), index=True),
        required("token_digest", DIGEST, unique=True),
        required("cookie_digest", DIGEST, unique=True),
        required("area", sa.String(20)),
        required("issuer", sa.String(191), server_default=""),
        required("subject", sa.String(191), server_default=""),
        optional("id_token", sa.Text()),
        optional("access_token", sa.Text()),
        required("browser", sa.String(100), server_default=""),
        required("created_at", UTCTime()),
        required("expires_at", UTCTime()),
        optional("revoked_at", UTCTime()),
        sa.Index("ix_sessions_expires_at", "expires_at"),
    )


def _sign_in_flows() -> None:
    create_table(
        "sign_in_flows",
        required("id", KEY, primary_key=True),
        required("cookie_digest", DIGEST, unique=True),
        required("state_digest", DIGEST, unique=True),
        required("encrypted_state", LONG_TEXT),
        required("version", sa.Integer()),
        required("created_at", UTCTime()),
        required("expires_at", UTCTime()),
        sa.Index("ix_sign_in_flows_expires_at", "expires_at"),
    )


def _enrolments() -> None:
    create_table(
        "enrolments",
        required("id", KEY, primary_key=True),
        required("learner_id", KEY, sa.ForeignKey("learners.id", ondelete="CASCADE")),
        required("product_id", KEY, sa.ForeignKey("products.id"), index=True),
        required("source", sa.String(10)),
        required("enrolled_at", UTCTime()),
        required("progress", sa.JSON()),
        optional("completed_at", UTCTime()),
        optional("certificate", sa.String(40), unique=True),
        sa.CheckConstraint("source IN ('order', 'seat', 'gift')", name="source"),
        sa.UniqueConstraint("learner_id", "product_id"),
    )


def _organisations() -> None:
    create_table(
        "organisations",
        required("id", KEY, primary_key=True),
        required("slug", FOLDED, unique=True),
        required("name", sa.String(255)),
        required("logo", sa.String(500)),
        required("domains", sa.JSON()),
        required("state", sa.String(20)),
        sa.CheckConstraint("state IN ('submitted', 'information', 'approved', 'declined')", name="state"),
    )


def _contracts() -> None:
    create_table(
        "contracts",
        required("id", KEY, primary_key=True),
        required("organisation_id", KEY, sa.ForeignKey("organisations.id", ondelete="CASCADE"), index=True),
        required("starts_at", UTCTime()),
        optional("ends_at", UTCTime()),
        optional("seats", sa.Integer()),
        required("kind", sa.String(10)),
        required("value", CENTS),
        required("has_all_courses", sa.Boolean()),
        required("is_restricted", sa.Boolean()),
        required("join_policy", sa.String(10)),
        sa.CheckConstraint("join_policy IN ('invitation', 'code', 'domain')", name="join_policy"),
        sa.CheckConstraint("kind IN ('percent', 'amount', 'price')", name="kind"),
        sa.CheckConstraint("value >= 0", name="value"),
    )


def _contract_products() -> None:
    create_table(
        "contract_products",
        required("contract_id", KEY, sa.ForeignKey("contracts.id", ondelete="CASCADE"), primary_key=True),
        required("product_id", KEY, sa.ForeignKey("products.id", ondelete="CASCADE"), primary_key=True, index=True),
        optional("price", CENTS),
    )


def _memberships() -> None:
    create_table(
        "memberships",
        required("id", KEY, primary_key=True),
        required("learner_id", KEY, sa.ForeignKey("learners.id", ondelete="CASCADE")),
        required("organisation_id", KEY, sa.ForeignKey("organisations.id", ondelete="CASCADE"), index=True),
        required("role", sa.String(10)),
        required("is_restricted", sa.Boolean()),
        required("joined_at", UTCTime()),
        sa.CheckConstraint("role IN ('owner', 'manager', 'member')", name="role"),
        sa.UniqueConstraint("learner_id", "organisation_id"),
    )
