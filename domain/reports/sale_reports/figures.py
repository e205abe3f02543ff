"""The figures of reports of money. What each means, a file of definitions/ says for each report."""

from collections.abc import Mapping
from pathlib import Path

from domain.reports.visit_reports.figures import Figure, sum_of

DEFINITIONS = Path(__file__).parent / "definitions"
GROUP = "Sales"


def _table(*figures: Figure) -> Mapping[str, Figure]:
    return {figure.key: figure for figure in figures}


SESSIONS = Figure("sessions", "Sessions", "count", sum_of("sessions"))
ORDERS = Figure("orders", "Paid orders", "count", sum_of("orders"), "Orders")
NET = Figure("net", "Net", "money", sum_of("net_minor"))
REFUNDED = Figure("refunded", "Refunded of these sales", "money", sum_of("refunded_minor"), "Refunded")
RETURNED = Figure("returned", "Refunded in this period", "money", sum_of("returned_minor"))
PRODUCT_FIGURES = _table(
    Figure("views", "Views", "count", sum_of("views")),
    Figure("sessions", "Sessions that saw it", "count", sum_of("sessions"), "Sessions"),
    ORDERS,
    Figure("units", "Units sold", "count", sum_of("units"), "Units"),
    NET,
    REFUNDED,
    RETURNED,
    Figure("lookToBuy", "Look to buy", "percent", sum_of("look_to_buy")),
)
COUPON_FIGURES = _table(
    SESSIONS,
    Figure("carts", "Sessions with a cart", "count", sum_of("carts"), "Carts"),
    ORDERS,
    Figure("gross", "Gross", "money", sum_of("gross_minor")),
    Figure("discount", "Discount", "money", sum_of("discount_minor")),
    REFUNDED,
    NET,
    Figure("newLearners", "New learners", "percent", sum_of("new_learners")),
)
REFERRAL_FIGURES = _table(
    SESSIONS,
    ORDERS,
    NET,
    Figure("ownOrders", "Own orders", "count", sum_of("own_orders")),
    Figure("ownNet", "Own net", "money", sum_of("own_net_minor")),
)
STEPS: Mapping[str, str] = {
    "sessions": "Visit",
    "products": "Product",
    "carts": "Cart",
    "checkouts": "Checkout",
    "orders": "Order",
    "payments": "Payment",
}
FUNNEL_FIGURES = _table(
    SESSIONS,
    Figure("products", "Saw a product", "count", sum_of("products"), "Product"),
    Figure("carts", "Opened the cart", "count", sum_of("carts"), "Cart"),
    Figure("checkouts", "Went to the checkout", "count", sum_of("checkouts"), "Checkout"),
    Figure("orders", "Ordered", "count", sum_of("orders"), "Order"),
    Figure("payments", "Paid", "count", sum_of("payments")),
    Figure("conversion", "Conversion", "percent", sum_of("conversion")),
    Figure("ofAll", "Share of all sessions", "percent", sum_of("of_all"), "Of all"),
    Figure("lost", "Lost since the step before", "count", sum_of("lost"), "Lost"),
    Figure("lossRate", "Loss of the step", "percent", sum_of("loss_rate"), "Loss"),
)
# Months, or weeks, after that of the first order.
CELLS = 12
CELL_KEYS = tuple(f"after{number}" for number in range(1, CELLS + 1))
COHORT_FIGURES = _table(
    Figure("learners", "New buyers", "count", sum_of("learners")),
    Figure("bought", "Bought again", "percent", sum_of("bought")),
    Figure("netEach", "Net per buyer so far", "money", sum_of("net_each"), "Net each"),
    *(
        Figure(key, f"Bought in period {number}", "percent", sum_of(key), f"+{number}", is_shaded=True)
        for number, key in enumerate(CELL_KEYS, 1)
    ),
)
