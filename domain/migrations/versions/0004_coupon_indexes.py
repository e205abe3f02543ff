"""Indexes for the release of expired reservations and for the special offer."""

from alembic import op

revision = "0004_coupon_indexes"
down_revision = "0003_visit_referral"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_coupon_uses_state_expires_at", "coupon_uses", ["state", "expires_at"])
    op.create_index("ix_coupons_special_offer", "coupons", ["is_special", "state", "organisation_id"])
    op.drop_index("ix_coupons_special", "coupons")


def downgrade() -> None:
    op.create_index("ix_coupons_special", "coupons", ["is_special", "state"])
    op.drop_index("ix_coupons_special_offer", "coupons")
    op.drop_index("ix_coupon_uses_state_expires_at", "coupon_uses")
