"""Columns as long as the longest value that a form allows; what learners did in a lesson refuses the lesson's deletion,
where it would have been deleted with it."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import LONG_TEXT

revision = "0057_longest_values"
down_revision = "0056_lowest_prices"
branch_labels = None
depends_on = None

# (table, column): former type, new type.
WIDER = {
    ("tax_rates", "region"): (sa.String(10), sa.String(200)),
    ("delivery_places", "region"): (sa.String(10), sa.String(200)),
    ("orders", "tax_place"): (sa.String(12), sa.String(203)),
    ("instructors", "bio"): (sa.Text(), LONG_TEXT),
    ("sessions", "id_token"): (sa.Text(), LONG_TEXT),
    ("sessions", "access_token"): (sa.Text(), LONG_TEXT),
}
# Tables whose columns may be empty.
OPTIONAL = ("sessions",)
# What learners did, by the table; options with which SQLite makes it anew.
WORK = {"lesson_progress": {"sqlite_with_rowid": False}, "quiz_attempts": {}, "lesson_notes": {}}


def upgrade() -> None:
    for (table, column), (former, wider) in WIDER.items():
        with op.batch_alter_table(table) as rows:
            rows.alter_column(column, existing_type=former, type_=wider, existing_nullable=table in OPTIONAL)
    _refer_to_lessons(None)


def downgrade() -> None:
    _refer_to_lessons("CASCADE")
    # A longer value stays an error of the statement: nothing is cut.
    for (table, column), (former, wider) in WIDER.items():
        with op.batch_alter_table(table) as rows:
            rows.alter_column(column, existing_type=wider, type_=former, existing_nullable=table in OPTIONAL)


def _refer_to_lessons(ondelete: str | None) -> None:
    for table, options in WORK.items():
        key = f"fk_{table}_lesson_id_lessons"
        with op.batch_alter_table(table, table_kwargs=options) as rows:
            rows.drop_constraint(op.f(key), type_="foreignkey")
            rows.create_foreign_key(op.f(key), "lessons", ["lesson_id"], ["id"], ondelete=ondelete)
