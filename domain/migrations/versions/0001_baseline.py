"""Every table of the first release.

Builds before it numbered their migrations "0001" to "0006". A revision id therefore also carries a name, as in
"0001_baseline": no old database can be mistaken for one of this build.
"""

from alembic import op

from domain.migrations.baseline import cart, catalogue, learners, messages, search

revision = "0001_baseline"
down_revision = None
branch_labels = None
depends_on = None

# In the order of their foreign keys.
GROUPS = (catalogue, search, messages, learners, cart)


def upgrade() -> None:
    for group in GROUPS:
        group.create()


def downgrade() -> None:
    # Indexes go with their tables: MariaDB keeps an index that a foreign key needs.
    for group in reversed(GROUPS):
        for table in reversed(group.TABLES):
            op.drop_table(table)
