"""`python -m host [command]`: serve by default."""

import argparse
import gc
import os
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

# Groups of commands as --help lists them. Command -> (module, help text). Each module has add_arguments(parser) and
# run(args, settings) -> exit status.
GROUPS = {
    "run the site": {
        "serve": ("host.cli.serve", "run the whole site on this machine (default)"),
        "web": ("host.cli.web", "run one host process; all other parts run elsewhere"),
        "prepare": ("host.cli.prepare", "migrate the database; fill an empty development shop"),
    },
    "catalogue": {
        "import": ("host.cli.import_catalogue", "import courses or items from a CSV or JSON file"),
        "price": ("host.cli.price", "change a price"),
        "reindex": ("host.cli.reindex", "rebuild the search index"),
        "seo-audit": ("host.cli.seo_audit", "check the running site against the SEO contract"),
        "index-now": ("host.cli.index_now", "submit changed pages to search engines"),
    },
    "selling and learning": {
        "coupons": ("host.cli.coupons", "create, list, pause and export coupons"),
        "orders": ("host.cli.orders", "show, explain, cancel, refund, reconcile and export orders"),
        "tax-rates": ("host.cli.tax_rates", "enter and list what orders are charged as tax"),
        "delivery-rates": ("host.cli.delivery_rates", "enter and list what delivery costs"),
        "complete": ("host.cli.learning.complete", "complete a course for a learner by hand"),
        "certificates": (
            "host.cli.learning.certificates",
            "revoke certificates, and mark keys that sign them",
        ),
        "recount": ("host.cli.learning.recount", "count who has completed courses, by their present rules"),
    },
    "visits and reports": {
        "visits": ("host.cli.visits", "show visits, compute their days again, import other logs"),
        "searches": ("host.cli.searches", "show what visitors searched for and what they found"),
        "reports": ("host.cli.reports", "show what was sold, by day"),
        "attribution": ("host.cli.attribution", "make credits of orders anew, and explain those of one"),
        "crawlers": ("host.cli.crawlers", "fetch and list the address ranges of crawlers"),
    },
    "staff and care": {
        "staff": ("host.cli.staff.roles", "give and take roles of the staff"),
        "audit": ("host.cli.staff.audit", "check the record of what staff changed"),
        "outbox": ("host.cli.care.outbox", "show and replay the rows of the outbox"),
        "dead-letters": ("host.cli.care.dead_letters", "show and replay visits that could not be stored"),
        "backup": ("host.cli.care.backup", "copy database and files of a shop on SQLite while it runs"),
        "restore": ("host.cli.care.restore", "restore such a copy where there is no database"),
    },
    "development": {
        "openapi": ("host.cli.openapi", "write calls and pages as an OpenAPI document"),
        "dev": ("host.cli.dev", "inspect a running development site"),
    },
}
COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}
# What a new operator looks for and no command has.
EPILOG = """`python -m host COMMAND --help` says more, docs/commands.md all of it.
State of the running site: /healthz and /readyz; with METRICS_PORT=9464 also
/metrics for Prometheus, on that port.
Settings are environment variables (docs/settings.md)."""


def main() -> int:
    _use_own_environment()
    # Objects of modules live as long as the process: collecting takes a fifth of the start and frees nothing.
    gc.disable()
    from config.settings import SettingError, Settings
    from domain.locales import set_shop_locale

    parser = argparse.ArgumentParser(
        prog="python -m host",
        usage="%(prog)s [-h] [COMMAND] …",
        description=list_commands(),
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", prog="python -m host", help=argparse.SUPPRESS)
    requested = next((word for word in sys.argv[1:] if not word.startswith("-")), "serve")
    run: Callable[[argparse.Namespace, Settings], int] | None = None
    for name, (module, about) in COMMANDS.items():
        sub = commands.add_parser(name, description=about)
        if name == requested:
            command = import_module(module)
            command.add_arguments(sub)
            run = command.run
    args = parser.parse_args(sys.argv[1:] or ["serve"])
    try:
        settings = Settings.from_environment()
    except SettingError as error:
        print(f"Coursefront cannot start: {error}", file=sys.stderr)
        return 2
    set_shop_locale(settings.locale)
    if run is None:
        parser.error(f"there is no command {requested}")
    gc.freeze()
    gc.enable()
    try:
        return run(args, settings)
    except SettingError as error:
        print(f"Coursefront cannot start: {error}", file=sys.stderr)
        return 2


def list_commands() -> str:
    """The commands by their groups, for --help."""
    lines = []
    for title, group in GROUPS.items():
        lines += ["", f"{title}:", *(f"  {name:<15} {about}" for name, (_, about) in group.items())]
    return "\n".join(lines[1:])


def _use_own_environment() -> None:
    """Restart with the Python of .venv when this one lacks the packages that scripts/run installed there."""
    own = Path(__file__).parent.parent / ".venv" / "bin" / "python"
    if find_spec("aiohttp") is None and own.exists() and Path(sys.executable).resolve() != own.resolve():
        os.execv(own, [str(own), "-m", "host", *sys.argv[1:]])  # noqa: S606 our own interpreter


if __name__ == "__main__":
    sys.exit(main())
