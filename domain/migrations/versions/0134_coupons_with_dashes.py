"""Coupons whose stored code has a dash are found again: a code is compared with a hyphen in place of every dash, since
domain/typed_codes.py reads codes so."""

import logging

import sqlalchemy as sa
from alembic import op

revision = "0134_coupons_with_dashes"
down_revision = "0133_orders_of_products"
branch_labels = None
depends_on = None

log = logging.getLogger("coursefront.migrations")

_DASHES = dict.fromkeys((*range(0x2010, 0x2016), 0x2212), "-")
_COUPONS = sa.table("coupons", sa.column("id", sa.BigInteger), sa.column("code", sa.String))


def upgrade() -> None:
    connection = op.get_bind()
    has_dash = sa.or_(*(_COUPONS.c.code.contains(chr(dash)) for dash in _DASHES))
    found = sa.select(_COUPONS.c.id, _COUPONS.c.code).where(has_dash).order_by(_COUPONS.c.id)
    for coupon_id, code in connection.execute(found).all():
        plain = code.translate(_DASHES)
        if connection.scalar(sa.select(_COUPONS.c.id).where(_COUPONS.c.code == plain)) is None:
            connection.execute(sa.update(_COUPONS).where(_COUPONS.c.id == coupon_id).values(code=plain))
        else:
            log.warning("coupon %d keeps its code with a dash: another coupon has it with a hyphen", coupon_id)


def downgrade() -> None:
    """The codes with a hyphen stay: builds before find them by it."""
