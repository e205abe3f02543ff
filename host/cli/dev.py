"""`python -m host dev …`: looking into a running development site. Refuses in production."""

import argparse
import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from domain import cart, coupons, learners, sessions, visits
from domain.db import Database
from domain.errors import DomainError, NotFound
from domain.learners import Identity
from domain.seed import selling
from domain.tables import Visit
from host.sessions import half_name
from host.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    helpers = parser.add_subparsers(dest="helper", required=True, metavar="HELPER")
    helpers.add_parser("pids", help="process ids of what runs, as JSON")
    for name, about in (("trace-count", "number of stored visits of a session"), ("traces", "those visits as JSON")):
        helpers.add_parser(name, help=about).add_argument("session")
    token = helpers.add_parser("token", help="a fresh sign-in of a seeded learner, made if unknown, as JSON")
    token.add_argument("name")
    helpers.add_parser("coupon-uses", help="committed uses and live holds of a coupon").add_argument("code")
    helpers.add_parser("cart-count", help="lines in a learner's cart").add_argument("learner", type=int)
    new = helpers.add_parser("coupon-new", help="a coupon of 10 percent off everything")
    new.add_argument("code")
    new.add_argument("uses", type=int)


def run(args: argparse.Namespace, settings: Settings) -> int:
    if settings.is_production:
        print("python -m host dev is for development; APP_ENV is production.", file=sys.stderr)
        return 2
    if args.helper == "pids":
        return _pids(settings)
    db = Database(settings.database_url, deadline_s=10, busy_ms=10_000)
    try:
        print(_HELPERS[args.helper](db, args, settings))
    except DomainError as refused:
        print(refused, file=sys.stderr)
        return 1
    finally:
        db.engine.dispose()
    return 0


def _trace_count(db: Database, args: argparse.Namespace, _settings: Settings) -> int:
    with db.reading() as session:
        return visits.count_of_session(session, args.session)


def _traces(db: Database, args: argparse.Namespace, _settings: Settings) -> str:
    with db.reading() as session:
        return json.dumps([trace(one) for one in visits.of_session(session, args.session)], ensure_ascii=False)


def _token(db: Database, args: argparse.Namespace, settings: Settings) -> str:
    """Both halves of a sign-in, ready for headers."""
    now = datetime.now(UTC)
    subject = args.name.strip().casefold()
    identity = Identity(selling.ISSUER, subject, args.name.strip().title(), f"{subject}@example.test")
    with db.session() as session:
        opened = sessions.open_session(session, learners.made(session, identity, now).id, now)
    cookie = f"{half_name(settings)}={opened.half}"
    return json.dumps({"accessToken": opened.handle, "AAUserID": opened.learner_id, "cookie": cookie})


def _coupon_uses(db: Database, args: argparse.Namespace, _settings: Settings) -> int:
    now = datetime.now(UTC)
    with db.reading() as session:
        terms = coupons.by_code(session, args.code, now)
        if terms is None or terms.id is None:
            raise NotFound(f"There is no coupon {args.code}.")
        return coupons.live_uses(session, terms.id, now)


def _cart_count(db: Database, args: argparse.Namespace, _settings: Settings) -> int:
    with db.reading() as session:
        return cart.lines.count(session, args.learner)


def _coupon_new(db: Database, args: argparse.Namespace, _settings: Settings) -> str:
    made = coupons.New("percent", Decimal(10), total_limit=args.uses)
    with db.session() as session:
        return coupons.create(session, args.code, made, datetime.now(UTC)).shown


_HELPERS: dict[str, Callable[[Database, argparse.Namespace, Settings], object]] = {
    "trace-count": _trace_count,
    "traces": _traces,
    "token": _token,
    "coupon-uses": _coupon_uses,
    "cart-count": _cart_count,
    "coupon-new": _coupon_new,
}


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
