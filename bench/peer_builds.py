"""Builds and runs the peers: `bench/peers/*.jsx` with packages from the registry, in var/peers (never committed).

Each gets the data, style sheet, fonts and pictures that a running site of ours serves, and sends them as its own server
does. What a peer is built of is exact, but for the packages that these depend on.
"""

import contextlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.processes import ROOT, Side, Site, fetch, run_process, wait_until
from bench.references import STATE, unchunked
from tests.support.servers import free_port

SOURCES = ROOT / "bench" / "peers"
FOLDER = ROOT / "var" / "peers"
REACT = ("react@19.3.1", "react-dom@19.3.1")
INSTALL_S = 600
PICTURES = re.compile(r'src="(/(?:pictures|static/images)/[^"]+)"')


@dataclass(frozen=True)
class Peer:
    """`places`: file of the app -> our source. `texts`: file -> what is in it. `start`: its command."""

    name: str
    packages: tuple[str, ...]
    places: dict[str, str]
    texts: dict[str, str]
    build: tuple[str, ...]
    start: tuple[str, ...]
    public: str = "public"


_SHARED = ("Catalogue.jsx", "Interactive.jsx")
NEXT = Peer(
    "next",
    ("next@16.4.6", *REACT),
    {
        "app/layout.jsx": "nextLayout.jsx",
        "app/shop/page.jsx": "nextShop.jsx",
        **{f"app/shop/{name}": name for name in _SHARED},
    },
    # Without it Next takes the folder of our own package-lock.json for its root.
    {"next.config.mjs": "export default { turbopack: { root: import.meta.dirname } };\n"},
    ("next", "build"),
    ("next", "start", "--hostname", "127.0.0.1", "--port", "{port}"),
)
ROUTER = Peer(
    "router",
    (
        *REACT,
        *(f"{name}@7.18.4" for name in ("react-router", "@react-router/node", "@react-router/serve")),
        "@react-router/dev@7.18.4",
        "vite@7.3.8",
        "isbot@5.2.3",
    ),
    {
        "app/root.jsx": "routerRoot.jsx",
        "app/routerShop.jsx": "routerShop.jsx",
        **{f"app/{name}": name for name in _SHARED},
    },
    {
        "app/routes.js": "import { route } from '@react-router/dev/routes';\n"
        "export default [route('shop', 'routerShop.jsx')];\n",
        "vite.config.js": "import { reactRouter } from '@react-router/dev/vite';\n"
        "export default { plugins: [reactRouter()] };\n",
    },
    ("react-router", "build"),
    ("react-router-serve", "build/server/index.js"),
)
PEERS = (NEXT, ROUTER)


@contextlib.contextmanager
def peer(chosen: Peer, ours: Site) -> Iterator[Side]:
    """A running peer. Raises CalledProcessError when its packages cannot be installed or it cannot be built."""
    folder = FOLDER / chosen.name
    _install(chosen, folder)
    _lay_out(chosen, folder, ours)
    binaries = folder / "node_modules" / ".bin"
    environment = {"NODE_ENV": "production", "NEXT_TELEMETRY_DISABLED": "1"}
    build = [str(binaries / chosen.build[0]), *chosen.build[1:]]
    subprocess.run(build, cwd=folder, env={**os.environ, **environment}, check=True, stdout=subprocess.DEVNULL)
    port = free_port()
    command = ["env", "-C", str(folder), str(binaries / chosen.start[0]), *chosen.start[1:]]
    settings = {**environment, "PORT": str(port), "HOST": "127.0.0.1"}
    with run_process([word.replace("{port}", str(port)) for word in command], settings) as child:
        wait_until(lambda: b"card__picture" in fetch(port, "/shop"), f"a page of {chosen.name}")
        yield Side(chosen.name, port, lambda: [child.pid])


def _install(chosen: Peer, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    mark = folder / "installed.json"
    if mark.is_file() and json.loads(mark.read_text()) == list(chosen.packages):
        return
    (folder / "package.json").write_text('{ "private": true, "type": "module" }\n')
    npm = shutil.which("npm") or "npm"
    words = [npm, "install", "--silent", "--no-audit", "--no-fund", *chosen.packages]
    subprocess.run(words, cwd=folder, check=True, timeout=INSTALL_S)
    mark.write_text(json.dumps(chosen.packages))


def _lay_out(chosen: Peer, folder: Path, ours: Site) -> None:
    for place, source in chosen.places.items():
        _write(folder / place, (SOURCES / source).read_bytes())
    for place, text in chosen.texts.items():
        _write(folder / place, text.encode())
    document = unchunked(fetch(ours.port, "/shop")).decode()
    page = json.loads(unchunked(fetch(ours.port, "/data/shop")))
    site = json.loads(document.partition(STATE)[2].partition("</script>")[0])["site"]
    assets = json.loads((ROOT / "static/dist/assets.json").read_text())
    known = {"data": page["props"], "title": page["head"]["title"], "site": site}
    _write(folder / "page.json", json.dumps({**known, "css": assets["css"], "fonts": assets["fonts"]}).encode())
    for address in (*assets["css"], *assets["fonts"]):
        _write(folder / chosen.public / address.lstrip("/"), (ROOT / address.lstrip("/")).read_bytes())
    for address in set(PICTURES.findall(document)):
        _write(folder / chosen.public / address.lstrip("/"), unchunked(fetch(ours.port, address)))


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
