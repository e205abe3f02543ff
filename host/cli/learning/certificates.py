"""`python -m host certificates`: revoke one, list the keys that sign them, and mark a key that others know."""

import argparse
import sys
from datetime import UTC, datetime, time

from rich.console import Console
from rich.table import Table

from config.settings import Settings
from domain.database.database import Database, database_url
from domain.errors import DomainError, InvalidInput
from domain.learning.certificates import keys
from domain.permissions import SystemActor
from domain.support.learners import courses
from domain.typed_values import read_day

NEXT = "Set another CERTIFICATE_KEY now and restart the host processes; without one delete VAR_DIR/certificate.key."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    revoke = actions.add_parser("revoke", help="revoke a certificate for good; its holder gets a mail")
    revoke.add_argument("code", metavar="CODE", help="the code, as on its page")
    revoke.add_argument("--why", required=True, choices=("fraud", "holder"), help="what its public page says")
    revoke.add_argument("--reason", required=True, metavar="TEXT", help="recorded with the change")
    actions.add_parser("keys", help="list the keys that ever signed")
    distrust = actions.add_parser("distrust", help="mark a key that others know, for good")
    distrust.add_argument("thumbprint", metavar="THUMBPRINT", help="of the key, as `keys` lists it")
    distrust.add_argument("--since", required=True, metavar="DATE", help="from when on others may have used it (UTC)")
    distrust.add_argument("--reason", required=True, metavar="TEXT", help="a sentence that everybody can read")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0, or 1 with one sentence on stderr when the change is refused."""
    db = Database(database_url(settings.database, settings.var_dir), deadline_s=60, busy_ms=60_000)
    try:
        return {"revoke": _revoke, "keys": _show, "distrust": _distrust}[args.action](db, args)
    except InvalidInput as error:
        print(*error.errors.values(), file=sys.stderr)
    except DomainError as error:
        print(error, file=sys.stderr)
    finally:
        db.engine.dispose()
    return 1


def _revoke(db: Database, args: argparse.Namespace) -> int:
    now = datetime.now(UTC)
    about = {"why": args.why, "reason": args.reason}
    is_new = db.write_as_sync(SystemActor("command", now), courses.revoke_by_code, args.code, now, **about)
    print("The certificate is revoked." if is_new else "It was revoked before: nothing changes.")
    return 0


def _distrust(db: Database, args: argparse.Namespace) -> int:
    now = datetime.now(UTC)
    try:
        at = datetime.combine(read_day(args.since), time.min, UTC)
    except ValueError:
        raise InvalidInput({"since": f"{args.since} is no date such as 2026-11-29."}) from None
    db.write_as_sync(SystemActor("command", now), keys.distrust, args.thumbprint, at, args.reason, now)
    print(f"The key is marked. {NEXT}")
    return 0


def _show(db: Database, _args: argparse.Namespace) -> int:
    with db.read_session() as session:
        rows = keys.published(session)
        table = Table("Thumbprint", "Since (UTC)", "Until", "Known to others since", "Why")
        for row in rows:
            ends = [f"{at:%Y-%m-%d}" if at else "" for at in (row.until, row.distrusted_since)]
            table.add_row(row.thumbprint, f"{row.since:%Y-%m-%d}", *ends, row.distrust_reason)
    if rows:
        Console().print(table)
    else:
        print("No key has signed anything yet.")
    return 0
