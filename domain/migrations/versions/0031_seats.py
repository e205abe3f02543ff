"""Seats of contracts as rows, their events and requests, and the frozen months of organisations.

Contracts with a number of seats get as many free ones. The way back deletes who has which.
"""

from collections.abc import Iterator
from itertools import islice

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import ASCII, KEY, create_table, exact_text, optional, required
from domain.tables.base import UTCTime

revision = "0031_seats"
down_revision = "0026_organisations"
branch_labels = None
depends_on = None

_CONTRACTS = sa.table("contracts", sa.column("id"), sa.column("seats"))
_SEATS = sa.table("seats", *map(sa.column, ("contract_id", "number", "state", "reminders", "version")))
_STATES = "state IN ('free', 'reserved', 'active', 'spent', 'removed')"
_ROWS_AT_ONCE = 1_000


def upgrade() -> None:
    with op.batch_alter_table("contracts") as contracts:
        contracts.add_column(required("frees_completed", sa.Boolean(), server_default=sa.false()))
    _create_seats()
    _create_events()
    _create_requests()
    _create_months()
    missing = _rows_of_contracts()
    while rows := list(islice(missing, _ROWS_AT_ONCE)):
        op.get_bind().execute(sa.insert(_SEATS), rows)


def _rows_of_contracts() -> Iterator[dict[str, object]]:
    query = sa.select(_CONTRACTS).where(_CONTRACTS.c.seats.is_not(None))
    for contract_id, seats in op.get_bind().execute(query).all():
        for number in range(1, seats + 1):
            yield {"contract_id": contract_id, "number": number, "state": "free", "reminders": 0, "version": 1}


def _create_seats() -> None:
    create_table(
        "seats",
        required("id", KEY, primary_key=True),
        required("contract_id", KEY, sa.ForeignKey("contracts.id", ondelete="CASCADE")),
        required("number", sa.Integer()),
        required("state", sa.String(10)),
        optional("holder_key", exact_text(64, ASCII)),
        optional("learner_id", KEY, sa.ForeignKey("learners.id", ondelete="SET NULL"), index=True),
        optional("invitation_id", KEY, sa.ForeignKey("invitations.id", ondelete="SET NULL"), index=True),
        optional("product_id", KEY, sa.ForeignKey("products.id"), index=True),
        optional("order_line_id", KEY, sa.ForeignKey("order_lines.id", ondelete="SET NULL"), index=True),
        optional("assigned_at", UTCTime()),
        optional("started_at", UTCTime()),
        optional("last_active_at", UTCTime()),
        required("reminders", sa.Integer()),
        optional("reminder_id", sa.BigInteger()),
        optional("notified_at", UTCTime()),
        optional("grace_until", UTCTime()),
        optional("confirmed_at", UTCTime()),
        optional("paused_until", UTCTime()),
        required("version", sa.Integer()),
        sa.UniqueConstraint("contract_id", "number"),
        sa.UniqueConstraint("contract_id", "holder_key"),
        sa.CheckConstraint(_STATES, name="state"),
        sa.CheckConstraint("number > 0", name="number"),
        sa.Index("ix_seats_contract_id_state_last_active_at", "contract_id", "state", "last_active_at"),
    )


def _create_events() -> None:
    create_table(
        "seat_events",
        required("id", KEY, primary_key=True),
        required("seat_id", KEY, sa.ForeignKey("seats.id", ondelete="CASCADE"), index=True),
        required("occurred_at", UTCTime()),
        required("kind", sa.String(20)),
        optional("learner_id", KEY, sa.ForeignKey("learners.id", ondelete="SET NULL")),
        optional("actor_id", KEY, sa.ForeignKey("learners.id", ondelete="SET NULL"), index=True),
        required("reason", sa.String(500)),
        sa.Index("ix_seat_events_learner_id_kind", "learner_id", "kind"),
    )


def _create_requests() -> None:
    create_table(
        "seat_requests",
        required("id", KEY, primary_key=True),
        required("contract_id", KEY, sa.ForeignKey("contracts.id", ondelete="CASCADE")),
        required("learner_id", KEY, sa.ForeignKey("learners.id", ondelete="CASCADE"), index=True),
        required("product_id", KEY, sa.ForeignKey("products.id"), index=True),
        required("requested_at", UTCTime()),
        required("state", sa.String(10)),
        required("has_priority", sa.Boolean(), server_default=sa.false()),
        optional("open_key", exact_text(64, ASCII), unique=True),
        optional("decided_at", UTCTime()),
        sa.CheckConstraint("state IN ('waiting', 'granted', 'withdrawn')", name="state"),
        sa.Index("ix_seat_requests_contract_id_state_requested_at", "contract_id", "state", "requested_at"),
    )


def _create_months() -> None:
    create_table(
        "organisation_months",
        required("id", KEY, primary_key=True),
        required("organisation_id", KEY, sa.ForeignKey("organisations.id", ondelete="CASCADE")),
        required("month", exact_text(7, ASCII)),
        optional("product_id", KEY, sa.ForeignKey("products.id"), index=True),
        optional("team", sa.String(100)),
        required("cell_key", exact_text(130)),
        required("learners", sa.Integer()),
        required("started", sa.Integer()),
        required("completed", sa.Integer()),
        required("scored", sa.Integer()),
        required("score", sa.Integer()),
        sa.UniqueConstraint("organisation_id", "month", "cell_key"),
        sa.CheckConstraint("started <= learners AND completed <= learners AND scored <= learners", name="counts"),
    )


def downgrade() -> None:
    for table in ("organisation_months", "seat_requests", "seat_events", "seats"):
        op.drop_table(table)
    with op.batch_alter_table("contracts") as contracts:
        contracts.drop_column("frees_completed")
