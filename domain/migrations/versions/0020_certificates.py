"""Certificates as rows of their own, which outlive renewals and corrections, and the keys that sign them.

A code of the build before becomes a certificate of the present names. The way back keeps the newest code of each
enrolment that is not revoked.
"""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import ASCII, DIGEST, KEY, create_table, exact_text, optional, required
from domain.tables.base import UTCTime

revision = "0020_certificates"
down_revision = "0017_progress"
branch_labels = None
depends_on = None

_COLUMNS = (
    "code, enrolment_id, number, learner_id, product_id, holder_name, course_name, credits, minutes, rule_text, "
    "completed_at, issued_at, revoked_reason"
)
_MOVED = (
    "enrolments.certificate, enrolments.id, 1, enrolments.learner_id, enrolments.product_id, learners.name, "
    "products.name, courses.credits, coalesce(products.duration_min, 0), '', "
    "coalesce(enrolments.completed_at, enrolments.enrolled_at), coalesce(enrolments.completed_at, "
    "enrolments.enrolled_at), ''"
)


def upgrade() -> None:
    _create_tables()
    op.execute(
        f"INSERT INTO certificates ({_COLUMNS}) SELECT {_MOVED} FROM enrolments "  # noqa: S608 constants
        "JOIN learners ON learners.id = enrolments.learner_id JOIN products ON products.id = enrolments.product_id "
        "LEFT JOIN courses ON courses.id = products.id WHERE enrolments.certificate IS NOT NULL"
    )
    op.execute("UPDATE certificates SET status_index = id")
    with op.batch_alter_table("enrolments") as enrolments:
        enrolments.drop_constraint(op.f("uq_enrolments_certificate"), type_="unique")
        enrolments.drop_column("certificate")


def downgrade() -> None:
    with op.batch_alter_table("enrolments") as enrolments:
        enrolments.add_column(optional("certificate", sa.String(40)))
        enrolments.create_unique_constraint(op.f("uq_enrolments_certificate"), ["certificate"])
    op.execute(
        "UPDATE enrolments SET certificate = (SELECT code FROM certificates WHERE enrolment_id = enrolments.id "
        "AND revoked_at IS NULL ORDER BY number DESC LIMIT 1)"
    )
    op.drop_table("signing_keys")
    op.drop_table("certificates")


def _create_tables() -> None:
    create_table(
        "certificates",
        required("id", KEY, primary_key=True),
        required("code", exact_text(40, ASCII), unique=True),
        required("enrolment_id", KEY, sa.ForeignKey("enrolments.id")),
        required("number", sa.Integer()),
        required("learner_id", KEY, sa.ForeignKey("learners.id"), index=True),
        required("product_id", KEY, sa.ForeignKey("products.id"), index=True),
        required("holder_name", sa.String(255)),
        required("course_name", sa.String(255)),
        optional("credits", sa.Numeric(5, 1)),
        required("minutes", sa.Integer()),
        required("rule_text", sa.String(300)),
        required("completed_at", UTCTime()),
        required("issued_at", UTCTime()),
        optional("expires_at", UTCTime()),
        optional("revoked_at", UTCTime()),
        required("revoked_reason", sa.String(10)),
        optional("status_index", sa.Integer(), unique=True),
        sa.UniqueConstraint("enrolment_id", "number"),
        sa.CheckConstraint("revoked_reason IN ('', 'refunded', 'fraud', 'replaced', 'holder')", name="revoked_reason"),
    )
    create_table(
        "signing_keys",
        required("thumbprint", DIGEST, primary_key=True),
        required("public_jwk", sa.JSON()),
        required("since", UTCTime()),
        optional("until", UTCTime()),
    )
