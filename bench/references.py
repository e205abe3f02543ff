"""The reference servers: the same work without the product around it.

`python -m bench.references page PORT FILE`: aiohttp-bytes, an aiohttp + uvloop handler that returns the finished page.
`python -m bench.references post PORT`: post-mem, a visit read and validated by the host's code, without a queue.
`python -m bench.references plain PORT`: post-plain, a visit read by orjson and checked by hand, without a queue.
"""

import contextlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import orjson
import uvloop
from aiohttp import web

from bench.processes import ROOT, Side, Site, fetch, reference
from config.settings import Settings
from host.api.body import BODY_LIMIT, read_model
from host.api.visits import TraceLog, VisitAccepted
from host.app_keys import SETTINGS
from host.http import csrf

STATE = '<script type="application/json" id="state">'
ROOT_TAG = '<div id="root">'


def capture_page(site: Site, url: str) -> dict[str, object]:
    """The parts of a page rendered by the host: the props for React, and the bytes around its markup."""
    document = _text(fetch(site.port, url))
    data = json.loads(_text(fetch(site.port, "/data" + url)))
    head, _, rest = document.partition(ROOT_TAG)
    state, _, rest = rest.partition(STATE)[2].partition("</script>")
    old_state = json.loads(state)
    whole = json.dumps({**old_state, "props": data["props"], "deferred": []}, ensure_ascii=False, separators=(",", ":"))
    entry = rest.partition("</script>")[0] + "</script>"
    tail = "</div>" + STATE + whole.replace("<", "\\u003c") + "</script>" + entry + "</body></html>\n"
    return {"url": url, "site": old_state["site"], "data": data, "head": head + ROOT_TAG, "tail": tail}


def _text(answer: bytes) -> str:
    return unchunked(answer).decode()


def unchunked(answer: bytes) -> bytes:
    """The body of a response, its chunks joined."""
    head, _, body = answer.partition(b"\r\n\r\n")
    if b"transfer-encoding: chunked" in head.lower():
        rest, body = body, b""
        while rest:
            size, _, rest = rest.partition(b"\r\n")
            body, rest = body + rest[: int(size, 16)], rest[int(size, 16) + 2 :]
    return body


@contextlib.contextmanager
def node_mem(site: Site, urls: list[str]) -> Iterator[Side]:
    """Runs bench/nodeMem.tsx, built like the render worker, with the pages of a running site in memory."""
    with tempfile.TemporaryDirectory(prefix="cf-bench-") as folder:
        bundle, pages = f"{folder}/nodeMem.cjs", f"{folder}/pages.json"
        Path(pages).write_text(json.dumps([capture_page(site, url) for url in urls]))
        _build(bundle)
        node = shutil.which("node") or "node"
        with reference("node-mem", [node, bundle, "{port}", pages], urls[0]) as side:
            yield side


def _build(bundle: str) -> None:
    subprocess.run([shutil.which("node") or "node", "bench/buildReference.mjs", bundle], cwd=ROOT, check=True)


@contextlib.contextmanager
def aiohttp_bytes(port: int, url: str, encoding: str = "identity") -> Iterator[Side]:
    """Returns the page as the host at this port has compressed it."""
    with tempfile.NamedTemporaryFile(prefix="cf-bench-") as file:
        Path(file.name).write_bytes(unchunked(fetch(port, url, encoding)))
        with reference("aiohttp-bytes", _own("page", "{port}", file.name)) as side:
            yield side


@contextlib.contextmanager
def post_mem() -> Iterator[Side]:
    with reference("post-mem", _own("post", "{port}")) as side:
        yield side


@contextlib.contextmanager
def post_plain() -> Iterator[Side]:
    with reference("post-plain", _own("plain", "{port}")) as side:
        yield side


def _own(*words: str) -> list[str]:
    return [sys.executable, "-m", "bench.references", *words]


def _page_app(file: str) -> web.Application:
    page = Path(file).read_bytes()

    async def answer(_request: web.Request) -> web.Response:
        return web.Response(body=page, content_type="text/html", charset="utf-8")

    app = web.Application()
    app.router.add_get("/{tail:.*}", answer)
    return app


def _post_app(port: int) -> web.Application:
    async def answer(request: web.Request) -> web.Response:
        csrf.require_same_origin(request)
        body = await read_model(request, TraceLog)
        assert isinstance(body, TraceLog)
        accepted = VisitAccepted(Status="success", EventID=body.EventID or uuid4())
        text = accepted.model_dump_json(by_alias=True).encode()
        return web.Response(body=text, status=202, content_type="application/json", charset="utf-8")

    app = web.Application(client_max_size=BODY_LIMIT)
    app[SETTINGS] = Settings.from_environment({"PORT": str(port)})
    app.router.add_post("/api/SetAAUserTraceLog", answer)
    return app


_TEXTS = ("CouponID", "SessionID", "Stunum", "SpecialCouponID", "LoginEmail", "Referrer")
_EVENT_ID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def _plain_app(port: int) -> web.Application:
    """Shares no code with the host."""
    origin = f"http://localhost:{port}"

    async def answer(request: web.Request) -> web.Response:
        if request.headers.get("Origin") != origin or request.content_type != "application/json":
            raise web.HTTPForbidden
        values = orjson.loads(await request.read())
        if not isinstance(values, dict) or not isinstance(values.get("Url"), str):
            raise web.HTTPBadRequest
        if not isinstance(values.get("AAUserID", 0), int) or not _EVENT_ID.fullmatch(values.get("EventID", "")):
            raise web.HTTPBadRequest
        if not all(isinstance(values.get(name, ""), str) for name in _TEXTS):
            raise web.HTTPBadRequest
        text = orjson.dumps({"Status": "success", "EventID": values["EventID"]})
        return web.Response(body=text, status=202, content_type="application/json", charset="utf-8")

    app = web.Application(client_max_size=4096)
    app.router.add_post("/api/SetAAUserTraceLog", answer)
    return app


if __name__ == "__main__":
    kind, port = sys.argv[1], int(sys.argv[2])
    app = _page_app(sys.argv[3]) if kind == "page" else {"post": _post_app, "plain": _plain_app}[kind](port)
    uvloop.install()
    web.run_app(app, host="127.0.0.1", port=port, access_log=None, print=None)
