"""Every table, as declared when one baseline replaced the 60 migrations before it: no production database existed.

The statements are in `baseline/`, one file for each database. They stay as they are; changes are new migrations.
"""

import re
from pathlib import Path

from alembic import op

revision = "0100_baseline"
down_revision = None
branch_labels = None
depends_on = None

FOLDER = Path(__file__).parents[1] / "baseline"


def _statements() -> list[str]:
    name = "sqlite" if op.get_bind().dialect.name == "sqlite" else "mariadb"
    return [part.strip() for part in (FOLDER / f"{name}.sql").read_text("utf-8").split(";\n") if part.strip()]


def upgrade() -> None:
    for statement in _statements():
        op.get_bind().exec_driver_sql(statement)


def downgrade() -> None:
    # Indexes go with their tables. The last tables refer to the first.
    tables = [found[1] for part in _statements() if (found := re.match(r"CREATE TABLE (\w+)", part))]
    for table in reversed(tables):
        op.drop_table(table)
