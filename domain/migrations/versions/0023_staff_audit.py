"""Roles of the staff as rows, the chain of audit events, and what a session says of its sign-in and organisation.

The way back writes the roles into the learners again and deletes all audit events.
"""

import json
from collections import defaultdict

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import DIGEST, KEY, create_table, optional, required
from domain.tables.base import UTCTime

revision = "0023_staff_audit"
down_revision = "0022_reviews"
branch_labels = None
depends_on = None

_LEARNERS = sa.table("learners", sa.column("id"), sa.column("roles", sa.Text()), sa.column("created_at"))
_STAFF = sa.table("staff_roles", *map(sa.column, ("learner_id", "role", "granted_at")))
_SESSIONS = sa.table("sessions", *map(sa.column, ("created_at", "authenticated_at")))
_ORGANISATION_KEY = "fk_sessions_organisation_id_organisations"


def upgrade() -> None:
    learner = sa.ForeignKey("learners.id", ondelete="CASCADE")
    create_table(
        "staff_roles",
        required("learner_id", KEY, learner, primary_key=True, autoincrement=False),
        required("role", sa.String(20), primary_key=True),
        optional("granted_by", KEY, sa.ForeignKey("learners.id", ondelete="SET NULL"), index=True),
        required("granted_at", UTCTime()),
    )
    _rows_of_roles()
    with op.batch_alter_table("learners") as learners:
        learners.drop_column("roles")
    _create_audit()
    _extend_sessions()


def _rows_of_roles() -> None:
    """Nobody knows since when a person has a role: at the latest since then."""
    query = sa.select(_LEARNERS).where(_LEARNERS.c.roles != "[]")
    rows = [
        {"learner_id": learner_id, "role": role, "granted_at": created_at}
        for learner_id, roles, created_at in op.get_bind().execute(query).all()
        for role in dict.fromkeys(json.loads(roles))
    ]
    if rows:
        op.get_bind().execute(sa.insert(_STAFF), rows)


def _create_audit() -> None:
    create_table(
        "audit_events",
        required("id", KEY, primary_key=True),
        required("number", sa.BigInteger(), unique=True),
        required("occurred_at", UTCTime()),
        optional("actor_id", sa.BigInteger()),
        required("area", sa.String(20)),
        required("roles", sa.JSON()),
        optional("organisation_id", sa.BigInteger()),
        required("action", sa.String(60)),
        required("subject_type", sa.String(40)),
        required("subject_id", sa.String(64)),
        optional("before", sa.JSON()),
        optional("after", sa.JSON()),
        required("reason", sa.String(500)),
        required("request_id", sa.String(32)),
        required("ip_network", sa.String(50)),
        required("previous_hash", DIGEST),
        required("hash", DIGEST),
        sa.Index("ix_audit_events_occurred_at", "occurred_at"),
        sa.Index("ix_audit_events_actor_id_occurred_at", "actor_id", "occurred_at"),
        sa.Index("ix_audit_events_subject", "subject_type", "subject_id", "occurred_at"),
        sa.Index("ix_audit_events_organisation_id_occurred_at", "organisation_id", "occurred_at"),
        sa.Index("ix_audit_events_action_number", "action", "number"),
    )
    create_table(
        "audit_chain",
        required("id", sa.SmallInteger(), primary_key=True, autoincrement=False),
        required("number", sa.BigInteger()),
        required("hash", DIGEST),
    )


def _extend_sessions() -> None:
    """Sessions so far began when their people signed in."""
    with op.batch_alter_table("sessions") as sessions:
        sessions.add_column(optional("organisation_id", KEY))
        sessions.add_column(required("amr", sa.String(100), server_default=""))
        sessions.add_column(optional("authenticated_at", UTCTime()))
        sessions.create_index("ix_sessions_organisation_id", ["organisation_id"])
        sessions.create_foreign_key(
            _ORGANISATION_KEY, "organisations", ["organisation_id"], ["id"], ondelete="SET NULL"
        )
    op.execute(sa.update(_SESSIONS).values(authenticated_at=_SESSIONS.c.created_at))
    with op.batch_alter_table("sessions") as sessions:
        sessions.alter_column("authenticated_at", existing_type=UTCTime(), nullable=False)


def downgrade() -> None:
    with op.batch_alter_table("sessions") as sessions:
        sessions.drop_constraint(_ORGANISATION_KEY, type_="foreignkey")
        sessions.drop_index("ix_sessions_organisation_id")
        for name in ("authenticated_at", "amr", "organisation_id"):
            sessions.drop_column(name)
    for table in ("audit_chain", "audit_events"):
        op.drop_table(table)
    op.add_column("learners", optional("roles", sa.JSON()))
    _roles_of_rows()
    with op.batch_alter_table("learners") as learners:
        learners.alter_column("roles", existing_type=sa.JSON(), nullable=False)
    op.drop_table("staff_roles")


def _roles_of_rows() -> None:
    op.execute(sa.update(_LEARNERS).values(roles="[]"))
    roles = defaultdict(list)
    query = sa.select(_STAFF.c.learner_id, _STAFF.c.role).order_by(_STAFF.c.learner_id, _STAFF.c.role)
    for learner_id, role in op.get_bind().execute(query).all():
        roles[learner_id].append(role)
    rows = [{"row_id": learner_id, "names": json.dumps(names)} for learner_id, names in roles.items()]
    if rows:
        changed = sa.update(_LEARNERS).where(_LEARNERS.c.id == sa.bindparam("row_id"))
        op.get_bind().execute(changed.values(roles=sa.bindparam("names")), rows)
