"""Files that organisations send: lists of people, and logos."""

from alembic import op

revision = "0033_upload_purposes"
down_revision = "0032_lookup_keys"
branch_labels = None
depends_on = None

NAME = "ck_uploads_purpose"


def upgrade() -> None:
    _allow("'import', 'image', 'lesson', 'members', 'logo'")


def downgrade() -> None:
    # They are on their way to somewhere, and expire within a day.
    op.execute("DELETE FROM uploads WHERE purpose IN ('members', 'logo')")
    _allow("'import', 'image', 'lesson'")


def _allow(purposes: str) -> None:
    with op.batch_alter_table("uploads") as uploads:
        uploads.drop_constraint(op.f(NAME), type_="check")
        uploads.create_check_constraint(op.f(NAME), f"purpose IN ({purposes})")
