"""Prices, states, coupons, refunds and roles are changed at one place each; commands change nothing unrecorded."""

import re

import pytest

from tests.architecture.sources import code, finds, sources

# What is written -> how that reads, and the only files that do it.
WRITERS = {
    "rows of prices": (r"\bPriceChange\(|\b(?:insert|update|delete)\(PriceChange\b", {"domain/publishing/prices.py"}),
    "prices of a product": (
        r"\w\.(?:list_price|sale_price|sale_from|sale_until)(?: = |, \w+\.\w+ = )",
        {"domain/publishing/prices.py"},
    ),
    # The state is one of the columns of a record, which only the writer puts.
    "products": (
        r"\b(?:insert|delete)\((?:Product|PRODUCTS)\b",
        {"domain/publishing/writer.py"},
    ),
    "coupons": (
        r"\bCoupon\(|\b(?:insert|update|delete)\(Coupon\b",
        {"domain/coupons/create.py", "domain/coupons/leaks/alarms.py"},
    ),
    "the state of a coupon": (r"\bcoupon\.state = |, coupon\.state = ", {"domain/coupons/changes.py"}),
    # Functions without an event or a limit, which only those call that have them.
    "a price by its rules": (
        r"\b(?:publishing_)?prices\.change_price\(",
        {"domain/publishing/editing/price_history.py"},
    ),
    "a refund by its rules": (
        r"\bby_staff\.(?:refund_order|approve_request|decline_request|pay_failed_manually)\(",
        {"domain/orders/by_command.py", "domain/orders/refunds/decisions.py", "domain/orders/refunds/staff_refunds.py"},
    ),
    "refunds": (r"\bRefund\(|\b(?:insert|update|delete)\(Refund\b", {"domain/orders/refunds/refund_rows.py"}),
    # What no form of a person or command decides; all others record with `write_as`.
    "events beside write_as": (
        r"\brecording\.append\(",
        {
            "domain/account/anonymise.py",
            "domain/identity/sign_in.py",
            "domain/organisations/people_file/job.py",
            "domain/staff/roles.py",
        },
    ),
    "tax rates": (r"\bTaxRate\(|\b(?:insert|update|delete)\(TaxRate\b", {"domain/rates/tax_rates.py"}),
    "delivery rates": (
        r"\bDelivery(?:Rate|Zone)\(|\b(?:insert|update|delete)\(Delivery(?:Rate|Zone)\b",
        {"domain/rates/delivery_rates.py"},
    ),
    "roles of staff": (r"\bStaffRole\(|\b(?:insert|update|delete)\(StaffRole\b", {"domain/staff/roles.py"}),
}
# The shop that development begins with, and descriptions of tables.
_OUTSIDE = ("domain/seed/", "domain/tables/", "domain/migrations/", "host/cli/dev/")
# They compute what follows from other rows: nobody decides anything. An import records in the domain.
UNRECORDED_COMMANDS = {
    "host/cli/care/backup.py",
    "host/cli/crawlers.py",
    "host/cli/import_catalogue.py",
    "host/cli/learning/recount.py",
    "host/cli/prepare.py",
    "host/cli/reindex.py",
    "host/cli/visit_days/erase.py",
}


def product_files() -> dict[str, str]:
    layers = ("domain/", "host/", "adapters/", "workers/")
    return {name: text for name, text in sources().items() if name.startswith(layers) and not name.startswith(_OUTSIDE)}


@pytest.mark.parametrize("what", WRITERS)
def test_each_is_written_at_one_place(what):
    pattern, writers = WRITERS[what]
    found = {name for name, text in product_files().items() if finds(re.compile(pattern), text)}
    assert found == writers


def test_a_second_writer_would_be_found():
    """A negative control: the patterns match what such a writer would be."""
    lines = {
        "rows of prices": "session.add(PriceChange(product_id=1))",
        "prices of a product": "product.list_price = Decimal(1)",
        "products": "session.execute(delete(Product))",
        "coupons": "session.execute(update(Coupon).values(state='active'))",
        "the state of a coupon": "coupon.state = 'active'",
        "delivery rates": "session.add(DeliveryZone(name='DE'))",
        "tax rates": "session.add(TaxRate(country='DE'))",
        "a price by its rules": "prices.change_price(session, 'vat')",
        "a refund by its rules": "by_staff.refund_order(session, ref)",
        "refunds": "session.add(Refund(order_id=1))",
        "events beside write_as": "recording.append(session, actor, [event])",
        "roles of staff": "session.execute(delete(StaffRole))",
    }
    assert {what for what, (pattern, _) in WRITERS.items() if finds(re.compile(pattern), lines[what])} == set(WRITERS)


def test_commands_write_with_an_event():
    unrecorded = re.compile(r"\bwrite_session\b|\bwrite_sync\(")
    commands = {name: text for name, text in product_files().items() if name.startswith("host/cli/")}
    assert {name for name, text in commands.items() if unrecorded.search(code(text))} == UNRECORDED_COMMANDS
