"""The migration that fills in the lowest price before each sale, up and down, on both databases."""

from sqlalchemy import text

from domain.database.database import Database
from domain.migrations import runner

BEFORE = "0055_known_addresses"
PRODUCT = (
    "INSERT INTO products (id, kind, slug, name, subtitle, category_id, list_price, sale_price, image, image_width, "
    "image_height, image_alt, rating_count, enrolled, popularity, featured, status, published_at, updated_at) VALUES "
    "(:id, 'course', :slug, :slug, '', 1, :price * :unit, :sale * :unit, '', 8, 5, '', 0, 0, 0, 0, 'published', "
    "'2026-01-01 12:00:00', '2026-03-01 12:00:00')"
)
CHANGE = (
    "INSERT INTO price_changes (product_id, changed_at, starts_at, applied_at, list_price, sale_price, reason) VALUES "
    "(1, :at, :at, :at, :price * :unit, :sale * :unit, '')"
)


def test_products_on_sale_get_the_lowest_price_of_the_thirty_days_before(bare: Database):
    runner.upgrade(bare.engine, BEFORE)
    # SQLite stores thousandths.
    unit = 1000 if bare.engine.dialect.name == "sqlite" else 1
    with bare.engine.begin() as connection:
        connection.execute(
            text("INSERT INTO categories (id, slug, name, description, position) VALUES (1, 't', 'T', '', 0)")
        )
        for key, sale in ((1, 50), (2, None), (3, 40)):
            row = {"id": key, "slug": f"course-{key}", "price": 100, "sale": sale, "unit": unit}
            connection.execute(text(PRODUCT), row)
        for day, price, sale in (("01-01", 30, None), ("02-20", 80, None), ("02-25", 100, None), ("03-01", 100, 50)):
            at = f"2026-{day} 12:00:00"
            connection.execute(text(CHANGE), {"at": at, "price": price, "sale": sale, "unit": unit})
    runner.upgrade(bare.engine)
    with bare.engine.connect() as connection:
        found = connection.execute(text("SELECT id, lowest_before FROM products ORDER BY id")).all()
    assert [tuple(row) for row in found] == [(1, 30 * unit), (2, None), (3, 100 * unit)]
    runner.migrate(bare.engine, BEFORE)
