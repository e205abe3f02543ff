"""Enrolments: access comes from grants, each bound to its order line, seat or gift. Gifts; the courses of a bundle.

Every enrolment keeps its access, by a grant without the id of a source: orders were not recorded before. The way back
gives access to everybody who ever had it, because the former table could not say that access has ended.
"""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import DIGEST, KEY, create_table, optional, required
from domain.tables.base import UTCTime

revision = "0008_grants"
down_revision = "0007_fulfilment"
branch_labels = None
depends_on = None

SOURCES = "source IN ('order', 'seat', 'gift')"


def upgrade() -> None:
    # SQLite replaces the whole table, which would delete rows that refer to it: the grants are created afterwards.
    op.execute("CREATE TABLE enrolment_sources AS SELECT id, source FROM enrolments")
    with op.batch_alter_table("enrolments") as enrolments:
        enrolments.drop_constraint(op.f("ck_enrolments_source"), type_="check")
        enrolments.drop_column("source")
        enrolments.add_column(optional("access_until", UTCTime()))
        # MariaDB needs an index for the foreign key at any time.
        enrolments.create_index("ix_enrolments_product_id_access_until", ["product_id", "access_until"])
        enrolments.create_index("ix_enrolments_access_until", ["access_until"])
        enrolments.drop_index("ix_enrolments_product_id")
    _enrolment_grants()
    op.execute(
        "INSERT INTO enrolment_grants (enrolment_id, source, granted_at, reason) "
        "SELECT enrolments.id, enrolment_sources.source, enrolments.enrolled_at, '' "
        "FROM enrolments JOIN enrolment_sources ON enrolment_sources.id = enrolments.id"
    )
    op.drop_table("enrolment_sources")
    _gifts()
    _bundle_courses()


def downgrade() -> None:
    op.drop_table("bundle_courses")
    op.execute(
        "CREATE TABLE enrolment_sources AS SELECT enrolment_id AS id, source FROM enrolment_grants "
        "WHERE id IN (SELECT min(id) FROM enrolment_grants GROUP BY enrolment_id)"
    )
    op.drop_table("gifts")
    op.drop_table("enrolment_grants")
    with op.batch_alter_table("enrolments") as enrolments:
        enrolments.create_index("ix_enrolments_product_id", ["product_id"])
        enrolments.drop_index("ix_enrolments_access_until")
        enrolments.drop_index("ix_enrolments_product_id_access_until")
        enrolments.drop_column("access_until")
        enrolments.add_column(required("source", sa.String(10), server_default="order"))
        enrolments.create_check_constraint(op.f("ck_enrolments_source"), SOURCES)
    op.execute(
        "UPDATE enrolments SET source = (SELECT source FROM enrolment_sources "
        "WHERE enrolment_sources.id = enrolments.id) WHERE id IN (SELECT id FROM enrolment_sources)"
    )
    with op.batch_alter_table("enrolments") as enrolments:
        enrolments.alter_column("source", existing_type=sa.String(10), existing_nullable=False, server_default=None)
    op.drop_table("enrolment_sources")


def _enrolment_grants() -> None:
    create_table(
        "enrolment_grants",
        required("id", KEY, primary_key=True),
        required("enrolment_id", KEY, sa.ForeignKey("enrolments.id", ondelete="CASCADE"), index=True),
        required("source", sa.String(10)),
        optional("source_id", sa.BigInteger()),
        required("granted_at", UTCTime()),
        optional("until", UTCTime()),
        optional("ended_at", UTCTime()),
        required("reason", sa.String(40)),
        sa.UniqueConstraint("source", "source_id", "enrolment_id"),
        sa.CheckConstraint(SOURCES, name="source"),
    )


def _gifts() -> None:
    create_table(
        "gifts",
        required("id", KEY, primary_key=True),
        optional("token", DIGEST, unique=True),
        optional("order_line_id", KEY, sa.ForeignKey("order_lines.id"), unique=True),
        required("product_id", KEY, sa.ForeignKey("products.id"), index=True),
        required("giver_id", KEY, sa.ForeignKey("learners.id"), index=True),
        required("recipient_email", sa.String(254)),
        required("message", sa.Text()),
        required("send_at", UTCTime()),
        required("state", sa.String(10)),
        optional("learner_id", KEY, sa.ForeignKey("learners.id"), index=True),
        optional("claimed_at", UTCTime()),
        sa.CheckConstraint("state IN ('waiting', 'sent', 'claimed', 'returned')", name="state"),
        sa.Index("ix_gifts_state_send_at", "state", "send_at"),
    )


def _bundle_courses() -> None:
    create_table(
        "bundle_courses",
        required(
            "item_id", KEY, sa.ForeignKey("shop_items.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
        ),
        required(
            "course_id",
            KEY,
            sa.ForeignKey("courses.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
            index=True,
        ),
        required("position", sa.Integer()),
    )
