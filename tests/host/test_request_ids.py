"""One id of a request in the logs of every process that works for it."""

import json
import logging
from datetime import UTC, datetime
from urllib.parse import quote, urlencode

from config import logs
from config.logs import ACCESS
from host.app_keys import SETTINGS
from host.auth.form_keys import FORM_KEYS
from host.messaging.rpc_client import RPC_CLIENT
from tests.host.pages import PAGES, replace_loader
from tests.host.signing import learner
from tests.support.servers import CeleryWorker, NodeWorker
from tests.support.waiting import until

TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736"
TRACEPARENT = f"00-{TRACE_ID}-00f067aa0ba902b7-01"


async def test_the_ssr_worker_logs_a_failed_render_under_the_id_of_its_request(open_site, node_worker, monkeypatch):
    load = PAGES["about"].load

    async def load_without_crumbs(request):
        result = await load(request)
        # The page's component needs them, the fallback page does not.
        del result.props["crumbs"]
        return result

    replace_loader(monkeypatch, "about", load_without_crumbs)
    # No other worker will be free for the second try.
    site = await open_site(node_worker.address, SSR_WAIT_MS="0")
    answer = await site.get("/about")
    request_id = answer.headers["X-Request-Id"]
    (line,) = [line for line in node_worker.log_lines() if request_id in line]
    assert f" ERROR coursefront.ssr [{request_id}] job " in line


async def test_a_request_is_followed_through_host_ssr_and_celery_by_one_id(
    open_site, redis_server, tmp_path, caplog, monkeypatch
):
    node, worker = NodeWorker(), CeleryWorker()
    caplog.handler.addFilter(logs.add_request_ids)
    caplog.set_level(logging.INFO, ACCESS)
    try:
        node.start(LOG_LEVEL="DEBUG")
        worker.start(redis_server.url, VAR_DIR=str(tmp_path), LOG_LEVEL="INFO", LOG_FORMAT="json")
        site = await open_site(node.address, REDIS_URL=redis_server.url)
        await until(lambda: site.app[RPC_CLIENT].state == "up", deadline_s=60)
        monkeypatch.setattr(site.app[RPC_CLIENT]._replies, "deadline_s", 60)
        request_id = await post_unknown_code(site)
        await until(lambda: any(request_id in line for line in worker.log_lines()))
        rendered = [line for line in node.log_lines() if f"[{request_id}]" in line]
        handled = [json.loads(line) for line in worker.log_lines() if request_id in line]
        # A ping of the host belongs to no request.
        pings = [json.loads(line) for line in worker.log_lines() if "rpc.ping" in line]
    finally:
        worker.close()
        node.close()
    assert [" rendered cart in " in line for line in rendered] == [True]
    assert {(record["request_id"], record["trace_id"]) for record in handled} == {(request_id, TRACE_ID)}
    assert any("coupons.apply_to_line" in record["message"] for record in handled)
    assert [record for record in pings if "request_id" in record] == []
    assert [record.name for record in caplog.records if vars(record).get("request_id") == request_id] == [ACCESS]


async def post_unknown_code(site):
    """The id of a request whose code a Celery task checks, and whose page Node renders for the first time."""
    ada = learner(site)
    product = await ada.add("vat-basics")
    key = site.app[FORM_KEYS].create("cart", ada.id, datetime.now(UTC))
    token = quote(json.dumps({"accessToken": ada.token, "user": {}}))
    headers = {
        "Content-Type": "application/x-www-form-urlencoded",
        "Cookie": f"userInfo={token}; {ada.cookie['Cookie']}",
        "Origin": site.app[SETTINGS].site_origin,
        "traceparent": TRACEPARENT,
    }
    body = urlencode({"do": "code", "key": key, "id": product, "code": "NOSUCHCODE"})
    async with site.client.post("/cart", data=body, headers=headers) as answer:
        assert (answer.status, "NOSUCHCODE" in await answer.text()) == (422, True)
        return answer.headers["X-Request-Id"]
