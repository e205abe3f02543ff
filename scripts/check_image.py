"""Checks the image without a container engine: copies the files that the Dockerfile copies, and runs them from there.

python scripts/check_image.py            everything; needs the network for pip and npm
python scripts/check_image.py --quick    files and imports alone, with the build of this checkout
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from importlib.util import cache_from_source
from pathlib import Path

ROOT = Path(__file__).parent.parent
UNCHECKED = """Not checked without a container engine: the base images and their Node and Python, RUN of the last stage
(the user, its folders, compiled modules), the health check inside the container, a read-only file system, networks,
resource limits."""
IMPORT_ALL = """
import importlib, pkgutil, sys
for layer in sys.argv[1:]:
    package = importlib.import_module(layer)
    for module in pkgutil.walk_packages(package.__path__, layer + "."):
        if not module.name.endswith(".__main__") and ".migrations." not in module.name:
            importlib.import_module(module.name)
"""


class Failed(Exception):
    """One line with what is wrong."""


def copied(dockerfile: str, stage: str) -> list[tuple[str, list[str], str]]:
    """(stage to copy from or "", sources, target) of every COPY of a stage; "" is the last one."""
    stages = re.split(r"^FROM ", dockerfile, flags=re.MULTILINE)[1:]
    named = [text for text in stages if text.splitlines()[0].endswith(f" AS {stage}")] if stage else stages[-1:]
    if not named:
        raise Failed(f"the Dockerfile has no stage {stage}")
    found = []
    for line in re.findall(r"^COPY (.+)$", named[0], re.MULTILINE):
        words = line.split()
        source = words.pop(0).removeprefix("--from=") if words[0].startswith("--from=") else ""
        found.append((source, words[:-1], words[-1]))
    return found


class Ignored:
    """.dockerignore: the last pattern that matches a path, or a folder above it, decides."""

    def __init__(self, text: str):
        lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
        self._rules = [(_expression(line.lstrip("!")), not line.startswith("!")) for line in lines]

    def __contains__(self, path: str) -> bool:
        parts = path.split("/")
        names = ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
        verdicts = [verdict for rule, verdict in self._rules if any(rule.fullmatch(name) for name in names)]
        return bool(verdicts) and verdicts[-1]


def _expression(pattern: str) -> re.Pattern[str]:
    marked = re.escape(pattern).replace(r"\*\*/", "(?:.*/)?").replace(r"\*\*", ".*").replace(r"\*", "[^/]*")
    return re.compile(marked)


def files_below(path: Path) -> Iterator[Path]:
    yield from [path] if path.is_file() else (found for found in path.rglob("*") if found.is_file())


def copy_sources(dockerfile: str, stage: str, target: Path) -> None:
    """What the COPY lines of a stage take from this checkout, without what .dockerignore leaves out."""
    ignored = Ignored((ROOT / ".dockerignore").read_text())
    for source_stage, sources, place in copied(dockerfile, stage):
        for source in sources if not source_stage else []:
            if not (ROOT / source).exists():
                raise Failed(f"COPY {source}: no such file")
            names = [path.relative_to(ROOT) for path in files_below(ROOT / source)]
            taken = [name for name in names if str(name) not in ignored]
            if not taken:
                raise Failed(f"COPY {source}: .dockerignore leaves out all of it")
            for name in taken:
                inside = name.name if name == Path(source) else name.relative_to(source)
                copy_file(ROOT / name, target / place / inside)


def copy_file(source: Path, target: Path) -> None:
    """Copies a file, and a Python file with its compiled module: where the text is unchanged, the import need not
    compile it again."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, target)
    compiled = Path(cache_from_source(str(source)))
    if source.suffix == ".py" and compiled.exists():
        (target.parent / compiled.parent.name).mkdir(exist_ok=True)
        shutil.copy2(compiled, target.parent / compiled.parent.name)


def copy_built(dockerfile: str, built: Path, target: Path) -> None:
    """What the last stage takes from the stage `build`, whose folder is /src."""
    for stage, sources, place in copied(dockerfile, ""):
        for source in sources if stage == "build" else []:
            if not source.startswith("/src/"):
                continue
            path = built / source.removeprefix("/src/")
            if not path.exists():
                raise Failed(f"COPY --from=build {source}: the build does not write it")
            shutil.copytree(path, target / place, dirs_exist_ok=True)


def build(dockerfile: str, folder: Path) -> Path:
    """The stage `build` in a folder: npm ci and the build, from nothing but the copied files."""
    copy_sources(dockerfile, "build", folder)
    run(folder, "npm", "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
    run(folder, "node", "ssr/build/build.mjs")
    return folder


def run(folder: Path, *command: str, variables: Mapping[str, str] | None = None) -> None:
    ended = subprocess.run(
        command, cwd=folder, env={**os.environ, **(variables or {})}, capture_output=True, text=True, check=False
    )
    if ended.returncode:
        raise Failed(
            f"{' '.join(command)[:100]} ended with {ended.returncode}:\n{(ended.stdout + ended.stderr)[-2000:]}"
        )


def python(app: Path) -> tuple[tuple[str, ...], dict[str, str]]:
    """Python with the packages of .venv and the image's modules. -S: no .pth file may add those of this checkout."""
    packages = sysconfig.get_path("purelib")
    return (sys.executable, "-S"), {"PYTHONPATH": f"{app}{os.pathsep}{packages}", "PYTHONDONTWRITEBYTECODE": "1"}


def import_modules(dockerfile: str, app: Path) -> None:
    """Every module of every layer in the image can be imported from the image."""
    layers = [place for _, _, place in copied(dockerfile, "") if (app / place / "__init__.py").exists()]
    command, variables = python(app)
    run(app, *command, "-c", IMPORT_ALL, *layers, variables=variables)


def serve_a_page(app: Path) -> None:
    """Host and SSR worker, started from the image's files as in production, serve a page that React rendered."""
    command, variables = python(app)
    with tempfile.TemporaryDirectory(prefix="cf-") as var:
        socket, port = f"unix:{var}/ssr.sock", _free_port()
        variables |= {"APP_ENV": "production", "NODE_ENV": "production", "VAR_DIR": var, "REDIS_URL": "none"}
        variables |= {"OIDC_ISSUER": "https://id.example.org", "SECRET_KEY": "k" * 32, "PORT": str(port)}
        variables |= {"PAYMENTS_API_BASE": "https://api.example.org", "PAYMENTS_KEY": "sk_live_example"}
        variables |= {"PAYMENTS_WEBHOOK_SECRETS": "whsec_example", "SHOP_LEGAL_NAME": "Example Ltd"}
        variables |= {"CERTIFICATE_KEY": _new_key(), "OIDC_CLIENT_ID": "example", "SITE_NAME": "Example School"}
        variables |= {"SITE_TAGLINE": "Examples", "SITE_LOGO": "/static/images/logo.svg", "CURRENCY": "EUR"}
        variables |= {"SITE_EMAIL": "hello@example.org", "SHOP_COUNTRY": "DE"}
        variables |= {"SSR_URL": socket, "SSR_LISTEN": socket}
        run(app, *command, "-m", "host", "prepare", variables=variables)
        with Path(var, "log").open("wb") as log:
            started = [
                subprocess.Popen(words, cwd=app, env={**os.environ, **variables}, stdout=log, stderr=log)
                for words in (("node", "ssr/dist/server.cjs"), (*command, "-m", "host", "web"))
            ]
            try:
                _await_page(f"http://127.0.0.1:{port}/about")
            except Failed as error:
                raise Failed(f"{error}\n{Path(var, 'log').read_text()[-2000:]}") from None
            finally:
                for process in started:
                    process.terminate()
                    process.wait(20)


def _await_page(url: str, within_s: float = 60) -> None:
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:  # noqa: S310 of this machine
                if b'id="root">' in answer.read():
                    return
        except OSError:
            pass
        time.sleep(0.2)
    raise Failed(f"no rendered page at {url} within {within_s:g} s")


def _new_key() -> str:
    from joserfc.jwk import RSAKey

    return RSAKey.generate_key(2048).as_pem(private=True).decode()


def _free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def step(name: str, check: Callable[[], object]) -> None:
    print(f"== {name}", flush=True)
    check()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--dockerfile", type=Path, default=ROOT / "Dockerfile")
    options = parser.parse_args()
    dockerfile = options.dockerfile.read_text()
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--require-hashes")
    with tempfile.TemporaryDirectory(prefix="cf-image-") as folder:
        app, source = Path(folder, "app"), Path(folder, "src")
        try:
            if not options.quick:
                step("Node packages and build, from the copied files", lambda: build(dockerfile, source))
                for lock in ("requirements.lock", "requirements-otel.lock"):
                    step(f"Python packages of {lock}, with hashes", lambda lock=lock: run(ROOT, *pip, "-r", lock))
            step("files that COPY names", lambda: copy_sources(dockerfile, "", app))
            step("files of the build", lambda: copy_built(dockerfile, ROOT if options.quick else source, app))
            step("every module imports from the image's files", lambda: import_modules(dockerfile, app))
            if not options.quick:
                step("host and SSR worker serve a page from the image's files", lambda: serve_a_page(app))
        except Failed as error:
            print(error, file=sys.stderr)
            return 1
    print(UNCHECKED)
    return 0


if __name__ == "__main__":
    sys.exit(main())
