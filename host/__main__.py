"""`python -m host [command]`: serve by default."""

import argparse
import gc
import os
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

# Command -> (module, what it is for). Each module has add_arguments(parser) and run(args, settings) -> exit status.
COMMANDS = {
    "serve": ("host.commands.serve", "the whole site on this machine (default)"),
    "web": ("host.commands.web", "one host process; everything else runs elsewhere"),
    "prepare": ("host.commands.prepare", "bring the records to today's form; fill an empty development shop"),
    "import": ("host.commands.import_catalogue", "courses or items from a CSV or JSON file"),
    "reindex": ("host.commands.reindex", "make the search index anew"),
    "price": ("host.commands.price", "change a price"),
    "coupons": ("host.commands.coupons", "make, list, pause and export coupons"),
    "visits": ("host.commands.visits", "the last visits as a table"),
    "searches": ("host.commands.searches", "what people searched for and whether they found it"),
    "seo-audit": ("host.commands.seo_audit", "hold the running site to the SEO contract"),
    "index-now": ("host.commands.index_now", "tell search engines which pages changed"),
    "dev": ("host.commands.dev", "development helpers beside a running site"),
}


def main() -> int:
    _use_own_environment()
    # What modules make stands for good: looking for garbage in it is a fifth of a start, and finds none.
    gc.disable()
    from host.settings import SettingError, Settings

    parser = argparse.ArgumentParser(prog="python -m host", description=__doc__)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    wanted = next((word for word in sys.argv[1:] if not word.startswith("-")), "serve")
    run: Callable[[argparse.Namespace, Settings], int] | None = None
    for name, (module, about) in COMMANDS.items():
        sub = commands.add_parser(name, help=about, description=about)
        if name == wanted:
            command = import_module(module)
            command.add_arguments(sub)
            run = command.run
    args = parser.parse_args(sys.argv[1:] or ["serve"])
    try:
        settings = Settings.from_environment()
    except SettingError as error:
        print(f"Coursefront cannot start: {error}", file=sys.stderr)
        return 2
    if run is None:
        parser.error(f"there is no command {wanted}")
    gc.freeze()
    gc.enable()
    return run(args, settings)


def _use_own_environment() -> None:
    """Called by another Python than the one scripts/run set up: go on with that one."""
    own = Path(__file__).parent.parent / ".venv" / "bin" / "python"
    if find_spec("aiohttp") is None and own.exists() and Path(sys.executable).resolve() != own.resolve():
        os.execv(own, [str(own), "-m", "host", *sys.argv[1:]])  # noqa: S606 our own interpreter


if __name__ == "__main__":
    sys.exit(main())
