"""`python -m host dev …`: looking into a running development site. Refuses in production."""

import argparse
import json
import sys
from typing import Any

from domain import visits
from domain.db import Database
from domain.tables import Visit
from host.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    helpers = parser.add_subparsers(dest="helper", required=True, metavar="HELPER")
    helpers.add_parser("pids", help="process ids of what runs, as JSON")
    for name, about in (("trace-count", "number of stored visits of a session"), ("traces", "those visits as JSON")):
        helpers.add_parser(name, help=about).add_argument("session")


def run(args: argparse.Namespace, settings: Settings) -> int:
    if settings.is_production:
        print("python -m host dev is for development; APP_ENV is production.", file=sys.stderr)
        return 2
    if args.helper == "pids":
        return _pids(settings)
    db = Database(settings.database_url, deadline_s=10, busy_ms=10_000)
    with db.reading() as session:
        if args.helper == "trace-count":
            print(visits.count_of_session(session, args.session))
        else:
            print(json.dumps([trace(one) for one in visits.of_session(session, args.session)], ensure_ascii=False))
    return 0


def _pids(settings: Settings) -> int:
    path = settings.var_dir / "pids.json"
    if not path.exists():
        print(f"No site runs on {settings.var_dir}; start it with scripts/run.", file=sys.stderr)
        return 1
    print(path.read_text())
    return 0


def trace(visit: Visit) -> dict[str, Any]:
    """A stored visit: the specification's names where it has one, ours for the rest."""
    return {
        "EventID": visit.event_id,
        "At": visit.at.isoformat(),
        "SessionID": visit.session_id,
        "AAUserID": visit.learner_id or 0,
        "ClaimedAAUserID": visit.claimed_id or 0,
        "CouponID": visit.coupon_id,
        "Stunum": visit.student_number,
        "SpecialCouponID": visit.special_coupon,
        "Url": visit.url,
        "Page": visit.page,
        "Campaign": visit.campaign,
        "Referrer": visit.referrer,
        "Class": visit.visitor_class,
        "Source": visit.source,
        "Agent": visit.agent,
        "Address": visit.address,
    }
