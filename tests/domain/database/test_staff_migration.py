"""The migration of the staff's roles, from a list in each learner to rows and back, on both databases."""

from datetime import timedelta

from sqlalchemy import select, text

from domain.identity.roles import roles_of
from domain.migrations import runner
from domain.tables import Learner, LearnerSession, StaffRole
from tests.support import factories
from tests.support.factories import NOON

BEFORE = "0022_reviews"


def test_roles_become_rows_and_a_list_again(current):
    with current.write_session() as session:
        ada, grace, alan = (factories.learner(session, name).id for name in ("Ada", "Grace", "Alan"))
        factories.staff(session, ada, "marketer", "administrator")
    runner.downgrade(current.engine, BEFORE)
    with current.engine.begin() as connection:
        lists = connection.execute(text("SELECT roles FROM learners ORDER BY id")).scalars().all()
        assert lists == ['["administrator", "marketer"]', "[]", "[]"]
        change = text("UPDATE learners SET roles = :roles WHERE id = :id")
        connection.execute(change, {"roles": '["editor"]', "id": grace})
    runner.upgrade(current.engine)
    with current.read_session() as session:
        assert [roles_of(session, each) for each in (ada, grace, alan)] == [
            ("administrator", "marketer"),
            ("editor",),
            (),
        ]
        row = session.get_one(StaffRole, (grace, "editor"))
        assert (row.granted_at, row.granted_by) == (session.get_one(Learner, grace).created_at, None)


def test_sessions_so_far_began_with_a_sign_in(current):
    runner.downgrade(current.engine, BEFORE)
    insert = (
        "INSERT INTO learners (id, student_number, issuer, subject, email, name, roles, created_at) "
        "VALUES (1, 's-1', 'i', 's', '', '', '[]', '2026-03-01 12:00:00')",
        "INSERT INTO sessions (learner_id, token_digest, cookie_digest, area, created_at, expires_at) "
        "VALUES (1, 't', 'c', 'learner', '2026-03-01 13:00:00', '2026-03-01 13:45:00')",
    )
    with current.engine.begin() as connection:
        for statement in insert:
            connection.execute(text(statement))
    runner.upgrade(current.engine)
    with current.read_session() as session:
        row = session.scalars(select(LearnerSession)).one()
        assert (row.authenticated_at, row.amr, row.organisation_id) == (NOON + timedelta(hours=1), "", None)
