"""`python -m host staff`: give and take roles of the staff; the first administrator is made so."""

import argparse
import sys
from datetime import UTC, datetime

from rich.console import Console
from rich.table import Table
from sqlalchemy.orm import Session

from config.settings import Settings
from domain.database.database import Database, database_url
from domain.errors import DomainError
from domain.permissions import SystemActor
from domain.staff import listing as staff_listing
from domain.staff import roles as staff_roles
from domain.staff.roles import STAFF_ROLES, RoleChange

# Action, and whether anything was changed -> what is printed.
_TEXTS = {
    ("add", True): "{number} has the role {role} now.",
    ("add", False): "{number} has the role {role} already.",
    ("remove", True): "{number} does not have the role {role} any more.",
    ("remove", False): "{number} does not have the role {role}.",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("list", help="show the staff and their roles")
    for name, about in (("add", "give somebody a role"), ("remove", "take a role from somebody")):
        changed = actions.add_parser(name, help=about)
        changed.add_argument("number", metavar="STUDENT-NUMBER", help="shown in the person's profile")
        changed.add_argument("role", metavar="ROLE", choices=STAFF_ROLES, help=", ".join(STAFF_ROLES))
        changed.add_argument("--reason", default="", help="recorded with the change")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0, or 1 when the change is refused."""
    db = Database(database_url(settings.database, settings.var_dir), deadline_s=60, busy_ms=60_000)
    try:
        return _show(db) if args.action == "list" else _change(db, args)
    except DomainError as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        db.engine.dispose()


def _change(db: Database, args: argparse.Namespace) -> int:
    now = datetime.now(UTC)
    is_changed = db.write_as_sync(SystemActor("command", now), _with_number, args, now)
    print(_TEXTS[args.action, is_changed].format(number=args.number.upper(), role=args.role))
    return 0


def _with_number(session: Session, args: argparse.Namespace, at: datetime) -> bool:
    change = staff_roles.add_role if args.action == "add" else staff_roles.remove_role
    learner_id = staff_roles.find_person(session, args.number)
    return change(session, RoleChange(learner_id, args.role, None, at, args.reason))


def _show(db: Database) -> int:
    with db.read_session() as session:
        members = staff_listing.all_members(session)
    if not members:
        print("Nobody has a role yet: python -m host staff add STUDENT-NUMBER administrator")
        return 0
    table = Table("Student number", "Name", "Roles", "Since (UTC)", "Last sign-in (UTC)")
    for person in members:
        last = person.last_sign_in.strftime("%Y-%m-%d %H:%M") if person.last_sign_in else "never"
        table.add_row(person.student_number, person.name, ", ".join(person.roles), f"{person.since:%Y-%m-%d}", last)
    Console().print(table)
    return 0
