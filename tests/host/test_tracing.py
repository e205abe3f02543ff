"""Traces go to a collector when one is set; without one nothing of it runs."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from adapters import telemetry
from config.environment import SettingError
from config.settings import ROOT, Settings
from config.worker_settings import WorkerSettings
from domain.database.database import Database
from host.messaging.rpc_client import RPC_CLIENT
from host.rendering.ssr_client import SSR_CLIENT, SsrClient
from tests.conftest import missing
from tests.support.servers import CeleryWorker
from tests.support.waiting import until

if TYPE_CHECKING:
    from tests.support.collector import Collector

TRACE, CALLER = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
HEADERS = {"traceparent": f"00-{TRACE}-{CALLER}-01"}


OTEL = ROOT / ".venv" / "otel"


@pytest.fixture
def collected(monkeypatch) -> Iterator["Collector"]:
    """A collector that this process and those that it starts send their spans to."""
    if not OTEL.exists():
        missing("OpenTelemetry (scripts/setup test)")
    # At the end: of packages that both have, those of the environment count.
    monkeypatch.setattr(sys, "path", [*sys.path, str(OTEL)])
    monkeypatch.setenv("PYTHONPATH", str(OTEL))
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "50")
    from tests.support.collector import collector

    with collector() as running:
        telemetry.enable("coursefront-host", running.url)
        yield running
        telemetry.disable()


async def test_a_page_is_a_trace_of_its_reads_and_its_render(collected, open_site, start_renderer):
    site = await open_site((await start_renderer()).address)
    async with site.client.get("/shop?page=2", headers=HEADERS) as answer:
        request_id = answer.headers["X-Request-Id"]
        await answer.read()
    await until(lambda: "GET page" in collected.of(TRACE))
    spans = collected.of(TRACE)
    page, render = spans["GET page"], spans["render"]
    assert (page.parent, page.service) == (CALLER, "coursefront-host")
    assert page.attributes == {
        "http.request.method": "GET",
        "url.path": "/shop",
        "coursefront.request-id": request_id,
        "http.response.status_code": "200",
    }
    assert (render.parent, render.attributes["url.path"]) == (page.id, "/shop")
    reads = [span for name, span in spans.items() if name.startswith("read ")]
    assert reads
    assert {span.parent for span in reads} == {page.id}
    assert all(set(span.attributes) == {"db.system.name"} for span in reads)


async def test_a_call_is_one_trace_through_redis_worker_and_database(
    collected, open_site, redis_server, tmp_path, monkeypatch
):
    site = await open_site(REDIS_URL=redis_server.url)
    worker = CeleryWorker()
    endpoint = {"OTEL_EXPORTER_OTLP_ENDPOINT": collected.url}
    worker.start(redis_server.url, pool="prefork", VAR_DIR=str(tmp_path), **endpoint)
    try:
        await until(lambda: site.app[RPC_CLIENT].state == "up", deadline_s=60)
        monkeypatch.setattr(site.app[RPC_CLIENT]._replies, "deadline_s", 60)
        async with site.client.post("/api/getcoupondetail", json={"coupon": "SPRING"}, headers=HEADERS) as answer:
            assert answer.status == 200
        await until(lambda: {"POST call", "run coupons.describe", "read"} <= collected.of(TRACE).keys())
    finally:
        worker.close()
    spans = collected.of(TRACE)
    parents = [spans[name].parent for name in ("read", "run coupons.describe", "call coupons.describe", "POST call")]
    ids = [spans[name].id for name in ("run coupons.describe", "call coupons.describe", "POST call")]
    assert parents == [*ids, CALLER]
    assert (spans["read"].service, spans["run coupons.describe"].attributes["coursefront.outcome"]) == (
        "coursefront-worker",
        "success",
    )
    assert "SPRING" not in str(collected.spans)


async def test_a_redirect_is_no_error_and_a_failure_names_only_its_class(collected, open_site):
    site = await open_site()
    async with site.client.get("/shop/", headers=HEADERS, allow_redirects=False) as answer:
        await answer.read()
        assert answer.status == 301
    with pytest.raises(ValueError, match="secret"), telemetry.span("fails"):
        raise ValueError("secret")
    await until(lambda: {"GET page", "fails"} <= {span.name for span in collected.spans})
    by_name = {span.name: span for span in collected.spans}
    assert not by_name["GET page"].is_error
    assert by_name["fails"].is_error
    assert by_name["fails"].attributes == {"error.type": "ValueError"}


async def test_without_the_setting_a_request_passes_no_tracing_code(open_site, start_renderer):
    site = await open_site((await start_renderer()).address)
    assert [middleware.__name__ for middleware in site.app.middlewares] == ["access_log", "problem_middleware"]
    assert (type(site.db), type(site.app[SSR_CLIENT])) == (Database, SsrClient)
    assert telemetry.span("anything") is telemetry.span("else")


@pytest.mark.parametrize("settings", [Settings, WorkerSettings])
def test_a_collector_without_the_package_ends_the_start_with_a_sentence(monkeypatch, settings):
    monkeypatch.setattr("config.environment.find_spec", lambda _name: None)
    with pytest.raises(SettingError, match=r"OpenTelemetry is not installed: pip install .*requirements-otel\.lock"):
        settings.from_environment({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"})
