"""C3: what it costs the host to accept an event of the payment gateway, compared with event-floor: a bare aiohttp
server that verifies the signature and stores the event's id with one INSERT and one commit.

`python -m bench.selling.webhooks PORT DATABASE` runs event-floor with a new file of SQLite, or a URL of MariaDB.
"""

import hmac
import json
import sys
import tempfile
from pathlib import Path

import uvloop
from aiohttp import web

from bench.client import Load
from bench.comparison import ResultLine, compare, cpu_ms, measure_alternately
from bench.measured_database import CHOSEN, database_settings
from bench.processes import reference, site
from bench.selling.floor_database import FloorDatabase
from tests.support.servers import new_schema

SECRET = "whsec_bench_secret"
PATH = "/webhooks/payments"
FLOOR = [sys.executable, "-m", "bench.selling.webhooks"]
REQUESTS = 500
# Nobody answers there: an event is stored without a call, and the worker pauses its rows.
NOWHERE = "http://127.0.0.1:9"
SETTINGS = {
    "LIMITS": "off",
    # Commits wait for a disk that is shared: no event is to be refused for that.
    "DATABASE_DEADLINE_MS": "20000",
    "OIDC_ISSUER": NOWHERE,
    "SMTP_URL": "smtp://127.0.0.1:9",
    "PAYMENTS_API_BASE": NOWHERE,
    "PAYMENTS_KEY": "sk_test_bench",
    "PAYMENTS_WEBHOOK_SECRETS": SECRET,
}
EVENT = {"id": "evt_{uuid}", "object": "event", "type": "checkout.session.completed", "created": 1_770_000_000}
# As long as a real one.
BODY = json.dumps({**EVENT, "data": {"object": {"id": "cs_{uuid}", "object": "checkout.session", "note": "x" * 2_000}}})


def c3() -> list[ResultLine]:
    with (
        tempfile.TemporaryDirectory(prefix="cf-bench-") as folder,
        database_settings() as database,
        site("host", **SETTINGS, **database) as running_site,
        reference("event-floor", [*FLOOR, "{port}", _floor_address(database, Path(folder))]) as floor,
    ):
        load = Load(floor.port, PATH, REQUESTS, concurrency=4, body=BODY, secret=SECRET)
        sides = [running_site.process_group("host"), floor]
        ours, theirs = (cpu_ms(turns) for turns in measure_alternately(sides, load, warm_up_requests=200))
    figure, floor_figure = (ours, f"{ours:.2f} ms"), (theirs, f"{theirs:.2f} ms event-floor")
    return [compare("C3", f"a webhook accepted, host CPU{CHOSEN.suffix}", 2.5, figure, floor_figure)]


def _floor_address(settings: dict[str, str], folder: Path) -> str:
    """The address of the floor's own database: a file, or a schema of the product's server."""
    url = settings.get("DATABASE_URL")
    return str(folder / "floor.db") if url is None else new_schema(url.rpartition("/")[0])


def _floor(address: str) -> web.Application:
    """As durable as the product's database."""
    database = FloorDatabase(address)
    key = "BIGINT AUTO_INCREMENT" if database.is_mariadb else "INTEGER"
    columns = "event_id VARCHAR(255) UNIQUE, type TEXT, object_id TEXT"
    database.execute(f"CREATE TABLE events (id {key} PRIMARY KEY, {columns})")

    async def receive(request: web.Request) -> web.Response:
        body = await request.read()
        time, _, digest = request.headers["Stripe-Signature"].partition(",v1=")
        signed = f"{time.removeprefix('t=')}.".encode() + body
        if not hmac.compare_digest(hmac.new(SECRET.encode(), signed, "sha256").hexdigest(), digest):
            raise web.HTTPBadRequest
        event = json.loads(body)
        row = (event["id"], event["type"], event["data"]["object"]["id"])
        database.execute("INSERT INTO events (event_id, type, object_id) VALUES (?, ?, ?)", row)
        return web.Response()

    app = web.Application()
    app.router.add_post(PATH, receive)
    return app


if __name__ == "__main__":
    uvloop.install()
    web.run_app(_floor(sys.argv[2]), host="127.0.0.1", port=int(sys.argv[1]), access_log=None, print=None)
