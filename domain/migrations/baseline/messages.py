"""Visits, messages, and work that follows a commit."""

import sqlalchemy as sa

from domain.migrations.columns import KEY, UUID_TEXT, create_table, optional, required
from domain.tables.base import UTCTime

TABLES = ("visits", "dead_letters", "contact_messages", "outbox")


def create() -> None:
    _visits()
    _dead_letters()
    _contact_messages()
    _outbox()


def _visits() -> None:
    create_table(
        "visits",
        required("id", KEY, primary_key=True),
        required("event_id", UUID_TEXT, unique=True),
        required("visited_at", UTCTime()),
        required("session_id", sa.String(64)),
        required("page", sa.String(40)),
        required("url", sa.String(2048)),
        optional("learner_id", KEY),
        optional("claimed_id", KEY),
        required("coupon_id", sa.String(64)),
        required("student_number", sa.String(64)),
        required("special_coupon", sa.String(64)),
        required("campaign", sa.JSON()),
        required("referrer", sa.String(500)),
        required("visitor_class", sa.String(10)),
        required("source", sa.String(10)),
        required("agent", sa.String(64)),
        required("address", sa.String(64)),
        sa.Index("ix_visits_learner_id_visited_at", "learner_id", "visited_at"),
        sa.Index("ix_visits_session_id_visited_at", "session_id", "visited_at"),
        sa.Index("ix_visits_visited_at", "visited_at"),
    )


def _dead_letters() -> None:
    create_table(
        "dead_letters",
        required("id", KEY, primary_key=True),
        required("failed_at", UTCTime()),
        required("task", sa.String(100)),
        required("body", sa.JSON()),
        required("error", sa.Text()),
    )


def _contact_messages() -> None:
    create_table(
        "contact_messages",
        required("id", KEY, primary_key=True),
        required("sent_at", UTCTime()),
        required("name", sa.String(120)),
        required("email", sa.String(254)),
        required("subject", sa.String(160)),
        required("message", sa.Text()),
    )


def _outbox() -> None:
    create_table(
        "outbox",
        required("id", KEY, primary_key=True),
        required("created_at", UTCTime()),
        required("task", sa.String(100)),
        required("body", sa.JSON()),
        optional("done_at", UTCTime()),
        sa.Index("ix_outbox_done_at_id", "done_at", "id"),
    )
