"""What must agree with the orders of a site besides charges and rows: the gateway's books, prices computed again, and
the mails."""

import contextlib
import io
from argparse import Namespace

from adapters.payments.reconciling import DAILY
from config.settings import Settings
from domain.database.database import Database, database_url
from domain.orders.explanation.explain import explain
from host.cli.orders import reconcile
from tests.support.site import Site

BOUGHT = (
    "SELECT DISTINCT o.code FROM orders o JOIN payments p ON p.order_id = o.id"
    " WHERE p.gateway = 'stripe' AND o.state = 'paid'"
)
# Every paid order was confirmed once. A mail that the server accepted before its sender was killed is sent again.
UNCONFIRMED = f"{BOUGHT} AND NOT EXISTS (SELECT 1 FROM order_events e WHERE e.order_id = o.id AND e.kind = 'mail_sent')"


def book_differences(site: Site, *codes: str) -> list[str]:
    """What `orders reconcile` and `orders explain` report, in words; [] when they report nothing. `codes`: of some
    orders alone, where others are being paid."""
    settings = Settings.from_environment(site.environment)
    database = Database(database_url(settings.database, settings.var_dir), busy_ms=30_000)
    try:
        wrong = [] if codes else _gateway_differences(database, settings)
        for code in codes or [code for (code,) in site.query(BOUGHT)]:
            with database.read_session() as session:
                wrong += [f"{code}: {difference}" for difference in explain(session, code).differences]
    finally:
        database.engine.dispose()
    return wrong


def _gateway_differences(database: Database, settings: Settings) -> list[str]:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        status = reconcile.run(Namespace(since=DAILY, dry_run=True), database, settings)
    # All of it is minutes old: what waits is a difference here.
    is_right = status == 0 and "not stored here yet" not in printed.getvalue()
    return [] if is_right else [f"reconcile ends with {status}: {printed.getvalue()}"]


def unconfirmed(site: Site) -> list[str]:
    """Codes of paid orders whose buyers were sent no receipt yet."""
    return [code for (code,) in site.query(UNCONFIRMED)]
