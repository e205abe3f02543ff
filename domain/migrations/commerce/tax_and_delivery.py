"""Tax rates, delivery zones and their rates."""

import sqlalchemy as sa

from domain.migrations.columns import KEY, create_table, optional, required

TABLES = ("tax_rates", "delivery_zones", "delivery_places", "delivery_rates")


def create() -> None:
    _tax_rates()
    _delivery_zones()
    _delivery_places()
    _delivery_rates()


def _tax_rates() -> None:
    create_table(
        "tax_rates",
        required("id", KEY, primary_key=True),
        required("country", sa.String(2)),
        required("region", sa.String(10)),
        required("tax_class", sa.String(10)),
        required("label", sa.String(60)),
        required("percent", sa.Numeric(6, 3)),
        required("starts_on", sa.Date()),
        optional("ends_on", sa.Date()),
        sa.CheckConstraint("percent >= 0 AND percent <= 100", name="percent"),
        sa.CheckConstraint(
            "tax_class IN ('service', 'ebook', 'book', 'voucher', 'goods', 'delivery')", name="tax_class"
        ),
        sa.Index("ix_tax_rates_place", "country", "region", "tax_class", "starts_on"),
    )


def _delivery_zones() -> None:
    create_table(
        "delivery_zones",
        required("id", KEY, primary_key=True),
        required("name", sa.String(100)),
        required("position", sa.Integer()),
    )


def _delivery_places() -> None:
    create_table(
        "delivery_places",
        required("id", KEY, primary_key=True),
        required("zone_id", KEY, sa.ForeignKey("delivery_zones.id", ondelete="CASCADE"), index=True),
        required("country", sa.String(2)),
        required("region", sa.String(10)),
        sa.Index("ix_delivery_places_country_region", "country", "region"),
    )


def _delivery_rates() -> None:
    create_table(
        "delivery_rates",
        required("id", KEY, primary_key=True),
        required("zone_id", KEY, sa.ForeignKey("delivery_zones.id", ondelete="CASCADE")),
        required("service", sa.String(60)),
        required("from_g", sa.Integer()),
        optional("to_g", sa.Integer()),
        required("price_minor", sa.BigInteger()),
        optional("free_from_minor", sa.BigInteger()),
        required("days_min", sa.Integer()),
        required("days_max", sa.Integer()),
        required("starts_on", sa.Date()),
        optional("ends_on", sa.Date()),
        sa.CheckConstraint("price_minor >= 0 AND from_g >= 0 AND days_min <= days_max", name="values"),
        sa.Index("ix_delivery_rates_zone_id_service", "zone_id", "service"),
    )
